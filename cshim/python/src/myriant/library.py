"""What library is used."""

from __future__ import annotations

from typing import Any

from . import _native
from .spec import catalog


def library() -> dict[str, Any]:
    """The library, loaded now if it was not yet: path, version, abi (of its interface), acceleration (the vector
    code in use), and signatures: for each game and rule set the behaviour signature.

    Raises LibraryError if it is missing or has another interface version, ForkError in a forked child of the process
    that loaded it.
    """
    found = catalog()
    return {
        "path": str(_native.path()),
        "version": found["version"],
        "abi": found["abi"],
        "acceleration": found["acceleration"],
        "signatures": {g["name"]: {r["name"]: r["signature"] for r in g["rule_sets"]} for g in found["games"]},
    }
