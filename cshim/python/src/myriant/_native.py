"""The shared library: found and loaded at first use, called through ctypes.

ctypes is in every Python, needs no compiler and ties the package to no version of
Python; it releases the interpreter's lock during each call. What it costs, about a
microsecond a call, is nothing beside a step of a batch.

Rules that hold here
    - ``lib()`` is the only way to the library. It loads it at first use, and refuses
      to give it out in a forked child, whose copy has lost the threads that run it.
    - Calls that may be long run in a thread of their own when the main thread makes
      them, so that Ctrl-C is heard at once (``patiently``).
    - Memory that numpy arrays show is held by a ``Block``, which gives it back when the
      last array is gone, from whatever thread, before or after the batch was closed.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import functools
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from . import _constants as c
from .errors import (
    BY_STATUS,
    BusyError,
    ClosedError,
    ForkError,
    HandleError,
    InternalError,
    LibraryError,
    MyriantError,
    OutOfMemoryError,
)

T = TypeVar("T")

ENVIRONMENT = "MYRIANT_LIBRARY"
NAME = "libmyriant.dylib" if sys.platform == "darwin" else "libmyriant.so"


class Bytes(ctypes.Structure):
    """myriant_bytes."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_int64), ("block", ctypes.c_uint64)]


class Row(ctypes.Structure):
    """myriant_array."""

    _fields_ = [
        ("data", ctypes.c_uint64),
        ("bytes", ctypes.c_int64),
        ("block", ctypes.c_uint64),
        ("dtype", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("shape", ctypes.c_int64 * c.MAX_NDIM),
        ("name", ctypes.c_char * c.MAX_NAME),
    ]


class Buffer(ctypes.Structure):
    """myriant_buffer."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("dtype", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
    ]


class Actions(ctypes.Structure):
    """myriant_actions."""

    _fields_ = [
        ("head", ctypes.c_char_p),
        ("buffer", Buffer),
        ("seed", ctypes.c_uint64),
        ("temperature", ctypes.c_float),
        ("flags", ctypes.c_uint32),
    ]


class Span(ctypes.Structure):
    """myriant_span."""

    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_int64)]


_P, _I32, _I64, _U64, _SIZE = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_size_t
_TEXT = ctypes.c_char_p
_BYTES = ctypes.POINTER(Bytes)
_MESSAGE = [ctypes.c_char_p, _SIZE]

# Every function of the header but those without a status: its parameters.
_SIGNATURES: dict[str, list[Any]] = {
    "catalog": [_BYTES],
    "map": [_TEXT, _SIZE, _TEXT, _SIZE, _BYTES, *_MESSAGE],
    "spec": [_TEXT, _SIZE, _BYTES, *_MESSAGE],
    "create": [_TEXT, _SIZE, ctypes.POINTER(_U64), *_MESSAGE],
    "retain": [_U64],
    "release": [_U64],
    "close": [_U64],
    "last_error": [_U64, ctypes.c_char_p, _SIZE, ctypes.POINTER(_I64)],
    "handle_spec": [_U64, _BYTES],
    "arrays": [_U64, _P, _I64],
    "read": [_U64, _I64, ctypes.POINTER(Buffer)],
    "reset": [_U64, _U64],
    "reset_mask": [_U64, _P, _I64, _P, _I32],
    "step": [_U64, ctypes.POINTER(Actions), _P, _I64],
    "send": [_U64, ctypes.POINTER(Actions)],
    "recv": [_U64, _I32, _P, _I64],
    "step_board": [_U64, _I64, ctypes.POINTER(Span), _I64],
    "snapshot": [_U64, _P, _I64, _BYTES],
    "restore": [_U64, _P, _I64, _TEXT, _I64],
    "clone": [_U64, _P, _P, _I64],
    "hash": [_U64, _P, _I64, _P],
    "state": [_U64, _I64, _BYTES],
    "set_state": [_U64, _I64, _TEXT, _I64],
    "view": [_U64, _I64, _I64, _BYTES],
    "outcome": [_U64, _I64, _BYTES],
    "record": [_U64, _TEXT, _SIZE],
    "record_stop": [_U64, _BYTES],
    "arrow_schema": [_U64, _P],
    "arrow_array": [_U64, _I32, ctypes.c_uint32, _P, _P],
    "arrow_stream": [_U64, _I32, ctypes.c_uint32, _P],
    "capsule_destructor": [_P, _P, _P, ctypes.POINTER(_P)],
    "block_destructor": [_P, _P, _P, ctypes.POINTER(_P)],
    "dataset_open": [_TEXT, _SIZE, ctypes.POINTER(_U64), *_MESSAGE],
    "dataset_info": [_U64, _BYTES, *_MESSAGE],
    "dataset_map": [_U64, _TEXT, _SIZE, _BYTES, *_MESSAGE],
    "dataset_read": [_U64, _TEXT, _SIZE, ctypes.POINTER(_U64), *_MESSAGE],
    "dataset_stream": [_U64, _TEXT, _SIZE, _P, *_MESSAGE],
    "dataset_close": [_U64],
    "task_begin": [_TEXT, _SIZE, ctypes.POINTER(_U64), *_MESSAGE],
    "task_wait": [_U64, _I64, _BYTES, *_MESSAGE],
    "reader_info": [_U64, _BYTES, *_MESSAGE],
    "reader_next": [_U64, _P, _I64, ctypes.POINTER(_I64), *_MESSAGE],
    "reader_poll": [_U64, _P, _I64, _I64, ctypes.POINTER(_I64), *_MESSAGE],
}

_loading = threading.Lock()
_library: ctypes.CDLL | None = None
_process = 0  # that loaded it
_path: Path | None = None


def lib() -> ctypes.CDLL:
    """The library, loaded now if it was not yet. Raises ForkError, LibraryError."""
    if _library is None:
        return _load()
    if os.getpid() != _process:
        raise ForkError(
            f"the myriant library was loaded by process {_process}, and this process ({os.getpid()}) was forked "
            "from it: the library's threads do not exist here. Use the spawn start method, as in "
            "multiprocessing.get_context('spawn') or AsyncVectorEnv(.., context='spawn')."
        )
    return _library


def loaded_here() -> bool:
    """Whether this very process has loaded the library."""
    return _library is not None and os.getpid() == _process


def find() -> Path:
    """Where the library is. Raises LibraryError."""
    if named := os.environ.get(ENVIRONMENT):
        path = Path(named)
        if not path.is_file():
            raise LibraryError(f"{ENVIRONMENT} names {named}, which is no file")
        return path
    path = Path(__file__).parent / NAME
    if not path.is_file():
        raise LibraryError(
            f"{path} is missing: this is not an installed package. Run 'pip install ./cshim/python' in a clone, "
            f"or set {ENVIRONMENT} to a built library."
        )
    return path


def _load() -> ctypes.CDLL:
    global _library, _process, _path
    with _loading:
        if _library is None:
            path = find()
            _library, _process, _path = load(path), os.getpid(), path
    return lib()


def load(path: Path) -> ctypes.CDLL:
    """Loads a library and compares its interface version with this package's. Raises LibraryError."""
    try:
        library = ctypes.CDLL(str(path))
        version = library.myriant_abi_version
    except (OSError, AttributeError) as e:
        raise LibraryError(f"{path} cannot be used as the myriant library: {e}") from e
    version.restype, version.argtypes = _I32, []
    if (have := version()) != c.ABI_VERSION:
        raise LibraryError(
            f"{path} has version {have} of the myriant interface (myriant_abi_version), and this package "
            f"needs version {c.ABI_VERSION}: install package and library from one source."
        )
    library.myriant_version.restype, library.myriant_version.argtypes = ctypes.c_char_p, []
    library.myriant_status_name.restype, library.myriant_status_name.argtypes = ctypes.c_char_p, [_I32]
    for name, parameters in _SIGNATURES.items():
        function = getattr(library, "myriant_" + name)
        function.restype, function.argtypes = _I32, parameters
    return library


def path() -> Path | None:
    """The library that is loaded, or None."""
    return _path


class _Call:
    """A call in a thread of its own."""

    __slots__ = ("abandoned", "done", "error", "finished", "result", "undo")

    def __init__(self, undo: Callable[[Any], None] | None) -> None:
        self.done = _thread.allocate_lock()
        self.done.acquire()
        self.result: Any = None
        self.error: BaseException | None = None
        self.finished = False
        self.abandoned = False
        self.undo = undo

    def run(self, call: Callable[[], Any]) -> None:
        try:
            self.result = call()
        except BaseException as e:
            self.error = e
        self.finished = True
        self.done.release()
        if self.abandoned:
            self.forget()

    def wait(self) -> None:
        """Waits, and hears Ctrl-C while it does. The lock is taken once at most, whatever a signal cuts off."""
        if not self.finished:
            self.done.acquire()

    def forget(self) -> None:
        """Undoes what the call did, if it has: more than once does no harm."""
        if self.finished and self.error is None and self.undo is not None:
            self.undo(self.result)


def patiently(call: Callable[[], T], flights: list[_Call] | None = None, undo: Callable[[T], None] | None = None) -> T:
    """Makes a call that may take long.

    Python runs signal handlers in the main thread only, and only between its own
    instructions. So the main thread waits, which signals interrupt, and another thread makes
    the call. A call that an exception abandons goes on: it is then in flights, if that is
    given, and its result is handed to undo.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    flight = _Call(undo)
    try:
        _thread.start_new_thread(flight.run, (call,))
    except RuntimeError:  # the interpreter is on its way out, or there are no threads left
        return call()
    try:
        flight.wait()
    except BaseException:
        flight.abandoned = True
        flight.forget()
        if flights is not None:
            flights.append(flight)
        raise
    if flight.error is not None:
        raise flight.error
    result: T = flight.result
    return result


def failure(status: int, what: str, reason: str) -> MyriantError:
    """The exception of a status that is no success; what names the call."""
    kind = BY_STATUS.get(status, InternalError)
    return kind(f"{what}: {reason}")


def give(what: str, call: Callable[[Any], int], reason: Callable[[], str]) -> bytes:
    """The bytes that a call gives, copied."""
    out = Bytes()
    status = call(ctypes.byref(out))
    if status != c.OK:
        raise failure(status, what, reason())
    try:
        return ctypes.string_at(out.data, out.length)
    finally:
        lib().myriant_release(out.block)


def give_about(what: str, function: Any, *arguments: Any) -> bytes:
    """The bytes of a call without a handle, whose reason comes in a buffer."""
    message = ctypes.create_string_buffer(4096)
    return give(
        what,
        lambda out: int(function(*arguments, out, message, len(message))),
        lambda: message.value.decode("utf-8", "replace"),
    )


_python = ctypes.pythonapi
capsule = _python.PyCapsule_New  # of a pointer, a name and a destructor
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


@functools.cache
def destructor(kind: str, *needed: str) -> int:
    """What a capsule of a kind calls at its end: a function of the library, which uses these of Python's.

    Code in Python cannot run in the middle of an exception, where capsules end, too, and would lose a Ctrl-C that comes
    while it runs, since no exception leaves a destructor.
    """
    found = ctypes.c_void_p()
    addresses = [ctypes.cast(getattr(_python, name), ctypes.c_void_p) for name in needed]
    status = getattr(lib(), f"myriant_{kind}_destructor")(*addresses, ctypes.byref(found))
    if status != c.OK or found.value is None:
        raise failure(status, "memory", f"no destructor of a {kind}")
    return found.value


class Block:
    """A hold on a block of the library's memory, for as long as this object lives."""

    __slots__ = ("__weakref__", "_hold", "number")

    def __init__(self, number: int, *, held: bool = False) -> None:
        release = destructor("block", "PyCapsule_GetPointer", "PyEval_SaveThread", "PyEval_RestoreThread")
        if not held and lib().myriant_retain(number) != c.OK:
            raise BusyError("the batch's memory changed during the call: another thread uses the same batch")
        self.number = number
        self._hold = capsule(number, None, release)


class Handle:
    """The number of a batch in the library, and what is under way with it."""

    def __init__(self, config: bytes) -> None:
        library = lib()
        message = ctypes.create_string_buffer(4096)

        def create() -> int:
            number = ctypes.c_uint64()
            status = library.myriant_create(config, len(config), ctypes.byref(number), message, len(message))
            if status != c.OK:
                raise failure(status, "Batch", message.value.decode("utf-8", "replace"))
            return number.value

        self.lib = library
        self.number = patiently(create, undo=lambda number: library.myriant_close(number))
        self.process = os.getpid()
        self.closed = False
        self.flights: list[_Call] = []  # abandoned calls that are still under way
        self.sent = ""  # the call that sent a step which was not received yet
        self.memory: Any = None  # of the last actions
        self.recording = False

    def reason(self) -> str:
        """The reason of the handle's last error."""
        length = ctypes.c_int64()
        buffer = ctypes.create_string_buffer(1024)
        self.lib.myriant_last_error(self.number, buffer, len(buffer), ctypes.byref(length))
        if length.value >= len(buffer):
            buffer = ctypes.create_string_buffer(length.value + 1)
            self.lib.myriant_last_error(self.number, buffer, len(buffer), None)
        return buffer.value.decode("utf-8", "replace")

    def check(self, status: int, what: str) -> None:
        """Raises the exception of a status."""
        if status == c.OK:
            return
        if status == c.ERR_CLOSED:
            raise ClosedError(f"{what}: the batch is closed")
        if status == c.ERR_BUSY:
            raise BusyError(f"{what}: another call of this batch is under way")
        if status == c.ERR_HANDLE:
            raise HandleError(f"{what}: {self.number} is no handle of a batch")
        if status == c.ERR_MEMORY:
            raise OutOfMemoryError(f"{what}: {self.reason()}")
        raise failure(status, what, self.reason())

    def usable(self, what: str) -> None:
        """Raises what every call raises of a batch that cannot be used."""
        lib()
        if self.closed:
            raise ClosedError(f"{what}: the batch is closed")

    def settle(self) -> None:
        """Waits for calls that an exception has abandoned. Ctrl-C is heard."""
        while self.flights:
            self.flights[-1].wait()
            self.flights.pop()

    def call(self, what: str, function: str, *arguments: Any) -> None:
        """A call that is short."""
        self.check(getattr(self.lib, "myriant_" + function)(self.number, *arguments), what)

    def long_call(self, what: str, function: str, *arguments: Any) -> None:
        """A call that may be long. Its arguments must own their memory."""
        f = getattr(self.lib, "myriant_" + function)
        self.check(patiently(lambda: int(f(self.number, *arguments)), self.flights), what)

    def bytes(self, what: str, function: str, *arguments: Any) -> bytes:
        """The bytes that a call gives."""
        f = getattr(self.lib, "myriant_" + function)
        return patiently(
            lambda: give(what, lambda out: int(f(self.number, *arguments, out)), self.reason), self.flights
        )

    def close(self) -> None:
        """Ends the batch; what was sent is finished first. Again: nothing."""
        if self.closed:
            return
        self.settle()
        status = patiently(lambda: int(self.lib.myriant_close(self.number)), self.flights)
        if status == c.ERR_BUSY:
            raise BusyError("close: another call of this batch is under way")
        self.closed, self.sent, self.memory = True, "", None
        if status != c.OK:
            raise failure(status, "close", self.reason())

    def drop(self) -> None:
        """Ends a batch that nobody has any more, without waiting for calls and without errors."""
        if self.closed or os.getpid() != self.process:
            return
        self.closed = True
        close, number, flights, memory = self.lib.myriant_close, self.number, self.flights, self.memory
        if self.recording or not (flights or self.sent):
            close(number)
            return

        def later() -> None:
            for flight in flights:
                flight.wait()
            close(number)
            _ = memory  # was the library's until now

        # At the end of the process there are no new threads, and no need to close.
        with contextlib.suppress(RuntimeError):
            _thread.start_new_thread(later, ())
