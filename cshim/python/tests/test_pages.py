"""The code of README.md and of the pages of docs/ runs as it stands there."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent


PAGES = ["README.md", "docs/autoreset.md", "docs/pitfalls.md"]
# The code of these runs in tests of their own. The examples of docstrings, which api.md has, are parts of programs.
ELSEWHERE = {"adapters.md", "datasets.md", "training.md", "api.md"}


def test_every_page_with_code_is_run():
    with_code = {p.name for p in [HERE / "README.md", *(HERE / "docs").glob("*.md")] if "```python" in p.read_text()}
    assert with_code - ELSEWHERE == {Path(page).name for page in PAGES}


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("page", PAGES)
def test_code(page):
    blocks = re.findall(r"```python\n(.*?)```", (HERE / page).read_text(), re.S)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def test_links():
    for page in [HERE / "README.md", *(HERE / "docs").glob("*.md")]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.name}: {link}"
