"""The snippets of the page on adapters run as they are."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adapters.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.M | re.S)


def test_there_are_snippets():
    assert len(SNIPPETS) >= 8


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("i", range(len(SNIPPETS)))
def test_snippet(i):
    exec(compile(SNIPPETS[i], f"{PAGE.name}, snippet {i}", "exec"), {"__name__": "__main__"})
