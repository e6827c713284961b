"""What one seat sees and does, as arrays of one shape: the form of a game that all adapters share.

The native heads and arrays of a game are for batches. Here each seat gets an observation and a vector of whole numbers
to choose, so that any library of agents can play:

    ants      sees ``planes`` [C,H,W] and chooses one of north, east, south, west, stay for each cell, row-major;
              what it chooses where it has no ant is not read.
    formica   sees ``planes`` [C,H,W] and ``scalars`` [K] and chooses (mode, alloc, defend, target): a mode, a point of
              the 66 ways to share ten tenths, off or on, and a cell, which is read if the mode is relocate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Array, Arrays
from ..errors import ActionError, ArgumentError, ConfigError
from ..spec import CALLER, Spec, make_spec, mixture

Opponents = str | Mapping[str, float] | Sequence[str | Mapping[str, float]]


class Form:
    """How the seats of a batch see and choose.

    Attributes:
        spec: of the batch.
        nvec: int64[A]: how many choices each of the A parts of an action has.
        nothing: int64[A]: the action that does nothing.
        num_choices: M, the sum of nvec.
    """

    head: str
    """The head of the batch that actions are given through."""
    sees: tuple[str, ...]
    """The arrays that are a seat's observation; if it is just one, the observation is that array."""
    masked: tuple[str, ...]
    """The arrays that ``masks`` is made from."""

    grid: tuple[int, ...]
    """The shape that an action may have in place of [A]."""
    nvec: npt.NDArray[np.int64]
    nothing: npt.NDArray[np.int64]

    def __init__(self, spec: Spec) -> None:
        self.spec = spec

    @property
    def num_choices(self) -> int:
        return int(self.nvec.sum())

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an observed array, of one seat."""
        return self.spec.arrays[name].shape[2:]

    def high(self, name: str) -> Array:
        """The greatest value that each element of an observed array can have, in its shape. The least is 0."""
        raise NotImplementedError

    def encode(self, actions: Array, now: Arrays) -> Array:
        """Actions [B,S,A] in the head's shape. now is what they were chosen for."""
        raise NotImplementedError

    def masks(self, now: Arrays) -> npt.NDArray[np.bool_]:
        """bool[B,S,M]: which choices make sense, part after part. Of each part at least one does."""
        raise NotImplementedError

    def actions(self, given: Any, rows: int, what: str, single: bool = False) -> Array:
        """Actions of that many seats, or of a single one without an axis of seats, as whole numbers [rows,A]. Raises
        ActionError."""
        try:
            array = np.asarray(given)
        except ValueError as e:
            raise ActionError(f"{what}: actions are no array: {e}") from None
        shapes = [(rows, len(self.nvec)), (rows, *self.grid)]
        if single:
            shapes = [shape[1:] for shape in shapes]
        if array.shape not in shapes:
            raise ActionError(f"{what}: actions have shape {list(array.shape)}, want {list(shapes[0])}")
        if array.dtype.kind not in "iu":
            raise ActionError(f"{what}: actions are {array.dtype}, want whole numbers")
        return array.reshape(rows, -1)


class _Ants(Form):
    head, sees, masked = "cell", ("planes",), ("cell_mask",)

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        mask = spec.arrays["cell_mask"]
        self.grid = mask.shape[3:]
        cells = self.grid[0] * self.grid[1]
        self.nvec = np.full(cells, mask.shape[2], np.int64)
        self.nothing = np.full(cells, mask.names(2).index("stay"), np.int64)

    def high(self, name: str) -> Array:
        return np.full(self.shape(name), 255 if self.spec.arrays[name].bit else 1)

    def encode(self, actions: Array, now: Arrays) -> Array:
        return actions.reshape(*actions.shape[:2], *self.grid)

    def masks(self, now: Arrays) -> npt.NDArray[np.bool_]:
        mask = now["cell_mask"]
        last = np.ascontiguousarray(np.moveaxis(mask, 2, -1))
        return last.reshape(*mask.shape[:2], -1).view(np.bool_)


# The greatest values of planes that do not fill a byte.
_FORMICA_PLANES = {
    **dict.fromkeys(
        ("valid", "own_nest", "own_held", "food_vision", "rival_vision", "known_nests", "legal_relocation"), 1
    ),
    "scent": 7,
}


class _Formica(Form):
    head, sees, masked = "orders", ("planes", "scalars"), ("mode_mask", "defend_mask", "target_mask")

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        modes, defend = spec.arrays["mode_mask"].shape[2], spec.arrays["defend_mask"].shape[2]
        self._targets = int(np.prod(spec.arrays["target_mask"].shape[2:]))
        logits = spec.heads["order_logits"].shape[-1]
        self.nvec = np.array([modes, logits - modes - defend - self._targets, defend, self._targets], np.int64)
        self.grid = self.nvec.shape
        self.nothing = np.array([-1, 0, 0, 0], np.int64)
        self._valid = spec.arrays["planes"].names(2).index("valid")

    def high(self, name: str) -> Array:
        if name != "planes":
            return np.full(self.shape(name), 1 << 24)
        planes = [_FORMICA_PLANES.get(plane, 255) for plane in self.spec.arrays[name].names(2)]
        return np.broadcast_to(np.reshape(planes, (-1, 1, 1)), self.shape(name))

    def encode(self, actions: Array, now: Arrays) -> Array:
        # The grid has corners that are off the board; a target there is none.
        target = actions[..., 3]
        on = now["planes"][:, :, self._valid].reshape(*target.shape, -1)
        inside = (target >= 0) & (target < self._targets)
        at = np.where(inside, target, 0)[..., None].astype(np.int64)
        off = inside & (np.take_along_axis(on, at, axis=-1)[..., 0] == 0)
        if not off.any():
            return actions
        actions = actions.copy()
        actions[..., 3] = np.where(off, -1, target)
        return actions

    def masks(self, now: Arrays) -> npt.NDArray[np.bool_]:
        mode, defend, target = (now[name] for name in self.masked)
        seats = mode.shape[:2]
        parts = [mode, np.ones((*seats, int(self.nvec[1])), np.int8), defend, target.reshape(*seats, -1)]
        out = np.concatenate(parts, axis=-1)
        for begin, end in zip(np.cumsum(self.nvec) - self.nvec, np.cumsum(self.nvec), strict=True):
            out[..., begin] |= ~out[..., begin:end].any(axis=-1)
        return out.view(np.bool_)


_FORMS: dict[str, type[Form]] = {"ants": _Ants, "formica": _Formica}
_OPPONENTS = {"ants": "greedy", "formica": "scripted"}


def form_of(spec: Spec) -> Form:
    """The form of a batch's game."""
    return _kind(spec.game)(spec)


def _kind(game: str) -> type[Form]:
    try:
        return _FORMS[game]
    except KeyError:
        raise ConfigError(f"game {game!r}: adapters have {', '.join(_FORMS)}") from None


def batch_config(game: str, *, masks: bool, planes: Any, **config: Any) -> dict[str, Any]:
    """The parameters of the ``Batch`` (and of ``make_spec``) that an adapter plays on: episodes begin when the
    adapter says so, and only what a form needs is exported."""
    form = _kind(game)
    return {
        **config,
        "head": form.head,
        "obs": [*form.sees, *(form.masked if masks else ())],
        "planes": planes,
        "autoreset": "disabled",
    }


def against(game: str, seat: int, opponents: Opponents | None, num_boards: int, config: Mapping[str, Any]) -> list[Any]:
    """The ``seats`` of a batch in which the caller plays one seat, and opponents the others.

    opponents is a policy or a mixture for all other seats, or one for each of them; None: the game's usual one.
    """
    if opponents is None:
        opponents = _OPPONENTS.get(game, "random")
    boards = {m: config[m] for m in ("map", "map_of", "rules") if config.get(m) is not None}
    spec = make_spec(game, num_boards=num_boards, **boards)
    counts = [spec.map_of_board(b).seats for b in range(num_boards)]
    most, least = max(counts), min(counts)
    if not 0 <= seat < least:
        raise ConfigError(f"seat {seat} of a board of {least} seats")
    if isinstance(opponents, str | Mapping):
        others: list[Any] = [opponents] * (most - 1)
    else:
        others = list(opponents)
        if len(others) != most - 1:
            raise ConfigError(f"{len(others)} opponents for {most - 1} other seats")
    row = [*others[:seat], CALLER, *others[seat:]]
    if most == least:
        return row
    return [players[:n] for players, n in zip(mixture(row, num_boards), counts, strict=True)]


def end_info(spec: Spec, now: Arrays, board: int, seat: int, length: int) -> dict[str, Any]:
    """What is told about a board's episode when a seat's part in it ends: reason, length, episode_return and, if the
    whole episode is over, the batch's statistics as numbers and arrays of all seats. A seat that is out while others
    play on has the reason "eliminated"."""
    info: dict[str, Any] = {"length": int(length), "episode_return": float(now["episode_return"][board, seat])}
    at = np.flatnonzero(now.final_boards == board)
    if now.final_info is None or not len(at):
        return {"reason": "eliminated", **info}
    k = int(at[0])
    info = {"reason": spec.reasons[int(now.final_info["reason"][k]) - 1], **info}
    for name, a in now.final_info.items():
        if spec.arrays[name].role == "hidden":
            info[name] = a[k].item() if a.ndim == 1 else a[k].copy()
    return info


def hidden_info(now: Arrays, board: int) -> dict[str, Any]:
    """The hidden arrays of one board, copied: numbers and arrays of all seats."""
    return {name: a[board].item() if a.ndim == 1 else a[board].copy() for name, a in now.privileged.items()}


def stream_seed(seed: Any, what: str = "reset") -> int:
    """A seed as the number of a stream of episodes. Raises ArgumentError."""
    try:
        number = int(seed.__index__())
    except AttributeError:
        raise ArgumentError(f"{what}: seed is {seed!r}, want a whole number") from None
    if not 0 <= number < 1 << 64:
        raise ArgumentError(f"{what}: seed is {number}, want 0..2**64-1")
    return number
