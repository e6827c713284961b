"""Both games, and the boards that the other tests have, too."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.fixture(params=["ants", "formica"])
def game(request):
    return request.param
