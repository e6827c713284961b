"""The code of the README runs as it stands there."""

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_readme(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
    assert float(capsys.readouterr().out) < 0
