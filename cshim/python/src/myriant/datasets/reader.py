"""The library's side of datasets: numbers of datasets and readers, and what readers give."""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _arrow, _native
from .. import _constants as c
from ..arrays import _ROW, Array, _Memory
from ..errors import BusyError, ClosedError

_TYPES: dict[int, str] = {
    c.DTYPE_BIT: "|u1",
    c.DTYPE_BOOL: "|b1",
    c.DTYPE_UINT8: "|u1",
    c.DTYPE_INT8: "|i1",
    c.DTYPE_INT32: "<i4",
    c.DTYPE_INT64: "<i8",
    c.DTYPE_UINT64: "<u8",
    c.DTYPE_FLOAT16: "<f2",
    c.DTYPE_FLOAT32: "<f4",
}


_WAIT = 50  # milliseconds from one look at Ctrl-C to the next


class Number:
    """A dataset or a reader in the library. It ends when this object does."""

    __slots__ = ("__weakref__", "_end", "closed", "value", "what")

    def __init__(self, what: str, function: str, *arguments: Any) -> None:
        library = _native.lib()
        call = getattr(library, "myriant_" + function)
        close = library.myriant_dataset_close

        def begin() -> int:
            value, message = ctypes.c_uint64(), _message()
            check(call(*arguments, ctypes.byref(value), message, len(message)), what, message)
            return int(value.value)

        self.what = what
        self.value: int = _native.patiently(begin, undo=close)
        self.closed = False
        self._end = weakref.finalize(self, _end, close, self.value, os.getpid(), os.getpid)
        self._end.atexit = False

    def use(self) -> int:
        """The number. Raises ClosedError, ForkError."""
        _native.lib()
        if self.closed:
            raise ClosedError(f"{self.what}: closed")
        return self.value

    def close(self) -> None:
        """Ends it; again: nothing."""
        self.closed = True
        self._end()


def _end(close: Callable[[int], int], value: int, process: int, getpid: Callable[[], int]) -> None:
    if getpid() == process:
        close(value)


def _message() -> Any:
    return ctypes.create_string_buffer(8192)


def check(status: int, what: str, message: Any) -> None:
    """Raises the exception of a status."""
    if status != c.OK:
        raise _native.failure(status, what, message.value.decode("utf-8", "replace"))


def open_dataset(path: str, any_engine: bool) -> Number:
    """A dataset's number."""
    text = json.dumps({"path": path, "any_engine": any_engine}).encode()
    return Number("open", "dataset_open", text, len(text))


def info(number: Number) -> dict[str, Any]:
    """What the library tells of a dataset."""
    found: dict[str, Any] = json.loads(_native.give_about("open", _native.lib().myriant_dataset_info, number.use()))
    return found


def map_text(number: Number, digest: str) -> bytes:
    """A map's canonical JSON."""
    name = digest.encode()
    return _native.give_about("map", _native.lib().myriant_dataset_map, number.use(), name, len(name))


def stream(number: Number, options: dict[str, Any]) -> object:
    """An "arrow_array_stream" capsule of rows."""
    text, message, made = json.dumps(options).encode(), _message(), _arrow._Stream()
    call = _native.lib().myriant_dataset_stream
    check(call(number.use(), text, len(text), ctypes.addressof(made), message, len(message)), "arrow", message)
    return _arrow._capsule(made)


class Reader:
    """Gives what comes next of a view: how many entries, and arrays by name, which are the caller's."""

    def __init__(self, dataset: Number, options: dict[str, Any]) -> None:
        text = json.dumps(options).encode()
        self._number = Number(str(options["view"]), "dataset_read", dataset.use(), text, len(text))
        about = _native.give_about("read", _native.lib().myriant_reader_info, self._number.use())
        self._names: list[str] = [row["name"] for row in json.loads(about)["table"]]
        self._busy = False

    def next(self) -> tuple[int, dict[str, Array]] | None:
        """The next entries, None at the end. Raises CorruptError, RecordError, ConfigError, and at once BusyError
        while another thread is in this call."""
        if self._busy:
            raise BusyError(f"{self._number.what}: another call of this reader is under way")
        library, number, rows = _native.lib(), self._number.use(), len(self._names)
        table, count, message = np.zeros(rows, _ROW), ctypes.c_int64(-1), _message()
        block: _native.Block | None = None
        self._busy = True
        try:
            # Python hears signals between calls, so none is long.
            while count.value < 0:
                status = library.myriant_reader_poll(
                    number, table.ctypes.data, rows, _WAIT, ctypes.byref(count), message, len(message)
                )
                check(status, self._number.what, message)
            if count.value == 0:
                return None
            block = _native.Block(int(table["block"][0]), held=True)
        finally:
            self._busy = False
            if block is None and count.value > 0:
                library.myriant_release(int(table["block"][0]))
        arrays: dict[str, Array] = {}
        for name, row in zip(self._names, table, strict=True):
            shape = tuple(row["shape"][: row["ndim"]].tolist())
            arrays[name] = np.asarray(_Memory(block, int(row["data"]), shape, _TYPES[int(row["dtype"])], True))
        return count.value, arrays

    def close(self) -> None:
        """Ends reading. Arrays that were given stay."""
        self._number.close()
