"""Datasets made, and made from others: what ``myriant generate`` and ``myriant data`` do, on the library's threads.

Ctrl-C ends the work; what was written by then is a dataset of its whole files, and ``generate(.., resume=True)`` goes
on to the same bytes as if nothing had happened.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .. import _native
from ..errors import ArgumentError
from ..spec import Maps, _map
from . import reader
from .dataset import Dataset

Folder = str | os.PathLike[str]
Source = Dataset | Folder
Kind = Literal["orders", "steps"]
Format = Literal["arrow", "parquet"]

# The command's size of files of orders: small, to leave little to do again after an interruption.
_SHARD_SIZE = 1 << 20
_POLICIES = {"ants": ("greedy", "hunter"), "formica": ("scripted", "raid")}
_WAIT = 100  # milliseconds from one look at Ctrl-C to the next


@dataclass(frozen=True)
class Progress:
    """How far work is.

    Attributes:
        episodes, total: done, and in all.
        turns: played so far, by ``generate`` and ``verify``; else 0.
        bytes: written so far, by ``generate``; else 0.
    """

    episodes: int
    total: int
    turns: int = 0
    bytes: int = 0


Tell = Callable[[Progress], object] | None


def _run(what: str, options: dict[str, Any], progress: Tell) -> Any:
    options = {"do": what} | {name: value for name, value in options.items() if value is not None}
    text = json.dumps(options).encode()
    task = reader.Number(what, "task_begin", text, len(text))
    told: Progress | None = None
    try:
        while True:
            got = json.loads(_native.give_about(what, _native.lib().myriant_task_wait, task.use(), _WAIT))
            now = Progress(**got["progress"])
            if progress is not None and now != told and now.total > 0:
                progress(now)
                told = now
            if got["done"]:
                return got["result"]
    finally:
        task.close()


def _folder(source: Source) -> str:
    return str(source.path if isinstance(source, Dataset) else os.path.abspath(os.fspath(source)))


def _any_engine(sources: Sequence[Source]) -> bool:
    return any(isinstance(s, Dataset) and bool(s._options["any_engine"]) for s in sources)


def _open(path: Folder, like: Source | None = None) -> Dataset:
    options: dict[str, Any] = like._options if isinstance(like, Dataset) else {}
    return Dataset(path, **options)


def _rewrite(what: str, sources: Sequence[Source], out: Folder, options: dict[str, Any], progress: Tell) -> Dataset:
    """One dataset of others, to be read as the first of them is."""
    whole = {"from": [_folder(s) for s in sources], "any_engine": _any_engine(sources), "out": _folder(out)}
    _run(what, whole | options, progress)
    return _open(out, sources[0])


def generate(
    out: Folder,
    *,
    game: str = "ants",
    map: Maps | None = None,
    rules: str | Mapping[str, Any] | None = None,
    policies: Sequence[str] | None = None,
    episodes: int = 1000,
    seed: int = 1,
    kind: Kind = "orders",
    format: Format = "arrow",
    part: tuple[int, int] = (0, 1),
    workers: int = 0,
    shard_size: int | None = None,
    checkpoint_every: int = 100,
    resume: bool = False,
    progress: Tell = None,
) -> Dataset:
    """Plays episodes between bundled policies and writes them to a folder: the bytes that ``myriant generate`` writes.

    Args:
        out: a folder that is new or empty, or with resume has a part of the same dataset.
        map: a map or a list of maps, as of ``Batch``; None: one that suits the rules.
        rules: a rule set's name, or a mapping, as of ``Batch``.
        policies: who plays the seats, in turn; None: greedy and hunter, of Formica scripted and raid.
        seed: episode e is a function of it and of e alone, whatever workers and interruptions.
        kind: "orders" keeps what to play again, "steps" what seats saw and did.
        part: (k, n) writes the k-th of n parts, from 0 on; ``merge`` makes the whole of them.
        workers: threads; 0: as many as there are processors.
        shard_size: raw bytes of the rows of a file; None: 1 MiB, of steps 128 MiB.
        checkpoint_every: steps from one state hash to the next.
        progress: is told, at most ten times a second.

    Raises:
        ConfigError, RulesError, MapError: what cannot be played.
        RecordError: the folder is in use, or cannot be written.
    """
    k, n = part
    if not 0 <= k < n or n > episodes:
        raise ArgumentError(f"part {k} of {n}, of {episodes} episodes")
    first, end = episodes * k // n, episodes * (k + 1) // n
    several = isinstance(map, Sequence) and not isinstance(map, str)
    entries: Any = map if several else [map]
    _run(
        "generate",
        {
            "out": _folder(out),
            "game": game,
            "maps": None if map is None else [_map(entry) for entry in entries],
            "rules": rules if rules is None or isinstance(rules, str) else dict(rules),
            "policies": list(_POLICIES.get(game, ()) if policies is None else policies),
            "episodes": end - first,
            "first": first,
            "seed": seed,
            "kind": kind,
            "format": format,
            "workers": workers,
            "shard_size": (_SHARD_SIZE if kind == "orders" else 0) if shard_size is None else shard_size,
            "checkpoint_every": checkpoint_every,
            "resume": resume,
        },
        progress,
    )
    return Dataset(out)


def convert(
    source: Source,
    out: Folder,
    *,
    kind: Kind | None = None,
    format: Format | None = None,
    shard_size: int | None = None,
    progress: Tell = None,
) -> Dataset:
    """Writes a dataset in another kind or format. Nothing is lost: there and back gives the same files.

    None is as it is, of shard_size the default if the kind changes. Raises RecordError, CorruptError.
    """
    return _rewrite("convert", [source], out, {"kind": kind, "format": format, "shard_size": shard_size}, progress)


def merge(
    sources: Sequence[Source],
    out: Folder,
    *,
    kind: Kind | None = None,
    format: Format | None = None,
    shard_size: int | None = None,
    progress: Tell = None,
) -> Dataset:
    """Writes several datasets as one. The parts of one, in any order, give the bytes that it has undivided; episodes of
    others are numbered anew. Rule sets must be alike. Raises ConfigError, RecordError, CorruptError."""
    if isinstance(sources, str | os.PathLike | Dataset) or not sources:
        raise ArgumentError("merge: want a list of datasets")
    return _rewrite("merge", sources, out, {"kind": kind, "format": format, "shard_size": shard_size}, progress)


def split(
    source: Source,
    train: Folder,
    held: Folder,
    *,
    fraction: float = 0.9,
    seed: int = 0,
    kind: Kind | None = None,
    format: Format | None = None,
    progress: Tell = None,
) -> tuple[Dataset, Dataset]:
    """Writes a dataset's episodes to two folders, of which the first gets about that fraction: those that
    ``Dataset.split`` tells, numbered anew. Raises ConfigError (a side would be empty), RecordError, CorruptError."""
    options = {
        "from": [_folder(source)],
        "any_engine": _any_engine([source]),
        "out": _folder(train),
        "rest": _folder(held),
    }
    _run("split", options | {"fraction": fraction, "seed": seed, "kind": kind, "format": format}, progress)
    return _open(train, source), _open(held, source)


def verify(source: Source, *, workers: int = 0, progress: Tell = None) -> dict[str, Any]:
    """Checks everything that a dataset says: hashes of files, the form of every row, and, playing every episode again,
    its orders, checkpoints and outcome, and of kind steps every row.

    Returns what was checked: complete, shards, episodes, turns, bytes, seconds. Raises CorruptError, whose message
    names what is wrong first.
    """
    options = {"from": [_folder(source)], "any_engine": _any_engine([source]), "workers": workers}
    found: dict[str, Any] = _run("verify", options, progress)
    return found


def stats(source: Source, *, workers: int = 0, progress: Tell = None) -> dict[str, Any]:
    """Plays a dataset's episodes again and counts: what ``myriant data stats --json`` prints.

    Lengths, endings and maps of the episodes, and by policy returns, scores, first places, ants by step and how often
    each action was given. Raises CorruptError.
    """
    options = {"from": [_folder(source)], "any_engine": _any_engine([source]), "workers": workers}
    found: dict[str, Any] = _run("stats", options, progress)
    return found
