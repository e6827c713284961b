"""What the tests of the adapters share: short games of both, and comparison down to dtypes."""

import numpy as np

# Three steps long, and then over: Ants by its turn limit, which is truncation, Formica by its last tick, which is not.
THREE = {
    "ants": {"map": "tiny-2p", "rules": {"name": "ladder", "max_turns": 3}},
    "formica": {"map": "duel", "rules": {"name": "duel", "max_ticks": 24, "command_every": 8}},
}
# Short, with seats that are out while others play on.
SHORT = {
    "ants": {"map": "small-3p", "rules": {"name": "ladder", "max_turns": 70}},
    "formica": {"rules": {"name": "default", "max_ticks": 320}},
}
OPPONENTS = {"ants": "hunter", "formica": "raid"}
IDS = {"ants": "myriant/Ants-v0", "formica": "myriant/Formica-v0"}


def same(a, b, path="it"):
    """Equal down to types, dtypes and keys."""
    if isinstance(a, dict):
        assert isinstance(b, dict), f"{path}: {a!r} and {b!r}"
        assert a.keys() == b.keys(), path
        for key in a:
            same(a[key], b[key], f"{path}[{key!r}]")
    elif isinstance(a, np.ndarray) and a.dtype == object:
        assert (b.dtype, a.shape) == (a.dtype, b.shape), path
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{path}[{i}]")
    elif isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray), path
        assert (a.dtype, a.shape) == (b.dtype, b.shape), path
        np.testing.assert_array_equal(a, b, err_msg=path)
    elif isinstance(a, tuple):
        assert type(a) is type(b), path
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{path}[{i}]")
    else:
        assert type(a) is type(b), f"{path}: {a!r} and {b!r}"
        assert a == b, path


def arrays(x):
    """All arrays in a structure."""
    if isinstance(x, np.ndarray):
        yield x
    elif isinstance(x, dict):
        for v in x.values():
            yield from arrays(v)
    elif isinstance(x, tuple | list):
        for v in x:
            yield from arrays(v)
