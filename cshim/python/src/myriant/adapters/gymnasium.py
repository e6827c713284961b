"""Gymnasium: one seat of a board as an ``Env``, and of many boards as a ``VectorEnv``.

    import gymnasium
    import myriant

    env = gymnasium.make("myriant/Ants-v0", map="tiny-2p", opponents="random")
    envs = gymnasium.make_vec("myriant/Ants-v0", num_envs=64)

The caller plays one seat, the library all others. An episode of the seat ends with the board's, or when the seat is
out; the turn limit is truncation, every other end termination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ..arrays import Array, Arrays
from ..batch import Batch
from ..errors import ArgumentError, ClosedError, ConfigError, ForkError
from ..spec import Maps, Spec, make_spec
from . import draw
from .form import Form, Opponents, against, batch_config, end_info, form_of, hidden_info, stream_seed
from .spaces import action_space, observation_space

_RENDER: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 8}


# Specs by configuration. A forked child, which must not ask the library, knows those that its parent asked for, and so
# gets as far as ``reset``, which tells it what is wrong through whatever started it.
_known: dict[str, tuple[dict[str, Any], Spec]] = {}


def _resolve(
    game: str, num_boards: int, seat: int, opponents: Opponents | None, config: dict[str, Any]
) -> tuple[dict[str, Any], Spec]:
    key = repr((game, num_boards, seat, opponents, sorted(config.items())))
    try:
        seats = against(game, seat, opponents, num_boards, config)
        full = batch_config(game, **config, num_boards=num_boards, seats=seats, observe=[seat])
        found = full, make_spec(game, **full)
    except ForkError:
        if key not in _known:
            raise
        return _known[key]
    if len(_known) >= 64:
        _known.clear()
    _known[key] = found
    return found


class Env(gymnasium.Env[Any, Any]):
    """One seat of one board.

    Args:
        game: "ants" or "formica"; ``gymnasium.make`` knows it.
        map, rules, rewards, zero_sum, options, bad_actions, statistics: as in ``myriant.Batch``.
        seat: the seat that is played.
        opponents: who plays the others: a policy, a mixture (policies and weights), or one of those for each other
            seat; None: "greedy" for Ants, "scripted" for Formica.
        planes: dtype of the planes: "uint8", "float16", "float32", and for Ants "packed" (bits).
        masks: whether ``action_masks`` works; without it a step is a little faster.
        privileged: whether every info has the hidden arrays, under "privileged".
        workers: threads; one board needs one.
        render_mode: "ansi" (text) or "rgb_array" (uint8[H*8,W*8,3]): what the seat sees.

    Every array that is returned is the caller's, flags are ``bool``, rewards ``float``. ``reset(seed=s)`` begins the
    stream of episodes that board 0 of ``Batch.reset(s)`` plays, ``reset()`` goes on to its next episode. options are
    not read.

    Info is empty but for the step that ends the episode: reason, length, episode_return, and the game's
    results as arrays of all seats, raw (``spec.score_points`` is what 1 of a score is worth).

    Raises ConfigError, ActionError as ``Batch`` does, ``gymnasium.error.ResetNeeded`` for a step before a reset or
    after the end, ForkError (a RuntimeError) in a forked child of a process that has used the library.

    Attributes:
        batch_spec: the spec of the batch of one board that is played on.
        form: what observations and actions are made of.
    """

    metadata: ClassVar[dict[str, Any]] = _RENDER  # type: ignore[misc]

    def __init__(
        self,
        game: str = "ants",
        *,
        map: Maps | None = None,
        rules: str | Mapping[str, Any] | None = None,
        seat: int = 0,
        opponents: Opponents | None = None,
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
        if render_mode is not None and render_mode not in _RENDER["render_modes"]:
            raise ConfigError(f"render_mode {render_mode!r}: have {', '.join(_RENDER['render_modes'])}")
        self._config, self.batch_spec = _resolve(
            game, 1, seat, opponents, {
                "map": map, "rules": rules, "planes": planes, "masks": masks, "rewards": rewards, "zero_sum": zero_sum,
                "options": options, "bad_actions": bad_actions, "statistics": statistics, "privileged": privileged,
                "workers": workers,
            },
        )  # fmt: skip
        self.form: Form = form_of(self.batch_spec)
        self.observation_space = observation_space(self.form)
        self.action_space = action_space(self.form)
        self.render_mode = render_mode
        self._masks = masks
        self._batch: Batch | None = None
        self._now: Arrays | None = None
        self._length = 0
        self._over = True
        self._closed = False

    @property
    def batch(self) -> Batch:
        """The batch of one board that is played on, made at first use, for its calls that look. Its own calls that
        change the board are not for users of the environment. Arrays are views."""
        if self._closed:
            raise ClosedError("the environment is closed")
        if self._batch is None:
            self._batch = Batch(self.batch_spec.game, copy=False, **self._config)
        return self._batch

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode. Returns observation and info."""
        if seed is not None:
            stream_seed(seed)
        super().reset(seed=seed)
        if seed is None and self._now is None:
            seed = int(self.np_random.integers(0, 1 << 64, dtype=np.uint64))
        self._now = self.batch.reset(seed)
        self._length, self._over = 0, False
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays a step. action is int[A] of the action space; Ants also takes [H,W].

        Returns observation, reward, terminated, truncated, info.
        """
        if self._over or self._now is None:
            _ = self.batch  # raises if it is closed
            when = "before the first reset" if self._now is None else "after the end of the episode"
            raise ResetNeeded(f"step {when}: call reset()")
        actions = self.form.actions(action, 1, "step", single=True)[None]
        self._now = now = self.batch.step(self.form.encode(actions, self._now))
        self._length += 1
        terminated, truncated = bool(now["terminated"][0, 0]), bool(now["truncated"][0, 0])
        self._over = terminated or truncated
        info = self._info()
        if self._over:
            info |= end_info(self.batch_spec, now, 0, 0, self._length)
        return self._observation(), float(now["reward"][0, 0]), terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[M]: which choices make sense now, part after part of the action space, as sb3-contrib's MaskablePPO and
        ``action_space.sample(mask)`` take it. Of Ants it reshapes to [H,W,5]."""
        if self._now is None:
            raise ResetNeeded("action_masks before the first reset")
        row: npt.NDArray[np.bool_] = _masks(self.form, self._now, self._masks)[0]
        return row

    def snapshot(self) -> bytes:
        """The episode as it stands, generators and the stream of seeds included, for ``restore``."""
        if self._now is None:
            raise ResetNeeded("snapshot before the first reset")
        return self._length.to_bytes(8, "little") + self.batch.snapshot()

    def restore(self, snapshot: bytes) -> Any:
        """Goes on from a snapshot, of this environment or one that was made alike. Returns its observation.

        The same actions lead to the same results as they would have there. Raises StateError.
        """
        if self._now is None:
            self.reset()
        self.batch.restore(snapshot[8:])
        self._now = now = self.batch.arrays
        self._length = int.from_bytes(snapshot[:8], "little")
        self._over = bool(now["terminated"][0, 0] or now["truncated"][0, 0])
        return self._observation()

    def render(self) -> Any:
        """What the seat sees, as ``render_mode`` says: a text or an image; None without it."""
        if self.render_mode is None or self._now is None:
            return None
        return draw.frame(self.batch_spec, self._now, 0, self.render_mode)

    def close(self) -> None:
        """Ends the batch. Again: nothing."""
        self._closed = True
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    def _observation(self) -> Any:
        assert self._now is not None
        seen = {name: self._now[name][0, 0].copy() for name in self.form.sees}
        return seen if len(seen) > 1 else seen[self.form.sees[0]]

    def _info(self) -> dict[str, Any]:
        assert self._now is not None
        return {"privileged": hidden_info(self._now, 0)} if self.batch_spec.privileged else {}


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """One seat of many boards, which step together.

    It returns what a ``SyncVectorEnv`` of as many ``Env`` returns, infos included, in all three autoreset modes:
    board i of ``reset(seed=s)`` plays the stream of s+i.

    Args:
        num_envs: boards.
        autoreset_mode: an ``AutoresetMode`` or its name, "NextStep", "SameStep" (with final_obs and final_info) or
            "Disabled" (``reset(options={"reset_mask": bool[num_envs]})``).
        copy: whether observations are the caller's; otherwise they are views that the next call overwrites.
        max_episode_steps: truncates after so many steps, as the TimeLimit wrapper does.
        workers: threads; 0: as many as there are processors.

    The others are those of ``Env``; map may be a list: board b is on map b modulo their number, and
    observations have the size of the largest.

    Attributes:
        batch_spec: the spec of the batch that is played on.
        form: what observations and actions are made of.
        valid: bool[num_envs]: which boards the last step played; the others were reset by it (NextStep). All
            False after a reset.
    """

    metadata: ClassVar[dict[str, Any]] = {**_RENDER, "autoreset_mode": AutoresetMode.NEXT_STEP}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "ants",
        *,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        max_episode_steps: int | None = None,
        map: Maps | None = None,
        rules: str | Mapping[str, Any] | None = None,
        seat: int = 0,
        opponents: Opponents | None = None,
        planes: str = "uint8",
        masks: bool = True,
        rewards: Mapping[str, float] | None = None,
        zero_sum: bool = False,
        options: Mapping[str, bool] | None = None,
        bad_actions: str = "error",
        statistics: Sequence[str] | None = None,
        privileged: bool = False,
        workers: int = 0,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in _RENDER["render_modes"]:
            raise ConfigError(f"render_mode {render_mode!r}: have {', '.join(_RENDER['render_modes'])}")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise ConfigError(f"max_episode_steps is {max_episode_steps}, want 1 or more")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            have = ", ".join(mode.value for mode in AutoresetMode)
            raise ConfigError(f"autoreset_mode {autoreset_mode!r}: have {have}") from None
        self._config, self.batch_spec = _resolve(
            game, num_envs, seat, opponents, {
                "map": map, "rules": rules, "planes": planes, "masks": masks, "rewards": rewards, "zero_sum": zero_sum,
                "options": options, "bad_actions": bad_actions, "statistics": statistics, "privileged": privileged,
                "workers": workers,
            },
        )  # fmt: skip
        self.form: Form = form_of(self.batch_spec)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.form)
        self.single_action_space = action_space(self.form)
        self.metadata = {**_RENDER, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.render_mode = render_mode
        self.max_episode_steps = max_episode_steps
        self.valid: npt.NDArray[np.bool_] = np.zeros(num_envs, np.bool_)
        self._masks, self._copy = masks, copy
        self._batch: Batch | None = None
        self._now: Arrays | None = None
        self._length = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    # The spaces of all boards hold arrays as large as what they describe; not everybody asks for them.

    @cached_property
    def observation_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """What all boards' seats see."""
        return batch_space(self.single_observation_space, self.num_envs)

    @cached_property
    def action_space(self) -> gymnasium.Space[Any]:  # type: ignore[override]
        """What all boards' seats choose."""
        return batch_space(self.single_action_space, self.num_envs)

    @property
    def batch(self) -> Batch:
        """The batch that is played on, made at first use; see ``Env.batch``."""
        if self.closed:
            raise ClosedError("the environment is closed")
        if self._batch is None:
            self._batch = Batch(self.batch_spec.game, copy=False, **self._config)
        return self._batch

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts episodes.

        Args:
            seed: s for s+i on board i, or a seed or None for each; None goes on with the board's next episode, at
                first a random one.
            options: "reset_mask", bool[num_envs], resets these boards alone; other keys are not read.

        Returns observations of all boards, and infos.
        """
        n = self.num_envs
        chosen = _reset_mask(options, n)
        if isinstance(seed, int | np.integer):
            first = stream_seed(seed)
            seeds: list[int | None] = [stream_seed(first + i) for i in range(n)]
            super().reset(seed=first)
        else:
            seeds = [None] * n if seed is None else [None if s is None else stream_seed(s) for s in seed]
            if len(seeds) != n:
                raise ValueError(f"reset: {len(seeds)} seeds for {n} environments")
        if self._now is None:
            # Boards that the mask leaves out need an episode, too.
            seeds = [int(self.np_random.integers(0, 1 << 64, dtype=np.uint64)) if s is None else s for s in seeds]
            now = self.batch.reset([s for s in seeds if s is not None])
        else:
            given = chosen & np.array([s is not None for s in seeds])
            rest = chosen & ~given
            now = self._now
            if given.any():
                now = self.batch.reset_mask(given, seeds=[s or 0 for s in seeds])
            if rest.any():
                now = self.batch.reset_mask(rest)
        self._now = now
        self._length[chosen], self._over[chosen] = 0, False
        self.valid = np.zeros(n, np.bool_)
        return self._observations(now), self._infos({}, now, chosen)

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """Plays a step of every board. actions are int[num_envs,A]; Ants also takes [num_envs,H,W].

        Returns observations, rewards float64[num_envs], terminations and truncations bool[num_envs], infos.
        """
        if self._now is None:
            _ = self.batch  # raises if it is closed
            raise ResetNeeded("step before the first reset: call reset()")
        mode, over = self.autoreset_mode, self._over
        if mode is AutoresetMode.DISABLED and over.any():
            where = np.flatnonzero(over)[:8].tolist()
            raise ResetNeeded(
                f"step after the end of the episodes of environments {where}: call reset with a reset_mask"
            )
        chosen = self.form.actions(actions, self.num_envs, "step")
        if over.any():
            chosen = np.where(over[:, None], self.form.nothing.astype(np.int64), chosen)
        now = self.batch.step(self.form.encode(chosen[:, None], self._now))
        self._now = now
        rewards = now["reward"][:, 0].astype(np.float64)
        terminated, truncated = now["terminated"][:, 0].copy(), now["truncated"][:, 0].copy()
        self._length += 1
        if over.any():  # and so NEXT_STEP
            rewards[over], terminated[over], truncated[over], self._length[over] = 0, False, False, 0
        ended = terminated | truncated
        if self.max_episode_steps is not None:
            truncated |= self._length >= self.max_episode_steps
        self.valid = ~over
        self._over = terminated | truncated
        infos: dict[str, Any] = {}
        which = np.flatnonzero(self._over).tolist()
        ends = {i: end_info(self.batch_spec, now, i, 0, int(self._length[i])) if ended[i] else {} for i in which}
        if mode is AutoresetMode.SAME_STEP and which:
            for i in which:
                final = ends[i]
                if self.batch_spec.privileged:
                    final = {"privileged": hidden_info(now, i), **final}
                infos = self._add_info(infos, {"final_obs": self._observation(now, i), "final_info": final}, i)
            self._now = now = self.batch.reset_mask(self._over)
            self._length[self._over] = 0
            self._over = np.zeros(self.num_envs, np.bool_)
        else:
            if over.any():
                self._now = now = self.batch.reset_mask(over)
            for i in which:
                infos = self._add_info(infos, ends[i], i)
        return self._observations(now), rewards, terminated, truncated, self._infos(infos, now)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[num_envs,M]: see ``Env.action_masks``."""
        if self._now is None:
            raise ResetNeeded("action_masks before the first reset")
        return _masks(self.form, self._now, self._masks)

    def render(self) -> tuple[Any, ...] | None:
        """What each board's seat sees; see ``Env.render``."""
        if self.render_mode is None or self._now is None:
            return None
        return tuple(draw.frame(self.batch_spec, self._now, i, self.render_mode) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the batch."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    def _observation(self, now: Arrays, i: int) -> Any:
        seen = {name: now[name][i, 0].copy() for name in self.form.sees}
        return seen if len(seen) > 1 else seen[self.form.sees[0]]

    def _observations(self, now: Arrays) -> Any:
        seen = {name: now[name][:, 0] for name in self.form.sees}
        if self._copy:
            seen = {name: a.copy() for name, a in seen.items()}
        return seen if len(seen) > 1 else seen[self.form.sees[0]]

    def _infos(self, infos: dict[str, Any], now: Arrays, chosen: npt.NDArray[np.bool_] | None = None) -> dict[str, Any]:
        if not self.batch_spec.privileged:
            return infos
        mask = np.ones(self.num_envs, np.bool_) if chosen is None else chosen
        inside: dict[str, Any] = {}
        for name, a in now.privileged.items():
            kept = a if a.ndim > 1 else a.astype(type(a[:1].item(0)) if len(a) else a.dtype)
            kept = kept.copy()
            kept[~mask] = 0
            inside[name], inside[f"_{name}"] = kept, mask.copy()
        infos["privileged"], infos["_privileged"] = inside, mask.copy()
        return infos


def _masks(form: Form, now: Arrays, masks: bool) -> npt.NDArray[np.bool_]:
    if not masks:
        raise ConfigError("action_masks: the environment was made with masks=False")
    found: npt.NDArray[np.bool_] = form.masks(now)[:, 0]
    return found


def _reset_mask(options: Mapping[str, Any] | None, n: int) -> npt.NDArray[np.bool_]:
    if not options or "reset_mask" not in options:
        return np.ones(n, np.bool_)
    mask = options["reset_mask"]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(
            f"reset: options['reset_mask'] is {getattr(mask, 'dtype', type(mask).__name__)}, want a bool array"
        )
    if mask.shape != (n,):
        raise ArgumentError(f"reset: options['reset_mask'] has shape {list(mask.shape)}, want [{n}]")
    if not mask.any():
        raise ArgumentError("reset: options['reset_mask'] chooses no environment")
    return mask
