"""A dataset that was opened, and its views."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ..arrays import Array
from ..errors import ArgumentError, ConfigError
from ..spec import MapSpec, Spec, make_spec
from . import reader, views
from .views import Episode, Rows, Transitions, Windows

T = TypeVar("T")
Episodes = Sequence[int] | npt.NDArray[Any] | None
INFO = ("episode", "step", "seat")


@dataclass(frozen=True)
class Column:
    """A column of a dataset's rows.

    Attributes:
        name, doc: what it is.
        dtype: of an element, as views give it.
        shape: of an entry, as views give it: () is one element.
        ragged: a row has any number of entries.
        packed: it is stored as bits, and unpacked along its last axis.
        names: of a column of names, such as policy: what its numbers stand for; else empty.
        role: observation or mask for what a seat sees, else "".
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    ragged: bool
    packed: bool
    names: tuple[str, ...]
    role: Literal["observation", "mask", ""]
    doc: str


class Form:
    """How columns are given."""

    def __init__(self, listed: list[dict[str, Any]], unpack: npt.DTypeLike | None) -> None:
        self.columns: dict[str, Column] = {}
        for c in listed:
            packed = c["dtype"] == "bit"
            dtype = np.dtype(np.uint8 if packed else c["dtype"])
            shape = tuple(c["shape"])
            if packed and unpack is not None:
                shape = (*shape[:-1], c["width"])
                dtype = np.dtype(np.bool_ if c["role"] == "mask" else unpack)
            elif not packed and c.get("role") == "mask":
                dtype = np.dtype(np.bool_)
            self.columns[c["name"]] = Column(
                c["name"], dtype, shape, c["ragged"], packed, tuple(c.get("names", ())), c.get("role", ""), c["doc"]
            )
        self._unpack = unpack is not None

    def unpack(self, column: Column, a: Array) -> Array:
        """What a reader gave, as the column's elements."""
        if column.packed and self._unpack:
            a = np.unpackbits(a, axis=-1, count=column.shape[-1], bitorder="little")
        if a.dtype == column.dtype:
            return a
        if column.dtype == np.bool_ and a.dtype.itemsize == 1:
            return a.view(np.bool_)
        return a.astype(column.dtype)

    def seen(self) -> list[str]:
        """The columns that a seat sees."""
        return [name for name, c in self.columns.items() if c.role]


class View(Generic[T]):
    """Something to iterate over, any number of times: each time it is read anew, in the same order.

    What iterates may be left at any point. One iterator is for one thread.
    """

    def __init__(self, begin: Callable[[], reader.Reader], make: Callable[[int, dict[str, Array]], T]) -> None:
        self._begin = begin
        self._make = make

    def __iter__(self) -> Iterator[T]:
        source = self._begin()
        try:
            while (got := source.next()) is not None:
                yield self._make(*got)
        finally:
            source.close()


def open(path: str | os.PathLike[str], *, unpack: npt.DTypeLike | None = np.uint8, any_engine: bool = False) -> Dataset:
    """Opens a dataset: a folder that ``myriant generate`` or ``Batch.record`` has written.

    Args:
        path: the folder.
        unpack: dtype that packed planes are unpacked to; None leaves them, and masks of bits, packed.
        any_engine: read what an engine of another behaviour made, whose episodes may play otherwise here.

    Raises:
        CorruptError: a file that is not what the dataset says; the message names it.
        SignatureError: it was made by an engine of another behaviour.
        RecordError: a file that cannot be read.

    Of a dataset that was interrupted, what whole files hold is read.
    """
    return Dataset(path, unpack=unpack, any_engine=any_engine)


class Dataset:
    """A dataset. It may be used by several threads, and pickled: it is then opened anew where it is unpickled.

    ``len(data)`` is the number of episodes, ``data[e]`` is episode e, and iterating gives all of them.

    Views share their parameters:

    - episodes: numbers 0..len-1, in the order in which they are read; None: all.
    - shuffle, seed: permute episodes, and draw what comes next from a pool of ``buffer`` entries. Equal seeds give
      equal orders, whatever the number of workers. Memory is bounded by the pool.
    - part, parts: read every parts-th episode of that order from the part-th on.
    - workers: episodes that are played, or read, at once; 0: as many as there are processors.

    Attributes:
        path: the folder, absolute.
        manifest: manifest.json, as it is.
        columns: the columns of rows by name, see ``Column``.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, unpack: npt.DTypeLike | None = np.uint8, any_engine: bool = False
    ) -> None:
        self.path = Path(path).absolute()
        self._options = {"unpack": None if unpack is None else np.dtype(unpack).name, "any_engine": bool(any_engine)}
        self._number = reader.open_dataset(str(self.path), bool(any_engine))
        about = reader.info(self._number)
        self.manifest: Mapping[str, Any] = MappingProxyType(about["manifest"])
        self._form = Form(about["columns"], unpack)
        self._listed = about["columns"]
        self.columns: Mapping[str, Column] = MappingProxyType(self._form.columns)
        self._length: int = about["episodes"]

    # What it is

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self.manifest["game"])

    @property
    def kind(self) -> Literal["orders", "steps"]:
        """What it holds: ``orders``, which are played again to read steps, or ``steps``."""
        kind: Literal["orders", "steps"] = self.manifest["kind"]
        return kind

    @property
    def rules(self) -> dict[str, Any]:
        """Every parameter of the rule set."""
        return dict(self.manifest["rules"])

    @property
    def maps(self) -> tuple[MapSpec, ...]:
        """The maps, see ``map``."""
        return tuple(MapSpec(m["id"], m["digest"], m["rows"], m["cols"], m["seats"]) for m in self.manifest["maps"])

    @property
    def policies(self) -> tuple[str, ...]:
        """Who plays."""
        return tuple(self.manifest["policies"]["names"])

    @property
    def complete(self) -> bool:
        """Whether it has all its episodes."""
        return bool(self.manifest["complete"])

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of rows: Arrow IPC files, or Parquet."""
        return tuple(self.path / s["name"] for s in self.manifest["shards"])

    @property
    def turns(self) -> int:
        """Steps of all episodes."""
        return sum(int(s["turns"]) for s in self.manifest["shards"])

    def names(self, column: str) -> tuple[str, ...]:
        """What the numbers of a column of names stand for: map, policy or reason."""
        return self._form.columns[column].names

    def map(self, digest: str) -> dict[str, Any]:
        """One of the maps, as ``myriant.load_map`` gives maps. Raises CorruptError."""
        found: dict[str, Any] = json.loads(reader.map_text(self._number, digest))
        return found

    @cached_property
    def spec(self) -> Spec:
        """The spec of a batch of these boards, with a board a map: what planes and actions mean."""
        maps = [self.map(m.digest) for m in {m.digest: m for m in self.maps}.values()]
        seats = max(m.seats for m in self.maps)
        return make_spec(self.game, num_boards=len(maps), map=maps, rules=self.rules, observe=list(range(seats)))

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"<Dataset {self.game}, {self.kind}: {self._length} episodes, {self.turns} turns, {self.path}>"

    # Reading

    def rows(
        self,
        episodes: Episodes = None,
        *,
        columns: Sequence[str] | None = None,
        shuffle: bool = False,
        seed: int = 0,
        part: int = 0,
        parts: int = 1,
        workers: int = 0,
    ) -> View[Rows]:
        """Rows: one an episode, step and seat, and one a seat for what the episode led to (``is_final_obs``), each
        time some whole steps of one episode.

        columns: names, in that order; None: all. With shuffle, episodes are permuted only.
        """
        options = self._read("rows", episodes, shuffle, seed, part, parts, workers)
        options["columns"] = None if columns is None else list(columns)
        return self._view(options, lambda n, arrays: views.rows(self._form, n, arrays))

    def transitions(
        self,
        episodes: Episodes = None,
        *,
        batch: int = 256,
        obs: Sequence[str] | None = None,
        next_obs: Sequence[str] | bool = True,
        info: Sequence[str] = INFO,
        shuffle: bool = False,
        seed: int = 0,
        buffer: int = 4096,
        part: int = 0,
        parts: int = 1,
        workers: int = 0,
    ) -> View[Transitions]:
        """Transitions, so many at once; the last are fewer.

        Args:
            obs: names of observations and masks; None: all.
            next_obs: names of those of what a step led to; True: as obs, False: none.
            info: other columns to give.
        """
        seen = self._seen(obs)
        after = seen if next_obs is True else [] if next_obs is False else self._seen(next_obs)
        options = self._read("transitions", episodes, shuffle, seed, part, parts, workers)
        options |= {"columns": self._columns(seen, info), "next": after, "batch": int(batch), "buffer": int(buffer)}
        _positive(batch=batch, buffer=buffer)
        return self._view(options, lambda n, arrays: views.transitions(self._form, n, arrays))

    def windows(
        self,
        length: int,
        episodes: Episodes = None,
        *,
        stride: int | None = None,
        short: bool = False,
        batch: int = 256,
        obs: Sequence[str] | None = None,
        info: Sequence[str] = INFO,
        shuffle: bool = False,
        seed: int = 0,
        buffer: int = 4096,
        part: int = 0,
        parts: int = 1,
        workers: int = 0,
    ) -> View[Windows]:
        """Windows of consecutive steps of a seat, so many at once; the last are fewer.

        Args:
            length: steps of a window.
            stride: steps from one window's begin to the next's; None: length, so that they do not overlap.
            short: keep the windows at the ends of episodes that have fewer steps.
            obs, info: as in ``transitions``.
        """
        _positive(length=length, stride=length if stride is None else stride, batch=batch, buffer=buffer)
        options = self._read("windows", episodes, shuffle, seed, part, parts, workers)
        options |= {"columns": self._columns(self._seen(obs), info), "batch": int(batch), "buffer": int(buffer)}
        options |= {"length": int(length), "stride": int(stride or 0), "short": bool(short)}
        return self._view(options, lambda n, arrays: views.windows(self._form, n, arrays, int(length)))

    def episodes(
        self,
        episodes: Episodes = None,
        *,
        shuffle: bool = False,
        seed: int = 0,
        part: int = 0,
        parts: int = 1,
        workers: int = 0,
    ) -> Iterator[Episode]:
        """Whole episodes, one after the other."""
        pieces: list[Mapping[str, Array]] = []
        options = self._read("rows", episodes, shuffle, seed, part, parts, workers)
        first = int(self.manifest["first_episode"])
        for _, arrays in self._view(options, lambda n, arrays: (n, arrays)):
            pieces.append(arrays)
            if arrays["is_final_obs"][-1]:
                yield views.episode(self._form, int(arrays["episode"][0]) - first, pieces)
                pieces = []

    def episode(self, number: int) -> Episode:
        """One episode. No more of its file is read than the rows around it. Raises IndexError, CorruptError."""
        if not -self._length <= number < self._length:
            raise IndexError(f"episode {number} of {self._length}")
        return next(self.episodes([number % self._length], workers=1))

    def __getitem__(self, number: int) -> Episode:
        return self.episode(number)

    def __iter__(self) -> Iterator[Episode]:
        return self.episodes()

    def results(self, episodes: Episodes = None) -> dict[str, Array]:
        """How episodes went, without what happened in them: arrays by name, an entry an episode.

        episode (its number in the whole), seed, map, turns, reason, final_hash, order_count; and [episodes, seats]
        policy, score, rank, strikes, return, where seats that a map lacks have "", 0 and NaN. Of kind orders nothing
        is played for it.
        """
        found = self._episodes({"episodes": self._numbers(episodes)})
        offsets = found.pop("seat_offsets")
        counts = np.diff(offsets)
        taken = np.arange(max(counts, default=0)) < counts[:, None]
        for name in ("policy", "score", "rank", "strikes", "return"):
            values = found[name]
            if name == "policy":
                values = np.array([*self.names(name), ""])[values]
            fill: Any = np.nan if name == "return" else "" if name == "policy" else 0
            found[name] = np.full(taken.shape, fill, values.dtype)
            found[name][taken] = values
        for name in ("map", "reason"):
            found[name] = np.array([*self.names(name), ""])[found[name]]
        return found

    def split(self, fraction: float = 0.9, *, seed: int = 0) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The numbers of the episodes of two sides, of which the first has about that fraction.

        An episode's side depends on the seed and on what was played alone, not on its number: equal episodes are on
        one side, and an episode stays on its side when others are added. ``myriant data split`` splits alike.
        """
        if not 0 <= fraction <= 1:
            raise ArgumentError(f"split: a fraction of {fraction}, want one from 0 to 1")
        found = self._episodes({"split": {"seed": _seed(seed), "fraction": float(fraction)}})
        return np.flatnonzero(found["in_split"]), np.flatnonzero(~found["in_split"])

    # Arrow

    def arrow(self, episodes: Episodes = None, *, workers: int = 0) -> Arrow:
        """All columns of some episodes' rows for Arrow: pyarrow, polars, duckdb and others take it as it is."""
        return Arrow(self, self._read("rows", episodes, False, 0, 0, 1, workers))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """An "arrow_array_stream" capsule of all rows. requested_schema is not followed: the consumer casts."""
        return self.arrow().__arrow_c_stream__()

    # Ends

    def close(self) -> None:
        """Ends the dataset. What was read stays, and views that are being read go on."""
        self._number.close()

    def __enter__(self) -> Dataset:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> Any:
        return _reopen, (self.path, self._options)

    # Inside

    def _numbers(self, episodes: Episodes) -> list[int] | None:
        if episodes is None:
            return None
        array = np.asarray(episodes)
        if array.size == 0:
            return []
        if array.ndim != 1 or array.dtype.kind not in "iu":
            raise ArgumentError("episodes are whole numbers, one after the other")
        if array.min() < 0 or array.max() >= self._length:
            raise ArgumentError(f"episodes {array.min()}..{array.max()} of {self._length}")
        numbers: list[int] = array.tolist()
        return numbers

    def _read(
        self, view: str, episodes: Episodes, shuffle: bool, seed: int, part: int, parts: int, workers: int
    ) -> dict[str, Any]:
        _positive(parts=parts)
        if not 0 <= part < parts or workers < 0:
            raise ArgumentError(f"part {part} of {parts}, {workers} workers")
        return {
            "view": view,
            "episodes": self._numbers(episodes),
            "shuffle": bool(shuffle),
            "seed": _seed(seed),
            "part": int(part),
            "parts": int(parts),
            "workers": int(workers),
        }

    def _view(self, options: dict[str, Any], make: Callable[[int, dict[str, Array]], T]) -> View[T]:
        self._number.use()
        return View(lambda: reader.Reader(self._number, options), make)

    def _seen(self, names: Sequence[str] | None) -> list[str]:
        if names is None:
            return self._form.seen()
        if isinstance(names, str):
            raise ArgumentError(f"a list of names, not {names!r}")
        for name in names:
            if name not in self._form.columns or not self._form.columns[name].role:
                raise ConfigError(f"{name!r} is nothing that a seat sees: have {', '.join(self._form.seen())}")
        return list(names)

    def _columns(self, seen: Iterable[str], info: Sequence[str]) -> list[str]:
        for name in info:
            if name not in self._form.columns:
                raise ConfigError(f"no column {name!r}: have {', '.join(self._form.columns)}")
        return list(dict.fromkeys([*seen, *views._OWN, *info]))

    def _episodes(self, options: dict[str, Any]) -> dict[str, Array]:
        parts: list[dict[str, Array]] = []
        for _, arrays in self._view({"view": "episodes", **options}, lambda n, arrays: (n, arrays)):
            parts.append(arrays)
        if not parts:
            arrays = {name: np.zeros(0, np.int64) for name in ("seat_offsets", *_RESULTS)}
            return arrays | {"seat_offsets": np.zeros(1, np.int64), "in_split": np.zeros(0, np.bool_)}
        found = {name: np.concatenate([p[name] for p in parts]) for name in parts[0] if name != "seat_offsets"}
        counts = np.concatenate([np.diff(p["seat_offsets"]) for p in parts])
        found["seat_offsets"] = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        return found


_RESULTS = (
    *("episode", "seed", "map", "turns", "reason", "final_hash", "order_count"),
    *("policy", "score", "rank", "strikes", "return"),
)


class Arrow:
    """Rows for whoever knows the Arrow PyCapsule interface. Every call reads them anew."""

    __slots__ = ("_dataset", "_options")

    def __init__(self, dataset: Dataset, options: dict[str, Any]) -> None:
        self._dataset, self._options = dataset, options

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """An "arrow_array_stream" capsule."""
        return reader.stream(self._dataset._number, self._options)


def _reopen(path: Path, options: dict[str, Any]) -> Dataset:
    return Dataset(path, **options)


def _positive(**numbers: int) -> None:
    for name, n in numbers.items():
        if n < 1:
            raise ArgumentError(f"{name} is {n}, want 1 or more")


def _seed(seed: int) -> int:
    number = int(seed.__index__())
    if not 0 <= number < 1 << 64:
        raise ArgumentError(f"seed is {number}, want 0..2**64-1")
    return number
