"""Small boards for tests, on which what happens is known."""

import numpy as np

import myriant

NORTH, EAST, SOUTH, WEST, STAY = range(5)

# Each seat has two ants that meet between their hills and die: seats 0 and 1, and on TRIO 2.
PAIR = """rows 8
cols 8
players 2
m ........
m .0.0....
m ........
m ........
m ........
m .1.1....
m ........
m ........
"""
TRIO = """rows 15
cols 8
players 3
m ........
m .0.0....
m ........
m ........
m ........
m ........
m .1.1....
m ........
m ........
m ........
m ........
m .2.2....
m ........
m ........
m ........
"""
NO_FOOD = {"name": "ladder", "food": "none"}
THREE_TURNS = {"name": "ladder", "max_turns": 3}


def ants(num_boards=3, **config):
    """A batch of Ants on a small map."""
    config.setdefault("map", "tiny-2p")
    return myriant.Batch("ants", num_boards=num_boards, **config)


def formica(num_boards=2, **config):
    """A batch of Formica with few ticks."""
    config.setdefault("rules", {"name": "default", "max_ticks": 40})
    return myriant.Batch("formica", num_boards=num_boards, **config)


GAMES = {"ants": ants, "formica": formica}


def legal(now, rng):
    """Actions that the masks allow, drawn at random, for the default head of either game."""
    if "ant_mask" in now:
        return (rng.random(now.ant_mask.shape) * now.ant_mask).argmax(axis=1)
    mode = (rng.random(now.mode_mask.shape) * now.mode_mask).argmax(axis=-1)
    alloc = rng.integers(0, 66, mode.shape)
    defend = (rng.random(now.defend_mask.shape) * now.defend_mask).argmax(axis=-1)
    flat = now.target_mask.reshape(*mode.shape, -1)
    target = np.where(flat.any(axis=-1), (rng.random(flat.shape) * flat).argmax(axis=-1), -1)
    return np.stack([mode, alloc, defend, target], axis=-1)


def play(batch, now, steps, seed=0):
    """Plays legal steps; the arrays after each."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        now = batch.step(legal(now, rng))
        seen.append(now)
    return seen


def same(a, b):
    """Equal arrays by name."""
    assert list(a) == list(b)
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def run(code, timeout=60, **env):
    """Runs Python code in a process of its own: its exit code, what it printed, and the seconds that it took."""
    import os
    import subprocess
    import sys
    import time

    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout, env={**os.environ, **env}
    )
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begin
