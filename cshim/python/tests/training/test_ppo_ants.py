"""The training example: what it computes, what it writes, and that it learns."""

import csv
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import myriant

EXAMPLE = Path(__file__).parents[2] / "examples" / "ppo_ants.py"


def _load():
    spec = importlib.util.spec_from_file_location("ppo_ants", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo_ants"] = module
    spec.loader.exec_module(module)
    return module


ppo = _load()


def small(out, **changes):
    fixed = {"out": str(out), "boards": 8, "steps": 8, "channels": 16, "layers": 2, "minibatch": 32, "imitate": 0}
    return ppo.Config(**{**fixed, "critics": 0, "iterations": 4, "save_every": 2, **changes})


def recorded(count, opponent="greedy"):
    """Planes uint8[count,7,24,24] and masks int8[count,5,24,24] of seats that play greedy, at all stages of games."""
    planes, masks = [], []
    with myriant.Batch("ants", num_boards=10, map="tiny-2p", seats=[opponent, opponent], observe=[0, 1],
                       obs=["planes", "cell_mask"]) as boards:  # fmt: skip
        now = boards.reset(seed=3)
        while len(planes) * 20 < count:
            packed, mask = ppo.look(now, np.arange(20))
            planes.append(myriant.unpack_planes(packed, 24))
            masks.append(mask)
            now = boards.step()
    return np.concatenate(planes)[:count], np.concatenate(masks)[:count]


def table(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def moves(logits, planes, masks):
    return np.where(masks > 0, logits, -np.inf).argmax(1)[planes[:, ppo.MINE] > 0]


def test_planes_are_in_the_order_that_the_example_takes_for_granted():
    spec = myriant.make_spec("ants")
    names = ("MINE", "FOES", "FOOD", "OWN_HILLS", "ENEMY_HILLS", "KNOWN_WATER", "VISIBLE")
    assert spec.arrays["planes"].names(2) == tuple(name.lower() for name in names)
    assert [getattr(ppo, name) for name in names] == list(range(7))
    assert spec.heads["cell_logits"].names(2) == ("north", "east", "south", "west", "stay")


def test_network_is_the_same_everywhere_on_the_torus():
    torch.manual_seed(0)
    policy = ppo.Policy(16, 2)
    for last in (policy.own_critic, policy.colony_critic[2]):
        torch.nn.init.normal_(last.weight)  # they begin as 0
    planes = torch.from_numpy(recorded(20)[0])
    logits, value, own = policy(planes)
    moved, moved_value, moved_own = policy(planes.roll((4, -6), (2, 3)))
    torch.testing.assert_close(moved, logits.roll((4, -6), (2, 3)))
    torch.testing.assert_close(moved_own, own.roll((4, -6), (1, 2)))
    torch.testing.assert_close(moved_value, value)
    assert logits.std() > 0
    assert own.std() > 0


def test_torus_is_circular_padding():
    x = torch.randn(2, 3, 6, 8, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(2, 3, 10, 12, dtype=torch.float64)
    padded = torch.nn.functional.pad(x, (2, 2, 2, 2), mode="circular")
    assert torch.equal(ppo.torus(x, 2), padded)
    with torch.no_grad():
        assert torch.equal(ppo.torus(x, 2), padded)
    (want,) = torch.autograd.grad((padded * weight).sum(), x)
    (have,) = torch.autograd.grad((ppo.torus(x, 2) * weight).sum(), x)
    torch.testing.assert_close(have, want)


def squared(a, b, side):
    """The squared distance of two cells on a square torus."""
    return sum(min((x - y) % side, (y - x) % side) ** 2 for x, y in zip(a, b, strict=True))


def waves(planes):
    """Steps along open land, int[5,H,W], from each kind of source, 99 where there is no way: a search cell by cell."""
    water, food = planes[ppo.KNOWN_WATER] > 0, planes[ppo.FOOD] > 0
    dark = (planes[ppo.VISIBLE] == 0) & ~water
    sources = [food, planes[ppo.ENEMY_HILLS] > 0, dark, planes[ppo.FOES] > 0, planes[ppo.OWN_HILLS] > 0]
    distance = np.where(sources, 0, 99)
    rows, cols = water.shape
    for field in distance:
        front = list(np.argwhere(field == 0))
        while front:
            following = []
            for r, c in front:
                for there in ((r - 1) % rows, c), (r, (c + 1) % cols), ((r + 1) % rows, c), (r, (c - 1) % cols):
                    if field[there] == 99 and not water[there] and not food[there]:
                        field[there] = field[r, c] + 1
                        following.append(there)
            front = following
    return distance


def test_features():
    """The fixed features against a search and a count, cell by cell."""
    planes = recorded(400, "hunter")[0][::23]
    found = ppo.Look()(torch.from_numpy(planes)).numpy()
    assert found.shape == (len(planes), ppo.Look.FEATURES, 24, 24)
    assert np.array_equal(found[:, :7], planes)
    reached = np.zeros(5, int)
    for board, features in zip(planes, found, strict=True):
        distance = waves(board)
        reached += ((distance > 0) & (distance <= 24)).sum((1, 2))
        ways, at4, at8, attackers = np.split(features[7:], [20, 25, 30])
        near = [np.roll(distance, *move) for move in ((1, -2), (-1, -1), (-1, -2), (1, -1))]  # north, east, south, west
        want = [(there < distance) & (there < 24) for there in near]
        assert np.array_equal(ways.reshape(4, 5, 24, 24), want)
        assert np.array_equal(at4, distance <= 4)
        assert np.array_equal(at8, distance <= 8)
        for k, plane in enumerate((ppo.MINE, ppo.FOES)):
            for r, c in np.argwhere(board[ppo.MINE] + board[ppo.FOES])[:6]:
                strike = reach = 0
                for row, col in np.argwhere(board[plane]):
                    moves = ((row, col), (row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1))
                    apart = [squared((r, c), there, 24) for there in moves]
                    strike += apart[0] <= ppo.ATTACK
                    reach += min(apart) <= ppo.ATTACK
                assert attackers[2 * k : 2 * k + 2, r, c].tolist() == [strike, reach]
    assert (reached > 100).all()


def test_bfloat16_in_training_alone():
    torch.manual_seed(3)
    policy = ppo.Policy(16, 2, fast=True)
    planes = torch.from_numpy(recorded(20)[0])
    fast = policy(planes)[0]
    exact = policy.eval()(planes)[0].detach()
    assert fast.dtype == exact.dtype == torch.float32
    assert not torch.equal(fast, exact)
    torch.testing.assert_close(fast, exact, rtol=0.05, atol=0.05 * float(exact.abs().max()))


def test_what_ants_did_can_be_watched():
    """The actions that an opponent is seen to do are those that it did: here, the caller's own."""
    torch.manual_seed(0)
    c = small("", boards=16, greedy=0.5, random=0.0, hunter=0.0)
    trainer = ppo.Trainer(c)
    try:
        for _ in range(6):
            trainer.collect()
        r, known, right, every = trainer.rollout, 0, 0, 0
        for t in range(c.steps - 1):
            before, after = (myriant.unpack_planes(r.planes[i], 24) for i in (t, t + 1))
            actions, certain = ppo.watch(before, r.mask[t], after)
            ant = (before[:, ppo.MINE] > 0) & r.valid[t][:, None, None]
            lives = ant & r.lives[t]
            every += lives.sum()
            known += (certain & lives).sum()
            right += ((actions == r.action[t]) & certain & lives).sum()
    finally:
        trainer.close()
    assert every > 300
    assert known > 0.95 * every
    assert right > 0.995 * known


def test_own_rewards():
    c = ppo.Config(near=2.0, razed=3.0)
    before, after = np.zeros((1, 7, 16, 16), np.uint8), np.zeros((1, 7, 16, 16), np.uint8)
    actions = np.full((1, 16, 16), 4, np.uint8)
    after[0, ppo.VISIBLE] = 1

    def ant(cell, action, to):
        before[0, ppo.MINE][cell] = 1
        actions[0][cell] = action
        if to:
            after[0, ppo.MINE][to] = 1

    ant((0, 0), 0, (15, 0))  # north over the edge, to food
    before[0, ppo.FOOD, 15, 1] = 1
    ant((8, 15), 1, (8, 0))  # east over the edge, onto a hill
    before[0, ppo.ENEMY_HILLS, 8, 0] = 1
    ant((8, 5), 2, None)  # to its death, with an enemy, beside one that lives, near an enemy that moved
    ant((9, 6), 4, (9, 6))
    before[0, ppo.FOES, 10, 5] = before[0, ppo.FOES, 11, 6] = 1
    after[0, ppo.FOES, 12, 6] = 1
    reward, lives = ppo.own_rewards(c, before, actions, after)
    want = np.zeros((16, 16), np.float32)
    want[0, 0], want[8, 15], want[8, 5], want[9, 6] = 2, 3, 2 * (1 - 1), 2 * (1 - 1)
    assert np.array_equal(reward[0], want)
    assert np.argwhere(lives[0]).tolist() == [[0, 0], [8, 15], [9, 6]]
    before[0, ppo.FOES, 10, 6] = 1  # two enemies die for one ant
    assert ppo.own_rewards(c, before, actions, after)[0][0, 9, 6] == 2 * (2 - 1)
    before[0, ppo.FOES, 10, 5] = before[0, ppo.FOES, 10, 6] = 0  # and none
    assert ppo.own_rewards(c, before, actions, after)[0][0, 8, 5] == -2


def test_around_is_a_disk():
    plane = np.zeros((1, 12, 12), np.uint8)
    plane[0, 1, 1] = plane[0, 1, 2] = 1
    found = ppo.around(plane, ppo.NEAR)
    for row in range(12):
        for col in range(12):
            apart = [squared((row, col), (1, c), 12) for c in (1, 2)]
            assert found[0, row, col] == sum(d <= ppo.NEAR for d in apart)


def test_advantages():
    """Against GAE as its definition has it: a sum over the steps to the end of the episode."""
    spec = myriant.make_spec("ants", map="tiny-2p", seats=["caller", "hold"], obs=["planes", "cell_mask"])
    r = ppo.Rollout(4, spec, 1)
    r.valid[:] = True
    r.reward[:, 0] = 1, 2, 3, 4
    r.value[:, 0] = 0.5, 1.5, 2.5, 3.5, 4.5
    r.terminated[1] = r.done[1] = True
    r.done[2] = True  # truncated
    c = ppo.Config(gamma=0.9, lam=0.8, near_gamma=0.7, near_lam=0.6)
    delta = [1 + 0.9 * 1.5 - 0.5, 2 - 1.5, 3 + 0.9 * 3.5 - 2.5, 4 + 0.9 * 4.5 - 3.5]
    want = [delta[0] + 0.9 * 0.8 * delta[1], delta[1], delta[2], delta[3]]
    assert r.advantages(c)[0][:, 0] == pytest.approx(want)
    # An ant goes east twice, and is alive after the first step alone.
    r.done[:], r.terminated[:] = False, False
    r.action[:] = 4
    r.action[0, 0, 5, 5] = r.action[1, 0, 5, 6] = 1
    r.lives[0, 0, 5, 5] = True
    r.own_reward[0, 0, 5, 5], r.own_reward[1, 0, 5, 6] = 1, -2
    r.own_value[0, 0, 5, 5], r.own_value[1, 0, 5, 6], r.own_value[2, 0, 5, 7] = 0.25, 0.5, 100
    own = r.advantages(c)[1][:, 0]
    assert own[1, 5, 6] == pytest.approx(-2.5)
    assert own[0, 5, 5] == pytest.approx(1 + 0.7 * 0.5 - 0.25 + 0.7 * 0.6 * -2.5)


def test_same_seed_same_run(tmp_path):
    runs = [ppo.train(small(tmp_path / name, iterations=2), progress=False) for name in "ab"]
    for a, b in zip(*(run.policy.parameters() for run in runs), strict=True):
        assert torch.equal(a, b)
    for run in runs:
        run.close()


def test_resumed_run_is_the_undisturbed_one(tmp_path):
    whole = ppo.train(small(tmp_path / "whole"), progress=False)
    ppo.train(small(tmp_path / "broken", minutes=1e-9), progress=False).close()  # one iteration, then a checkpoint
    c = small(tmp_path / "broken")
    again = ppo.train(c, resume=True, progress=False)
    assert again.iteration == whole.iteration == 4
    for a, b in zip(whole.policy.parameters(), again.policy.parameters(), strict=True):
        assert torch.equal(a, b)
    assert np.array_equal(whole.boards.hashes(), again.boards.hashes())
    assert whole.observations == again.observations > 0
    rows = [table(tmp_path / name / "log.csv") for name in ("whole", "broken")]
    for a, b in zip(*rows, strict=True):
        assert a.pop("minutes") != ""
        b.pop("minutes")
        assert a == b
    assert [row["iteration"] for row in rows[1]] == ["1", "2", "3", "4"]
    assert list((tmp_path / "broken").glob("events.out.tfevents.*"))
    whole.close()
    again.close()


def test_exported_policy_plays_the_same_moves(tmp_path):
    """On 1,000 recorded observations, of a policy that has learned enough to prefer some moves."""
    c = small(tmp_path, imitate=20, iterations=1)
    trainer = ppo.train(c, progress=False)
    ppo.export(trainer.policy, tmp_path / "policy.onnx")
    network = ppo.onnx_network(tmp_path / "policy.onnx")
    planes, masks = recorded(1000)
    logits, want = network(planes), ppo.torch_network(trainer.policy)(planes)
    assert logits.shape == (1000, 5, 24, 24)
    assert logits.dtype == np.float32
    chosen = moves(want, planes, masks)
    assert len(chosen) > 3000
    assert np.array_equal(moves(logits, planes, masks), chosen)
    assert set(chosen.tolist()) >= {0, 1, 2, 3}
    # Another size of board, and full matches in a seat.
    other = np.pad(planes[:3], ((0, 0), (0, 0), (0, 8), (0, 2)))
    np.testing.assert_allclose(network(other), ppo.torch_network(trainer.policy)(other), rtol=1e-4, atol=1e-5)
    shares = [ppo.play(n, "random", 16, map="tiny-2p", sampled=sampled, seed=5)
              for n in (network, ppo.torch_network(trainer.policy)) for sampled in (False, True)]  # fmt: skip
    assert all(sum(s.values()) == pytest.approx(1) for s in shares)
    assert shares[:2] == shares[2:]
    trainer.close()


def test_odd_boards_are_refused(tmp_path):
    board = myriant.load_map("ants", "tiny-2p")
    assert board["rows"] % 2 == 0
    with pytest.raises(SystemExit, match="even"):
        ppo.Trainer(small(tmp_path, map="generated:open:seats=2,rows=24,cols=25"))


def test_learns(tmp_path):
    """Watching greedy, then a few iterations of PPO: far better than the untrained network in a minute."""
    c = ppo.Config(out=str(tmp_path), boards=48, imitate=80, critics=2, iterations=6, seed=2)
    torch.manual_seed(c.seed)
    untrained = ppo.torch_network(ppo.Policy(c.channels, c.layers))
    trainer = ppo.train(c, progress=False)
    trained = ppo.torch_network(trainer.policy)
    for opponent in ("hold", "random"):
        before = ppo.play(untrained, opponent, 40, map=c.map, sampled=True, seed=9)["won"]
        after = ppo.play(trained, opponent, 40, map=c.map, sampled=True, seed=9)["won"]
        print(f"won against {opponent}: {before:.0%} untrained, {after:.0%} trained")
        assert after > before + 0.3
    imitation = table(tmp_path / "imitation.csv")
    assert float(imitation[-1]["loss"]) < 0.8 * float(imitation[0]["loss"])
    trainer.close()
