"""Packed planes: eight cells a byte, the first in the lowest bit, rows padded to whole bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import ArgumentError


def unpack_planes(planes: npt.NDArray[np.uint8], cols: int, dtype: npt.DTypeLike = np.uint8) -> npt.NDArray[Any]:
    """Packed planes uint8[..,H,ceil(cols/8)] as 0 and 1 in dtype[..,H,cols]."""
    if planes.dtype != np.uint8 or planes.ndim < 1 or planes.shape[-1] != (cols + 7) // 8:
        raise ArgumentError(
            f"unpack_planes: planes are {planes.dtype}{list(planes.shape)}, want uint8[..,{(cols + 7) // 8}]"
        )
    return np.unpackbits(planes, axis=-1, count=cols, bitorder="little").astype(dtype, copy=False)


def pack_planes(planes: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """The other way round: [..,H,W], where anything but 0 is 1, as uint8[..,H,ceil(W/8)]."""
    return np.packbits(np.asarray(planes) != 0, axis=-1, bitorder="little")
