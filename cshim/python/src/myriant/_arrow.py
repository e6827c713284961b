"""A batch's arrays for Arrow, through the C Data Interface and its PyCapsules."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from . import _constants as c
from . import _native
from .errors import ConfigError

if TYPE_CHECKING:
    from .batch import Batch


class _Schema(ctypes.Structure):
    """ArrowSchema."""

    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


class _Array(ctypes.Structure):
    """ArrowArray."""

    _fields_ = [
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


class _Stream(ctypes.Structure):
    """ArrowArrayStream."""

    _fields_ = [
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


_take = ctypes.pythonapi.PyMem_RawCalloc
_take.restype, _take.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_size_t]

_NAMES: dict[type[ctypes.Structure], bytes] = {
    _Schema: b"arrow_schema",
    _Array: b"arrow_array",
    _Stream: b"arrow_array_stream",
}


def _capsule(structure: ctypes.Structure) -> object:
    """A capsule that owns what a structure, which is of no more use, holds: at its end it is released, unless a
    consumer moved it away."""
    size = ctypes.sizeof(structure)
    address = _take(1, size)
    if not address:
        raise MemoryError
    ctypes.memmove(address, ctypes.addressof(structure), size)
    end = _native.destructor("capsule", "PyCapsule_GetName", "PyCapsule_GetPointer", "PyMem_RawFree")
    return _native.capsule(address, _NAMES[type(structure)], end)


class Export:
    """A batch's arrays as Arrow sees them: a struct of columns, a row a board.

    pyarrow, polars, duckdb and whatever else knows the Arrow PyCapsule interface take it as it is. Every call shows
    the arrays as they are then. requested_schema is not followed: the consumer casts.
    """

    __slots__ = ("_batch", "_flags", "_set")

    def __init__(self, batch: Batch, *, copy: bool, final: bool) -> None:
        if final and batch.spec.autoreset != "same_step":
            raise ConfigError(f"final arrays need autoreset 'same_step', this batch has {batch.spec.autoreset!r}")
        self._batch = batch
        self._flags = 0 if copy else c.VIEW
        self._set = c.FINAL if final else c.MAIN

    def _fill(self, what: str, function: str, *arguments: Any) -> None:
        batch = self._batch
        with batch._alone(what):
            batch._handle.call(what, function, *arguments)

    def __arrow_c_schema__(self) -> object:
        """An "arrow_schema" capsule."""
        schema = _Schema()
        self._fill("arrow", "arrow_schema", ctypes.addressof(schema))
        return _capsule(schema)

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """A pair of "arrow_schema" and "arrow_array" capsules."""
        schema, array = _Schema(), _Array()
        self._fill("arrow", "arrow_array", self._set, self._flags, ctypes.addressof(schema), ctypes.addressof(array))
        return _capsule(schema), _capsule(array)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """An "arrow_array_stream" capsule: a stream of one record."""
        stream = _Stream()
        self._fill("arrow", "arrow_stream", self._set, self._flags, ctypes.addressof(stream))
        return _capsule(stream)
