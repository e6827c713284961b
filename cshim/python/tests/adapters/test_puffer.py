"""PufferLib: vector.make with its native and Serial backends, episodes, padding, buffers."""

import gc

import numpy as np
import pufferlib
import pufferlib.vector
import pytest
import torch
from boards import EAST, NO_FOOD, STAY, TRIO, WEST, run
from games import SHORT, THREE

import myriant
from myriant.adapters.puffer import PufferEnv

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def native(game, **config):
    return pufferlib.vector.make(PufferEnv, env_kwargs={"game": game, **config})


def draws(vecenv, seed=1):
    """Endless random actions of all agents, as PufferLib gives them."""
    rng = np.random.default_rng(seed)
    nvec = vecenv.single_action_space.nvec
    while True:
        yield (rng.random((vecenv.num_agents, len(nvec))) * nvec).astype(np.int32)


def test_native_backend(game):
    vecenv = native(game, num_boards=3, **SHORT[game])
    seats = vecenv.spec.num_players
    assert vecenv.num_agents == 3 * seats
    obs, infos = vecenv.reset(seed=1)
    assert infos == []
    assert vecenv.observation_space.contains(obs)
    ended = 0
    for _, actions in zip(range(150), draws(vecenv), strict=False):
        assert vecenv.action_space.contains(actions)
        vecenv.send(actions)
        obs, rewards, terminals, truncations, *_ = vecenv.recv()
        assert obs is vecenv.observations
        assert obs.shape == (3 * seats, *vecenv.single_observation_space.shape)
        assert rewards.dtype == np.float32
        assert terminals.dtype == truncations.dtype == np.bool_
        ended += (terminals | truncations).sum()
    assert ended
    vecenv.close()
    vecenv.close()


def test_serial_backend_equals_native(game):
    config = dict(SHORT[game], num_boards=1)
    serial = pufferlib.vector.make(
        PufferEnv, env_kwargs={"game": game, **config}, backend=pufferlib.vector.Serial, num_envs=3
    )
    alone = [native(game, **config) for _ in range(3)]
    per_env = alone[0].num_agents
    obs, _ = serial.reset(seed=7)
    np.testing.assert_array_equal(obs, np.concatenate([e.reset(seed=7 + i)[0] for i, e in enumerate(alone)]))
    for _, actions in zip(range(120), draws(serial), strict=False):
        obs, rewards, terminals, truncations, _ = serial.step(actions)
        parts = [e.step(actions[i * per_env : (i + 1) * per_env]) for i, e in enumerate(alone)]
        for ours, theirs in zip((obs, rewards, terminals, truncations), zip(*parts, strict=True), strict=False):
            np.testing.assert_array_equal(ours, np.concatenate(theirs))
    serial.close()


def test_multiprocessing_backend_by_spawn():
    code, out, err, _ = run(
        """
import multiprocessing
import numpy
import pufferlib.vector
from myriant.adapters.puffer import PufferEnv

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    config = {"game": "ants", "map": "tiny-2p", "num_boards": 2}
    many = {"backend": pufferlib.vector.Multiprocessing, "num_envs": 2, "num_workers": 2, "overwork": True}
    vecenv = pufferlib.vector.make(PufferEnv, env_kwargs=config, **many)
    alone = pufferlib.vector.make(PufferEnv, env_kwargs=config, backend=pufferlib.vector.Serial, num_envs=2)
    stay = numpy.full((8, 576), 4, numpy.int32)
    obs = [v.reset(seed=3)[0].copy() for v in (vecenv, alone)]
    assert obs[0].shape == obs[1].shape, obs
    for _ in range(5):
        steps = [v.step(stay) for v in (vecenv, alone)]
    assert steps[0][0].any() and steps[0][0].shape == steps[1][0].shape
    vecenv.close()
    print("done")
"""
    )
    assert (code, out) == (0, "done\n"), err


def test_emulation_of_the_gymnasium_and_pettingzoo_adapters(game):
    import pufferlib.emulation

    from myriant.adapters.gymnasium import Env
    from myriant.adapters.pettingzoo import ParallelEnv

    for emulate, kind in (
        (pufferlib.emulation.GymnasiumPufferEnv, Env),
        (pufferlib.emulation.PettingZooPufferEnv, ParallelEnv),
    ):

        def creator(buf=None, seed=0, emulate=emulate, kind=kind):
            return emulate(env_creator=kind, env_kwargs={"game": game, **THREE[game]}, buf=buf, seed=seed)

        vecenv = pufferlib.vector.make(creator, backend=pufferlib.vector.Serial, num_envs=2)
        vecenv.reset(seed=1)
        ended = 0
        for _, actions in zip(range(8), draws(vecenv), strict=False):
            _, _, terminals, truncations, _ = vecenv.step(actions)
            ended += (terminals | truncations).sum()
        assert ended == 2 * vecenv.num_agents
        vecenv.close()


def test_three_turns_over_four_episodes(game):
    vecenv = native(game, num_boards=2, log_interval=1, **THREE[game])
    vecenv.reset(seed=1)
    lengths, at = [], 0
    for _, actions in zip(range(12), draws(vecenv), strict=False):
        _, _, terminals, truncations, infos = vecenv.step(actions)
        at += 1
        over = truncations if game == "ants" else terminals
        assert not (terminals if game == "ants" else truncations).any()
        assert over.all() == over.any()
        assert len(infos) == over.any()
        if over.any():
            assert infos[0]["episode_length"] == 3
            assert infos[0]["n"] == 2
            lengths.append(at)
            at = 0
    assert lengths == [3] * 4


def test_the_observation_after_the_end_is_the_next_episodes(game):
    vecenv = native(game, num_boards=2, **THREE[game])
    vecenv.reset(seed=1)
    batch = myriant.Batch(game, num_boards=2, autoreset="same_step", planes="uint8", **THREE[game])
    batch.reset(seed=1)
    idle = np.tile(vecenv.form.nothing, (vecenv.num_agents, 1)).astype(np.int32)
    for _ in range(9):
        obs, *_ = vecenv.step(idle)
        now = batch.step({vecenv.form.head: vecenv.form.encode(idle.reshape(2, 2, -1), vecenv.batch.arrays)})
        for name, part in vecenv.unpack(obs).items():
            np.testing.assert_array_equal(part.reshape(now[name].shape), now[name])
        np.testing.assert_array_equal(vecenv.rewards.reshape(2, 2), now.reward)


def test_a_seat_that_is_out_is_told_once_and_padded():
    vecenv = native("ants", map=TRIO, rules=NO_FOOD, num_boards=2)
    vecenv.reset(seed=1)
    still = np.full((6, 120), STAY, np.int32)

    def meet(seat, board=0):
        actions = still.copy()
        row = 1 + 5 * seat
        actions[3 * board + seat, [row * 8 + 1, row * 8 + 3]] = EAST, WEST
        return actions

    for _ in range(9):
        *_, terminals, _, _ = vecenv.step(still)
        assert not terminals.any()
        assert vecenv.masks.all()
    _, rewards, terminals, truncations, _ = vecenv.step(meet(0))
    assert terminals.tolist() == [True, False, False, False, False, False]
    assert not truncations.any()
    assert vecenv.masks.all()
    for _ in range(4):
        _, rewards, terminals, _, _ = vecenv.step(np.where(np.arange(6)[:, None] == 0, 9999, still))
        assert vecenv.masks.tolist() == [False, True, True, True, True, True]
        assert rewards[0] == 0
        assert terminals.tolist() == [True, False, False, False, False, False]
    # Seat 1 dies too: the board is over, and the next episode begins with all three.
    obs, rewards, terminals, _, _ = vecenv.step(meet(1))
    assert terminals.tolist() == [True, True, True, False, False, False]
    assert vecenv.masks.tolist() == [False, True, True, True, True, True]
    assert rewards[2] > 0
    assert (obs[:3, 0].sum(axis=(1, 2)) == 2).all()
    *_, terminals, _, _ = vecenv.step(still)
    assert not terminals.any()
    assert vecenv.masks.all()


def test_opponents_are_no_agents():
    vecenv = native("ants", map="medium-4p", seats=["random", None, "greedy", None], num_boards=5)
    assert vecenv.num_agents == 10
    vecenv.reset(seed=1)
    for _, actions in zip(range(5), draws(vecenv), strict=False):
        vecenv.step(actions)
    mixed = native("ants", map="tiny-2p", seats=[None, {"random": 1, "greedy": 1}], num_boards=4)
    assert mixed.num_agents == 4
    for seats in (["random", "greedy"], [[None, "random"], ["random", None]]):
        with pytest.raises(myriant.ConfigError, match="the same seats on every board"):
            PufferEnv("ants", seats=seats, num_boards=2)


def test_when_all_agents_are_out_the_board_begins_anew():
    vecenv = native("ants", map=TRIO, rules=NO_FOOD, seats=[None, "hold", "hold"], num_boards=1, log_interval=1)
    vecenv.reset(seed=1)
    actions = np.full((1, 120), STAY, np.int32)
    actions[0, [9, 11]] = EAST, WEST
    obs, _, terminals, _, infos = vecenv.step(actions)
    assert terminals.tolist() == [True]
    assert infos[0]["episode_length"] == 1
    assert infos[0]["win"] == 0
    assert obs[0, 0].sum() == 2


def test_buffers_are_pufferlibs():
    probe = PufferEnv("ants", map="tiny-2p", num_boards=2)
    n, shape = probe.num_agents, probe.single_observation_space.shape
    buf = {
        "observations": np.zeros((n, *shape), np.uint8),
        "rewards": np.zeros(n, np.float32),
        "terminals": np.zeros(n, bool),
        "truncations": np.zeros(n, bool),
        "masks": np.ones(n, bool),
        "actions": np.zeros((n, shape[1] * shape[2]), np.int32),
        "teacher_actions": np.zeros((n, shape[1] * shape[2]), np.int32),
    }
    env = PufferEnv("ants", map="tiny-2p", num_boards=2, buf=buf, seed=3)
    obs, _ = env.reset()
    assert obs is buf["observations"]
    assert buf["observations"].any()
    env.close()
    gc.collect()
    assert buf["observations"].any()
    probe.reset(seed=3)
    np.testing.assert_array_equal(probe.observations, buf["observations"])
    buf["observations"] = buf["observations"].astype(np.float32)
    with pytest.raises(myriant.ConfigError, match="observations of float32"):
        PufferEnv("ants", map="tiny-2p", num_boards=2, buf=buf)


def test_seeds(game):
    starts = []
    for seed in (7, 7, 8):
        env = PufferEnv(game, num_boards=3, seed=seed, **SHORT[game])
        env.reset()
        starts.append([env.batch.hashes().tolist()])
        env.reset()
        starts[-1].append(env.batch.hashes().tolist())
    assert starts[0] == starts[1]
    assert starts[0] != starts[2]
    env.reset(seed=7)
    assert env.batch.hashes().tolist() == starts[0][0]
    with pytest.raises(ValueError, match="seed"):
        PufferEnv(game, seed=-1)


def test_masks_are_those_of_the_agents(game):
    vecenv = native(game, num_boards=2, **SHORT[game])
    vecenv.reset(seed=1)
    masks = vecenv.action_masks()
    assert masks.shape == (vecenv.num_agents, vecenv.single_action_space.nvec.sum())
    assert masks.any(axis=1).all()
    assert not masks.all()
    without = native(game, masks=False)
    without.reset(seed=1)
    with pytest.raises(myriant.ConfigError, match="masks=False"):
        without.action_masks()


@pytest.mark.filterwarnings("ignore:_check_is_size:FutureWarning")
def test_unpacked_observations_of_formica():
    vecenv = native("formica", num_boards=2)
    obs, _ = vecenv.reset(seed=1)
    assert obs.dtype == np.uint8
    now = vecenv.batch.arrays
    parts = vecenv.unpack(obs)
    np.testing.assert_array_equal(parts["planes"].reshape(now.planes.shape), now.planes)
    np.testing.assert_array_equal(parts["scalars"].reshape(now.scalars.shape), now.scalars)
    tensor = torch.as_tensor(obs)
    for name, part in vecenv.unpack(tensor).items():
        assert part.numpy().dtype == parts[name].dtype
        np.testing.assert_array_equal(part.numpy(), parts[name])
        assert part.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr()
    layout = pufferlib.pytorch.nativize_dtype(vecenv.emulated)
    for name, part in pufferlib.pytorch.nativize_tensor(tensor, layout).items():
        np.testing.assert_array_equal(part.numpy(), parts[name])


def test_wrong_use_is_told(game):
    env = PufferEnv(game, num_boards=2, **SHORT[game])
    good = next(draws(env))
    with pytest.raises(myriant.NotResetError):
        env.step(good)
    env.reset(seed=1)
    before = env.batch.hashes().tolist()
    for bad in (good[:-1], good + 9999, good.astype(np.float32), good[:, :-1]):
        with pytest.raises(myriant.ActionError):
            env.step(bad)
    assert env.batch.hashes().tolist() == before
    assert repr(env).startswith(f"<PufferEnv 2 boards of {game} ")
    env.close()
    assert repr(env).endswith("closed>")
    for call in (lambda: env.step(good), env.reset):
        with pytest.raises(myriant.ClosedError):
            call()


def test_render(game):
    env = PufferEnv(game, render_mode="rgb_array", **SHORT[game])
    assert env.render() is None
    env.reset(seed=1)
    assert env.render().dtype == np.uint8
