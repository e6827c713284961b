"""Rows of different lengths in one array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import Array
from ..errors import ArgumentError


class Ragged:
    """Rows of entries: an entry an own ant, say.

    ``ragged[i]`` is row i, a view of ``values``; where ``shape`` has two axes, so does the index. Iterating gives the
    rows one after the other.

    Attributes:
        values: [N,..]: the entries of all rows, one row after the other.
        offsets: int64[R+1]: row i has values[offsets[i]:offsets[i+1]].
        shape: what R rows are: (R,), or (T,S) of an episode, or (windows, steps).
    """

    __slots__ = ("offsets", "shape", "values")

    def __init__(self, values: Array, offsets: Array, shape: tuple[int, ...] | None = None) -> None:
        self.values = values
        self.offsets: npt.NDArray[np.int64] = np.asarray(offsets, np.int64)
        self.shape = (len(self.offsets) - 1,) if shape is None else shape
        if int(np.prod(self.shape)) != len(self.offsets) - 1:
            raise ArgumentError(f"{len(self.offsets) - 1} rows have no shape {list(self.shape)}")

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """int64[shape]: how many entries each row has."""
        return np.diff(self.offsets).reshape(self.shape)

    @property
    def row(self) -> npt.NDArray[np.int64]:
        """int64[N]: the row that each entry belongs to, 0..R-1."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: int | tuple[int, ...]) -> Array:
        at = index if isinstance(index, tuple) else (index,)
        if len(at) != len(self.shape):
            raise IndexError(f"index {index!r} of rows in shape {list(self.shape)}")
        i = int(np.ravel_multi_index([self._one(k, n) for k, n in zip(at, self.shape, strict=True)], self.shape))
        return self.values[self.offsets[i] : self.offsets[i + 1]]

    @staticmethod
    def _one(i: int, n: int) -> int:
        if not -n <= i < n:
            raise IndexError(f"row {i} of {n}")
        return i % n

    def __iter__(self) -> Iterator[Array]:
        for i in range(len(self.offsets) - 1):
            yield self.values[self.offsets[i] : self.offsets[i + 1]]

    def take(self, rows: npt.ArrayLike, shape: tuple[int, ...] | None = None) -> Ragged:
        """Some rows, by number, copied; they are in shape, or (R,)."""
        rows = np.asarray(rows, np.int64)
        counts = np.diff(self.offsets)[rows]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        entries = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], counts)
        return Ragged(self.values[entries], offsets, shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ragged):
            return NotImplemented
        return (
            self.shape == other.shape
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Ragged {self.values.dtype}, {list(self.shape)} rows of {len(self.values)} entries>"


def scatter(cells: Ragged, values: Ragged | Array, shape: tuple[int, ...], fill: Any) -> Array:
    """Entries of ants put where the ants are: an array [R,*shape] of fill, but for values at cells.

    cells has numbers of cells, row-major in shape; values has an entry for each of them. Of Ants this makes a target
    for every cell from ``ant_cells`` and ``action``.
    """
    given = values.values if isinstance(values, Ragged) else values
    if given.shape[:1] != cells.values.shape:
        raise ArgumentError(f"scatter: {len(given)} values for {len(cells.values)} cells")
    size = int(np.prod(shape))
    if len(cells.values) and not (cells.values.min() >= 0 and cells.values.max() < size):
        raise ArgumentError(f"scatter: a cell is outside of {list(shape)}")
    rows = len(cells.offsets) - 1
    out = np.full((rows, size), fill, given.dtype)
    out[cells.row, cells.values] = given
    return out.reshape(*cells.shape, *shape)
