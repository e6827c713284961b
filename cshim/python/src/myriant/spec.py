"""What a batch is made from and made of: configurations, specs, the catalog.

``make_spec`` tells everything about a batch without making it: every array and every
way to give actions, with name, dtype, shape and meaning. Nothing here knows a game: all
of it is declared by the library.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import ConfigError, PrivilegedError

Role = Literal["observation", "mask", "reward", "flag", "hidden"]
Seat = str | None | Mapping[str, float]
Seats = Sequence[Seat | Sequence[str | None]]
Map = str | os.PathLike[str] | Mapping[str, Any]
Maps = Map | Sequence[Map]

CALLER = "caller"
"""The name of a player who is none of the library's: the seat is played by actions."""


@dataclass(frozen=True)
class Label:
    """A name of an entry along an axis, and what it means."""

    name: str
    doc: str


@dataclass(frozen=True, repr=False)
class Field:
    """One array, as the game declares it.

    ``shape`` has -1 for the first axis of a ragged array, whose length changes with every step.
    ``bit`` says that the last axis counts bytes of eight elements, the first in the lowest bit.
    ``axes`` are the symbols of the axes: B boards, S observed seats, P seats of the largest board,
    C planes, H and W rows and columns of the largest board, RB bytes of a packed row, N entries of a
    ragged array, O = B*S+1. ``labels`` name the entries of an axis, where they have names.
    """

    name: str
    dtype: np.dtype[Any]
    bit: bool
    axes: tuple[str, ...]
    shape: tuple[int, ...]
    ragged: bool
    labels: tuple[tuple[Label, ...] | None, ...]
    doc: str

    @property
    def dtype_name(self) -> str:
        """The dtype's name; ``bit`` for packed bits."""
        return "bit" if self.bit else self.dtype.name

    def names(self, axis: int) -> tuple[str, ...]:
        """The names of the entries along an axis; empty if they have none."""
        return tuple(label.name for label in self.labels[axis] or ())

    def __repr__(self) -> str:
        shape = ["N" if n < 0 else n for n in self.shape]
        sizes = ", ".join(
            a if a == str(n) else f"{a}={n}" if n != "N" else "N" for a, n in zip(self.axes, shape, strict=True)
        )
        return f"<{type(self).__name__} {self.name}: {self.dtype_name}[{sizes}]>"


@dataclass(frozen=True, repr=False)
class ArraySpec(Field):
    """An array that the game can export.

    ``role`` is what it is for: observation; mask, what actions may be; reward; flag, how the
    episode stands; hidden, what a seat may not know. ``row`` is its place in the library's table, -1 if it is
    not exported.
    """

    role: Role
    row: int


@dataclass(frozen=True, repr=False)
class HeadSpec(Field):
    """A way to give actions. With ``logits`` the library chooses; ``masks`` name arrays that say what it may hold."""

    logits: bool
    masks: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class MapSpec:
    """A map of a batch."""

    id: str
    digest: str
    rows: int
    cols: int
    seats: int

    def __repr__(self) -> str:
        return f"<MapSpec {self}>"

    def __str__(self) -> str:
        return f"{self.id}: {self.rows}x{self.cols}, {self.seats} seats"


@dataclass(frozen=True, repr=False)
class Spec:
    """Everything about a batch: its configuration with all defaults, and every array.

    Attributes:
        game: name of the game.
        rule_set: name of the rule set that the rules are, or are changed from.
        rules: all rules.
        signature: the rule set's behaviour signature: equal signatures, equal play.
        version, abi, acceleration: of the library.
        num_boards, num_seats, num_players: B, S, P: boards, observed seats, seats of the largest board.
        observe: the observed seats: entry s of axis S is seat observe[s].
        max_steps: the most steps that an episode can have.
        reasons: how episodes end: the array ``reason`` is 1 + an index, 0 while the episode goes on.
        score_points: what 1 in an array of scores is worth.
        maps, map_of: the maps, and each board's: board b is on maps[map_of[b % len(map_of)]].
        policies: board b's seats are played by policies[b % len(policies)], a name for each seat.
        options, rewards: the game's switches, and the weights of its reward terms.
        zero_sum, bad_actions, autoreset, workers, planes: as in ``Batch``.
        sizes: what each symbol of an axis stands for.
        arrays: every array that the game can export, in order.
        heads: every way to give actions, in order.
        head: the name of the head that actions are given through unless another one is named.
        privileged: whether hidden arrays may be looked at.
    """

    game: str
    rule_set: str
    rules: Mapping[str, Any]
    signature: str
    version: str
    abi: int
    acceleration: str
    num_boards: int
    observe: tuple[int, ...]
    max_steps: int
    reasons: tuple[str, ...]
    score_points: float
    maps: tuple[MapSpec, ...]
    map_of: tuple[int, ...]
    policies: tuple[tuple[str, ...], ...]
    options: Mapping[str, bool]
    rewards: Mapping[str, float]
    zero_sum: bool
    bad_actions: Literal["error", "hold"]
    autoreset: Literal["next_step", "same_step", "disabled"]
    workers: int
    planes: str
    sizes: Mapping[str, int]
    table: int
    arrays: Mapping[str, ArraySpec]
    heads: Mapping[str, HeadSpec]
    head: str
    privileged: bool

    def __repr__(self) -> str:
        some = [str(m) for m in self.maps]
        rows = list(dict.fromkeys(", ".join(row) for row in self.policies))
        lines = {
            "boards": f"{self.num_boards}, of up to {self.max_steps} steps, {self.autoreset}, {self.workers} workers",
            "maps": _few(some),
            "seats": f"{_few(rows)} (seen by {', '.join(map(str, self.observe)) or 'nobody'})",
            "rewards": ", ".join(f"{name} {weight:g}" for name, weight in self.rewards.items() if weight) or "none",
            "heads": ", ".join(f"{name} (the default)" if name == self.head else name for name in self.heads),
            "arrays": f"{len(self.exported)} of {len(self.arrays)}",
        }
        about = [f"<Spec {self.game} {self.rule_set}", *(f"  {name:8} {text}" for name, text in lines.items())]
        return "\n".join([*about, *(f"    {line}" for line in _table(self.exported, self.arrays))]) + ">"

    @property
    def num_seats(self) -> int:
        """S: observed seats."""
        return len(self.observe)

    @property
    def num_players(self) -> int:
        """P: seats of the largest board."""
        return max(m.seats for m in self.maps)

    @cached_property
    def exported(self) -> tuple[str, ...]:
        """The names of the exported arrays, in the order of the library's table."""
        rows = sorted((a.row, a.name) for a in self.arrays.values() if a.row >= 0)
        return tuple(name for _, name in rows)

    @cached_property
    def offsets(self) -> str | None:
        """The name of the array that tells where each board's and seat's entries of ragged arrays are."""
        return next((a.name for a in self.arrays.values() if a.axes == ("O",)), None)

    def with_role(self, *roles: Role) -> tuple[str, ...]:
        """The names of the exported arrays that have one of the roles."""
        return tuple(name for name in self.exported if self.arrays[name].role in roles)

    def map_of_board(self, board: int) -> MapSpec:
        """The map that a board is on."""
        return self.maps[self.map_of[board % len(self.map_of)]]

    @cached_property
    def players(self) -> npt.NDArray[np.object_]:
        """object[B,P]: who plays each seat: "caller", a policy's name, or None where the board has no such seat."""
        who = np.full((self.num_boards, self.num_players), CALLER, dtype=object)
        seats = np.array([m.seats for m in self.maps])[np.resize(np.array(self.map_of), self.num_boards)]
        for i, row in enumerate(self.policies):
            names = np.array(list(row), dtype=object)[: self.num_players]
            who[i :: len(self.policies), : len(names)] = names
        who[np.arange(self.num_players) >= seats[:, None]] = None
        return who

    @cached_property
    def caller(self) -> npt.NDArray[np.bool_]:
        """bool[B,S]: the seats that are played by actions."""
        played: npt.NDArray[np.bool_] = self.players[:, list(self.observe)] == CALLER
        return played


def _few(texts: Sequence[str]) -> str:
    """The first of some texts, and how many more there are."""
    return "; ".join(texts[:3]) + (f"; and {len(texts) - 3} more" if len(texts) > 3 else "")


def _table(names: Sequence[str], arrays: Mapping[str, ArraySpec]) -> list[str]:
    """A line an array: its name, dtype, axes, shape and role."""
    rows = []
    for a in (arrays[name] for name in names):
        shape = ",".join("N" if n < 0 else str(n) for n in a.shape)
        rows.append((a.name, f"{a.dtype_name}[{','.join(a.axes)}]", f"[{shape}]", a.role))
    wide = [max(len(row[i]) for row in rows) for i in range(3)]
    return [f"{name:{wide[0]}}  {axes:{wide[1]}}  {shape:{wide[2]}}  {role}" for name, axes, shape, role in rows]


class Config(TypedDict, total=False):
    """The keyword arguments that ``Batch`` and ``make_spec`` share; ``Batch`` says what each is."""

    num_boards: int
    map: Maps | None
    map_of: Sequence[int] | None
    rules: str | Mapping[str, Any] | None
    seats: Seats | None
    observe: Sequence[int] | None
    obs: Sequence[str] | None
    planes: npt.DTypeLike | None
    head: str | None
    privileged: bool
    statistics: Sequence[str] | None
    options: Mapping[str, bool] | None
    rewards: Mapping[str, float] | None
    zero_sum: bool
    bad_actions: str
    autoreset: Any
    workers: int


def _fields(entry: Mapping[str, Any]) -> dict[str, Any]:
    bit = entry["dtype"] == "bit"
    return {
        "name": entry["name"],
        "dtype": np.dtype(np.uint8 if bit else entry["dtype"]),
        "bit": bit,
        "axes": tuple(entry["axes"]),
        "shape": tuple(entry["shape"]),
        "ragged": entry["ragged"],
        "labels": tuple(
            None if of_axis is None else tuple(Label(x["name"], x["doc"]) for x in of_axis)
            for of_axis in entry["labels"]
        ),
        "doc": entry["doc"],
    }


def parse(text: bytes, head: str | None = None, privileged: bool = False) -> Spec:
    """A spec as the library tells it."""
    j = json.loads(text)
    heads = {h["name"]: HeadSpec(**_fields(h), logits=h["logits"], masks=tuple(h["masks"] or ())) for h in j["heads"]}
    if head is None:
        head = next(iter(heads))
    elif head not in heads:
        raise ConfigError(f"head {head!r}: {j['game']} has {', '.join(heads)}")
    return Spec(
        game=j["game"],
        rule_set=j["rule_set"],
        rules=j["rules"],
        signature=j["signature"],
        version=j["version"],
        abi=j["abi"],
        acceleration=j["acceleration"],
        num_boards=j["boards"],
        observe=tuple(j["observe"]),
        max_steps=j["max_steps"],
        reasons=tuple(j["reasons"]),
        score_points=j["score_points"],
        maps=tuple(MapSpec(m["id"], m["digest"], m["rows"], m["cols"], m["seats"]) for m in j["maps"]),
        map_of=tuple(j["map_of"]),
        policies=tuple(tuple(row) for row in j["policies"]),
        options=j["options"],
        rewards=j["rewards"],
        zero_sum=j["zero_sum"],
        bad_actions="hold" if j["hold_bad"] else "error",
        autoreset=j["autoreset"],
        workers=j["workers"],
        planes=j["planes"],
        sizes=j["sizes"],
        table=j["table"],
        arrays={a["name"]: ArraySpec(**_fields(a), role=a["role"], row=a["row"]) for a in j["arrays"]},
        heads=heads,
        head=head,
        privileged=privileged,
    )


def native(what: str, config: Mapping[str, Any]) -> bytes:
    """The spec that the library tells for a configuration in its own form. what names the call."""
    text = json.dumps(config).encode()
    return _native.give_about(what, _native.lib().myriant_spec, text, len(text))


_PLANES = {"packed": "bit", "bits": "bit", "dense": "uint8"}
_AUTORESET = {"nextstep": "next_step", "samestep": "same_step", "disabled": "disabled"}


# A text that is a path, and no map's name or text: one line with a slash, or with the ending of a map's file.
_PATH = re.compile(r"(?!\s*\{|generated:)(.*/.*|.*\.(json|map|txt))")


def _autoreset(mode: Any) -> str:
    """A mode's name, as the library or Gymnasium spell it."""
    name = str(getattr(mode, "value", mode))
    try:
        return _AUTORESET[name.replace("_", "").replace("-", "").lower()]
    except KeyError:
        raise ConfigError(f"autoreset {name!r}: have next_step, same_step, disabled") from None


def _map(entry: Any) -> Any:
    if isinstance(entry, os.PathLike) or (isinstance(entry, str) and _PATH.fullmatch(entry) is not None):
        try:
            return Path(entry).read_text()
        except OSError as e:
            raise ConfigError(f"map {os.fspath(entry)}: {e.strerror}") from e
    if isinstance(entry, str | Mapping):
        return entry
    raise ConfigError(f"map {entry!r}: want a name, a text, a path or a mapping")


def mixture(row: Sequence[Seat], num_boards: int) -> list[list[str | None]]:
    """A row of players for each board, from one row in which seats may be mixtures.

    A mixture maps players to weights. Each player gets its share of the boards, to the nearest whole number,
    and which boards those are is the same in every run and unrelated between seats.
    """
    columns: list[list[str | None]] = []
    for seat, entry in enumerate(row):
        if not isinstance(entry, Mapping):
            columns.append([entry] * num_boards)
            continue
        names, weights = list(entry), np.array([float(w) for w in entry.values()])
        if not names or not np.isfinite(weights).all() or (weights < 0).any() or weights.sum() <= 0:
            raise ConfigError(f"seats[{seat}] is {dict(entry)}: want players and weights, 0 or more and not all 0")
        exact = weights / weights.sum() * num_boards
        counts = np.floor(exact).astype(int)
        rest = num_boards - counts.sum()
        counts[np.argsort(-(exact - counts), kind="stable")[:rest]] += 1
        pool = [name for name, n in zip(names, counts, strict=True) for _ in range(n)]
        order = np.random.Generator(np.random.PCG64(seat)).permutation(num_boards)
        columns.append([pool[i] for i in order])
    return [list(players) for players in zip(*columns, strict=True)]


def _seats(seats: Any, num_boards: int) -> list[list[str | None]] | None:
    if seats is None:
        return None
    if isinstance(seats, str | Mapping) or not isinstance(seats, Sequence):
        raise ConfigError(f"seats {seats!r}: want a list of players, one for each seat, or a list of such lists")
    if not seats:
        return None

    def player(entry: Any) -> bool:
        return entry is None or isinstance(entry, str | Mapping)

    if all(player(entry) for entry in seats):
        if any(isinstance(entry, Mapping) for entry in seats):
            return mixture(seats, num_boards)
        return [list(seats)]
    rows = []
    for i, row in enumerate(seats):
        if player(row) or not isinstance(row, Sequence) or not all(e is None or isinstance(e, str) for e in row):
            raise ConfigError(f"seats[{i}] is {row!r}: want a list of players, one for each seat")
        rows.append(list(row))
    return rows


def _names(what: str, names: Any) -> list[str]:
    if isinstance(names, str) or not isinstance(names, Sequence | set | frozenset | tuple):
        raise ConfigError(f"{what} is {names!r}: want a list of names of arrays")
    return list(names)


def resolve(
    what: str,
    game: str,
    *,
    num_boards: int = 1,
    map: Any = None,
    map_of: Sequence[int] | None = None,
    rules: str | Mapping[str, Any] | None = None,
    seats: Any = None,
    observe: Sequence[int] | None = None,
    obs: Sequence[str] | None = None,
    planes: Any = None,
    head: str | None = None,
    privileged: bool = False,
    statistics: Sequence[str] | None = None,
    options: Mapping[str, bool] | None = None,
    rewards: Mapping[str, float] | None = None,
    zero_sum: bool = False,
    bad_actions: str = "error",
    autoreset: Any = "next_step",
    workers: int = 0,
    **unknown: Any,
) -> tuple[bytes, Spec]:
    """The configuration in the library's form, and its spec. what names the call; the other parameters are those of
    ``Batch``."""
    for name in unknown:
        near = get_close_matches(name, Config.__annotations__, 1, 0.5)
        hint = f"did you mean {near[0]}?" if near else f"have {', '.join(Config.__annotations__)}"
        raise TypeError(f"{what}: no parameter {name!r}: {hint}")
    try:
        boards = int(num_boards)
    except (TypeError, ValueError):
        raise ConfigError(f"num_boards is {num_boards!r}, want a number") from None
    if bad_actions not in ("error", "hold"):
        raise ConfigError(f"bad_actions {bad_actions!r}: have error, hold")
    config: dict[str, Any] = {
        "game": game,
        "boards": boards,
        "autoreset": _autoreset(autoreset),
        "zero_sum": bool(zero_sum),
        "hold_bad": bad_actions == "hold",
        "workers": int(workers),
    }
    if map is not None:
        several = isinstance(map, Sequence) and not isinstance(map, str)
        config["maps"] = [_map(entry) for entry in (map if several else [map])]
    if map_of is not None:
        config["map_of"] = [int(m) for m in map_of]
    if rules is not None:
        config["rules"] = rules if isinstance(rules, str) else dict(rules)
    if (rows := _seats(seats, max(boards, 0))) is not None:
        config["policies"] = rows
    if observe is not None:
        config["observe"] = [int(s) for s in observe]
    if planes is not None:
        name = planes if isinstance(planes, str) else np.dtype(planes).name
        config["planes"] = _PLANES.get(name, name)
    if options is not None:
        config["options"] = {name: bool(on) for name, on in options.items()}
    if rewards is not None:
        config["rewards"] = {name: float(weight) for name, weight in rewards.items()}
    try:
        spec = parse(native(what, config), head, privileged)
    except TypeError as e:
        raise ConfigError(f"configuration: {e}") from None
    config["arrays"] = arrays = _arrays(spec, obs, privileged, statistics)
    if not privileged:
        config["columns"] = [name for name in arrays if spec.arrays[name].role != "hidden"]
    text = json.dumps(config).encode()
    return text, parse(native(what, config), head, privileged)


def _arrays(spec: Spec, obs: Any, privileged: bool, statistics: Any) -> list[str]:
    """The arrays to export. spec is that of the game's own choice."""
    wanted = set(spec.with_role("reward", "flag"))
    wanted |= {a.name for a in spec.arrays.values() if a.role in ("reward", "flag")}
    if obs is None:
        wanted |= set(spec.with_role("observation")) | set(spec.heads[spec.head].masks)
    else:
        for name in _names("obs", obs):
            array = spec.arrays.get(name)
            if array is None or array.role not in ("observation", "mask"):
                if array is not None and array.role == "hidden":
                    raise PrivilegedError(
                        f"obs has {name!r}, which no seat may know: use privileged=True, and look for it there"
                    )
                have = ", ".join(a.name for a in spec.arrays.values() if a.role in ("observation", "mask"))
                raise ConfigError(f"obs has {name!r}: {spec.game} has {have}")
            wanted.add(name)
    hidden = [a.name for a in spec.arrays.values() if a.role == "hidden"]
    if privileged:
        wanted |= set(hidden)
    if statistics is None:
        wanted |= set(spec.with_role("hidden"))
    else:
        for name in _names("statistics", statistics):
            if name not in hidden:
                raise ConfigError(f"statistics has {name!r}: {spec.game} has {', '.join(hidden)}")
            wanted.add(name)
    if spec.offsets is not None and any(spec.arrays[name].ragged for name in wanted):
        wanted.add(spec.offsets)
    return [name for name in spec.arrays if name in wanted]


def make_spec(game: str = "ants", **config: Unpack[Config]) -> Spec:
    """Everything about the batch that ``Batch(game, **config)`` would be, without making it.

    Raises ConfigError (RulesError, MapError) for what no batch can be made from, as ``Batch`` does.
    """
    return resolve("make_spec", game, **config)[1]


def catalog() -> dict[str, Any]:
    """What the library holds: games, rule sets and their behaviour signatures, bundled maps, policies, reward
    terms and options, as cshim/doc.go describes."""
    found: dict[str, Any] = json.loads(
        _native.give("catalog", lambda out: int(_native.lib().myriant_catalog(out)), lambda: "no catalog")
    )
    return found


def games() -> tuple[str, ...]:
    """The names of the games."""
    return tuple(g["name"] for g in catalog()["games"])


def load_map(game: str, map: Any) -> dict[str, Any]:
    """A map in its canonical form. map is a name, a text, a path or a mapping, as in ``Batch``. Raises MapError."""
    entry = json.dumps(_map(map)).encode()
    found: dict[str, Any] = json.loads(
        _native.give_about("load_map", _native.lib().myriant_map, game.encode(), len(game.encode()), entry, len(entry))
    )
    return found
