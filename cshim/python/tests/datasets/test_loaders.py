"""PyTorch's loaders: every episode once, whatever the workers."""

import numpy as np
import pytest

import myriant
from myriant import datasets

torch = pytest.importorskip("torch", reason="torch is not installed here")

from torch.utils.data import DataLoader  # noqa: E402

from myriant.datasets.torch import Stream, tensors  # noqa: E402


def keys(batch):
    info = batch["info"]
    return list(zip(info["episode"].tolist(), info["step"].tolist(), info["seat"].tolist(), strict=True))


def only_keys(batch):
    return {"info": {name: torch.from_numpy(batch.info[name]) for name in ("episode", "step", "seat")}}


def test_tensors(folders, game, kind):
    data = datasets.open(folders(game, kind))
    for view, options in (
        ("transitions", {}),
        ("windows", {"length": 4, "short": True}),
        ("episodes", {}),
        ("rows", {}),
    ):
        plain = getattr(data, view)(**options)
        for a, b in zip(plain, Stream(data, view, **options), strict=True):
            if view == "rows":
                np.testing.assert_array_equal(b["planes"].numpy(), a.planes)
                continue
            np.testing.assert_array_equal(b["obs"]["planes"].numpy(), a.obs["planes"])
            np.testing.assert_array_equal(b["action"]["values"].numpy(), a.action.values)
            np.testing.assert_array_equal(b["action"]["offsets"].numpy(), a.action.offsets)
            np.testing.assert_array_equal(b["reward"].numpy(), a.reward)
    assert tensors(3) == 3
    with pytest.raises(myriant.ConfigError, match="pictures"):
        Stream(data, "pictures")
    with pytest.raises(TypeError):
        Stream(data, nothing=1)
    with pytest.raises(ValueError, match="batch"):
        Stream(data, batch=0)


def test_epochs(folders):
    stream = Stream(folders(), shuffle=True, seed=3, buffer=100, batch=32, transform=only_keys)
    plain = [
        k
        for b in datasets.open(folders()).transitions(batch=32)
        for k in zip(b.info.episode.tolist(), b.info.step.tolist(), b.info.seat.tolist(), strict=True)
    ]

    def read():
        return [k for b in stream for k in keys(b)]

    orders = []
    for epoch in (0, 1, 0):
        stream.set_epoch(epoch)
        orders.append(read())
    assert orders[0] == orders[2] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(plain)


@pytest.mark.timeout(300)
def test_workers(folders, kind):
    """Workers that are spawned give every episode exactly once, in every epoch, and processes share by parts."""
    data = datasets.open(folders("ants", kind))
    want = sorted(k for b in Stream(data, batch=64) for k in keys(b))
    found = [[], []]  # per epoch
    for part in range(2):
        stream = Stream(data, batch=32, shuffle=True, seed=1, part=part, parts=2, transform=only_keys)
        loader = DataLoader(
            stream, batch_size=None, num_workers=2, multiprocessing_context="spawn", persistent_workers=True
        )
        for epoch in range(2):
            stream.set_epoch(epoch)
            found[epoch] += [k for b in loader for k in keys(b)]
        del loader
    assert sorted(found[0]) == sorted(found[1]) == want
    assert found[0] != found[1]


@pytest.mark.timeout(300)
def test_worker_tells(folders, tmp_path):
    """What is damaged is told in the process that trains."""
    import shutil

    shutil.copytree(folders(), tmp_path / "data")
    data = datasets.open(tmp_path / "data")
    content = bytearray(data.files[0].read_bytes())
    content[len(content) // 2] ^= 1
    data.files[0].write_bytes(content)
    loader = DataLoader(Stream(data), batch_size=None, num_workers=1, multiprocessing_context="spawn")
    with pytest.raises(myriant.CorruptError, match=data.files[0].name):
        list(loader)
