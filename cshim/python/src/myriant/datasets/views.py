"""What views of a dataset give: rows, transitions, windows, episodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..arrays import Array
from .ragged import Ragged

if TYPE_CHECKING:
    from .dataset import Form

Values = Array | Ragged


class Rows(Mapping[str, Values]):
    """Columns by name, as items or attributes. Each has an entry a row; ragged ones are ``Ragged``.

    Columns of names (map, policy, reason) are numbers, see ``Dataset.names``.
    """

    __slots__ = ("_columns", "_length")

    def __init__(self, columns: Mapping[str, Values], length: int) -> None:
        self._columns = dict(columns)
        self._length = length

    @property
    def num_rows(self) -> int:
        """How many rows there are. ``len`` is the number of columns."""
        return self._length

    def __getitem__(self, name: str) -> Values:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}: have {', '.join(self._columns)}") from None

    def __getattr__(self, name: str) -> Values:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(name)
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<Rows {self._length}: {', '.join(self._columns)}>"


@dataclass(frozen=True, slots=True, eq=False)
class Transitions:
    """Steps of seats, each from what the seat saw to what that led to. None goes beyond its episode.

    Attributes:
        obs, next_obs: observations by name, [N,..]; ragged ones are ``Ragged``.
        mask, next_mask: action masks by name, bool, as observations.
        action: what the seats ordered, in the game's encoding: of Ants a number an ant, in the order of
            ``ant_cells``; of Formica the bytes of one order, or none.
        reward: float32[N].
        terminated: bool[N]: the step ended the game for the seat.
        truncated: bool[N]: the step was the last, though the game was not over.
        info: other columns, such as episode, step, seat.
    """

    obs: dict[str, Values]
    mask: dict[str, Values]
    action: Ragged
    reward: npt.NDArray[np.float32]
    next_obs: dict[str, Values]
    next_mask: dict[str, Values]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    info: Rows

    def __len__(self) -> int:
        return len(self.reward)


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Consecutive steps of one seat of one episode each: L steps, and what the last led to.

    Where windows are shorter than L, as ``short`` allows, the rest is 0 and has no entries.

    Attributes:
        obs, mask: by name, [W,L+1,..]; ragged ones are ``Ragged`` of shape (W,L+1).
        action: ``Ragged`` of shape (W,L).
        reward: float32[W,L].
        terminated, truncated: bool[W,L].
        steps: int64[W]: how many steps each window has.
        valid: bool[W,L]: which steps those are.
        info: other columns, [W,L+1].
    """

    obs: dict[str, Values]
    mask: dict[str, Values]
    action: Ragged
    reward: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    steps: npt.NDArray[np.int64]
    valid: npt.NDArray[np.bool_]
    info: Rows

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True, slots=True)
class Seat:
    """How an episode went for one seat. ``total`` is the sum of its rewards; ranks begin with 1 and ties share."""

    policy: str
    score: int
    rank: int
    strikes: int
    total: float


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """A whole episode: T steps of S seats.

    Attributes:
        number: its place in the dataset, 0..len-1.
        id: its number in the whole that the dataset may be a part of.
        seed: it was reset with.
        map: its map's digest.
        reason: why it ended.
        seats: how it went, an entry a seat.
        obs, mask: by name, [T+1,S,..], the last what the episode led to; ragged ones are ``Ragged`` of shape (T+1,S).
        action: ``Ragged`` of shape (T,S).
        reward: float32[T,S].
        terminated, truncated: bool[T,S].
        info: all other columns, [T+1,S].
    """

    number: int
    id: int
    seed: int
    map: str
    reason: str
    seats: tuple[Seat, ...]
    obs: dict[str, Values]
    mask: dict[str, Values]
    action: Ragged
    reward: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    info: Rows

    @property
    def turns(self) -> int:
        """T: steps played."""
        return len(self.reward)

    def __len__(self) -> int:
        return len(self.reward)


def columns(form: Form, arrays: Mapping[str, Array], prefix: str = "") -> dict[str, Values]:
    """The columns of what a reader gave, or those whose name begins with a prefix: bits unpacked as the form says,
    ragged ones with their offsets."""
    found: dict[str, Values] = {}
    for name, a in arrays.items():
        column = form.columns.get(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if column is None:
            continue
        values = form.unpack(column, a)
        found[column.name] = Ragged(values, arrays[name + "_offsets"]) if column.ragged else values
    return found


def parted(form: Form, found: Mapping[str, Values]) -> tuple[dict[str, Values], dict[str, Values], dict[str, Values]]:
    """Observations, masks, and the rest."""
    parts: tuple[dict[str, Values], ...] = ({}, {}, {})
    for name, a in found.items():
        role = form.columns[name].role
        parts[0 if role == "observation" else 1 if role == "mask" else 2][name] = a
    return parts[0], parts[1], parts[2]


_OWN = ("actions", "reward", "terminated", "truncated")


def _rest(found: Mapping[str, Values], length: int) -> Rows:
    return Rows({name: a for name, a in found.items() if name not in _OWN}, length)


def rows(form: Form, count: int, arrays: Mapping[str, Array]) -> Rows:
    """What a reader of rows gave."""
    return Rows(columns(form, arrays), count)


def transitions(form: Form, count: int, arrays: Mapping[str, Array]) -> Transitions:
    """What a reader of transitions gave."""
    now = {name: a for name, a in arrays.items() if not name.startswith("next_")}
    obs, mask, rest = parted(form, columns(form, now))
    next_obs, next_mask, _ = parted(form, columns(form, arrays, "next_"))
    own: Any = rest
    return Transitions(
        obs,
        mask,
        own["actions"],
        own["reward"],
        next_obs,
        next_mask,
        own["terminated"],
        own["truncated"],
        _rest(rest, count),
    )


def _spread(a: Values, to: npt.NDArray[np.int64], rows: int, shape: tuple[int, ...]) -> Values:
    """Row i of a as row to[i] of so many, in shape. to ascends; other rows are 0 and have no entries."""
    if isinstance(a, Ragged):
        counts = np.zeros(rows, np.int64)
        counts[to] = np.diff(a.offsets)
        return Ragged(a.values, np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]), shape)
    if len(to) == rows:
        return a.reshape(*shape, *a.shape[1:])
    out = np.zeros((rows, *a.shape[1:]), a.dtype)
    out[to] = a
    return out.reshape(*shape, *a.shape[1:])


def windows(form: Form, count: int, arrays: Mapping[str, Array], length: int) -> Windows:
    """What a reader of windows of some length gave."""
    offsets = arrays["window_offsets"].astype(np.int64)
    steps = np.diff(offsets) - 1
    width = length + 1
    to = np.arange(offsets[-1]) + np.repeat(np.arange(count) * width - offsets[:-1], steps + 1)
    shape = (count, width)
    found = {name: _spread(a, to, count * width, shape) for name, a in columns(form, arrays).items()}
    obs, mask, rest = parted(form, found)
    valid = np.arange(length) < steps[:, None]
    own: Any = rest
    did = np.arange(count * width).reshape(shape)[:, :length]
    # The row after a window's steps is another window's to act on: here it has no action.
    actions = own["actions"].take(did.reshape(-1), (count, length))
    return Windows(
        obs,
        mask,
        actions,
        own["reward"][:, :length],
        own["terminated"][:, :length] & valid,
        own["truncated"][:, :length] & valid,
        steps,
        valid,
        _rest(rest, count * width),
    )


def episode(form: Form, number: int, parts: list[Mapping[str, Array]]) -> Episode:
    """An episode of all its rows."""
    whole: dict[str, Values] = {}
    found = [columns(form, part) for part in parts]
    total = sum(len(part["seat"]) for part in found)
    seats = int(max(part["seat"].max() for part in found)) + 1  # type: ignore[union-attr]
    shape = (total // seats, seats)
    for name in found[0]:
        pieces: list[Any] = [part[name] for part in found]
        if isinstance(pieces[0], Ragged):
            counts = np.concatenate([np.diff(p.offsets) for p in pieces])
            offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
            whole[name] = Ragged(np.concatenate([p.values for p in pieces]), offsets, shape)
        else:
            a = np.concatenate(pieces) if len(pieces) > 1 else pieces[0]
            whole[name] = a.reshape(*shape, *a.shape[1:])
    obs, mask, rest = parted(form, whole)
    own: Any = rest
    turns = shape[0] - 1
    last = {name: own[name][-1] for name in ("policy", "score", "rank", "strikes", "return")}
    return Episode(
        number,
        int(own["episode"][0, 0]),
        int(own["seed"][0, 0]),
        form.columns["map"].names[own["map"][0, 0]],
        form.columns["reason"].names[own["reason"][0, 0]],
        tuple(
            Seat(
                form.columns["policy"].names[last["policy"][s]],
                int(last["score"][s]),
                int(last["rank"][s]),
                int(last["strikes"][s]),
                float(last["return"][s]),
            )
            for s in range(seats)
        ),
        obs,
        mask,
        own["actions"].take(np.arange(turns * seats), (turns, seats)),
        own["reward"][:-1],
        own["terminated"][:-1],
        own["truncated"][:-1],
        _rest(rest, total),
    )
