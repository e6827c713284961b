"""Self-play leagues: several policies of the caller's in one batch."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, Arrays
from .errors import ActionError, ConfigError
from .spec import Spec


class League:
    """Which of the caller's policies plays which seat of which board.

    A batch has one array for all seats that the caller plays. A league splits it by player and puts their
    actions together again::

        league = League(batch.spec, [["main", "past-3"], ["past-3", "main"]])
        now = batch.reset(seed=7)
        parts = league.split(now)                      # {"main": {"planes": [K,C,H,RB], ..}, "past-3": ..}
        actions = {name: policies[name](part) for name, part in parts.items()}
        now = batch.step(league.merge(actions, now))

    Args:
        spec: of the batch.
        players: any hashable for each observed seat: [S], or rows of it, where board b has row b modulo their
            number. Read where the caller plays the seat; None is nobody: nothing is split off, and its actions are 0.

    Attributes:
        names: the players, in the order in which they first appear.
        index: int64[B,S]: for each seat a player's place in names, -1 for nobody.
    """

    def __init__(self, spec: Spec, players: Sequence[Any]) -> None:
        b, s = spec.num_boards, spec.num_seats
        rows = list(players)
        if not rows:
            raise ConfigError("players is empty")
        if not isinstance(rows[0], list | tuple | np.ndarray):
            rows = [rows]
        for i, row in enumerate(rows):
            if len(row) != s:
                raise ConfigError(f"players[{i}] has {len(row)} entries for {s} observed seats")
        self.spec = spec
        number: dict[Hashable, int] = {}
        index = np.array(
            [[-1 if p is None else number.setdefault(p, len(number)) for p in row] for row in rows], dtype=np.int64
        )
        self.names: tuple[Hashable, ...] = tuple(number)
        self.index: npt.NDArray[np.int64] = np.where(spec.caller, index[np.arange(b) % len(rows)].reshape(b, s), -1)

    def __repr__(self) -> str:
        seats = ", ".join(f"{name!r} on {int((self.index == i).sum())}" for i, name in enumerate(self.names))
        return f"<League of {self.spec.num_boards} boards, seats of {seats}>"

    def assign(self, boards: Sequence[int], players: Sequence[Sequence[Any]]) -> None:
        """Gives the seats of some boards other players, for a board's next opponent when its episode has ended."""
        known = {name: i for i, name in enumerate(self.names)}
        for board, row in zip(boards, players, strict=True):
            if len(row) != self.spec.num_seats:
                raise ConfigError(f"board {board} has {len(row)} players for {self.spec.num_seats} observed seats")
            for seat, player in enumerate(row):
                if player is not None and player not in known:
                    known[player] = len(self.names)
                    self.names = (*self.names, player)
                plays = player is not None and self.spec.caller[board, seat]
                self.index[board, seat] = known[player] if plays else -1

    def seats(self, player: Hashable) -> npt.NDArray[np.int64]:
        """int64[K]: the player's seats, as b*S+s, ascending."""
        return np.flatnonzero(self.index.reshape(-1) == self._number(player))

    def entries(self, player: Hashable, offsets: Array) -> npt.NDArray[np.int64]:
        """int64[n]: where the entries of the player's seats are in ragged arrays with these offsets."""
        mine = np.repeat(self.index.reshape(-1) == self._number(player), np.diff(offsets))
        return np.flatnonzero(mine)

    def split(self, arrays: Arrays) -> dict[Hashable, dict[str, Array]]:
        """For each player by name the arrays of its seats: [B,S,..] becomes [K,..], in the order of ``seats``; of
        ragged arrays its entries, with offsets [K+1]. Arrays without an axis of seats are left out."""
        found: dict[Hashable, dict[str, Array]] = {}
        offsets_name = self.spec.offsets
        for player in self.names:
            seats = self.seats(player)
            mine: dict[str, Array] = {}
            for name, a in arrays.items():
                of = self.spec.arrays[name]
                if of.axes[:2] == ("B", "S"):
                    mine[name] = a.reshape(-1, *a.shape[2:])[seats]
                elif of.ragged and offsets_name is not None:
                    mine[name] = a[self.entries(player, arrays[offsets_name])]
                elif name == offsets_name:
                    mine[name] = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(a)[seats])])
            found[player] = mine
        return found

    def merge(self, actions: Mapping[Any, Array], arrays: Arrays, head: str | None = None) -> dict[str, Array]:
        """The players' actions as one for ``Batch.step``: each has those of its seats, or its entries, in the order of
        ``split``. arrays are those that they were chosen for."""
        name = self.spec.head if head is None else head
        of = self.spec.heads[name]
        if of.ragged:
            if self.spec.offsets is None or self.spec.offsets not in arrays:
                raise ActionError(f"merge: head {name!r} needs the array {self.spec.offsets!r}")
            offsets = arrays[self.spec.offsets]
            out = np.zeros((int(offsets[-1]), *of.shape[1:]), of.dtype)
        else:
            offsets = np.zeros(0, np.int64)
            out = np.zeros((self.spec.num_boards * self.spec.num_seats, *of.shape[2:]), of.dtype)
        for player, given in actions.items():
            where = self.entries(player, offsets) if of.ragged else self.seats(player)
            array = np.asarray(given)
            if array.shape != (len(where), *out.shape[1:]):
                raise ActionError(
                    f"merge: actions of {player!r} have shape {list(array.shape)}, want {[len(where), *out.shape[1:]]}"
                )
            out[where] = array
        return {name: out if of.ragged else out.reshape(of.shape)}

    def _number(self, player: Hashable) -> int:
        try:
            return self.names.index(player)
        except ValueError:
            raise ConfigError(f"no player {player!r}: have {', '.join(map(repr, self.names))}") from None
