"""Many boards of a game that step together: the native interface."""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from types import TracebackType
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from . import _arrow, _native
from . import _constants as c
from .arrays import Array, Arrays, Table, compact
from .errors import ActionError, ArgumentError, BusyError, ConfigError, MyriantError, NotResetError, PrivilegedError
from .spec import Config, HeadSpec, Spec, parse, resolve

_DTYPES = {
    "bit": c.DTYPE_BIT,
    "bool": c.DTYPE_BOOL,
    "uint8": c.DTYPE_UINT8,
    "int8": c.DTYPE_INT8,
    "int32": c.DTYPE_INT32,
    "int64": c.DTYPE_INT64,
    "uint64": c.DTYPE_UINT64,
    "float16": c.DTYPE_FLOAT16,
    "float32": c.DTYPE_FLOAT32,
}

# A step is played in one call when the last one took no longer than this; else it is sent, and waited for
# in pieces, so that Ctrl-C is heard.
_QUICK = 0.05
_PIECE_MS = 100
# Calls over so many boards, or fewer, take no time worth a thread.
_FEW = 64


class Batch:
    """Boards of one game that step together.

    A batch is made from keyword arguments, of which none is required::

        batch = myriant.Batch("ants", num_boards=256, map="tiny-2p", seats=["caller", "greedy"])
        now = batch.reset(seed=7)
        while training:
            now = batch.step(policy(now.planes, now.action_mask))
            learn(now.reward, now.terminated, now.truncated, now.valid_seats)
        batch.close()

    Args:
        game: a game of ``myriant.games()``.
        num_boards: boards, 1 or more.
        map: a map or a list of maps: a bundled or generated map's name, a map's text, a path (with a slash or the
            ending .json, .map or .txt, or a pathlib.Path), or a mapping. Board b is on map b modulo their number.
        map_of: int[B] or shorter: board b is on map map_of[b % len(map_of)].
        rules: a rule set's name, or a mapping whose "name" is the rule set that its other entries change.
        seats: who plays: a player for each seat, or a list of such rows, where board b has row b modulo their
            number. A player is "caller" (or None: by actions), a policy of the catalog, which the library plays at
            native speed, or, in a single row, a mapping of players to weights, which gives each its share of the
            boards.
        observe: the seats on axis S; None: those that the caller plays on some board.
        obs: names of observations and masks to export; None: the game's own choice, and the head's masks.
        planes: dtype of the array "planes": "packed" (bits), "uint8", "float16", "float32"; None: the game's default.
        head: the head that actions are given through unless a step names another; None: the game's first.
        privileged: whether hidden information may be looked at: arrays (``Arrays.privileged``), ``state``, ``outcome``.
        statistics: hidden arrays that are reported when an episode ends (``Arrays.final_info``); None: the game's
            choice.
        options: switches of the game, as in ``{"per_owner": True}``.
        rewards: weights of the game's reward terms; None: the game's default.
        zero_sum: subtract from each reward the mean of the other seats'.
        bad_actions: "error" refuses a step with an invalid action, "hold" reads it as doing nothing.
        autoreset: what happens after an episode's end: "next_step", "same_step" or "disabled"; Gymnasium's
            AutoresetMode is understood.
        workers: threads; 0: as many as there are processors. Results do not depend on it.
        copy: whether arrays are copies, which never change, or views of the library's memory, which every
            call that changes boards overwrites.

    Raises:
        ConfigError: a configuration that no batch can be made from (RulesError, MapError).
        LibraryError, ForkError: no library, see ``myriant.library``.

    A batch is used by one thread at a time; others are told BusyError. Different batches are
    independent. It can be used in a ``with`` statement, and is closed when nobody has it any more.

    Attributes:
        spec: everything about the batch, see ``Spec``.
    """

    def __init__(self, game: str = "ants", *, copy: bool = True, **config: Unpack[Config]) -> None:
        text, spec = resolve("Batch", game, **config)
        self._handle = _native.Handle(text)
        self._finalizer = weakref.finalize(self, self._handle.drop)
        self.spec: Spec = parse(self._handle.bytes("Batch", "handle_spec"), head=spec.head, privileged=spec.privileged)
        self._copy = copy
        self._table = Table(self.spec)
        self._lock = Lock()
        self._now: Arrays | None = None
        self._ready = False
        self._seats = self.spec.players[:, list(self.spec.observe)] != None  # noqa: E711 (elements are compared)
        self._over = self._absent = ~self._seats
        self._quick = False
        self._dirty = False  # a call that changes boards began, and what it led to was not looked at
        self._seed = 0
        self._steps = 0
        self._actions = _native.Actions()
        self._buffer = self._actions.buffer  # the same memory
        self._plain: HeadSpec | None = None  # of the actions, if all but their memory is as before
        self._row = self._table.row
        roles = [(name, i, self.spec.arrays[name].role) for name, i in self._row.items()]
        self._head = self.spec.heads[self.spec.head]
        self._open = [(name, i) for name, i, role in roles if role != "hidden"]
        self._hidden = [(name, i) for name, i, role in roles if role == "hidden" and self.spec.privileged]
        self._codes = {name: (name.encode(), _DTYPES[head.dtype_name]) for name, head in self.spec.heads.items()}

    # Properties

    @property
    def num_boards(self) -> int:
        """B: boards."""
        return self.spec.num_boards

    @property
    def num_seats(self) -> int:
        """S: observed seats."""
        return self.spec.num_seats

    @property
    def closed(self) -> bool:
        """Whether the batch was closed."""
        return self._handle.closed

    @property
    def arrays(self) -> Arrays:
        """What the boards look like now. Raises NotResetError, ClosedError."""
        with self._alone("arrays"):
            self._began("arrays")
            if self._now is None:
                self._now = self._look(stepped=False)
            return self._now

    # Calls that change boards

    def reset(self, seed: int | Sequence[int] | npt.NDArray[np.uint64] | None = None) -> Arrays:
        """Starts new episodes on all boards.

        Args:
            seed: any uint64: episode e of board b has a seed that depends on (seed, b, e) alone. Or a seed for
                each board, which then plays what the only board of a batch plays after that seed. None: every
                board goes on with its next episode; at first, a random seed.

        Returns: the arrays of the first observation; ``valid`` is False.
        """
        with self._alone("reset"):
            if seed is None and self._ready:
                self._reset_mask(np.ones(self.num_boards, np.uint8), None, c.SEEDS_STREAM)
            elif seed is None or isinstance(seed, int | np.integer):
                number = secrets.randbits(64) if seed is None else _seed("seed", seed)
                self._dirty = True
                self._long("reset", "reset", number)
                self._seed, self._steps = number, 0
            else:
                seeds = self._seeds("reset", seed)
                self._reset_mask(np.ones(self.num_boards, np.uint8), seeds, c.SEEDS_STREAM)
                self._seed, self._steps = int(seeds[0]), 0
            return self._reread("reset")

    def reset_mask(
        self,
        mask: Array | Sequence[bool],
        *,
        seeds: Sequence[int] | npt.NDArray[np.uint64] | None = None,
        episode_seeds: Sequence[int] | npt.NDArray[np.uint64] | None = None,
    ) -> Arrays:
        """Starts new episodes on some boards, in any autoreset mode.

        Args:
            mask: bool[B]: the boards.
            seeds: uint64[B]: each board begins the stream of episodes that the only board of a batch has after
                ``reset`` with its seed. Read where the mask is set.
            episode_seeds: uint64[B]: the episodes' own seeds, as replays and datasets give them.

        Without seeds each board goes on with the next episode of its stream.
        Returns: the arrays of all boards as they are now.
        """
        with self._alone("reset_mask"):
            if seeds is not None and episode_seeds is not None:
                raise ArgumentError("reset_mask: seeds and episode_seeds: one of them")
            self._handle.usable("reset_mask")
            chosen = np.asarray(mask)
            if chosen.shape != (self.num_boards,) or (chosen.dtype.kind != "b" and not np.isin(chosen, (0, 1)).all()):
                raise ArgumentError(
                    f"reset_mask: mask is {chosen.dtype}{list(chosen.shape)}, want bool[{self.num_boards}]"
                )
            given = seeds if seeds is not None else episode_seeds
            numbers = None if given is None else self._seeds("reset_mask", given)
            kind = c.SEEDS_STREAM if episode_seeds is None else c.SEEDS_EPISODE
            self._reset_mask(np.ascontiguousarray(chosen, dtype=np.uint8), numbers, kind)
            return self._reread("reset_mask")

    def step(
        self,
        actions: Any = None,
        *,
        head: str | None = None,
        sample: bool = False,
        seed: int | None = None,
        temperature: float = 1.0,
    ) -> Arrays:
        """Plays one step of every board.

        Args:
            actions: an array in the head's dtype and shape, or a mapping of one head to its array. Whole numbers
                of other dtypes, other memory layouts and lists are converted. None: every seat plays natively.
            head: the head, if not the batch's.
            sample: with a head of logits, draw from the masked softmax instead of taking the argmax.
            seed: of the draws, which depend on it, board, seat and turn; None: another one each
                step that follows from the seed of the last reset.
            temperature: of the softmax.

        Returns: the arrays that the step led to.

        Raises ActionError, naming board and seat, for actions that are invalid, NotResetError before the
        first reset; nothing was played then. A step that Ctrl-C interrupts is played to its end.
        """
        # As in _alone, with less around it: this is where the time of short steps would go.
        lock = self._lock
        if lock.locked():
            raise BusyError("step: another call of this batch is under way")
        with lock:
            self._settle("step")
            self._began("step")
            self._encode("step", actions, head, sample, seed, temperature)
            handle, table = self._handle, self._table
            begin = time.perf_counter()
            self._dirty = True
            if self._quick:
                status = handle.lib.myriant_step(handle.number, self._actions, table.address, table.rows)
                if status != c.OK:
                    handle.check(status, "step")
            else:
                self._fly("step")
                self._await("step")
            self._quick = time.perf_counter() - begin < _QUICK
            return self._stepped()

    def send(
        self,
        actions: Any = None,
        *,
        head: str | None = None,
        sample: bool = False,
        seed: int | None = None,
        temperature: float = 1.0,
    ) -> None:
        """Starts a step and returns at once; ``recv`` waits for it. The parameters are those of ``step``.

        Actions are copied, so their array may be used again at once. Views show neither the old nor the new state
        until ``recv`` has returned. To overlap a policy with the boards, send to two batches in turn.
        """
        with self._alone("send"):
            self._began("send")
            self._encode("send", actions, head, sample, seed, temperature, copy=True)
            self._dirty = True
            self._fly("send")

    def recv(self) -> Arrays:
        """Waits for the step that was sent. Returns and raises what ``step`` does; IdleError if nothing was sent."""
        with self._alone("recv", sent=True):
            self._await("recv")
            return self._stepped()

    def restore(self, snapshot: bytes, boards: Sequence[int] | None = None) -> None:
        """Puts the boards of a snapshot, in its order, in place of the given ones (None: all).

        They must be on the same maps under the same rules, in this or another batch. A restored board plays on exactly
        as the original would have, generators and seeds included. Raises StateError.
        """
        with self._alone("restore"):
            ids, data = self._boards("restore", boards), bytes(snapshot)
            self._dirty = True
            self._long("restore", "restore", ids.ctypes.data, len(ids), data, len(data), keep=ids)
            self._changed()

    def clone(self, to: Sequence[int], source: Sequence[int]) -> None:
        """Makes board to[i] the same as board source[i], for all i in order. A pair must be on the same map."""
        with self._alone("clone"):
            self._began("clone")
            a, b = self._boards("clone", to), self._boards("clone", source)
            if len(a) != len(b):
                raise ArgumentError(f"clone: {len(b)} boards onto {len(a)}")
            self._dirty = True
            self._long("clone", "clone", a.ctypes.data, b.ctypes.data, len(a), keep=(a, b))
            self._changed()

    def set_state(self, board: int, state: bytes) -> None:
        """Replaces a board's state with a canonical one, as ``state`` gives it. Raises StateError."""
        with self._alone("set_state"):
            self._began("set_state")
            (number,) = self._boards("set_state", [board]).tolist()
            self._dirty = True
            self._handle.call("set_state", "set_state", number, bytes(state), len(state))
            self._changed()

    def step_board(self, board: int, orders: Sequence[bytes]) -> None:
        """Plays one step of one board alone, with orders in the game's own encoding, one for each seat.

        Rewards and flags are not touched. After the episode's end it does nothing. Raises ActionError.
        """
        with self._alone("step_board"):
            self._began("step_board")
            (number,) = self._boards("step_board", [board]).tolist()
            spans = (_native.Span * max(len(orders), 1))(*[_native.Span(bytes(o), len(o)) for o in orders])
            self._dirty = True
            self._handle.call("step_board", "step_board", number, spans, len(orders))
            self._changed()

    # Calls that look

    def snapshot(self, boards: Sequence[int] | None = None) -> bytes:
        """Boards (None: all) as bytes: state, generators, statistics and the stream of seeds. See ``restore``."""
        with self._alone("snapshot"):
            self._began("snapshot")
            ids = self._boards("snapshot", boards)
            return self._handle.bytes("snapshot", "snapshot", ids.ctypes.data, len(ids))

    def hashes(self, boards: Sequence[int] | None = None) -> npt.NDArray[np.uint64]:
        """uint64[K]: the hash of the canonical state of each board (None: of all). Equal states, equal hashes."""
        with self._alone("hashes"):
            self._began("hashes")
            ids = self._boards("hashes", boards)
            out = np.zeros(len(ids), np.uint64)
            self._long("hashes", "hash", ids.ctypes.data, len(ids), out.ctypes.data, keep=(ids, out))
            return out

    def state(self, board: int) -> bytes:
        """The canonical state of a board: equal bytes, equal states. Needs ``privileged=True``."""
        return self._look_at("state", "state", board, hidden=True)

    def outcome(self, board: int) -> dict[str, Any]:
        """How a board stands: done, truncated, reason, steps, scores and ranks. Needs ``privileged=True``."""
        found: dict[str, Any] = json.loads(self._look_at("outcome", "outcome", board, hidden=True))
        return found

    def view(self, board: int, seat: int) -> dict[str, Any]:
        """What a seat of a board may know, in the game's own form."""
        found: dict[str, Any] = json.loads(self._look_at("view", "view", board, int(seat)))
        return found

    def action_masks(self) -> Array:
        """The mask of the batch's head, as bool: ``Arrays.action_mask``, in the form that sb3-contrib asks for."""
        return self.arrays.action_mask.astype(bool)

    def array(self, name: str, *, copy: bool | None = None, final: bool = False, writeable: bool = False) -> Array:
        """One exported array as it is now, hidden ones too with ``privileged=True``.

        Args:
            name: the array's.
            copy: a copy or a view; None: as the batch does.
            final: of the set that autoreset same_step keeps for episodes that the last step ended; rows of other
                boards are left over.
            writeable: whether a view may be written to, until the next call overwrites it; offsets never.
        """
        with self._alone("array"):
            self._began("array")
            i = self._find(name, final)
            if writeable and name == self.spec.offsets:
                raise ArgumentError(f"array {name!r} says where other arrays have what, and is never writeable")
            self._handle.call("array", "arrays", self._table.address, self._table.rows)
            self._table.update()
            if self._copy if copy is None else copy:
                return self._table.views[i].copy()
            return self._table.view(i, writeable)

    def read(self, name: str, out: Array, *, final: bool = False) -> None:
        """Copies an exported array into out: C-contiguous, writeable, of the array's dtype and shape."""
        with self._alone("read"):
            self._began("read")
            i = self._find(name, final)
            spec = self._table.specs[i]
            if not isinstance(out, np.ndarray) or out.dtype != spec.dtype:
                raise ArgumentError(
                    f"read: {name!r} is {spec.dtype}, out is {getattr(out, 'dtype', type(out).__name__)}"
                )
            if not out.flags.c_contiguous or not out.flags.writeable:
                raise ArgumentError(f"read: out for {name!r} must be C-contiguous and writeable")
            shape = (ctypes.c_int64 * max(out.ndim, 1))(*out.shape)
            to = _native.Buffer(out.ctypes.data, out.nbytes, shape, None, _DTYPES[spec.dtype_name], out.ndim)
            self._handle.call("read", "read", i, ctypes.byref(to))

    # Arrow

    def arrow(self, *, copy: bool = True, final: bool = False) -> _arrow.Export:
        """The arrays for Arrow, a row a board: give the result to ``pyarrow.record_batch``, polars or duckdb.

        Args:
            copy: whether the data is a copy that never changes, or the batch's own memory.
            final: the arrays of episodes that the last step ended, see ``array``.
        """
        return _arrow.Export(self, copy=copy, final=final)

    def __arrow_c_schema__(self) -> object:
        """The columns, as the Arrow PyCapsule interface gives them."""
        return self.arrow().__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """The arrays as they are now, copied, as one Arrow struct array."""
        return self.arrow().__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The arrays as they are now, copied, as an Arrow stream of one record."""
        return self.arrow().__arrow_c_stream__(requested_schema)

    # Recording

    def record(
        self,
        out: str | os.PathLike[str],
        *,
        player: str = "player",
        kind: Literal["orders", "steps"] = "orders",
        format: Literal["arrow", "parquet"] = "arrow",
        keep_open: bool = False,
        checkpoint_every: int | None = None,
        shard_size: int | None = None,
    ) -> None:
        """Records the episodes that begin from now on, as a dataset in a new or empty folder.

        Args:
            out: the folder.
            player: the name of whoever plays the caller's seats.
            kind: "orders", small, from which every step can be played again; or "steps", with what the seats saw
                and did. ``myriant.datasets`` reads both alike.
            format: of the files.
            keep_open: keep episodes that are not over when recording ends, or when a reset cuts them: their reason is
                "stopped", and their last step is truncated.
            checkpoint_every: steps from one state hash to the next.
            shard_size: raw bytes of the rows of a file.

        An episode is written when it ends; one that a reset cuts is left out unless keep_open says otherwise, and so
        is one whose board is restored, cloned onto, set or stepped alone. Returns are those of the game's default
        rewards, whatever the batch's are. Raises ConfigError, RecordError.
        """
        options: dict[str, Any] = {
            "out": os.fspath(out), "player": player, "kind": kind, "format": format, "keep_open": bool(keep_open),
        }  # fmt: skip
        if checkpoint_every is not None:
            options["checkpoint_every"] = int(checkpoint_every)
        if shard_size is not None:
            options["shard_size"] = int(shard_size)
        with self._alone("record"):
            text = json.dumps(options).encode()
            self._handle.long_call("record", "record", text, len(text))
            self._handle.recording = True

    def record_stop(self) -> dict[str, Any]:
        """Ends recording; the folder is then a whole dataset. Returns a summary: episodes, turns, shards, bytes.

        Raises IdleError if nothing is recorded, RecordError if writing failed, now or before.
        """
        with self._alone("record_stop"):
            summary: dict[str, Any] = json.loads(self._handle.bytes("record_stop", "record_stop"))
            self._handle.recording = False
            return summary

    # Ends

    def close(self) -> None:
        """Ends the batch: its threads, and its memory but for what arrays still show. Closing again does nothing.

        Views that were given out stay readable. What was sent is finished first, and recording ends.
        """
        with self._alone("close", closing=True):
            self._handle.close()
            self._now = None
            self._table.clear()
            self._finalizer.detach()

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        s = self.spec
        maps = s.maps[0].id if len(s.maps) == 1 else f"{len(s.maps)} maps"
        state = ", closed" if self.closed else "" if self._ready else ", not reset"
        about = f"{s.num_boards} boards on {maps}, {s.num_seats} observed seats of {s.num_players}, {s.autoreset}"
        return f"<Batch {s.game} {s.rule_set}: {about}{state}>"

    def __reduce__(self) -> Any:
        raise TypeError("a Batch cannot be pickled: pickle its configuration, and snapshot() for its boards")

    # Inside

    @contextmanager
    def _alone(self, what: str, sent: bool = False, closing: bool = False) -> Iterator[None]:
        """Runs a call of this batch alone, after what an exception left under way."""
        if self._lock.locked():
            raise BusyError(f"{what}: another call of this batch is under way")
        with self._lock:  # and not acquire: a signal between that and the next line would leave it locked
            if not closing:
                self._settle(what, sent)
            elif not self._handle.closed:
                _native.lib()
            yield

    def _settle(self, what: str, sent: bool = False) -> None:
        """Waits for what an exception left under way, and refuses what cannot be called now."""
        handle = self._handle
        if handle.closed or os.getpid() != handle.process:
            handle.usable(what)
        if handle.flights:
            handle.settle()
        if handle.sent == "step":
            with suppress(MyriantError):  # it was interrupted, and nobody will ask for it
                self._await(what)
        if handle.sent:
            if not sent:
                raise BusyError(f"{what}: a step was sent; recv first")
        elif self._dirty:
            self._changed()

    def _began(self, what: str) -> None:
        if not self._ready:
            raise NotResetError(f"{what} before the first reset: call reset(seed=..)")

    def _changed(self) -> None:
        """The boards are not what ``_now`` says any more."""
        self._now = None
        self._handle.call("arrays", "arrays", self._table.address, self._table.rows)
        self._table.update()
        self._over = self._ended()
        self._dirty = False

    def _ended(self) -> npt.NDArray[np.bool_]:
        """bool[B,S]: the seats that are out, by the table; those that a board lacks are terminated there."""
        views = self._table.views
        over: npt.NDArray[np.bool_] = views[self._row["terminated"]] | views[self._row["truncated"]]
        return over

    def _long(self, what: str, function: str, *arguments: Any, keep: Any = None) -> None:
        if self.num_boards <= _FEW:
            self._handle.call(what, function, *arguments)
        else:
            owned = keep  # lives as long as the call, also when it is abandoned

            f = getattr(self._handle.lib, "myriant_" + function)

            def call() -> int:
                _ = owned
                return int(f(self._handle.number, *arguments))

            self._handle.check(_native.patiently(call, self._handle.flights), what)

    def _reset_mask(self, mask: npt.NDArray[np.uint8], seeds: npt.NDArray[np.uint64] | None, kind: int) -> None:
        self._dirty = True
        self._long(
            "reset_mask", "reset_mask", mask.ctypes.data, len(mask), None if seeds is None else seeds.ctypes.data, kind,
            keep=(mask, seeds),
        )  # fmt: skip

    def _reread(self, what: str) -> Arrays:
        self._ready = True
        self._handle.call(what, "arrays", self._table.address, self._table.rows)
        self._table.update()
        self._now = now = self._look(stepped=False)
        self._dirty = False
        return now

    def _fly(self, what: str) -> None:
        """Sends the step that is encoded."""
        handle = self._handle
        handle.sent = what  # before, so that a signal in between leaves no step that nobody knows of
        status = handle.lib.myriant_send(handle.number, self._actions)
        if status != c.OK:
            handle.sent, self._dirty = "", False
            handle.check(status, what)

    def _await(self, what: str) -> None:
        """Waits for the step that was sent, in pieces between which Ctrl-C is heard."""
        handle, table = self._handle, self._table
        while True:
            status = handle.lib.myriant_recv(handle.number, _PIECE_MS, table.address, table.rows)
            if status != c.PENDING:
                break
        if status == c.ERR_IDLE and handle.sent:
            # A signal came between the end of a recv and this function's next line.
            status = handle.lib.myriant_arrays(handle.number, table.address, table.rows)
        handle.sent = ""
        handle.check(status, what)

    def _stepped(self) -> Arrays:
        self._steps += 1
        self._table.update()
        self._now = now = self._look(stepped=True)
        self._dirty = False
        return now

    def _look(self, stepped: bool) -> Arrays:
        """The arrays of the table as it is."""
        table, spec = self._table, self.spec
        views = table.views
        if self._copy:
            data = {name: views[i].copy() for name, i in self._open}
            hidden = {name: views[i].copy() for name, i in self._hidden}
        else:
            data = {name: views[i] for name, i in self._open}
            hidden = {name: views[i] for name, i in self._hidden}
        now = Arrays(spec, data, hidden)
        valid, done = views[self._row["valid"]], views[self._row["done"]]
        over = self._ended()
        now.valid_seats = valid[:, None] > self._over if stepped else np.zeros_like(over)  # valid and not over
        ended = done.nonzero()[0] if stepped else np.zeros(0, np.int64)
        if len(ended):
            ended = ended[valid[ended]]
        now.final_boards, now.final_info, now.final_obs = ended, None, None
        if len(ended):
            told = spec.with_role("reward", "hidden")
            rows = {name: table.views[self._row[name]] for name in (*told, "terminated", "truncated", "reason")}
            now.final_info = compact(spec, rows, ended)
            if spec.autoreset == "same_step":
                seen = spec.with_role("observation", "mask")
                now.final_obs = compact(
                    spec, {name: table.views[table.final + self._row[name]] for name in seen}, ended
                )
                over[ended] = self._absent[ended]
        self._over = over
        return now

    def _find(self, name: str, final: bool) -> int:
        spec = self.spec
        if name not in self._row:
            raise ConfigError(f"array {name!r} is not exported: have {', '.join(self._row)}")
        if spec.arrays[name].role == "hidden" and not spec.privileged:
            raise PrivilegedError(f"array {name!r} is hidden information: make the batch with privileged=True")
        if final and spec.autoreset != "same_step":
            raise ConfigError(f"final arrays need autoreset 'same_step', this batch has {spec.autoreset!r}")
        return self._row[name] + (self._table.final if final else 0)

    def _look_at(self, what: str, function: str, board: int, *more: int, hidden: bool = False) -> bytes:
        with self._alone(what):
            if hidden and not self.spec.privileged:
                raise PrivilegedError(f"{what}: hidden information: make the batch with privileged=True")
            self._began(what)
            (number,) = self._boards(what, [board]).tolist()
            handle = self._handle
            f = getattr(handle.lib, "myriant_" + function)
            return _native.give(what, lambda out: int(f(handle.number, number, *more, out)), handle.reason)

    def _boards(self, what: str, boards: Any) -> npt.NDArray[np.int64]:
        if boards is None:
            return np.arange(self.num_boards, dtype=np.int64)
        ids = np.asarray(boards)
        if ids.size == 0:
            return np.zeros(0, np.int64)
        if ids.ndim != 1 or ids.dtype.kind not in "iu":
            raise ArgumentError(f"{what}: boards is {ids.dtype}{list(ids.shape)}, want a list of whole numbers")
        if (bad := ids[(ids < 0) | (ids >= self.num_boards)]).size:
            raise ArgumentError(f"{what}: board {bad[0]} of {self.num_boards}")
        return np.ascontiguousarray(ids, dtype=np.int64)

    def _seeds(self, what: str, seeds: Any) -> npt.NDArray[np.uint64]:
        numbers = [_seed(f"{what}: seeds[{i}]", s) for i, s in enumerate(seeds)]
        if len(numbers) != self.num_boards:
            raise ArgumentError(f"{what}: {len(numbers)} seeds for {self.num_boards} boards")
        return np.array(numbers, dtype=np.uint64)

    def _encode(
        self,
        what: str,
        actions: Any,
        head: str | None,
        sample: bool,
        seed: int | None,
        temperature: float,
        copy: bool = False,
    ) -> None:
        """Fills ``_actions``. The handle keeps their memory until the next."""
        a, buffer = self._actions, self._buffer
        if type(actions) is not np.ndarray and isinstance(actions, Mapping):
            if len(actions) != 1 or head is not None:
                raise ActionError(f"{what}: actions for {', '.join(map(repr, actions)) or 'no head'}: want one head")
            ((head, actions),) = actions.items()
        if actions is None:
            if head is not None or sample:
                raise ActionError(f"{what}: no actions for head {head!r}")
            self._plain = None
            a.head, a.flags, self._handle.memory = None, 0, None
            buffer.data, buffer.bytes = None, 0
            return
        of = self._head if head is None else self.spec.heads.get(head)
        if of is None:
            raise ActionError(f"{what}: no head {head!r}: {self.spec.game} has {', '.join(self.spec.heads)}")
        array = self._convert(what, of, actions)
        if copy and (array is actions or array.base is not None):
            array = array.copy()
        self._handle.memory = array
        buffer.data, buffer.bytes = array.__array_interface__["data"][0], array.nbytes
        if self._plain is of and not sample:
            return
        self._plain = None
        a.head, buffer.dtype = self._codes[of.name]
        buffer.ndim = array.ndim
        a.flags, a.seed, a.temperature = 0, 0, 0.0
        if sample:
            if not of.logits:
                raise ActionError(f"{what}: head {of.name!r} has no logits to sample from")
            a.flags, a.temperature = c.SAMPLE, float(temperature)
            a.seed = _mix(self._seed, self._steps) if seed is None else _seed(f"{what}: seed", seed)
        else:
            self._plain = of

    def _convert(self, what: str, of: HeadSpec, actions: Any) -> Array:
        """Actions as the head's dtype, C-contiguous, and of its shape."""
        entries = self._table.entries() if of.ragged else None
        if isinstance(actions, np.ndarray):
            array = actions
        else:
            try:
                array = np.asarray(actions)
            except ValueError as e:
                raise ActionError(f"{what}: actions of head {of.name!r} are no array: {e}") from None
        shape = array.shape
        if (
            len(shape) != len(of.shape)
            or (shape != of.shape and any(n != want for n, want in zip(shape, of.shape, strict=True) if want >= 0))
            or (of.ragged and entries is not None and shape[0] != entries)
        ):
            want = [*of.shape]
            if of.ragged:
                want[0] = -1 if entries is None else entries
            text = ", ".join("N" if n < 0 else str(n) for n in want)
            raise ActionError(f"{what}: actions of head {of.name!r} have shape {list(shape)}, want [{text}]")
        if array.dtype != of.dtype:
            array = self._cast(what, of, array)
        return array if array.flags.c_contiguous and array.flags.aligned else array.copy(order="C")

    def _cast(self, what: str, of: HeadSpec, array: Array) -> Array:
        if array.size == 0:
            return array.astype(of.dtype)
        if of.dtype.kind == "f":
            if array.dtype.kind not in "fiu":
                raise ActionError(f"{what}: logits of head {of.name!r} are {array.dtype}, want {of.dtype}")
            with np.errstate(over="ignore"):
                return array.astype(of.dtype)
        if array.dtype.kind not in "iu":
            logits = ", ".join(repr(h.name) for h in self.spec.heads.values() if h.logits)
            hint = f"; logits go through head {logits}" if array.dtype.kind == "f" and logits else ""
            raise ActionError(f"{what}: actions of head {of.name!r} are {array.dtype}, want whole numbers{hint}")
        limits = np.iinfo(of.dtype)
        bad = (array < limits.min) | (array > limits.max)
        if not bad.any():
            return array.astype(of.dtype)
        if self.spec.bad_actions == "hold":
            # As invalid as they are, in the head's own dtype.
            nothing = limits.max if limits.min == 0 else limits.min
            return np.where(bad, nothing, array).astype(of.dtype)
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ActionError(f"{what}: {self._place(of, where)}: action {array[where]} of head {of.name!r}")

    def _place(self, of: HeadSpec, where: tuple[int, ...]) -> str:
        """Where an element of a head is, in the game's terms."""
        s = self.num_seats
        if of.axes[:2] == ("B", "S"):
            return f"board {where[0]}, seat {self.spec.observe[where[1]]}, entry {list(where[2:])}"
        if of.ragged and self.spec.offsets in self._row:
            offsets = self._table.views[self._row[self.spec.offsets]]
            i = int(np.searchsorted(offsets, where[0], side="right")) - 1
            return f"board {i // s}, seat {self.spec.observe[i % s]}, entry {where[0] - int(offsets[i])}"
        return f"entry {list(where)}"


def _seed(what: str, seed: Any) -> int:
    try:
        number = int(seed.__index__())
    except AttributeError:
        raise ArgumentError(f"{what} is {seed!r}, want a whole number") from None
    if not 0 <= number < 1 << 64:
        raise ArgumentError(f"{what} is {number}, want 0..2**64-1")
    return number


def _mix(seed: int, step: int) -> int:
    """Another seed for each step (splitmix64)."""
    z = (seed + (step + 1) * 0x9E3779B97F4A7C15) % (1 << 64)
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % (1 << 64)
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % (1 << 64)
    return z ^ (z >> 31)
