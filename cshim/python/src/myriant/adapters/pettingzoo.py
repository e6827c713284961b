"""PettingZoo: the seats of a board as agents.

    from myriant.adapters.pettingzoo import env, parallel_env

    game = parallel_env("ants", map="small-3p")
    observations, infos = game.reset(seed=7)
    while game.agents:
        actions = {a: game.action_space(a).sample(infos[a]["action_mask"]) for a in game.agents}
        observations, rewards, terminations, truncations, infos = game.step(actions)

An agent whose seat is out gets its last observation, reward and flag once, and is no agent any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pettingzoo  # type: ignore[import-untyped,unused-ignore]
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo.utils.conversions import parallel_to_aec  # type: ignore[import-untyped,unused-ignore]

from ..arrays import Arrays
from ..batch import Batch
from ..errors import ActionError, ArgumentError, ClosedError, ConfigError, NotResetError
from ..spec import Maps, Spec, make_spec
from . import draw
from .form import Form, batch_config, end_info, form_of, hidden_info, stream_seed
from .spaces import action_space, observation_space


def parallel_env(game: str = "ants", **config: Any) -> ParallelEnv:
    """The seats of a board, which act at once: ``ParallelEnv``."""
    return ParallelEnv(game, **config)


def env(game: str = "ants", **config: Any) -> pettingzoo.AECEnv[Any, Any, Any]:
    """The same one after the other, through ``parallel_to_aec``. The board is played when the last agent has acted."""
    return parallel_to_aec(ParallelEnv(game, **config))


class ParallelEnv(pettingzoo.ParallelEnv[str, Any, Any]):  # type: ignore[misc,unused-ignore]
    """The seats of one board as agents "seat_0", "seat_1", ..

    Args:
        game: "ants" or "formica".
        seats: who plays each seat, as in ``Batch``; those that the caller plays are the agents. None: all.
        masks: whether every info has the agent's "action_mask", int8[M] as ``action_space(agent).sample`` takes it.
        map, rules, rewards, zero_sum, options, bad_actions, statistics: as in ``myriant.Batch``.
        planes, privileged, workers, render_mode: as in ``myriant.adapters.gymnasium.Env``; the first agent's view is
            drawn.

    Observations, actions and infos are those of ``myriant.adapters.gymnasium.Env``. Every array is the caller's,
    flags are ``bool``, rewards ``float``. ``reset(seed=s)`` begins the stream of episodes of board 0 of
    ``Batch.reset(s)``, ``reset()`` goes on to its next episode. options are not read.

    Raises what ``Batch`` does; ActionError also if a living agent has no action.

    Attributes:
        batch_spec: the spec of the batch of one board that is played on.
        form: what observations and actions are made of.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "myriant_v0",
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 8,
        "is_parallelizable": True,
    }

    def __init__(
        self,
        game: str = "ants",
        *,
        seats: Sequence[str | None] | None = None,
        map: Maps | None = None,
        rules: str | Mapping[str, Any] | None = None,
        planes: str = "uint8",
        masks: bool = True,
        rewards: Mapping[str, float] | None = None,
        zero_sum: bool = False,
        options: Mapping[str, bool] | None = None,
        bad_actions: str = "error",
        statistics: Sequence[str] | None = None,
        privileged: bool = False,
        workers: int = 1,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ConfigError(f"render_mode {render_mode!r}: have {', '.join(self.metadata['render_modes'])}")
        self._config = batch_config(
            game, masks=masks, planes=planes, num_boards=1, seats=seats, map=map, rules=rules, rewards=rewards,
            zero_sum=zero_sum, options=options, bad_actions=bad_actions, statistics=statistics, privileged=privileged,
            workers=workers,
        )  # fmt: skip
        self.batch_spec: Spec = make_spec(game, **self._config)
        if not self.batch_spec.caller[0].any():
            raise ConfigError(f"seats {seats!r}: none is the caller's")
        self.form: Form = form_of(self.batch_spec)
        self.metadata = {**self.metadata, "name": f"myriant_{game}_v0"}  # type: ignore[misc]
        self.render_mode = render_mode
        # An agent's index along axis S.
        self._index = {
            f"seat_{seat}": s for s, seat in enumerate(self.batch_spec.observe) if self.batch_spec.caller[0, s]
        }
        self.possible_agents: list[str] = list(self._index)
        self.agents: list[str] = []
        observation = observation_space(self.form)
        self._observation_spaces: dict[str, spaces.Space[Any]] = {a: observation for a in self._index}
        self._action_spaces: dict[str, spaces.Space[Any]] = {a: action_space(self.form) for a in self._index}
        self._masks = masks
        self._batch: Batch | None = None
        self._now: Arrays | None = None
        self._np_random: np.random.Generator | None = None
        self._length = 0
        self._closed = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees: always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent chooses: always the same object, each agent's its own."""
        return self._action_spaces[agent]

    @property
    def batch(self) -> Batch:
        """The batch of one board that is played on, made at first use, for its calls that look. Its own calls that
        change the board are not for users of the environment. Arrays are views."""
        if self._closed:
            raise ClosedError("the environment is closed")
        if self._batch is None:
            self._batch = Batch(self.batch_spec.game, copy=False, **self._config)
        return self._batch

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts an episode. Returns observations and infos by agent."""
        if seed is not None:
            seed = stream_seed(seed)
        elif self._now is None:
            if self._np_random is None:
                self._np_random, _ = seeding.np_random()
            seed = int(self._np_random.integers(0, 1 << 64, dtype=np.uint64))
        self._now = self.batch.reset(seed)
        self.agents = list(self.possible_agents)
        self._length = 0
        return self._told(self.agents)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays a step with an action for each living agent; those of agents that are out are not read.

        Returns observations, rewards, terminations, truncations, infos of the agents that were alive before it.
        """
        if self._now is None:
            _ = self.batch  # raises if it is closed
            raise NotResetError("step before the first reset: call reset(seed=..)")
        live = list(self.agents)
        if not live:
            _ = self.batch  # raises if it is closed
            raise ArgumentError("step after the end of the episode: call reset()")
        if unknown := [a for a in actions if a not in self._index]:
            raise ActionError(f"step: no agent {unknown[0]!r}: have {', '.join(self.possible_agents)}")
        if missing := [a for a in live if a not in actions]:
            raise ActionError(f"step: no action for {', '.join(missing)}")
        chosen = np.tile(self.form.nothing, (1, self.batch_spec.num_seats, 1))
        for agent in live:
            chosen[0, self._index[agent]] = self.form.actions(actions[agent], 1, f"step: {agent}", single=True)[0]
        self._now = now = self.batch.step(self.form.encode(chosen, self._now))
        self._length += 1
        observations, infos = self._told(live)
        rewards = {a: float(now["reward"][0, self._index[a]]) for a in live}
        terminations = {a: bool(now["terminated"][0, self._index[a]]) for a in live}
        truncations = {a: bool(now["truncated"][0, self._index[a]]) for a in live}
        for agent in live:
            if terminations[agent] or truncations[agent]:
                infos[agent] |= end_info(self.batch_spec, now, 0, self._index[agent], self._length)
        self.agents = [a for a in live if not (terminations[a] or truncations[a])]
        return observations, rewards, terminations, truncations, infos

    def action_masks(self) -> dict[str, npt.NDArray[np.bool_]]:
        """bool[M] for each living agent: which choices make sense; see
        ``myriant.adapters.gymnasium.Env.action_masks``."""
        if self._now is None:
            raise NotResetError("action_masks before the first reset: call reset(seed=..)")
        if not self._masks:
            raise ConfigError("action_masks: the environment was made with masks=False")
        masks = self.form.masks(self._now)[0]
        return {a: masks[self._index[a]].copy() for a in self.agents}

    def render(self) -> Any:
        """What the first agent sees, as ``render_mode`` says: a text or an image; None without it."""
        if self.render_mode is None or self._now is None:
            return None
        return draw.frame(self.batch_spec, self._now, 0, self.render_mode, self._index[self.possible_agents[0]])

    def close(self) -> None:
        """Ends the batch. Again: nothing."""
        self._closed = True
        self.agents = []
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    def _told(self, agents: Sequence[str]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """What agents see and are told."""
        now = self._now
        assert now is not None
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        masks = self.form.masks(now)[0].view(np.int8) if self._masks else None
        for agent in agents:
            s = self._index[agent]
            seen = {name: now[name][0, s].copy() for name in self.form.sees}
            observations[agent] = seen if len(seen) > 1 else seen[self.form.sees[0]]
            infos[agent] = {} if masks is None else {"action_mask": masks[s].copy()}
            if self.batch_spec.privileged:
                infos[agent]["privileged"] = hidden_info(now, 0)
        return observations, infos
