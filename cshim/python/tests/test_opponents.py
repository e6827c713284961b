"""Opponents: policies of the library's, mixtures, leagues of the caller's policies, rewards."""

from collections import Counter
from itertools import pairwise

import boards
import numpy as np
import pytest

import myriant


@pytest.mark.parametrize("policy", ["hold", "random", "greedy", "hunter"])
def test_ants_opponents_play(policy):
    batch = boards.ants(seats=["caller", policy], observe=[0, 1], num_boards=4)
    now = batch.reset(seed=1)
    assert batch.spec.caller.tolist() == [[True, False]] * 4
    before = [now.entries("ant_cells", 0, 1)]
    for _ in range(15):
        now = batch.step(np.full(len(now.ant_cells), boards.STAY))
        before.append(now.entries("ant_cells", 0, 1))
    moved = any(len(a) != len(b) or (a != b).any() for a, b in pairwise(before))
    assert moved == (policy != "hold")
    batch.close()


def test_formica_opponents_play():
    names = [p["name"] for g in myriant.catalog()["games"] if g["name"] == "formica" for p in g["policies"]]
    for name in names:
        batch = boards.formica(seats=["caller", name, name, name])
        now = batch.reset(seed=1)
        assert now.planes.shape[1] == 1
        for _ in range(5):
            now = batch.step(np.full((2, 1, 4), -1))
        assert now.done.all()
        batch.close()


def test_all_native():
    """Without a seat of the caller's there are no actions, and nobody is observed unless asked."""
    batch = boards.ants(seats=["greedy", "hunter"], rules={"name": "ladder", "max_turns": 40})
    now = batch.reset(seed=1)
    assert now.reward.shape == (3, 0)
    assert len(now.ant_cells) == 0
    ended = 0
    for _ in range(40):
        now = batch.step()
        if now.final_info is not None:
            ended += len(now.final_boards)
            assert now.final_info["score"].shape == (len(now.final_boards), 2)
    assert ended == 3
    assert now.valid_seats.shape == (3, 0)
    batch.close()


def test_native_seats_play_as_the_same_policy_elsewhere():
    """Seats' places in the rows do not matter to what a policy does."""
    a = boards.ants(seats=[["greedy", "hunter"]], num_boards=2)
    b = boards.ants(seats=[["greedy", "hunter"], ["hunter", "greedy"]], num_boards=2)
    a.reset(seed=4)
    b.reset(seed=4)
    for _ in range(30):
        a.step()
        b.step()
    assert a.hashes()[0] == b.hashes()[0]
    assert a.hashes()[1] != b.hashes()[1]
    a.close()
    b.close()


def test_rows_of_players_cycle_over_boards():
    spec = myriant.make_spec("ants", num_boards=5, map="tiny-2p", seats=[["caller", "greedy"], [None, "random"]])
    assert spec.players[:, 1].tolist() == ["greedy", "random", "greedy", "random", "greedy"]
    assert spec.players[:, 0].tolist() == ["caller"] * 5
    both = myriant.make_spec("ants", num_boards=2, map="tiny-2p", seats=[["caller", "greedy"], ["greedy", "caller"]])
    assert both.observe == (0, 1)
    assert both.caller.tolist() == [[True, False], [False, True]]


def test_mixtures_have_their_shares():
    seats = ["caller", {"greedy": 0.5, "random": 0.3, "hunter": 0.2}]
    spec = myriant.make_spec("ants", num_boards=101, map="tiny-2p", seats=seats)
    shares = Counter(spec.players[:, 1])
    assert shares == {"greedy": 51, "random": 30, "hunter": 20} or shares["greedy"] in (50, 51)
    assert sum(shares.values()) == 101
    assert (spec.players == myriant.make_spec("ants", num_boards=101, map="tiny-2p", seats=seats).players).all()
    assert len(set(spec.players[:20, 1])) > 1  # not one after the other
    two = {"greedy": 1, "caller": 1}
    spec = myriant.make_spec("ants", num_boards=400, map="tiny-2p", seats=[two, two])
    pairs = Counter(map(tuple, spec.players.tolist()))
    assert len(pairs) == 4
    assert min(pairs.values()) > 60  # seats are drawn apart
    assert (
        myriant.make_spec("ants", num_boards=1, map="tiny-2p", seats=["caller", {"greedy": 0, "random": 3}]).players[
            0, 1
        ]
        == "random"
    )


def test_a_batch_with_a_mixture_plays():
    batch = boards.ants(num_boards=10, seats=["caller", {"greedy": 1, "random": 1, "hold": 1}])
    now = boards.play(batch, batch.reset(seed=1), 20)[-1]
    assert now.valid.all()
    batch.close()


def test_league_splits_and_merges():
    """What each player sees and does is what its seats do."""
    batch = boards.ants(num_boards=4)
    league = myriant.League(batch.spec, [["main", "old"], ["old", "main"]])
    assert league.names == ("main", "old")
    assert league.index.tolist() == [[0, 1], [1, 0], [0, 1], [1, 0]]
    assert league.seats("main").tolist() == [0, 3, 4, 7]
    now = batch.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(20):
        parts = league.split(now)
        for b in range(4):
            for s in range(2):
                player = league.names[league.index[b, s]]
                k = league.seats(player).tolist().index(b * 2 + s)
                part = parts[player]
                np.testing.assert_array_equal(part["planes"][k], now.planes[b, s])
                assert part["reward"][k] == now.reward[b, s]
                lo, hi = part["ant_offsets"][k : k + 2]
                np.testing.assert_array_equal(part["ant_cells"][lo:hi], now.entries("ant_cells", b, s))
                np.testing.assert_array_equal(part["ant_mask"][lo:hi], now.entries("ant_mask", b, s))
        whole = boards.legal(now, rng)
        given = {player: whole[league.entries(player, now.ant_offsets)] for player in league.names}
        merged = league.merge(given, now)
        np.testing.assert_array_equal(merged["ant"], whole)
        now = batch.step(merged)
    with pytest.raises(myriant.ActionError, match="actions of 'main' have shape"):
        league.merge({"main": [1]}, now)
    with pytest.raises(myriant.ConfigError, match="no player 'nobody'"):
        league.seats("nobody")
    batch.close()


def test_league_of_formica():
    batch = boards.formica(seats=[["caller"] * 4, ["caller", "caller", "random", "scripted"]])
    league = myriant.League(batch.spec, [["a", "b", "a", None]])
    assert league.index.tolist() == [[0, 1, 0, -1], [0, 1, -1, -1]]
    now = batch.reset(seed=1)
    parts = league.split(now)
    assert parts["a"]["planes"].shape[0] == 3
    assert parts["b"]["scalars"].shape == (2, 33)
    actions = {p: np.full((len(league.seats(p)), 4), -1) for p in league.names}
    merged = league.merge(actions, now)
    assert merged["orders"].shape == (2, 4, 4)
    batch.step(merged)
    batch.close()


def test_league_assigns_new_opponents():
    spec = myriant.make_spec("ants", num_boards=3, map="tiny-2p")
    league = myriant.League(spec, ["main", "v1"])
    league.assign([1], [["v2", "main"]])
    assert league.names == ("main", "v1", "v2")
    assert league.index.tolist() == [[0, 1], [2, 0], [0, 1]]
    with pytest.raises(myriant.ConfigError, match="3 players for 2"):
        league.assign([0], [["a", "b", "c"]])
    with pytest.raises(myriant.ConfigError, match=r"players\[0\] has 1 entries for 2"):
        myriant.League(spec, [["main"]])


def test_reward_terms():
    """Weights add up, term by term, and the default is the score's change."""
    terms = [t["name"] for t in myriant.catalog()["games"][0]["rewards"]]
    weights = {name: (i + 1) / 4 for i, name in enumerate(terms)}
    config = {"num_boards": 6, "rules": {"name": "ladder", "max_turns": 80}, "map": "tiny-2p"}
    single = {name: boards.ants(rewards={name: 1}, **config) for name in terms}
    whole = boards.ants(rewards=weights, **config)
    default = boards.ants(**config)
    zero = boards.ants(rewards=weights, zero_sum=True, **config)
    nows = {name: b.reset(seed=2) for name, b in single.items()}
    now, z, d = whole.reset(seed=2), zero.reset(seed=2), default.reset(seed=2)
    rng = np.random.default_rng(0)
    seen = dict.fromkeys(terms, 0.0)
    for _ in range(80):
        expected = sum(weights[name] * nows[name].reward.astype(float) for name in terms)
        np.testing.assert_allclose(now.reward, expected, atol=1e-5)
        np.testing.assert_allclose(z.reward, now.reward - now.reward[:, ::-1], atol=1e-5)
        np.testing.assert_allclose(z.reward.sum(axis=1), 0, atol=1e-5)
        np.testing.assert_array_equal(d.reward, nows["score"].reward)
        for name in terms:
            seen[name] += float(np.abs(nows[name].reward).sum())
        actions = boards.legal(now, rng)
        now, z, d = whole.step(actions), zero.step(actions), default.step(actions)
        nows = {name: b.step(actions) for name, b in single.items()}
    assert seen["food"] > 0
    assert seen["explore"] > 0
    for b in (*single.values(), whole, default, zero):
        b.close()


def test_rewards_of_formica():
    batch = boards.formica(rewards={"score": 1.0}, zero_sum=True, seats=["caller", "scripted", "scripted", "scripted"],
                           observe=[0, 1, 2, 3])  # fmt: skip
    assert batch.spec.rewards == {"margin": 0, "win": 0, "score": 1}
    now = batch.reset(seed=1)
    moved = 0.0
    for _ in range(5):
        now = batch.step(np.full((2, 4, 4), -1))
        np.testing.assert_allclose(now.reward.sum(axis=1), 0, atol=1e-4)
        moved += float(np.abs(now.reward).sum())
    assert moved > 0
    batch.close()
