"""PyTorch: the same memory in and out, for as long as a tensor of it lives."""

import gc

import numpy as np
import pytest
import torch
from boards import GAMES, legal

import myriant
from myriant.adapters.torch import TorchBatch, tensor, tensors

LOGITS = {"ants": "cell_logits", "formica": "order_logits"}


def test_tensors_show_the_librarys_memory(game):
    players = {"ants": ["greedy"] * 2, "formica": ["scripted"] * 4}[game]
    with TorchBatch(game, num_boards=3, seats=players, observe=[0, 1]) as batch:
        now = batch.reset(seed=1)
        assert set(now) == set(batch.batch.arrays)
        for name, t in now.items():
            view = batch.batch.array(name, copy=False)
            assert t.data_ptr() == view.__array_interface__["data"][0], name
            assert tuple(t.shape) == view.shape
            assert str(t.dtype).removeprefix("torch.") == view.dtype.name
        assert now.planes is now["planes"]
        after = batch.step(None)
        assert after.planes is now.planes


def test_equals_batch(game):
    rules = {"ants": {"name": "ladder", "max_turns": 20}, "formica": {"name": "default", "max_ticks": 40}}[game]
    config = {"rules": rules, **({"map": "tiny-2p"} if game == "ants" else {})}
    theirs = GAMES[game](4, autoreset="same_step", **config)
    with TorchBatch(game, num_boards=4, autoreset="same_step", **config) as ours:
        a, b = ours.reset(seed=3), theirs.reset(seed=3)
        rng, ended = np.random.default_rng(1), 0
        for _ in range(60):
            for name in b:
                np.testing.assert_array_equal(a[name].numpy(), b[name], err_msg=name)
            np.testing.assert_array_equal(a.valid_seats.numpy(), b.valid_seats)
            np.testing.assert_array_equal(a.final_boards.numpy(), b.final_boards)
            for mine, other in ((a.final_info, b.final_info), (a.final_obs, b.final_obs)):
                assert (mine is None) == (other is None)
                for name in mine or {}:
                    np.testing.assert_array_equal(mine[name].numpy(), other[name], err_msg=name)
            ended += len(b.final_boards)
            actions = legal(b, rng)
            a, b = ours.step(torch.as_tensor(actions)), theirs.step(actions)
        assert ended


def test_memory_lives_as_long_as_a_tensor():
    batch = TorchBatch("ants", num_boards=64, planes="float32", head="cell", map="tiny-2p")
    now = batch.reset(seed=1)
    planes, mask = now.planes, now.action_mask[1:, 0]
    before = planes.clone(), mask.clone()
    batch.close()
    del batch, now
    gc.collect()
    fill = [np.full(planes.numel() * 4, 7, np.uint8) for _ in range(8)]
    assert torch.equal(planes, before[0])
    assert torch.equal(mask, before[1])
    del planes
    gc.collect()
    assert torch.equal(mask, before[1])
    assert fill[0][0] == 7


def test_tensors_of_ragged_arrays_outlive_growth():
    with TorchBatch("ants", num_boards=8, map="tiny-2p", seats=["greedy", "greedy"], observe=[0, 1]) as batch:
        now = batch.reset(seed=1)
        first, copy = now.ant_cells, now.ant_cells.clone()
        address = first.data_ptr()
        for _ in range(300):
            now = batch.step(None)
            assert now.ant_cells.shape == (int(now.ant_offsets[-1]),)
            if now.ant_cells.data_ptr() != address:
                break
        else:
            pytest.fail("the array never moved")
        gc.collect()
        assert len(first) == len(copy)
        cells = batch.spec.sizes["H"] * batch.spec.sizes["W"]
        assert ((first >= 0) & (first < cells)).all()


def test_kept_tensors_change_and_clones_do_not():
    with TorchBatch("ants", num_boards=2, map="tiny-2p", seats=["greedy", "greedy"], observe=[0]) as batch:
        planes = batch.reset(seed=1).planes
        kept = planes.clone()
        for _ in range(10):
            batch.step(None)
        assert not torch.equal(planes, kept)


def test_logits_are_read_where_they_are(game):
    with TorchBatch(game, num_boards=2, head=LOGITS[game]) as batch:
        batch.reset(seed=1)
        shape = batch.spec.heads[LOGITS[game]].shape
        logits = torch.randn(shape, requires_grad=True)
        batch.step(logits)
        assert batch.batch._handle.memory.__array_interface__["data"][0] == logits.data_ptr()
        hashes = [batch.batch.hashes().tolist()]
        for same in (logits.double(), logits.detach().numpy(), {LOGITS[game]: logits}, logits * 1.0):
            batch.reset(seed=1)
            batch.step(same)
            hashes.append(batch.batch.hashes().tolist())
        assert all(h == hashes[0] for h in hashes)
        batch.reset(seed=1)
        batch.step(logits, sample=True, seed=5, temperature=2.0)
        batch.step(logits.bfloat16())


def test_send_and_recv():
    with (
        TorchBatch("ants", num_boards=2, map="tiny-2p", head="cell") as batch,
        TorchBatch("ants", num_boards=2, map="tiny-2p", head="cell") as other,
    ):
        batch.reset(seed=1)
        other.reset(seed=1)
        actions = torch.full(batch.spec.heads["cell"].shape, 1, dtype=torch.uint8)
        batch.send(actions)
        actions = actions.clone()
        now, then = batch.recv(), other.step(actions)
        assert torch.equal(now.planes, then.planes)


def test_reset_mask():
    with TorchBatch("formica", num_boards=3, autoreset="disabled") as batch:
        batch.reset(seed=1)
        before = batch.batch.hashes()
        now = batch.reset_mask(torch.tensor([False, True, False]))
        assert (batch.batch.hashes() != before).tolist() == [False, True, False]
        assert not now.valid.any()


def test_one_array():
    own = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    t = tensor(own)
    t[0, 0] = 9
    assert own[0, 0] == 9
    frozen = np.arange(6)
    frozen.flags.writeable = False
    assert tensor(frozen).tolist() == [0, 1, 2, 3, 4, 5]
    named = tensors({"a": own, "b": own[:, 1]})
    assert named["b"].stride() == (3,)
    with pytest.raises((TypeError, ValueError)):
        tensor(np.array(["a"]))


def test_dlpack_of_the_arrays_of_a_batch(game):
    batch = GAMES[game](2)
    for name, a in batch.reset(seed=1).items():
        t = torch.from_dlpack(a) if a.dtype != np.bool_ else torch.from_numpy(a)
        assert t.data_ptr() == a.ctypes.data
        np.testing.assert_array_equal(t.numpy(), a, err_msg=name)
    with TorchBatch(game, num_boards=2) as ours:
        planes = ours.reset(seed=1).planes
        assert np.from_dlpack(planes).ctypes.data == planes.data_ptr()


def test_a_device_that_is_not_the_cpu_gets_copies():
    with TorchBatch("ants", num_boards=2, map="tiny-2p", device="meta") as batch:
        now = batch.reset(seed=1)
        assert now.planes.device.type == "meta"
        assert now.planes.shape == batch.spec.arrays["planes"].shape


def test_wrong_use_is_told():
    batch = TorchBatch("ants", num_boards=2, map="tiny-2p", head="cell")
    with pytest.raises(myriant.NotResetError):
        batch.step(torch.zeros(1))
    now = batch.reset(seed=1)
    shape = batch.spec.heads["cell"].shape
    for bad in (
        torch.zeros(shape[:-1], dtype=torch.uint8),
        torch.full(shape, 9999),
        torch.zeros(shape),
        torch.zeros(shape, dtype=torch.uint8).to_sparse(),
        torch.zeros(shape, dtype=torch.uint8, device="meta"),
    ):
        with pytest.raises(myriant.ActionError):
            batch.step(bad)
    with pytest.raises(KeyError, match="no_such"):
        now["no_such"]
    with pytest.raises(AttributeError, match="hidden"):
        _ = now.score
    with pytest.raises(myriant.ConfigError, match="clone"):
        TorchBatch("ants", copy=True)
    batch.close()
    batch.close()
    with pytest.raises(myriant.ClosedError):
        batch.reset(seed=1)
