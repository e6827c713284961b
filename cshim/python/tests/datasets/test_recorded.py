"""A Python policy's play, recorded and read again."""

import boards
import numpy as np
import pytest

import myriant
from myriant import datasets

# Both seats' ants stand side by side, and kill each other in the first turn.
CLASH = """rows 8
cols 8
players 2
m ........
m ..0.....
m ..1.....
m ........
m ........
m ........
m ........
m ........
"""


@pytest.mark.parametrize("game", ["ants", "formica"])
def test_record_then_read(game, tmp_path):
    """What is read is what was seen, ordered and paid, step by step."""
    rules = {"ants": {"name": "ladder", "max_turns": 15}, "formica": {"name": "default", "max_ticks": 40}}[game]
    extra = {"ants": {"planes": "uint8"}, "formica": {}}[game]
    seats = {"ants": ["caller", "caller"], "formica": ["caller", "scripted", "random", "caller"]}[game]
    batch = boards.GAMES[game](
        num_boards=3, rules=rules, seats=seats, observe=list(range(len(seats))), autoreset="disabled", **extra
    )
    caller = [s for s, who in enumerate(seats) if who == "caller"]
    batch.record(tmp_path / "data", player="mine", checkpoint_every=4)
    rng = np.random.default_rng(5)
    now = batch.reset(seed=9)
    seen, alive = [], np.ones(3, bool)
    while alive.any():
        actions = boards.legal(now, rng)
        last, now = now, batch.step(actions)
        seen.append((last, actions, now, alive.copy()))
        alive &= ~now.done.astype(bool)
    assert batch.record_stop()["episodes"] == 3
    data = datasets.open(tmp_path / "data")
    assert "mine" in data.policies
    # Episodes are in the order in which they end: find each by what was seen first.
    for e in data:
        board = next(
            b
            for b in range(3)
            if e.turns == sum(int(s[3][b]) for s in seen)
            and np.array_equal(e.obs["planes"][-1], seen[e.turns - 1][2].planes[b])
        )
        for t in range(e.turns):
            last, actions, after, _ = seen[t]
            np.testing.assert_array_equal(e.obs["planes"][t], last.planes[board])
            np.testing.assert_array_equal(e.reward[t], after.reward[board])
            np.testing.assert_array_equal(e.terminated[t], after.terminated[board].astype(bool))
            np.testing.assert_array_equal(e.truncated[t], after.truncated[board].astype(bool))
            for s in caller:
                if game == "ants":
                    lo, hi = last.ant_offsets[board * 2 + s : board * 2 + s + 2]
                    np.testing.assert_array_equal(e.action[t, s], actions[lo:hi])
                    np.testing.assert_array_equal(e.obs["ant_cells"][t, s], last.ant_cells[lo:hi])
                    np.testing.assert_array_equal(e.mask["ant_mask"][t, s], last.ant_mask[lo:hi].astype(bool))
                elif len(e.action[t, s]):
                    mode = actions[board, s, 0]
                    assert e.action[t, s][0] == mode
        assert [seat.policy for seat in e.seats] == ["mine" if who == "caller" else who for who in seats]
    batch.close()


def test_short_episodes(tmp_path):
    """Episodes of 1, 3 and 3 turns: 7 transitions a seat, and none goes from one episode to the next."""
    rules = {"name": "ladder", "max_turns": 3, "food": "none"}
    with myriant.Batch(
        "ants",
        num_boards=3,
        map=[CLASH, "tiny-2p"],
        map_of=[0, 1, 1],
        rules=rules,
        seats=["hold", "hold"],
        autoreset="disabled",
    ) as batch:
        batch.record(tmp_path / "data")
        batch.reset(seed=1)
        for _ in range(3):
            batch.step()
        assert batch.record_stop()["episodes"] == 3
    data = datasets.open(tmp_path / "data")
    assert data.results()["turns"].tolist() == [1, 3, 3]
    for options in ({"batch": 2}, {"batch": 100}, {"shuffle": True, "buffer": 4, "batch": 3}):
        found = []
        for b in data.transitions(info=["episode", "step", "seat", "map"], **options):
            found += zip(b.info.episode.tolist(), b.info.step.tolist(), b.info.seat.tolist(), strict=True)
            for i in range(len(b)):
                last = b.info.step[i] == (0 if b.info.episode[i] == 0 else 2)
                assert (b.terminated[i] or b.truncated[i]) == last
                # What it led to is of the same episode: own hills do not move, and differ between the maps.
                hills = b.obs["planes"][i, 3] & b.next_obs["planes"][i, 3]
                np.testing.assert_array_equal(hills, b.next_obs["planes"][i, 3])
        assert sorted(found) == [(e, t, s) for e, turns in enumerate([1, 3, 3]) for t in range(turns) for s in range(2)]
    ends = {(e.number, e.reason): (e.terminated[-1].all(), e.truncated[-1].all()) for e in data}
    assert [truncated for _, truncated in ends.values()] == [False, True, True]
    windows = next(iter(data.windows(2, short=True)))
    assert sorted(windows.steps.tolist()) == [1] * 6 + [2] * 4
