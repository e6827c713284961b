"""Copies and views: whose memory they are, and for how long."""

import gc
import queue
import re
import sys
import threading
from pathlib import Path

import boards
import numpy as np
import pytest

import myriant


@pytest.mark.parametrize("game", boards.GAMES)
def test_copies_never_change(game):
    batch = boards.GAMES[game]()
    kept, copies = [], []
    for now in boards.play(batch, batch.reset(seed=3), 30):
        kept.append(now)
        copies.append({name: a.copy() for name, a in now.items()})
    batch.reset(seed=9)
    batch.close()
    del batch
    gc.collect()
    for now, copy in zip(kept, copies, strict=True):
        boards.same(now, copy)
        for a in now.values():
            assert a.flags.owndata
            assert a.flags.writeable


@pytest.mark.parametrize("game", boards.GAMES)
def test_views_show_what_copies_hold(game):
    one, two = boards.GAMES[game](copy=True), boards.GAMES[game](copy=False)
    a, b = one.reset(seed=3), two.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(40):
        boards.same(a, b)
        for name, array in b.items():
            spec = two.spec.arrays[name]
            assert array.dtype == spec.dtype
            assert array.flags.c_contiguous
            assert not array.flags.writeable
            assert array.ctypes.data % 64 == 0
            assert all(n == want for n, want in zip(array.shape, spec.shape, strict=True) if want >= 0)
        actions = boards.legal(a, rng)
        a, b = one.step(actions), two.step(actions)
    one.close()
    two.close()


@pytest.mark.skipif(sys.platform != "linux", reason="large pages are asked for on Linux")
def test_large_arrays_ask_for_large_pages():
    with boards.ants(num_boards=4096, copy=False) as batch:
        address = batch.reset(seed=3).planes.ctypes.data
        assert address % (2 << 20) == 0
        flags = ""
        for line in Path("/proc/self/smaps").read_text().splitlines():
            if (area := re.match(r"([0-9a-f]+)-([0-9a-f]+) ", line)) is not None:
                inside = int(area[1], 16) <= address < int(area[2], 16)
            elif inside and line.startswith("VmFlags:"):
                flags = line
        assert "hg" in flags.split()


def test_a_view_is_overwritten_and_stays_readable():
    batch = boards.ants(copy=False)
    now = batch.reset(seed=3)
    planes = now.planes
    before = planes.copy()
    again = boards.play(batch, now, 5)[-1]
    assert np.shares_memory(planes, again.planes)
    assert not np.array_equal(planes, before)
    last = planes.copy()
    batch.close()
    del batch, now, again
    gc.collect()
    for _ in range(5):
        with boards.ants(num_boards=50) as other:
            other.reset(seed=1)
    np.testing.assert_array_equal(planes, last)  # nobody writes to it after the close


def test_views_of_ragged_arrays_outlive_their_growth():
    """Arrays that grow move; what was given out before stays readable."""
    play = {"seats": ["greedy", "greedy"], "observe": [0, 1], "autoreset": "disabled"}
    batch = boards.ants(num_boards=20, map="open-32x32-2p", copy=False, **play)
    now = batch.reset(seed=3)
    kept = []
    for _ in range(120):
        kept.append((now.ant_cells, now.ant_offsets))
        now = batch.step()
    assert len(now.ant_cells) > 4 * len(kept[0][0])
    addresses = {cells.ctypes.data for cells, _ in kept}
    assert len(addresses) > 1
    batch.close()
    del batch, now
    gc.collect()
    assert all(int(cells.astype(np.int64).sum()) >= 0 for cells, _ in kept)


def test_views_are_read_only_unless_asked():
    batch = boards.ants()
    batch.reset(seed=3)
    view = batch.array("planes", copy=False)
    with pytest.raises(ValueError, match="read-only"):
        view[:] = 0
    free = batch.array("planes", copy=False, writeable=True)
    free[:] = 255
    assert (view == 255).all()
    with pytest.raises(myriant.ArgumentError, match="never writeable"):
        batch.array("ant_offsets", copy=False, writeable=True)
    copy = batch.array("planes")
    copy[:] = 0
    assert (view == 255).all()
    batch.close()


def test_array_by_name():
    batch = boards.ants(autoreset="same_step", privileged=True)
    now = batch.reset(seed=3)
    for name, a in now.items():
        np.testing.assert_array_equal(batch.array(name), a)
        np.testing.assert_array_equal(batch.array(name, copy=False), a)
    np.testing.assert_array_equal(batch.array("score"), now.privileged["score"])
    assert batch.array("planes", final=True).shape == now.planes.shape
    with pytest.raises(myriant.ConfigError, match="array 'nothing' is not exported"):
        batch.array("nothing")
    batch.close()
    batch = boards.ants()
    batch.reset(seed=3)
    with pytest.raises(myriant.ConfigError, match="same_step"):
        batch.array("planes", final=True)
    with pytest.raises(myriant.PrivilegedError):
        batch.array("score")
    batch.close()


def test_read_into_memory_of_the_caller():
    batch = boards.ants()
    now = batch.reset(seed=3)
    for name, a in now.items():
        out = np.zeros_like(a)
        batch.read(name, out)
        np.testing.assert_array_equal(out, a)
    out = np.zeros_like(now.planes)
    frozen = out.copy()
    frozen.flags.writeable = False
    for bad in (out[:-1], np.concatenate([out, out]), out[..., :0], out.astype(np.int16), out.swapaxes(0, 1), out[None],
                frozen, out.tolist()):  # fmt: skip
        with pytest.raises(myriant.ArgumentError, match=r"read|planes"):
            batch.read("planes", bad)
    batch.close()


def test_memory_is_given_back():
    """Batches come and go, and with them all memory; views hold theirs."""
    rss = Rss()
    for round in range(60):
        batch = boards.ants(num_boards=100, map="open-32x32-2p", copy=False, planes="float32")
        now = batch.reset(seed=round)
        views = [now.planes, now.ant_cells]
        batch.close()
        assert views[0].sum() > 0
        if round == 10:
            rss.mark()
    assert rss.grown() < 60 << 20, rss.grown()  # each batch has 5.7 MB of planes


def test_arrays_from_many_threads():
    """Views are let go by whatever thread has them last."""
    rss = Rss()
    batch = boards.ants(copy=False)
    now = batch.reset(seed=3)
    boxes = [queue.SimpleQueue() for _ in range(4)]

    def work(box):
        while (a := box.get()) is not None:
            assert a.shape[0] == 3
            del a

    threads = [threading.Thread(target=work, args=(box,)) for box in boxes]
    for t in threads:
        t.start()
    rss.mark()
    for _ in range(200):
        for box in boxes:
            box.put(batch.array("planes", copy=False))
        now = boards.play(batch, now, 1)[-1]
    batch.close()
    for box in boxes:
        box.put(None)
    for t in threads:
        t.join()
    assert rss.grown() < 30 << 20


class Rss:
    """Resident memory of this process since a mark."""

    def __init__(self):
        self.at = self.now()

    @staticmethod
    def now():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * 4096

    def mark(self):
        gc.collect()
        self.at = self.now()

    def grown(self):
        gc.collect()
        return self.now() - self.at


def test_packed_planes_unpack():
    packed, dense = boards.ants(), boards.ants(planes="uint8")
    a, b = packed.reset(seed=3), dense.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        np.testing.assert_array_equal(myriant.unpack_planes(a.planes, 24), b.planes)
        np.testing.assert_array_equal(myriant.pack_planes(b.planes), a.planes)
        actions = boards.legal(a, rng)
        a, b = packed.step(actions), dense.step(actions)
    with pytest.raises(myriant.ArgumentError, match="uint8"):
        myriant.unpack_planes(b.planes, 24)
    packed.close()
    dense.close()


@pytest.mark.parametrize("cols", [1, 5, 8, 13])
def test_pack_and_unpack_any_width(cols):
    rng = np.random.default_rng(cols)
    dense = rng.integers(0, 2, (2, 3, 4, cols), dtype=np.uint8)
    np.testing.assert_array_equal(myriant.unpack_planes(myriant.pack_planes(dense), cols), dense)
    assert myriant.unpack_planes(myriant.pack_planes(dense), cols, np.float32).dtype == np.float32


@pytest.mark.parametrize("game", boards.GAMES)
@pytest.mark.parametrize("dtype", ["packed", "dense", "uint8", "float16", "float32", np.float32, np.dtype("float16")])
def test_planes_of_every_type(game, dtype):
    if game == "formica" and dtype == "packed":
        with pytest.raises(myriant.ConfigError, match="planes"):
            boards.formica(planes=dtype)
        return
    batch = boards.GAMES[game](planes=dtype)
    reference = boards.GAMES[game](planes="uint8")
    a, b = batch.reset(seed=3), reference.reset(seed=3)
    planes = myriant.unpack_planes(a.planes, b.planes.shape[-1]) if dtype == "packed" else a.planes
    assert planes.any()
    np.testing.assert_array_equal(planes, b.planes)
    batch.close()
    reference.close()
