"""Recording what is played as a dataset."""

import json

import boards
import numpy as np
import pytest

import myriant


@pytest.mark.parametrize("game", boards.GAMES)
def test_record(game, tmp_path):
    rules = {"ants": {"name": "ladder", "max_turns": 12}, "formica": {"name": "default", "max_ticks": 40}}[game]
    batch = boards.GAMES[game](rules=rules, num_boards=4)
    batch.record(tmp_path / "data", player="me", checkpoint_every=5)
    now = boards.play(batch, batch.reset(seed=3), 30)[-1]
    assert now is not None
    summary = batch.record_stop()
    assert summary["episodes"] >= 8
    assert summary["turns"] > 0
    assert summary["out"] == str(tmp_path / "data")
    files = [p.name for p in (tmp_path / "data").rglob("*") if p.is_file()]
    assert any(name.endswith(".arrow") for name in files)
    manifest = json.loads(next((tmp_path / "data").rglob("manifest.json")).read_text())
    assert "me" in json.dumps(manifest)
    with pytest.raises(myriant.IdleError, match="recorded"):
        batch.record_stop()
    batch.step(boards.legal(now, np.random.default_rng(0)))
    batch.close()


def test_record_refuses(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with boards.ants() as batch:
        batch.reset(seed=1)
        with pytest.raises(myriant.MyriantError, match="record"):
            batch.record(tmp_path / "full")
        with pytest.raises(myriant.ConfigError, match="record"):
            batch.record(tmp_path / "new", checkpoint_every=-1)
        with pytest.raises(myriant.RecordError, match="record"):
            batch.record("/proc/nowhere/data")


def test_close_ends_recording(tmp_path):
    batch = boards.ants(rules=boards.THREE_TURNS)
    batch.reset(seed=3)
    batch.record(tmp_path / "data")
    boards.play(batch, batch.reset(seed=3), 9)
    batch.close()
    assert list((tmp_path / "data").rglob("*.arrow"))


def test_exit_ends_recording(tmp_path):
    code, _, err, _ = boards.run(
        f"""
import sys, myriant
batch = myriant.Batch("ants", num_boards=2, map="tiny-2p", seats=["greedy", "random"], rules={boards.THREE_TURNS!r})
batch.record({str(tmp_path / "data")!r})
batch.reset(seed=1)
for _ in range(9):
    batch.step()
sys.exit(5)
"""
    )
    assert code == 5, err
    assert list((tmp_path / "data").rglob("*.arrow"))
