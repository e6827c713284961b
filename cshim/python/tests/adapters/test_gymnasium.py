"""Gymnasium: its own checker, comparison with SyncVectorEnv, episodes, seeds, actions, masks."""

import gc
import time
import warnings

import gymnasium
import numpy as np
import pytest
from boards import run
from games import IDS, OPPONENTS, SHORT, THREE, arrays, same
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

import myriant
from myriant.adapters.gymnasium import Env, VectorEnv

MODES = list(AutoresetMode)


def make(game, **config):
    return gymnasium.make(IDS[game], **config)


def draws(env, seed):
    """Endless random actions of all boards."""
    rng = np.random.default_rng(seed)
    n = env.num_envs
    while True:
        yield (rng.random((n, len(env.form.nvec))) * env.form.nvec).astype(np.int64)


# Gymnasium's own suites


def test_check_env(game):
    check_env(make(game).unwrapped)


def test_check_env_with_masks_off_and_hidden_arrays(game):
    check_env(make(game, masks=False, privileged=True, planes="float32").unwrapped)


def test_check_env_packed_planes():
    check_env(make("ants", planes="packed").unwrapped)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("privileged", [False, True])
def test_equals_sync_vector_env(game, mode, privileged):
    n, config = 5, dict(SHORT[game], opponents=OPPONENTS[game], privileged=privileged)
    ours = gymnasium.make_vec(IDS[game], num_envs=n, autoreset_mode=mode, **config)
    theirs = SyncVectorEnv([lambda: make(game, **config) for _ in range(n)], autoreset_mode=mode)
    assert isinstance(ours.unwrapped, VectorEnv)
    assert ours.metadata == theirs.metadata
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    same(ours.reset(seed=11), theirs.reset(seed=11), "reset")
    ended, reasons = 0, set()
    for t, actions in zip(range(180), draws(ours, 3), strict=False):
        a, b = ours.step(actions), theirs.step(actions)
        same(a, b, f"step {t}")
        assert ours.observation_space.contains(a[0])
        over = a[2] | a[3]
        ended += over.sum()
        told = a[4]["final_info"] if mode is AutoresetMode.SAME_STEP and over.any() else a[4]
        reasons |= {told["reason"][i] for i in np.flatnonzero(over)}
        if mode is AutoresetMode.DISABLED and over.any():
            mask = {"reset_mask": over, "unknown": 1}
            same(ours.reset(options=dict(mask)), theirs.reset(options=dict(mask)), f"reset after {t}")
    assert ended >= 2 * n
    assert "eliminated" in reasons
    assert reasons - {"eliminated"}
    # A reset in mid-episode, with seeds for some.
    seeds = [5, None, 2**64 - 1, None, 0]
    same(ours.reset(seed=seeds), theirs.reset(seed=seeds), "seeds")
    same(ours.reset(seed=np.arange(n)), theirs.reset(seed=list(range(n))), "an array of seeds")
    same(ours.reset(seed=seeds), theirs.reset(seed=seeds), "seeds again")
    actions = next(draws(ours, 4))
    same(ours.step(actions), theirs.step(actions), "after seeds")
    ours.close()
    theirs.close()


@pytest.mark.parametrize("mode", MODES)
def test_time_limit_equals_the_wrapper(game, mode):
    n, config = 3, SHORT[game]
    ours = gymnasium.make_vec(IDS[game], num_envs=n, autoreset_mode=mode, max_episode_steps=4, **config)
    theirs = SyncVectorEnv([lambda: TimeLimit(make(game, **config), 4) for _ in range(n)], autoreset_mode=mode)
    same(ours.reset(seed=1), theirs.reset(seed=1), "reset")
    truncated = 0
    for t, actions in zip(range(14), draws(ours, 5), strict=False):
        a, b = ours.step(actions), theirs.step(actions)
        same(a, b, f"step {t}")
        truncated += a[3].sum()
        if mode is AutoresetMode.DISABLED and (over := a[2] | a[3]).any():
            same(ours.reset(options={"reset_mask": over}), theirs.reset(options={"reset_mask": over}), f"reset {t}")
    assert truncated == n * 3


# Making


def test_import_order_does_not_matter():
    ask = "assert 'myriant/Ants-v0' in gymnasium.registry and 'myriant/Formica-v0' in gymnasium.registry"
    for order in (
        "import myriant, gymnasium",
        "import gymnasium, myriant",
        "import myriant; import gymnasium.spaces",
        "import myriant, importlib.util as u; assert u.find_spec('gymnasium'); import gymnasium",
    ):
        code, out, err, _ = run(f"{order}; {ask}")
        assert code == 0, (order, out, err)


def test_importing_myriant_imports_no_adapter_and_no_gymnasium():
    code, _, err, _ = run(
        "import sys, myriant; assert not {'gymnasium', 'pettingzoo', 'pufferlib', 'torch'} & set(sys.modules); "
        "import gymnasium; assert type(gymnasium.__spec__.loader).__name__ == 'SourceFileLoader'; "
        "assert 'myriant.adapters.gymnasium' not in sys.modules; "
        "assert not any('myriant' in type(f).__module__ for f in sys.meta_path)"
    )
    assert code == 0, err


def test_specs_go_through_json(game):
    envs = gymnasium.make_vec(IDS[game], num_envs=2, **THREE[game])
    again = gymnasium.make_vec(gymnasium.envs.registration.EnvSpec.from_json(envs.spec.to_json()))
    same(envs.reset(seed=3), again.reset(seed=3))


@pytest.mark.parametrize(
    "config",
    [
        {"seat": 2},
        {"seat": -1},
        {"opponents": ["greedy", "greedy"]},
        {"opponents": "nobody"},
        {"render_mode": "human"},
        {"map": "no such map"},
        {"rules": "no such rules"},
        {"planes": "int64"},
    ],
)
@pytest.mark.parametrize("kind", [Env, VectorEnv])
def test_bad_configurations_are_told(kind, config):
    with pytest.raises(myriant.ConfigError):
        kind("ants", **{"map": "tiny-2p", **config})


def test_bad_vector_configurations_are_told():
    for config in ({"autoreset_mode": "Never"}, {"max_episode_steps": 0}, {"num_envs": 0}):
        with pytest.raises(myriant.ConfigError):
            VectorEnv("ants", **config)


def test_opponents():
    spec = Env("ants", map="medium-4p", seat=2, opponents=["random", "hold", "hunter"]).batch_spec
    assert spec.policies == (("random", "hold", "caller", "hunter"),)
    assert spec.observe == (2,)
    spec = VectorEnv("ants", num_envs=100, map="tiny-2p", opponents={"random": 1, "greedy": 3}).batch_spec
    names = [row[1] for row in spec.policies]
    assert sorted(set(names)) == ["greedy", "random"]
    assert names.count("greedy") == 75
    assert Env("ants").batch_spec.policies[0][1] == "greedy"
    assert Env("formica").batch_spec.policies[0][1:] == ("scripted",) * 3


def test_boards_of_different_sizes():
    envs = VectorEnv("ants", num_envs=4, map=["tiny-2p", "small-3p"], opponents={"random": 1}, seat=1)
    assert [len(row) for row in envs.batch_spec.policies[:2]] == [2, 3]
    rows = max(m.rows for m in envs.batch_spec.maps)
    obs, _ = envs.reset(seed=1)
    assert obs.shape[2] == rows
    assert envs.observation_space.contains(obs)
    for _, actions in zip(range(20), draws(envs, 1), strict=False):
        obs, *_ = envs.step(actions)
    assert envs.observation_space.contains(obs)
    assert obs[:, 0].any(axis=(1, 2)).any()


# What is returned


def test_types_and_copies(game):
    env = make(game, privileged=True, **SHORT[game]).unwrapped
    kept = [env.reset(seed=1, options={"nobody": "reads this"})]
    for _ in range(4):
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample(mask=env.action_masks()))
        assert type(reward) is float
        assert type(terminated) is bool
        assert type(truncated) is bool
        assert type(info) is dict
        kept.append((obs, info))
    batch = list(arrays(dict(env.batch.arrays)))
    for i, x in enumerate(kept):
        for a in arrays(x):
            assert a.flags.owndata or a.base.flags.owndata
            assert a.flags.writeable
            assert not any(np.shares_memory(a, v) for v in batch)
            for y in kept[:i]:
                assert not any(np.shares_memory(a, b) for b in arrays(y))


def test_vector_copies_and_views(game):
    for copy in (True, False):
        envs = VectorEnv(game, num_envs=3, copy=copy, **SHORT[game])
        first, _ = envs.reset(seed=1)
        before = [a.copy() for a in arrays(first) if a.ndim] or [first.copy()]
        for _, actions in zip(range(10), draws(envs, 1), strict=False):
            envs.step(actions)
        unchanged = all((a == b).all() for a, b in zip(arrays(first), before, strict=True))
        assert unchanged == copy
        gc.collect()
        envs.close()
        assert [a.shape for a in arrays(first)] == [a.shape for a in before]


def test_hidden_arrays_are_told_only_when_asked_for(game):
    for privileged in (False, True):
        env = Env(game, privileged=privileged, **SHORT[game])
        for info in (env.reset(seed=1)[1], env.step(env.action_space.sample())[4]):
            assert list(info) == (["privileged"] if privileged else [])
        if privileged:
            assert info["privileged"]["turn"] == 1
            assert info["privileged"]["score"].shape == (env.batch_spec.num_players,)
        else:
            with pytest.raises(myriant.PrivilegedError):
                env.batch.state(0)


def test_end_info(game):
    env = Env(game, **THREE[game])
    env.reset(seed=1)
    for _ in range(3):
        *_, info = env.step(env.action_space.sample())
    assert info["length"] == 3
    assert info["reason"] in env.batch_spec.reasons
    assert info["turn"] == 3
    assert info["score"].shape == info["rank"].shape == (2,)
    assert set(info["rank"]) <= {1, 2}


# Episodes


def lengths(mode, envs, episodes):
    """The lengths of that many episodes of each board, and whether they were truncated."""
    found, at = [[] for _ in range(envs.num_envs)], np.zeros(envs.num_envs, int)
    envs.reset(seed=5)
    flags = []
    for actions in draws(envs, 2):
        _, rewards, terminated, truncated, _ = envs.step(actions)
        assert (envs.valid | ((rewards == 0) & ~terminated & ~truncated)).all()
        at += envs.valid
        over = terminated | truncated
        for i in np.flatnonzero(over):
            found[i].append(int(at[i]))
            flags.append((bool(terminated[i]), bool(truncated[i])))
            at[i] = 0
        if mode is AutoresetMode.DISABLED and over.any():
            envs.reset(options={"reset_mask": over})
        if min(map(len, found)) >= episodes:
            return found, flags


@pytest.mark.parametrize("mode", MODES)
def test_three_turns_over_four_episodes(game, mode):
    envs = VectorEnv(game, num_envs=3, autoreset_mode=mode, **THREE[game])
    found, flags = lengths(mode, envs, 4)
    assert found == [[3] * 4] * 3
    assert set(flags) == {(False, True) if game == "ants" else (True, False)}


def test_three_turns_over_four_episodes_of_one_board(game):
    env = Env(game, **THREE[game])
    for episode in range(4):
        env.reset(seed=1 if episode == 0 else None)
        ends = [env.step(env.action_space.sample())[2:4] for _ in range(3)]
        assert ends[:2] == [(False, False)] * 2
        assert ends[2] == ((False, True) if game == "ants" else (True, False))


def test_same_step_final_obs_is_what_the_episode_led_to(game):
    config = dict(SHORT[game], opponents=OPPONENTS[game], num_envs=4)
    same_step, next_step = (VectorEnv(game, autoreset_mode=m, **config) for m in ("SameStep", "NextStep"))
    same_step.reset(seed=3)
    next_step.reset(seed=3)
    seen = 0
    waiting = np.zeros(4, bool)
    for _, actions in zip(range(100), draws(same_step, 1), strict=False):
        if waiting.any():
            break
        obs, _, te, tr, infos = same_step.step(actions)
        before, *_ = next_step.step(actions)
        waiting = te | tr
        for i in np.flatnonzero(waiting):
            mine = infos["final_obs"][i]
            there = {k: v[i] for k, v in before.items()} if isinstance(before, dict) else before[i]
            same(mine, there, f"final_obs of {i}")
            seen += 1
            first = next(arrays(obs))[i]
            assert (first != next(arrays(mine))).any()
    assert seen


def test_steps_that_need_a_reset(game):
    env = Env(game, **THREE[game])
    with pytest.raises(ResetNeeded, match="first reset"):
        env.step(env.action_space.sample())
    with pytest.raises(ResetNeeded):
        env.action_masks()
    env.reset(seed=1)
    for _ in range(3):
        env.step(env.action_space.sample())
    with pytest.raises(ResetNeeded, match="after the end"):
        env.step(env.action_space.sample())
    env.reset()
    env.step(env.action_space.sample())

    envs = VectorEnv(game, num_envs=2, autoreset_mode="Disabled", **THREE[game])
    with pytest.raises(ResetNeeded, match="first reset"):
        envs.step(envs.action_space.sample())
    envs.reset(seed=1)
    for _ in range(3):
        envs.step(envs.action_space.sample())
    envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match=r"\[1\]"):
        envs.step(envs.action_space.sample())


@pytest.mark.parametrize("mask", [[True, False], np.array([1, 0]), np.array([True]), np.array([False, False])])
def test_bad_reset_masks_are_told(mask):
    envs = VectorEnv("ants", num_envs=2, map="tiny-2p")
    envs.reset(seed=1)
    with pytest.raises((TypeError, ValueError), match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


def test_after_close(game):
    env, envs = Env(game), VectorEnv(game, num_envs=2)
    for e in (env, envs):
        e.reset(seed=1)
        actions = e.action_space.sample()
        e.close()
        e.close()
        with pytest.raises(myriant.ClosedError):
            e.step(actions)
        with pytest.raises(myriant.ClosedError):
            e.reset()


# Snapshots


def test_a_restored_episode_goes_on_as_it_did(game):
    env, other = Env(game, **THREE[game]), Env(game, **THREE[game])
    env.reset(seed=5)
    actions = [env.action_space.sample() for _ in range(3)]
    first = env.step(actions[0])
    kept = env.snapshot()
    led = [env.step(a) for a in actions[1:]]
    assert led[-1][2] or led[-1][3]
    following = env.reset()[0]
    for e in (env, other):
        same(e.restore(kept), first[0])
        for a, want in zip(actions[1:], led, strict=True):
            same(e.step(a), want)
        with pytest.raises(ResetNeeded):
            e.step(actions[0])
        same(e.reset()[0], following)
    for bad in (kept[:-1], b"", b"12345678nonsense"):
        with pytest.raises(myriant.StateError):
            env.restore(bad)


# Seeds


def test_a_seed_is_a_stream_of_episodes(game):
    config = dict(SHORT[game], opponents="random")
    first = []
    for disturb in (False, True):
        env = Env(game, **config)
        if disturb:
            env.reset(seed=99)
            env.step(env.action_space.sample())
        starts = []
        for episode in range(3):
            env.reset(seed=7 if episode == 0 else None)
            starts.append(int(env.batch.hashes()[0]))
            for _ in range(2 * disturb):
                env.step(env.action_space.sample())
        first.append(starts)
    assert first[0] == first[1]
    batch = myriant.Batch(game, seats=[None, *["random"] * (env.batch_spec.num_players - 1)], **SHORT[game])
    batch.reset(seed=7)
    assert int(batch.hashes()[0]) == first[0][0]
    assert len(set(first[0])) == 3


def test_hashes_over_a_thousand_steps(game):
    config = dict(SHORT[game], opponents=OPPONENTS[game])
    ours = [VectorEnv(game, num_envs=6, workers=workers, **config) for workers in (1, 2, 16)]
    for envs in ours:
        envs.reset(seed=7)
    distinct = set()
    for t, actions in zip(range(1000), draws(ours[0], 1), strict=False):
        for envs in ours:
            envs.step(actions)
        hashes = ours[0].batch.hashes()
        distinct |= set(hashes.tolist())
        for envs in ours[1:]:
            np.testing.assert_array_equal(hashes, envs.batch.hashes(), err_msg=f"step {t}")
    assert len(distinct) > 3000


def test_unseeded_environments_differ():
    starts = {int(e.batch.hashes()[0]) for e in (Env("formica") for _ in range(4)) if e.reset()}
    assert len(starts) == 4
    envs = VectorEnv("formica", num_envs=4)
    envs.reset()
    assert len(set(envs.batch.hashes().tolist())) == 4


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5])
def test_bad_seeds_are_told(seed):
    for env in (Env("ants"), VectorEnv("ants", num_envs=2)):
        with pytest.raises((ValueError, TypeError, gymnasium.error.Error)):
            env.reset(seed=seed)
    envs = VectorEnv("ants", num_envs=2)
    for seeds in ([1], [1, 2, 3], [1, seed]):
        with pytest.raises(ValueError, match="seed"):
            envs.reset(seed=seeds)


# Actions


def test_actions_in_other_clothes():
    env = Env("ants", map="tiny-2p")
    rows, cols = env.observation_space.shape[1:]
    rng = np.random.default_rng(1)
    given = rng.integers(0, 5, rows * cols)
    led = []
    for action in (
        given, given.astype(np.uint8), given.astype(np.int32), given.tolist(), given.reshape(rows, cols),
        np.repeat(given, 2)[::2],
    ):  # fmt: skip
        env.reset(seed=1)
        led.append(env.step(action))
    for other in led[1:]:
        same(led[0], other)
    envs = VectorEnv("ants", num_envs=2, map="tiny-2p")
    both = np.stack([given, given])
    led = []
    for actions in (both, both.astype(np.uint8), both.tolist(), both.reshape(2, rows, cols), np.asfortranarray(both)):
        envs.reset(seed=1)
        led.append(envs.step(actions))
    for other in led[1:]:
        same(led[0], other)


def test_invalid_actions_change_nothing(game):
    env, envs = Env(game, **SHORT[game]), VectorEnv(game, num_envs=2, **SHORT[game])
    for e in (env, envs):
        e.reset(seed=1)
        good = np.asarray(e.action_space.sample())
        wild = good.copy()
        wild[..., :] = 9999
        before = e.batch.hashes().tolist()
        for bad in (wild, good[..., :-1], good[None], good.astype(np.float32), -2 - good, 3, "north", [[1], [2, 3]]):
            with pytest.raises(myriant.ActionError):
                e.step(bad)
        assert e.batch.hashes().tolist() == before
        e.step(good)
        assert e.batch.hashes().tolist() != before


def test_bad_actions_can_be_read_as_nothing():
    env = Env("ants", map="tiny-2p", bad_actions="hold")
    env.reset(seed=1)
    env.step(np.full(env.action_space.shape, 9999))
    hash_of_bad = env.batch.hashes()[0]
    env.reset(seed=1)
    env.step(np.full(env.action_space.shape, 4))
    assert env.batch.hashes()[0] == hash_of_bad


def test_actions_of_cells_without_ants_are_not_read():
    env = Env("ants", map="tiny-2p", opponents="hold")
    obs, _ = env.reset(seed=1)
    mine = obs[0].reshape(-1) != 0
    led = []
    for elsewhere in range(5):
        env.reset(seed=1)
        led.append(env.step(np.where(mine, 1, elsewhere)))
    assert led[0][0][0].reshape(-1)[np.roll(mine, 1)].all()
    for other in led[1:]:
        same(led[0], other)


def test_formica_targets_off_the_board_are_none():
    env = Env("formica")
    obs, _ = env.reset(seed=1)
    off = int(np.flatnonzero(obs["planes"][0].reshape(-1) == 0)[1])
    on = int(np.flatnonzero(obs["planes"][0].reshape(-1) != 0)[0])
    assert env.action_masks()[-len(obs["planes"][0].reshape(-1)) :][off] == 0
    led = []
    for mode, target in ((0, off), (0, on), (3, off)):
        env.reset(seed=1)
        led.append(env.step(np.array([mode, 30, 0, target])))
    same(led[0], led[1])
    with pytest.raises(myriant.ActionError):
        env.step(np.array([3, 30, 0, obs["planes"][0].size]))


# Masks


def test_action_masks(game):
    envs = VectorEnv(game, num_envs=3, **SHORT[game])
    env = Env(game, **SHORT[game])
    envs.reset(seed=4)
    env.reset(seed=4)
    choices = int(env.action_space.nvec.sum())
    first = np.cumsum(env.action_space.nvec) - env.action_space.nvec
    forbidden = 0
    for _, actions in zip(range(30), draws(envs, 1), strict=False):
        masks, mask = envs.action_masks(), env.action_masks()
        assert masks.shape == (3, choices)
        assert mask.shape == (choices,)
        assert masks.dtype == mask.dtype == np.bool_
        np.testing.assert_array_equal(masks[0], mask)
        assert np.logical_or.reduceat(masks, first, axis=1).all()
        forbidden += (~mask).sum()
        action = env.action_space.sample(mask=mask)
        assert mask[first + action].all()
        parts = tuple(part.astype(np.int8) for part in np.split(mask, first[1:]))
        assert mask[first + env.action_space.sample(mask=parts)].all()
        envs.step(actions)
        env.step(actions[0])
    assert forbidden
    without = Env(game, masks=False)
    without.reset(seed=1)
    with pytest.raises(myriant.ConfigError, match="masks=False"):
        without.action_masks()


def test_the_mask_of_ants_is_a_mask_of_cells():
    env = Env("ants", map="tiny-2p", opponents="hold")
    obs, _ = env.reset(seed=1)
    rows, cols = obs.shape[1:]
    mask = env.action_masks().reshape(rows, cols, 5)
    mine, water = obs[0] != 0, obs[5] != 0
    assert mask[..., 4].all()
    assert not mask[~mine][:, :4].any()
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    for r, c in zip(*np.nonzero(mine), strict=True):
        for d, (dr, dc) in enumerate(steps):
            r2, c2 = (r + dr) % rows, (c + dc) % cols
            assert mask[r, c, d] == (not water[r2, c2] and not obs[2][r2, c2])


def test_choices_sample_is_uniform_among_what_the_mask_leaves():
    space = Env("formica").action_space
    space.seed(1)
    mask = np.zeros(int(space.nvec.sum()), bool)
    mask[[1, 2, 4, 70, 71]] = True
    drawn = np.array([space.sample(mask=mask) for _ in range(4000)])
    assert space.contains(drawn[0])
    assert set(map(tuple, drawn)) == {(m, 0, d, 0) for m in (1, 2) for d in (0, 1)}
    assert abs((drawn[:, 0] == 1).mean() - 0.5) < 0.05
    with pytest.raises(ValueError, match="shape"):
        space.sample(mask=mask[1:])


# Pictures


def test_render(game):
    env = make(game, render_mode="ansi", **SHORT[game])
    env.reset(seed=1)
    text = env.render()
    assert ("0" if game == "formica" else "a") in text
    assert text.endswith("\n")
    env = make(game, render_mode="rgb_array", **SHORT[game])
    env.reset(seed=1)
    image = env.render()
    height = env.observation_space["planes"].shape[1] if game == "formica" else env.observation_space.shape[1]
    assert image.shape[0] == height * 8
    assert len(np.unique(image.reshape(-1, 3), axis=0)) >= 3
    envs = gymnasium.make_vec(IDS[game], num_envs=2, render_mode="rgb_array", **SHORT[game])
    envs.reset(seed=1)
    frames = envs.render()
    assert len(frames) == 2
    np.testing.assert_array_equal(frames[0], image)


def test_packed_planes_are_drawn_alike():
    texts = []
    for planes in ("uint8", "packed", "float16"):
        env = Env("ants", planes=planes, render_mode="ansi", map="small-3p")
        env.reset(seed=1)
        texts.append(env.render())
    assert texts[0] == texts[1] == texts[2]
    assert texts[0].count("a") == 1


# Processes and wrappers


def test_async_vector_env_by_fork_is_told_why_it_cannot_be():
    code, out, err, seconds = run(
        """
import gymnasium, myriant, sys, time
envs = gymnasium.vector.AsyncVectorEnv([lambda: gymnasium.make("myriant/Ants-v0", map="tiny-2p")] * 2, context="fork")
begin = time.monotonic()
try:
    envs.reset(seed=1)
except RuntimeError as e:
    assert "spawn" in str(e), e
    print("told", time.monotonic() - begin)
    envs.close(terminate=True)
"""
    )
    assert code == 0, err
    assert out.startswith("told"), (out, err)
    assert float(out.split()[1]) < 1
    assert seconds < 30


def test_async_vector_env_by_spawn_equals_ours():
    code, out, err, _ = run(
        """
import gymnasium, myriant, numpy

def make():
    return gymnasium.make("myriant:myriant/Ants-v0", map="tiny-2p")

if __name__ == "__main__":
    envs = gymnasium.vector.AsyncVectorEnv([make] * 2, context="spawn")
    ours = gymnasium.make_vec("myriant/Ants-v0", num_envs=2, map="tiny-2p")
    a, b = envs.reset(seed=1)[0], ours.reset(seed=1)[0]
    assert (a == b).all()
    envs.action_space.seed(1)
    for _ in range(5):
        actions = envs.action_space.sample()
        a, b = envs.step(actions), ours.step(actions)
        assert all((x == y).all() for x, y in zip(a[:4], b[:4]))
    envs.close()
    print("equal")
"""
    )
    assert code == 0, err
    assert out == "equal\n"


def test_wrappers(game):
    n = 3
    envs = gymnasium.make_vec(IDS[game], num_envs=n, autoreset_mode="SameStep", **THREE[game])
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            *_, infos = envs.step(envs.action_space.sample())
    told = infos.get("episode", infos.get("final_info", {}).get("episode"))
    assert told["l"].tolist() == [3] * n
    env = gymnasium.wrappers.FlattenObservation(make(game, **THREE[game]))
    obs, _ = env.reset(seed=1)
    assert env.observation_space.contains(obs)


def test_an_environment_that_is_forgotten_is_closed():
    envs = VectorEnv("ants", num_envs=2, map="tiny-2p", copy=False)
    obs, _ = envs.reset(seed=1)
    before = obs.copy()
    del envs
    gc.collect()
    begin = time.monotonic()
    np.testing.assert_array_equal(obs, before)
    assert time.monotonic() - begin < 5
