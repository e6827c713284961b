"""PettingZoo: its own suites, and what an agent is told when it is out."""

import copy
import pickle

import numpy as np
import pytest
from boards import EAST, NO_FOOD, STAY, TRIO, WEST, run
from games import SHORT, THREE, arrays, same
from gymnasium import spaces
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import myriant
from myriant.adapters.pettingzoo import ParallelEnv, env, parallel_env

# What PettingZoo advises against, and these games are: actions of many parts, and observations of two arrays.
ADVICE = [
    pytest.mark.filterwarnings("ignore:Action space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]


def advised(f):
    for mark in ADVICE:
        f = mark(f)
    return f


def act(game, infos=None):
    """Random actions of the living agents."""
    return {a: game.action_space(a).sample(infos and infos[a]["action_mask"]) for a in game.agents}


# RLlib


def test_what_rllib_asks_of_it(game):
    """As its ParallelPettingZooEnv uses one: spaces that never change, go to other processes and flatten; dicts of
    the agents that acted; everything over at once for the last of them."""
    made = parallel_env(game, **SHORT[game])
    made.reset()
    observation_spaces = spaces.Dict({a: made.observation_space(a) for a in made.possible_agents})
    action_spaces = spaces.Dict({a: made.action_space(a) for a in made.possible_agents})
    for space in (observation_spaces, action_spaces):
        assert pickle.loads(pickle.dumps(space)) == space
        assert copy.deepcopy(space) == space
    choice = made.action_space(made.possible_agents[0])
    assert isinstance(choice, spaces.MultiDiscrete)
    assert spaces.flatdim(choice) == int(choice.nvec.sum())
    again = pickle.loads(pickle.dumps(choice))
    mask = np.zeros(int(choice.nvec.sum()), np.int8)
    mask[np.cumsum(choice.nvec) - 1] = 1  # the last choice of every part
    assert (again.sample(mask) == choice.nvec - 1).all()
    for episode in range(2):
        observations, infos = made.reset(seed=episode, options={})
        over = False
        while not over:
            assert set(infos) == set(observations) == set(made.agents)
            for a in made.agents:
                assert observations[a] in observation_spaces[a]
                assert spaces.flatten(observation_spaces[a], observations[a]).ndim == 1
            live, actions = list(made.agents), act(made, infos)
            observations, rewards, terminated, truncated, infos = made.step(actions)
            assert list(observations) == list(rewards) == list(terminated) == list(truncated) == live
            assert all(type(r) is float for r in rewards.values())
            over = all(terminated[a] or truncated[a] for a in live)
            assert over == (not made.agents)
            infos = {a: infos[a] for a in made.agents}
            observations = {a: observations[a] for a in made.agents}
        made.reset()
    made.close()


# PettingZoo's own suites


@advised
def test_parallel_api_test(game):
    parallel_api_test(parallel_env(game, **SHORT[game]), num_cycles=300)


@advised
def test_parallel_api_test_of_two_agents_and_opponents():
    parallel_api_test(parallel_env("ants", map="medium-4p", seats=[None, "hunter", None, "greedy"]), num_cycles=300)


@advised
def test_api_test(game):
    api_test(env(game, **SHORT[game]), num_cycles=60)


@advised
def test_parallel_seed_test(game):
    parallel_seed_test(lambda: parallel_env(game, **SHORT[game]), num_cycles=100)


@advised
def test_seed_test(game):
    seed_test(lambda: env(game, **SHORT[game]), num_cycles=50)


def test_hashes_over_many_episodes(game):
    config = dict(SHORT[game])
    games = [ParallelEnv(game, workers=w, **config) for w in (1, 4)]
    rng = np.random.default_rng(1)
    told = [g.reset(seed=7) for g in games]
    hashes, episodes = set(), 0
    for _ in range(1500):
        nvec = games[0].form.nvec
        actions = {a: (rng.random(len(nvec)) * nvec).astype(np.int64) for a in games[0].agents}
        told = [g.step(actions) for g in games]
        same(told[0], told[1])
        now = [int(g.batch.hashes()[0]) for g in games]
        assert now[0] == now[1]
        hashes.add(now[0])
        if not games[0].agents:
            episodes += 1
            told = [g.reset() for g in games]
            same(told[0], told[1])
    assert episodes > 10
    assert len(hashes) > 1400


def test_a_seed_is_a_stream_of_episodes(game):
    starts = []
    for disturb in (0, 3):
        g = ParallelEnv(game, **SHORT[game])
        starts.append([])
        for episode in range(3):
            _, infos = g.reset(seed=7 if episode == 0 else None)
            starts[-1].append(int(g.batch.hashes()[0]))
            for _ in range(disturb):
                *_, infos = g.step(act(g, infos))
    assert starts[0] == starts[1]
    batch = myriant.Batch(game, **SHORT[game])
    batch.reset(seed=7)
    assert int(batch.hashes()[0]) == starts[0][0]


# Episodes


def test_three_turns_over_four_episodes(game):
    g = parallel_env(game, **THREE[game])
    for episode in range(4):
        g.reset(seed=1 if episode == 0 else None, options={"nobody": "reads this"})
        for turn in range(3):
            assert g.agents == ["seat_0", "seat_1"]
            _, _, terminations, truncations, infos = g.step(act(g))
            over = turn == 2
            assert set(truncations.values()) == {over and game == "ants"}
            assert set(terminations.values()) == {over and game == "formica"}
        assert g.agents == []
        assert {info["length"] for info in infos.values()} == {3}
        with pytest.raises(ValueError, match="after the end"):
            g.step({})


def test_three_turns_over_four_episodes_one_after_the_other(game):
    g = env(game, **THREE[game])
    for episode in range(4):
        g.reset(seed=1 if episode == 0 else None)
        turns = {a: 0 for a in g.agents}
        for agent in g.agent_iter():
            *_, terminated, truncated, _ = g.last()
            over = terminated or truncated
            turns[agent] += not over
            g.step(None if over else g.action_space(agent).sample())
        assert turns == {"seat_0": 3, "seat_1": 3}


def meet(g, agent, at):
    """The action that moves the two ants of an agent on TRIO towards each other, and after that nothing."""
    action = np.full(len(g.form.nvec), STAY)
    row = 1 + 5 * int(agent[-1])
    cells = [row * 8 + 1, row * 8 + 3]
    if at == 0:
        action[cells] = EAST, WEST
    return action


def test_an_agent_that_is_out_is_told_once():
    g = parallel_env("ants", map=TRIO, rules=NO_FOOD)
    still = np.full(len(g.form.nvec), STAY)
    g.reset(seed=1)
    for _ in range(9):
        g.step({a: still for a in g.agents})
    # Turn 10: the ants of seat 0 meet and die.
    told = g.step({"seat_0": meet(g, "seat_0", 0), "seat_1": still, "seat_2": still})
    obs, _, terminations, truncations, infos = told
    everybody = {"seat_0", "seat_1", "seat_2"}
    assert all(set(x) == everybody for x in told)
    assert terminations == {"seat_0": True, "seat_1": False, "seat_2": False}
    assert not any(truncations.values())
    assert infos["seat_0"]["reason"] == "eliminated"
    assert infos["seat_0"]["length"] == 10
    assert not obs["seat_0"][0].any()
    assert g.agents == ["seat_1", "seat_2"]
    for _ in range(5):
        told = g.step({a: still for a in g.agents})
        assert all(set(x) == {"seat_1", "seat_2"} for x in told)
        assert g.batch.arrays.terminated[0].tolist() == [True, False, False]
    # The actions of an agent that is out are not read, whatever they are.
    told = g.step({"seat_0": "nonsense", "seat_1": meet(g, "seat_1", 0), "seat_2": still})
    assert told[2] == {"seat_1": True, "seat_2": True}
    assert g.agents == []
    assert told[4]["seat_2"]["reason"] == "lone_survivor"
    assert told[4]["seat_2"]["rank"].tolist() == [2, 2, 1]
    assert told[1]["seat_2"] > 0
    obs, infos = g.reset()
    assert set(obs) == set(infos) == everybody == set(g.agents)


def test_an_agent_that_is_out_is_told_once_one_after_the_other():
    g = env("ants", map=TRIO, rules=NO_FOOD)
    g.reset(seed=1)
    seen = []
    turn = 0
    for agent in g.agent_iter(max_iter=60):
        *_, terminated, truncated, info = g.last()
        if terminated or truncated:
            seen.append((agent, turn, info["reason"]))
            g.step(None)
            continue
        par = g.unwrapped
        still = np.full(len(par.form.nvec), STAY)
        turn += agent == "seat_2"
        g.step(meet(par, agent, 0) if (agent, turn) in (("seat_0", 2), ("seat_1", 5)) else still)
    assert [s[0] for s in seen] == ["seat_0", "seat_1", "seat_2"]
    assert [s[1] for s in seen] == [3, 6, 6]
    assert [s[2] for s in seen] == ["eliminated", "lone_survivor", "lone_survivor"]


# What is returned


def test_types_and_copies(game):
    g = ParallelEnv(game, privileged=True, **SHORT[game])
    obs, infos = g.reset(seed=1)
    kept = [(obs, infos)]
    for _ in range(4):
        obs, rewards, terminations, truncations, infos = g.step(act(g, infos))
        for agent in g.agents:
            assert g.observation_space(agent).contains(obs[agent])
            assert type(rewards[agent]) is float
            assert type(terminations[agent]) is bool
            assert type(truncations[agent]) is bool
            assert infos[agent]["privileged"]["turn"] >= 1
        kept.append((obs, infos))
    batch = list(arrays(dict(g.batch.arrays)))
    flat = [a for x in kept for a in arrays(x)]
    for i, a in enumerate(flat):
        assert a.flags.writeable
        assert not any(np.shares_memory(a, v) for v in batch)
        assert not any(np.shares_memory(a, b) for b in flat[:i])


def test_masks(game):
    g = ParallelEnv(game, **SHORT[game])
    _, infos = g.reset(seed=1)
    masks = g.action_masks()
    assert list(masks) == g.agents
    for agent, mask in masks.items():
        assert mask.dtype == np.bool_
        assert infos[agent]["action_mask"].dtype == np.int8
        np.testing.assert_array_equal(mask, infos[agent]["action_mask"])
    without = ParallelEnv(game, masks=False, **SHORT[game])
    assert without.reset(seed=1)[1] == {a: {} for a in without.agents}
    with pytest.raises(myriant.ConfigError, match="masks=False"):
        without.action_masks()


def test_opponents_are_no_agents():
    g = ParallelEnv("ants", map="medium-4p", seats=["random", None, "greedy", None])
    assert g.possible_agents == ["seat_1", "seat_3"]
    assert g.batch_spec.observe == (1, 3)
    obs, _ = g.reset(seed=1)
    assert list(obs) == ["seat_1", "seat_3"]
    with pytest.raises(myriant.ConfigError, match="none is the caller's"):
        ParallelEnv("ants", seats=["random", "greedy"])


def test_wrong_actions_are_told_and_change_nothing(game):
    g = ParallelEnv(game, **THREE[game])
    with pytest.raises(myriant.NotResetError):
        g.step({})
    _, infos = g.reset(seed=1)
    good = act(g, infos)
    before = int(g.batch.hashes()[0])
    for bad, told in (
        ({"seat_0": good["seat_0"]}, "seat_1"),
        ({**good, "seat_9": good["seat_0"]}, "seat_9"),
        ({**good, "seat_1": good["seat_1"] + 9999}, "seat 1"),
        ({**good, "seat_1": good["seat_1"][:-1]}, "seat_1"),
        ({**good, "seat_1": None}, "seat_1"),
    ):
        with pytest.raises(myriant.ActionError, match=told):
            g.step(bad)
    assert int(g.batch.hashes()[0]) == before
    g.step(good)


def test_after_close(game):
    g = ParallelEnv(game)
    _, infos = g.reset(seed=1)
    actions = act(g, infos)
    g.close()
    g.close()
    for call in (lambda: g.step(actions), g.reset):
        with pytest.raises(myriant.ClosedError):
            call()


def test_render(game):
    g = ParallelEnv(game, render_mode="ansi", **SHORT[game])
    assert g.render() is None
    g.reset(seed=1)
    assert "a" in g.render() or "0" in g.render()
    with pytest.raises(myriant.ConfigError, match="human"):
        ParallelEnv(game, render_mode="human")


def test_a_forked_child_is_told_why_it_cannot_be():
    code, out, err, seconds = run(
        """
import os, sys, time
from myriant.adapters.pettingzoo import parallel_env
game = parallel_env("ants")
game.reset(seed=1)
if os.fork() == 0:
    begin = time.monotonic()
    try:
        game.reset(seed=1)
    except RuntimeError as e:
        os._exit(0 if "spawn" in str(e) and time.monotonic() - begin < 1 else 1)
    os._exit(2)
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    )
    assert (code, out) == (0, "0\n"), err
    assert seconds < 30
