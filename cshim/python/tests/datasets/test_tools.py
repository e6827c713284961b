"""What datasets are made with, and made from others: the same as the command's."""

import json
import signal
import subprocess
import threading

import numpy as np
import pytest
from conftest import MAPS, POLICIES, RULES, command

from myriant import datasets, errors


def files(folder):
    """A folder's files and their bytes."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert len(found) >= 3
    return found


def make(out, game="ants", **options):
    """What conftest.generate makes, through the library."""
    given = {"kind": "orders", "format": "arrow", "episodes": 12, "seed": 3} | options
    rules, policies = json.loads(RULES[game]), POLICIES[game].split(",")
    return datasets.generate(out, game=game, map=MAPS[game], rules=rules, policies=policies, **given)


@pytest.mark.parametrize(("kind", "form"), [("orders", "arrow"), ("steps", "parquet")])
def test_generate(folders, game, kind, form, tmp_path):
    told = []
    data = make(tmp_path / "data", game, kind=kind, format=form, workers=1, progress=told.append)
    assert files(tmp_path / "data") == files(folders(game, kind, form))
    assert len(data) == 12
    assert data.kind == kind
    assert data.complete
    last = told[-1]
    assert (last.episodes, last.total, last.turns) == (12, 12, data.turns)
    assert last.bytes > 0


def test_parts(folders, game, tmp_path):
    for k in range(3):
        assert len(make(tmp_path / str(k), game, part=(k, 3))) == 4
    whole = datasets.merge([tmp_path / "2", datasets.open(tmp_path / "0"), str(tmp_path / "1")], tmp_path / "all")
    assert len(whole) == 12
    assert files(tmp_path / "all") == files(folders(game))


def test_convert(folders, game, tmp_path):
    data = datasets.open(folders(game))
    there = datasets.convert(data, tmp_path / "there", kind="steps", format="parquet")
    assert there.kind == "steps"
    assert there.files[0].suffix == ".parquet"
    back = datasets.convert(there, tmp_path / "back", kind="orders", format="arrow", shard_size=1 << 20)
    assert files(back.path) == files(data.path)


def test_split(folders, game, tmp_path):
    data = datasets.open(folders(game))
    train, held = datasets.split(data, tmp_path / "train", tmp_path / "held", fraction=0.6, seed=5)
    numbers = data.split(0.6, seed=5)
    for side, chosen in zip((train, held), numbers, strict=True):
        assert len(side) == len(chosen) > 0
        np.testing.assert_array_equal(side.results()["seed"], data.results(chosen)["seed"])
    with pytest.raises(errors.ConfigError, match="empty"):
        datasets.split(data, tmp_path / "x", tmp_path / "y", fraction=1e-9)
    assert not list(tmp_path.glob("[xy]/shard*"))


def test_verify(folders, game, tmp_path):
    data = datasets.open(folders(game, "steps"))
    found = datasets.verify(data)
    assert found["complete"]
    assert found["episodes"] == 12
    assert found["turns"] == data.turns
    copy = make(tmp_path / "data", game)
    shard = bytearray(copy.files[0].read_bytes())
    shard[len(shard) // 2] ^= 1
    copy.files[0].write_bytes(shard)
    with pytest.raises(errors.CorruptError, match="shard-00000"):
        datasets.verify(copy)


def test_stats(folders, game):
    data = datasets.open(folders(game))
    found = datasets.stats(data, workers=2)
    results = data.results()
    assert found["episodes"] == 12
    assert found["turns"] == data.turns
    assert found["lengths"]["max"] == results["turns"].max()
    first = found["policies"][0]
    mine = results["policy"] == first["name"]
    assert first["seats"] == mine.sum()
    assert first["return"]["mean"] == pytest.approx(results["return"][mine].mean(), abs=1e-4)
    out = subprocess.run([command(), "data", "stats", str(data.path), "--json"], check=True, capture_output=True).stdout
    said = json.loads(out)
    said.pop("plots")
    assert said == found


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted(tmp_path):
    """Ctrl-C ends generating at once, and going on leads to the bytes of an undisturbed run."""
    options = {"map": "tiny-2p", "policies": ["random"], "rules": {"max_turns": 60}, "seed": 7, "shard_size": 8192}
    kill = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    begun = []

    def progress(now):
        begun.append(now)
        if now.bytes > 0 and not kill.is_alive() and not kill.finished.is_set():
            kill.start()

    with pytest.raises(KeyboardInterrupt):
        datasets.generate(tmp_path / "a", episodes=200_000, progress=progress, **options)
    half = datasets.open(tmp_path / "a")
    assert 0 < len(half) < 200_000
    assert not half.complete
    # A smaller one, for it to end: interrupted by what a callback raises.
    small = {**options, "episodes": 3000}

    def stop(now):
        if now.bytes > 0:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        datasets.generate(tmp_path / "b", progress=stop, **small)
    with pytest.raises(errors.RecordError, match="b"):
        datasets.generate(tmp_path / "b", **small)
    datasets.generate(tmp_path / "b", resume=True, **small)
    datasets.generate(tmp_path / "c", **small)
    assert files(tmp_path / "b") == files(tmp_path / "c")


def test_wrong(folders, tmp_path):
    for options, error, match in [
        ({"policies": ["nobody"]}, errors.ConfigError, "nobody"),
        ({"map": "nowhere"}, errors.MapError, "nowhere"),
        ({"rules": "none"}, errors.RulesError, "none"),
        ({"game": "chess"}, errors.ConfigError, "chess"),
        ({"kind": "both"}, errors.ConfigError, "both"),
        ({"part": (2, 2)}, errors.ArgumentError, "part 2 of 2"),
        ({"episodes": -1}, errors.ArgumentError, "episodes"),
    ]:
        with pytest.raises(error, match=match):
            datasets.generate(tmp_path / "data", **options)
    assert not (tmp_path / "data").exists()
    with pytest.raises(errors.RecordError, match="nowhere"):
        datasets.convert(tmp_path / "nowhere", tmp_path / "out")
    for sources in ([], str(folders()), datasets.open(folders())):
        with pytest.raises(errors.ArgumentError):
            datasets.merge(sources, tmp_path / "out")
    with pytest.raises(errors.ConfigError, match="games"):
        datasets.merge([folders(), folders("formica")], tmp_path / "out")


def test_full_disk(tmp_path):
    """A disk that is full ends the command with an error, and what whole files hold reads."""
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=192k none {disk}"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mount], check=False, capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    flags = f"--map tiny-2p --episodes 5000 --shard-size 32k --out {disk}/data"
    script = f"{mount} && {command()} generate {flags}; code=$?; cp -r {disk}/data {copy}; exit $code"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert "no space left on device" in done.stderr
    data = datasets.open(copy)
    assert 0 < len(data) < 5000
    assert not data.complete
    assert datasets.verify(data)["episodes"] == len(data)
