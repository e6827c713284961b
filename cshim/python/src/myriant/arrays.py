"""The arrays of a batch: copies, or views of the library's own memory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import ConfigError, PrivilegedError
from .spec import Spec

Array = npt.NDArray[Any]


class _Memory:
    """What numpy makes an array of: an address and a shape, and who holds the memory."""

    __slots__ = ("__array_interface__", "block")

    def __init__(self, block: _native.Block, address: int, shape: tuple[int, ...], dtype: str, writeable: bool) -> None:
        self.block = block
        self.__array_interface__ = {
            "version": 3,
            "data": (address, not writeable),
            "shape": shape,
            "typestr": dtype,
        }


class Table:
    """The library's table of a batch's arrays, and numpy's views of them.

    It is brought up to date with every step, after which the processor's caches are full of boards: what it does then
    is little, and its own.
    """

    def __init__(self, spec: Spec) -> None:
        self.rows = spec.table
        table = np.zeros(self.rows, _ROW)
        self.address = table.ctypes.data
        self._words = table.view(np.int64).data
        self.specs = [spec.arrays[name] for name in spec.exported] * (2 if spec.autoreset == "same_step" else 1)
        self.final = len(spec.exported)
        self.row = {name: i for i, name in enumerate(spec.exported)}
        self._ragged = [i for i, s in enumerate(self.specs) if s.ragged]
        self._first = next((i for i in self._ragged if i < self.final), None)
        self._whole = False
        self._holds: list[_native.Block | None] = [None] * self.rows
        self._bases: list[Array] = [np.empty(0)] * self.rows  # of ragged arrays: as long as the longest of the block
        self.views: list[Array] = [np.empty(0)] * self.rows

    def update(self) -> None:
        """Brings the views in line with the table, which was just filled."""
        if not self._whole:
            for i in range(self.rows):
                self._hold(i)
            self._whole = True
        words = self._words
        for i in self._ragged:  # only their memory moves
            at = i * _WORDS
            if words[at + _BLOCK] != self._holds[i].number:  # type: ignore[union-attr]
                self._hold(i)
            elif words[at + _LENGTH] > len(self._bases[i]):
                self._bases[i] = self.view(i)
            self.views[i] = self._bases[i][: words[at + _LENGTH]]

    def _hold(self, i: int) -> None:
        """Takes a new block of a row."""
        self._holds[i] = _native.Block(self._words[i * _WORDS + _BLOCK])
        self.views[i] = self._bases[i] = self.view(i)

    def view(self, i: int, writeable: bool = False) -> Array:
        """The memory of a row as a numpy array."""
        spec, block = self.specs[i], self._holds[i]
        length, address = self._words[i * _WORDS + _LENGTH], self._words[i * _WORDS]
        shape = (length, *spec.shape[1:]) if spec.ragged else spec.shape
        assert block is not None
        return np.asarray(_Memory(block, address, shape, spec.dtype.str, writeable))

    def entries(self) -> int | None:
        """N, the length of ragged arrays, if any of them or their offsets are exported."""
        if self._first is None:
            return None
        length: int = self._words[self._first * _WORDS + _LENGTH]
        return length

    def clear(self) -> None:
        """Lets go of everything. Arrays that were given out hold their memory themselves."""
        self._holds = [None] * self.rows
        self._bases = [np.empty(0)] * self.rows
        self.views = [np.empty(0)] * self.rows


_ROW = np.dtype(
    [
        ("data", np.uint64),
        ("bytes", np.int64),
        ("block", np.uint64),
        ("dtype", np.int32),
        ("ndim", np.int32),
        ("shape", np.int64, (6,)),
        ("name", "S32"),
    ]
)
assert _ROW.itemsize == ctypes.sizeof(_native.Row)
# A row in words of eight bytes, and what some of them are. The first is the address.
_WORDS, _BLOCK, _LENGTH = _ROW.itemsize // 8, 2, 4


class Arrays(Mapping[str, Array]):
    """What a reset or a step led to: arrays by name, as items or attributes.

    ``arrays["reward"]`` and ``arrays.reward`` are the same. The names, dtypes and shapes are those of
    ``batch.spec.arrays``. With ``copy=True``, the default of ``Batch``, the arrays are the caller's and never change;
    otherwise they are read-only views that the next call overwrites.

    Hidden arrays are apart, see ``privileged``.

    Attributes:
        valid_seats: bool[B,S]: the transition that led here belongs to the seat: its board was played (and
            not reset automatically), and the seat had not ended before. True just once
            for the step that ends a seat. After a reset all False.
        final_boards: int64[K]: the boards whose episode the step ended. K is 0 after most steps.
        final_info: None if K is 0, else by name what an episode's end tells: arrays of these boards alone, [K,..]:
            returns, flags, reason, and the hidden arrays of the batch's ``statistics``, such as scores and ranks.
        final_obs: None if K is 0 or autoreset is not same_step, else by name the observations and masks
            that the ended episodes led to, [K,..]; of ragged arrays the boards' entries one after the
            other, with offsets [K*S+1].
    """

    __slots__ = ("_data", "_hidden", "_spec", "final_boards", "final_info", "final_obs", "valid_seats")

    def __init__(self, spec: Spec, data: dict[str, Array], hidden: dict[str, Array]) -> None:
        self._spec = spec
        self._data = data
        self._hidden = hidden
        self.valid_seats: npt.NDArray[np.bool_]
        self.final_boards: npt.NDArray[np.int64]
        self.final_info: dict[str, Array] | None
        self.final_obs: dict[str, Array] | None

    def __getitem__(self, name: str) -> Array:
        try:
            return self._data[name]
        except KeyError:
            raise KeyError(self._missing(name)) from None

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(self._missing(name)) from None

    def _missing(self, name: str) -> str:
        spec = self._spec.arrays.get(name)
        if spec is None:
            return f"no array {name!r}: {self._spec.game} has {', '.join(self._spec.arrays)}"
        if spec.role == "hidden":
            return f"{name!r} is hidden information: see privileged, and final_info"
        return f"{name!r} is not exported: name it in obs"

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __repr__(self) -> str:
        return listed("Arrays", {name: (str(a.dtype), a.shape) for name, a in self._data.items()}, self.final_boards)

    @property
    def obs(self) -> dict[str, Array]:
        """The observations by name: what a seat may know. Masks are in ``masks``."""
        return {name: self._data[name] for name in self._spec.with_role("observation")}

    @property
    def masks(self) -> dict[str, Array]:
        """The action masks by name."""
        return {name: self._data[name] for name in self._spec.with_role("mask")}

    @property
    def action_mask(self) -> Array:
        """The mask of the batch's head. Raises ConfigError if the head has several: see ``masks``."""
        names = self._spec.heads[self._spec.head].masks
        if len(names) != 1:
            raise ConfigError(f"head {self._spec.head!r} has {len(names)} masks: {', '.join(names)}; see masks")
        return self[names[0]]

    @property
    def privileged(self) -> Mapping[str, Array]:
        """What no seat may know, by name: scores, ranks, turns. Raises PrivilegedError without ``privileged=True``."""
        if not self._spec.privileged:
            raise PrivilegedError("hidden information: make the batch with privileged=True")
        return self._hidden

    def entries(self, name: str, board: int, seat: int) -> Array:
        """The entries of a ragged array that are of one board and one observed seat (an index along axis S)."""
        spec, offsets = self._spec.arrays[name], self._spec.offsets
        if not spec.ragged or offsets is None:
            raise ConfigError(f"{name!r} is not ragged")
        if not (0 <= board < self._spec.num_boards and 0 <= seat < self._spec.num_seats):
            raise ConfigError(
                f"board {board}, seat {seat} of {self._spec.num_boards} boards, {self._spec.num_seats} observed seats"
            )
        i = board * self._spec.num_seats + seat
        lo, hi = self[offsets][i : i + 2].tolist()
        return self[name][lo:hi]


def compact(spec: Spec, arrays: Mapping[str, Array], boards: npt.NDArray[np.int64]) -> dict[str, Array]:
    """Copies of some boards' rows. Entries of ragged arrays are all taken: they are those of the boards already."""
    found: dict[str, Array] = {}
    for name, a in arrays.items():
        of = spec.arrays[name]
        if of.ragged:
            found[name] = a.copy()
        elif of.axes == ("O",):
            counts = np.diff(a).reshape(spec.num_boards, -1)[boards].reshape(-1)
            found[name] = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        else:
            found[name] = a[boards]
    return found


def listed(kind: str, arrays: Mapping[str, tuple[str, Sequence[int]]], ended: Any) -> str:
    """What a set of arrays is printed as: a line an array, of its name, dtype and shape."""
    wide = max(map(len, arrays), default=0)
    lines = [f"  {name:{wide}}  {dtype}{list(shape)}" for name, (dtype, shape) in arrays.items()]
    end = f"  and of {len(ended)} boards whose episode ended final_info" if len(ended) else ""
    return "\n".join([f"<{kind}", *lines, *([end] if end else [])]) + ">"
