"""Batches from their making to their end, and calls at the wrong time."""

import gc
import pickle
import threading
import weakref

import boards
import numpy as np
import pytest

import myriant
from myriant import _native


@pytest.mark.parametrize("game", boards.GAMES)
def test_calls_before_the_first_reset(game):
    batch = boards.GAMES[game]()
    for call in (
        lambda: batch.step(None),
        lambda: batch.send(None),
        lambda: batch.arrays,
        lambda: batch.snapshot(),
        lambda: batch.hashes(),
        lambda: batch.clone([0], [1]),
        lambda: batch.action_masks(),
    ):
        with pytest.raises(myriant.NotResetError, match="reset"):
            call()
    batch.reset(seed=1)
    batch.close()


@pytest.mark.parametrize("game", boards.GAMES)
def test_calls_after_close(game):
    batch = boards.GAMES[game](privileged=True)
    now = batch.reset(seed=1)
    batch.close()
    assert batch.closed
    for call in (
        lambda: batch.step(boards.legal(now, np.random.default_rng(0))),
        lambda: batch.reset(seed=1),
        lambda: batch.reset_mask([True] * batch.num_boards),
        lambda: batch.send(None),
        lambda: batch.recv(),
        lambda: batch.arrays,
        lambda: batch.snapshot(),
        lambda: batch.restore(b""),
        lambda: batch.hashes(),
        lambda: batch.state(0),
        lambda: batch.view(0, 0),
        lambda: batch.record("nowhere"),
        lambda: batch.__arrow_c_array__(),
    ):
        with pytest.raises(myriant.ClosedError, match="closed"):
            call()


def test_double_close():
    batch = boards.ants()
    batch.reset(seed=1)
    batch.close()
    batch.close()
    library = _native.lib()
    assert library.myriant_close(batch._handle.number) == _native.c.OK


def test_handle_zero():
    library = _native.lib()
    rows = np.zeros(1, np.uint8)
    for number in (0, 1 << 60):
        assert library.myriant_reset(number, 1) == _native.c.ERR_HANDLE
        assert library.myriant_step(number, None, None, 0) == _native.c.ERR_HANDLE
        assert library.myriant_arrays(number, rows.ctypes.data, 1) == _native.c.ERR_HANDLE
        assert library.myriant_close(number) == _native.c.ERR_HANDLE
    assert library.myriant_retain(0) == _native.c.ERR_HANDLE
    assert library.myriant_release(0) == _native.c.ERR_HANDLE
    batch = boards.ants()
    number, batch._handle.number = batch._handle.number, 0
    with pytest.raises(myriant.HandleError, match="0 is no handle"):
        batch.reset(seed=1)
    batch._handle.number = number
    batch.close()


def test_with_statement_closes():
    with boards.ants() as batch:
        batch.reset(seed=1)
    assert batch.closed


def test_garbage_is_closed():
    batch = boards.ants()
    batch.reset(seed=1)
    number, gone = batch._handle.number, weakref.ref(batch)
    del batch
    gc.collect()
    assert gone() is None
    assert _native.lib().myriant_reset(number, 1) == _native.c.ERR_CLOSED


def test_garbage_in_the_middle_of_a_step():
    for _ in range(20):
        batch = boards.ants(num_boards=200, seats=["greedy", "greedy"])
        batch.reset(seed=1)
        batch.send()
        del batch
    gc.collect()


def test_batches_of_many_threads_share_the_processors():
    """Every thread gets on with its batch: workers that waited for each other's processors once left one of three
    threads a single step in four seconds."""
    steps, over = [0] * 3, threading.Event()
    config = {"num_boards": 64, "map": "open-32x32-2p", "seats": ["greedy"] * 2, "copy": False}
    batches = [myriant.Batch("ants", **config) for _ in steps]

    def work(i):
        while not over.is_set():
            batches[i].step()
            steps[i] += 1

    for batch in batches:
        batch.reset(seed=1)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(steps))]
    for thread in threads:
        thread.start()
    over.wait(2)
    over.set()
    for thread in threads:
        thread.join()
    assert min(steps) > max(20, max(steps) / 20), steps
    for batch in batches:
        batch.close()


def test_two_threads_in_one_batch():
    """Whoever comes second is told so, and nothing breaks."""
    batch = boards.ants(num_boards=64, seats=["greedy", "greedy"])
    batch.reset(seed=1)
    counts = {"played": 0, "busy": 0}
    lock = threading.Lock()

    def work():
        for _ in range(200):
            try:
                batch.step()
                what = "played"
            except myriant.BusyError:
                what = "busy"
            with lock:
                counts[what] += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert counts["played"] + counts["busy"] == 800
    assert counts["played"] >= 200
    turns = batch.step().valid.shape
    assert turns == (64,)
    batch.close()


def test_batches_are_independent():
    a, b = boards.ants(), boards.formica()
    now_a, now_b = a.reset(seed=1), b.reset(seed=1)
    threads = [threading.Thread(target=boards.play, args=(x, now, 30)) for x, now in ((a, now_a), (b, now_b))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    a.close()
    b.step(np.full(b.spec.heads["orders"].shape, [-1, 0, 0, -1]))
    b.close()


def test_send_and_recv():
    one, two = boards.ants(), boards.ants()
    a, b = one.reset(seed=3), two.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        actions = boards.legal(a, rng)
        a = one.step(actions)
        given = actions.astype(np.uint8)
        two.send(given)
        given[:] = 77  # the batch has a copy
        b = two.recv()
        boards.same(a, b)
    with pytest.raises(myriant.IdleError, match="nothing was sent"):
        two.recv()
    two.send(boards.legal(b, rng))
    for call in (lambda: two.send(None), lambda: two.step(None), lambda: two.reset(seed=1), lambda: two.hashes()):
        with pytest.raises(myriant.BusyError, match="recv"):
            call()
    two.recv()
    two.send(boards.legal(two.arrays, rng))
    two.close()  # finishes the step
    one.close()


def test_bad_actions_are_told_by_recv():
    batch = boards.ants()
    now = batch.reset(seed=3)
    before = batch.hashes()
    batch.send(np.full(len(now.ant_cells), 9, np.uint8))
    with pytest.raises(myriant.ActionError, match="board 0 seat 0 ant 0"):
        batch.recv()
    np.testing.assert_array_equal(batch.hashes(), before)
    batch.step(np.full(len(now.ant_cells), 4))
    batch.close()


def test_no_pickle():
    with boards.ants() as batch, pytest.raises(TypeError, match="snapshot"):
        pickle.dumps(batch)


def test_errors_are_builtin_ones_too():
    assert issubclass(myriant.ActionError, ValueError)
    assert issubclass(myriant.ClosedError, RuntimeError)
    assert issubclass(myriant.ForkError, RuntimeError)
    assert issubclass(myriant.RecordError, OSError)
    assert issubclass(myriant.OutOfMemoryError, MemoryError)
    assert issubclass(myriant.LibraryError, ImportError)
    for name in myriant.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(myriant, name), myriant.MyriantError)


def test_too_much_memory():
    with pytest.raises((myriant.OutOfMemoryError, myriant.ConfigError)):
        myriant.Batch("ants", num_boards=1 << 30, map="xlarge-8p", planes="float32")


def test_repr_says_what_it_is():
    batch = boards.ants()
    assert "ants ladder" in repr(batch)
    assert "3 boards" in repr(batch)
    batch.close()
    assert "closed" in repr(batch)


@pytest.mark.parametrize(("ending", "expected"), [("sys.exit(3)", 3), ("raise ValueError('mid')", 1), ("pass", 0)])
@pytest.mark.parametrize("state", ["idle", "sent", "threads"])
def test_exit_with_live_batches(ending, expected, state):
    """The process ends within five seconds, with its own code, whatever batches there are."""
    code, _, err, took = boards.run(
        f"""
import sys, threading, numpy as np, myriant
config = dict(num_boards=64, map="open-32x32-2p", seats=["greedy"] * 2, copy=False)
batches = [myriant.Batch("ants", **config) for _ in range(3)]
kept = [b.reset(seed=1) for b in batches]
for _ in range(10):
    kept += [b.step() for b in batches]
if {state!r} == "sent":
    for b in batches:
        b.send()
if {state!r} == "threads":
    def work(b):
        while True:
            b.step()
    for b in batches:
        threading.Thread(target=work, args=(b,), daemon=True).start()
{ending}
""",
        timeout=30,
    )
    assert code == expected, err
    assert took < 5 + 2  # of starting and importing
    if "ValueError" in ending:
        assert "ValueError: mid" in err
