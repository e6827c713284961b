"""PufferLib 3: many boards as one native ``PufferEnv``, whose agents are the caller's seats.

    import pufferlib.vector
    from myriant.adapters.puffer import PufferEnv

    config = {"game": "ants", "num_boards": 256, "seats": ["caller", "greedy"]}
    vecenv = pufferlib.vector.make(PufferEnv, env_kwargs=config)

The boards are stepped by the library's own threads: one environment in one process is the fast way. For the
Multiprocessing backend call ``multiprocessing.set_start_method("spawn")`` first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pufferlib  # type: ignore[import-untyped,unused-ignore]
from gymnasium import spaces

from ..arrays import Array, Arrays
from ..batch import Batch
from ..errors import ClosedError, ConfigError, NotResetError
from ..spec import Maps, Seats, Spec, make_spec
from . import draw
from .form import Form, batch_config, form_of, stream_seed
from .spaces import action_space, box


class PufferEnv(pufferlib.PufferEnv):  # type: ignore[misc]
    """The caller's seats of many boards.

    Agents are rows: board after board, seat after seat. A board begins its next episode in the step that ends one,
    so that after a terminal or truncation the observation is the new episode's, as PufferLib has it. A seat that is out
    while others play on has its last reward and its terminal once. Until the board's next episode its row is
    padding, as PufferLib pads agents that are gone: its entry of ``masks`` is False, its reward 0, and terminal True.

    Args:
        game: "ants" or "formica".
        num_boards: boards.
        seats: who plays each seat, as in ``Batch``; None: the caller plays all. On every board the caller must play
            the same seats.
        map, rules, rewards, zero_sum, options, bad_actions, planes, workers: as in ``myriant.Batch``; planes are
            "uint8" unless they are asked for otherwise.
        log_interval: after so many steps the infos have one entry, the means over the episodes that ended since:
            episode_return, episode_length, and of the agent's seat score (in points), rank and win (1 for the only
            best).
        render_mode: "ansi" or "rgb_array": what the first agent sees.
        buf: PufferLib's buffers, or None.
        seed: of ``reset()`` without one: any uint64.

    An observation of Ants is its planes. That of Formica is bytes, uint8[n]: ``emulated`` tells their layout as
    ``pufferlib.pytorch.nativize_dtype`` takes it, and ``unpack`` takes them apart.

    Attributes:
        spec: the spec of the batch that is played on.
        form: what observations and actions are made of.
    """

    def __init__(
        self,
        game: str = "ants",
        *,
        num_boards: int = 1,
        seats: Seats | None = None,
        map: Maps | None = None,
        rules: str | Mapping[str, Any] | None = None,
        planes: str = "uint8",
        masks: bool = True,
        rewards: Mapping[str, float] | None = None,
        zero_sum: bool = False,
        options: Mapping[str, bool] | None = None,
        bad_actions: str = "error",
        workers: int = 0,
        log_interval: int = 128,
        render_mode: str | None = None,
        buf: Any = None,
        seed: int = 0,
    ) -> None:
        self._config = batch_config(
            game, masks=masks, planes=planes, num_boards=num_boards, seats=seats, map=map, rules=rules, rewards=rewards,
            zero_sum=zero_sum, options=options, bad_actions=bad_actions, workers=workers, privileged=True,
        )  # fmt: skip
        self.spec: Spec = make_spec(game, **self._config)
        played = self.spec.caller
        if not played.any() or (played != played[0]).any():
            raise ConfigError(f"seats {seats!r}: the caller must play the same seats on every board, one or more")
        self.form: Form = form_of(self.spec)
        self._seats = np.flatnonzero(played[0])
        self._owners = np.array(self.spec.observe)[self._seats]
        self._all = len(self._seats) == self.spec.num_seats
        self._layout = np.dtype(
            [(name, self.spec.arrays[name].dtype, self.form.shape(name)) for name in sorted(self.form.sees)], align=True
        )
        self.single_observation_space: spaces.Box = self._space()
        self.single_action_space = action_space(self.form)
        self.num_agents = num_boards * len(self._seats)
        self.render_mode = render_mode
        self.log_interval = int(log_interval)
        super().__init__(buf)
        if self.single_observation_space.dtype != self.observations.dtype:
            raise ConfigError(
                f"buf has observations of {self.observations.dtype}, want {self.single_observation_space.dtype}"
            )
        self._seed = stream_seed(seed, "PufferEnv")
        self._masks = masks
        self._batch: Batch | None = None
        self._closed = False
        self._now: Arrays | None = None
        self._alive = np.ones((num_boards, len(self._seats)), np.bool_)
        self._length = np.zeros(num_boards, np.int64)
        self._steps = 0
        self._sums: dict[str, float] = {}
        self._ended = 0

    def _space(self) -> spaces.Box:
        if len(self.form.sees) == 1:
            return box(self.form, self.form.sees[0])
        return spaces.Box(0, 255, (self._layout.itemsize,), np.uint8)

    @property
    def emulated(self) -> Any:
        """False, or of Formica the layout of an observation's bytes, as ``pufferlib.pytorch.nativize_dtype`` takes
        it."""
        if len(self.form.sees) == 1:
            return False
        return {"observation_dtype": np.dtype(np.uint8), "emulated_observation_dtype": self._layout}

    def unpack(self, observations: Any) -> dict[str, Any]:
        """Observations [n,..], an array or a torch tensor, by name: of Ants {"planes": [n,C,H,W]}, of Formica also
        "scalars" [n,K]. Nothing is copied."""
        if len(self.form.sees) == 1:
            return {self.form.sees[0]: observations}
        found = {}
        for name in self.form.sees:
            assert self._layout.fields is not None
            kind, begin = self._layout.fields[name][:2]
            part = observations[:, begin : begin + kind.itemsize]
            if isinstance(part, np.ndarray):
                part = part.view(kind.base)
            elif kind.base != np.uint8:
                import torch

                part = part.view(getattr(torch, kind.base.name))
            found[name] = part.reshape(len(part), *kind.shape)
        return found

    @property
    def batch(self) -> Batch:
        """The batch that is played on, made at first use. Its own calls that change boards are not for users of the
        environment. Arrays are views."""
        if self._closed:
            raise ClosedError("the environment is closed")
        if self._batch is None:
            self._batch = Batch(self.spec.game, copy=False, **self._config)
        return self._batch

    def reset(self, seed: int | None = None) -> tuple[Array, list[dict[str, float]]]:
        """Starts episodes on all boards, as ``Batch.reset`` does. seed None is the environment's own at first, and
        then goes on with each board's next episode. Returns observations and []."""
        if seed is None and self._now is None:
            seed = self._seed
        self._now = self.batch.reset(None if seed is None else stream_seed(seed))
        self._alive[:], self._length[:] = True, 0
        self.rewards[:], self.terminals[:], self.truncations[:], self.masks[:] = 0, False, False, True
        self._observe(self._now)
        return self.observations, []

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, list[dict[str, float]]]:
        """Plays a step of every board. actions are int[num_agents,A].

        Returns the buffers observations, rewards, terminals, truncations, and infos.
        """
        if self._now is None:
            _ = self.batch  # raises if it is closed
            raise NotResetError("step before the first reset: call reset(seed=..)")
        spec, boards, seats = self.spec, self.spec.num_boards, len(self._seats)
        chosen = self.form.actions(actions, self.num_agents, "step").reshape(boards, seats, -1)
        if not self._alive.all():
            chosen = np.where(self._alive[..., None], chosen, self.form.nothing)
        if not self._all:
            wide = np.tile(self.form.nothing, (boards, spec.num_seats, 1))
            wide[:, self._seats] = chosen
            chosen = wide
        now = self.batch.step(self.form.encode(chosen, self._now))
        terminated, truncated = now["terminated"][:, self._seats], now["truncated"][:, self._seats]
        before, done = self._alive, now["done"].copy()
        self._length += 1
        self.rewards[:] = np.where(before, now["reward"][:, self._seats], 0).reshape(-1)
        self.terminals[:] = (~before | terminated).reshape(-1)
        self.truncations[:] = (before & truncated).reshape(-1)
        self.masks[:] = before.reshape(-1)
        self._alive = before & ~terminated & ~truncated
        if (over := done | ~self._alive.any(axis=1)).any():
            self._count(now, over)
            now = self.batch.reset_mask(over)
            self._alive[over], self._length[over] = True, 0
        self._now = now
        self._observe(now)
        return self.observations, self.rewards, self.terminals, self.truncations, self._infos()

    def __repr__(self) -> str:
        about = f"{self.spec.num_boards} boards of {self.spec.game} {self.spec.rule_set}, {self.num_agents} agents"
        return f"<PufferEnv {about}{', closed' if self._closed else ''}>"

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[num_agents,M]: see ``myriant.adapters.gymnasium.Env.action_masks``. (``masks`` is PufferLib's own: which
        rows are agents.)"""
        if self._now is None:
            raise NotResetError("action_masks before the first reset: call reset(seed=..)")
        if not self._masks:
            raise ConfigError("action_masks: the environment was made with masks=False")
        found = self.form.masks(self._now)
        return (found if self._all else found[:, self._seats]).reshape(self.num_agents, -1)

    def render(self) -> Any:
        """What the first agent sees; None without ``render_mode``."""
        if self.render_mode is None or self._now is None:
            return None
        return draw.frame(self.spec, self._now, 0, self.render_mode, int(self._seats[0]))

    def close(self) -> None:
        """Ends the batch. Again: nothing."""
        self._closed = True
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    def _observe(self, now: Arrays) -> None:
        if len(self.form.sees) == 1:
            a = now[self.form.sees[0]]
            self.observations[:] = (a if self._all else a[:, self._seats]).reshape(self.observations.shape)
            return
        assert self._layout.fields is not None
        for name in self.form.sees:
            a = now[name] if self._all else now[name][:, self._seats]
            kind, begin = self._layout.fields[name][:2]
            raw = np.ascontiguousarray(a).reshape(self.num_agents, -1).view(np.uint8)
            self.observations[:, begin : begin + kind.itemsize] = raw

    def _count(self, now: Arrays, over: npt.NDArray[np.bool_]) -> None:
        """Adds the episodes that ended to the sums."""
        scores = now.privileged["score"][over] * self.spec.score_points
        ranks = now.privileged["rank"][over]
        best = (ranks == 1).sum(axis=1, keepdims=True) == 1
        mine = np.ix_(np.arange(len(ranks)), self._owners)
        entries = {
            "episode_return": now["episode_return"][over][:, self._seats].mean(axis=1),
            "episode_length": self._length[over],
            "score": scores[mine].mean(axis=1),
            "rank": ranks[mine].mean(axis=1),
            "win": ((ranks == 1) & best)[mine].mean(axis=1),
        }
        for name, values in entries.items():
            self._sums[name] = self._sums.get(name, 0.0) + float(values.sum())
        self._ended += len(ranks)

    def _infos(self) -> list[dict[str, float]]:
        self._steps += 1
        if self._steps % self.log_interval or not self._ended:
            return []
        info = {name: total / self._ended for name, total in self._sums.items()}
        info["n"] = float(self._ended)
        self._sums, self._ended = {}, 0
        return [info]
