"""Recording what is played as a dataset."""

import json

import boards
import numpy as np
import pytest

import myriant
from myriant import datasets


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


@pytest.mark.parametrize("kind", ["orders", "steps"])
@pytest.mark.parametrize("format", ["arrow", "parquet"])
def test_kinds_and_formats_hold_the_same(kind, format, tmp_path):
    with boards.ants(rules={"name": "ladder", "max_turns": 6}) as batch:
        batch.record(tmp_path / "data", kind=kind, format=format)
        played = boards.play(batch, batch.reset(seed=3), 13)
        assert batch.record_stop()["episodes"] == 6
    ended = [now.final_info for now in played if now.final_info is not None]
    with datasets.open(tmp_path / "data") as data:
        assert data.kind == kind
        assert len(data) == 6
        (all_of_it,) = data.transitions(batch=10_000)
        assert len(all_of_it.reward) == 6 * 6 * 2  # episodes, turns, seats
        assert all_of_it.truncated.sum() == 6 * 2
        assert all_of_it.reward.sum() == sum(float(info["episode_return"].sum()) for info in ended)
    assert {p.suffix for p in (tmp_path / "data").rglob("*") if p.is_file()} == {f".{format}", ".json"}


@pytest.mark.parametrize("keep_open", [False, True])
def test_episodes_that_are_not_over(keep_open, tmp_path):
    with boards.ants() as batch:
        batch.record(tmp_path / "data", keep_open=keep_open)
        now = boards.play(batch, batch.reset(seed=3), 4)[-1]
        now = batch.reset_mask([True, False, False])  # cuts one
        boards.play(batch, now, 5)
        summary = batch.record_stop()
    assert (summary["episodes"], summary["left_out"]) == ((4, 0) if keep_open else (0, 4))
    if keep_open:
        with datasets.open(tmp_path / "data") as data:
            results = data.results()
            assert sorted(results["turns"].tolist()) == [4, 5, 9, 9]
            assert set(results["reason"].tolist()) == {"stopped"}


def test_record_refuses(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("x")
    with boards.ants() as batch:
        batch.reset(seed=1)
        with pytest.raises(myriant.MyriantError, match="record"):
            batch.record(tmp_path / "full")
        with pytest.raises(myriant.ConfigError, match="record"):
            batch.record(tmp_path / "new", checkpoint_every=-1)
        with pytest.raises(myriant.ConfigError, match="kind"):
            batch.record(tmp_path / "new", kind="frames")
        with pytest.raises(myriant.ConfigError, match="format"):
            batch.record(tmp_path / "new", format="csv")
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
