"""Where the Go command of this package is."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path


def find() -> Path | None:
    """The command ``myriant``: MYRIANT_COMMAND, or where pip puts it, or on the PATH."""
    if named := os.environ.get("MYRIANT_COMMAND"):
        return Path(named)
    schemes = [None, sysconfig.get_preferred_scheme("user")]
    for scheme in schemes:
        folder = sysconfig.get_path("scripts") if scheme is None else sysconfig.get_path("scripts", scheme)
        path = Path(folder) / "myriant"
        if path.is_file() and os.access(path, os.X_OK):
            return path
    found = shutil.which("myriant")
    return Path(found) if found else None
