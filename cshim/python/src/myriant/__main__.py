"""``python -m myriant``: what is installed; with arguments, the command ``myriant`` with them.

The wheel holds the Go command itself, which pip installs as ``myriant`` beside Python. ``python -m myriant`` runs
the one that belongs to this package, also where that folder is not on the PATH.
"""

from __future__ import annotations

import os
import sys

from ._command import find
from .errors import LibraryError
from .library import library


def main() -> int:
    """Runs the command, or tells what is installed. The result is an exit status."""
    if len(sys.argv) > 1:
        command = find()
        if command is None:
            print("the command myriant is not installed beside this Python", file=sys.stderr)
            return 1
        sys.stdout.flush()
        os.execv(command, [str(command), *sys.argv[1:]])
    try:
        about = library()
    except LibraryError as e:
        print(e, file=sys.stderr)
        return 1
    print(f"myriant {about['version']}, interface {about['abi']}, {about['acceleration']} kernels")
    print(f"library  {about['path']}")
    print(f"command  {find() or 'not installed'}")
    for game, signatures in about["signatures"].items():
        print(f"{game:8} " + ", ".join(f"{name} {signature}" for name, signature in signatures.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
