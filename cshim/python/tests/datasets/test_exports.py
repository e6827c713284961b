"""Datasets for other libraries: read there, they say the same."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

import myriant
from myriant import datasets


@pytest.fixture
def minari(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return pytest.importorskip("minari", reason="minari is not installed here")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("form", ["hdf5", "arrow"])
def test_minari(folders, game, minari, form):
    from myriant.datasets.minari import export

    data = datasets.open(folders(game))
    name = f"myriant/{game}-{form}-v0"
    made = export(data, name, range(5), data_format=form, author="somebody")
    again = minari.load_dataset(name)
    want = [(e, seat) for e in data.episodes(range(5)) for seat in range(len(e.seats))]
    assert made.total_episodes == again.total_episodes == len(want)
    steps = 0
    for (e, seat), got in zip(want, again.iterate_episodes(), strict=True):
        over = np.flatnonzero(e.terminated[:, seat] | e.truncated[:, seat])
        n = int(over[0]) + 1
        steps += n
        seen = got.observations if game == "ants" else got.observations["planes"]
        np.testing.assert_array_equal(seen, e.obs["planes"][: n + 1, seat])
        if game == "formica":
            np.testing.assert_array_equal(got.observations["scalars"], e.obs["scalars"][: n + 1, seat])
        np.testing.assert_array_equal(got.rewards, e.reward[:n, seat])
        np.testing.assert_array_equal(got.terminations, e.terminated[:n, seat])
        np.testing.assert_array_equal(got.truncations, e.truncated[:n, seat])
        assert got.terminations[-1] or got.truncations[-1]
        assert got.infos["seat"][0] == seat
        assert got.infos["episode"][0] == e.id
        for t in range(n):
            assert again.action_space.contains(got.actions[t])
            given = e.action[t, seat]
            if game == "ants":
                np.testing.assert_array_equal(got.actions[t][e.obs["ant_cells"][t, seat]], given)
                assert (got.actions[t] != 4).sum() == (given != 4).sum()
            else:
                np.testing.assert_array_equal(got.actions[t], given if len(given) else [255] + [0] * 9)
        for t in (0, n):
            one = got.observations[t] if game == "ants" else {k: v[t] for k, v in got.observations.items()}
            assert again.observation_space.contains(one)
    assert again.total_steps == steps
    assert again.storage.metadata.get("jpeg_encoding") is False


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_minari_choice(folders, minari):
    from myriant.datasets.minari import export

    data = datasets.open(folders())
    made = export(data, "myriant/greedy-v0", policies=["greedy"])
    assert made.total_episodes == sum(s.policy == "greedy" for e in data for s in e.seats)
    assert export(data, "myriant/second-v0", [1], seats=[1]).total_episodes == 1
    with pytest.raises(myriant.ArgumentError, match="unpack"):
        export(datasets.open(data.path, unpack=None), "myriant/packed-v0")


def test_huggingface(folders, game, kind, tmp_path, monkeypatch):
    from myriant.datasets.huggingface import export

    data = datasets.open(folders(game, kind))
    out = export(data, tmp_path / "folder", validation=0.4, seed=2, file_rows=200, license="mit")
    train, held = data.split(0.6, seed=2)
    for name, side in (("train", train), ("validation", held)):
        files = sorted((out / "data").glob(f"{name}-*.parquet"))
        rows = [r for f in files for r in pq.read_table(f).to_pylist()]
        assert len(files) > 1 or len(rows) < 600
        at = 0
        for e in data.episodes(side):
            for t in range(e.turns + 1):
                for s in range(len(e.seats)):
                    row = rows[at]
                    at += 1
                    assert (row["episode"], row["step"], row["seat"]) == (e.id, t, s)
                    assert row["policy"] == e.seats[s].policy
                    assert list(row["actions"]) == (e.action[t, s].tolist() if t < e.turns else [])
                    assert row["is_final_obs"] == (t == e.turns)
        assert at == len(rows)
    card = (out / "README.md").read_text()
    assert card.startswith("---\nlicense: mit\n")
    assert all(f"`{name}`" in card for name in data.columns)
    about = json.loads((out / "dataset.json").read_text())
    assert about["rules"] == data.rules
    assert {p.stem for p in (out / "maps").iterdir()} == {m.digest for m in data.maps}
    with pytest.raises(myriant.RecordError, match="not empty"):
        export(data, out)
    with pytest.raises(myriant.ArgumentError, match="validation"):
        export(data, tmp_path / "other", validation=1.0)


def test_huggingface_loads(folders, game, tmp_path, monkeypatch):
    hf = pytest.importorskip("datasets", reason="Hugging Face's datasets is not installed here")
    from myriant.datasets.huggingface import export

    data = datasets.open(folders(game))
    out = export(data, tmp_path / "folder", validation=0.3)
    loaded = hf.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert set(loaded) == {"train", "validation"}
    assert sum(len(side) for side in loaded.values()) == sum((e.turns + 1) * len(e.seats) for e in data)
    row, e = loaded["train"][0], data[int(data.split(0.7)[0][0])]
    assert row["episode"] == e.id
    assert row["actions"] == e.action[0, 0].tolist()
