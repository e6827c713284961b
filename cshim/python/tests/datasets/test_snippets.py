"""The snippets of docs/datasets.md, run as they stand, one after the other."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"


def test_page(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="torch is not installed here")
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.S | re.M)
    assert len(snippets) == 6
    names = {}
    for code in snippets:
        exec(compile(code, str(PAGE), "exec"), names)
    assert len(names["data"]) >= 12
    assert len(names["train_set"]) + len(names["held_set"]) == len(names["games"]) == len(names["table"]) == 50
    assert names["window"].obs["planes"].shape[1] == 17
    assert (tmp_path / "folder" / "README.md").is_file()
