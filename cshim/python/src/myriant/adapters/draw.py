"""Pictures of what one observed seat sees: text, or an image of 8 by 8 pixels a cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Array, Arrays
from ..planes import unpack_planes
from ..spec import Spec

SCALE = 8

# Planes from the lowest to the highest: letter, colour. A cell shows the highest that is not 0.
_STYLES: dict[str, list[tuple[str, str, tuple[int, int, int]]]] = {
    "ants": [
        ("known_water", "%", (38, 70, 120)),
        ("food", "*", (214, 186, 60)),
        ("own_hills", "0", (150, 60, 40)),
        ("enemy_hills", "1", (60, 90, 160)),
        ("foes", "b", (90, 150, 240)),
        ("mine", "a", (235, 95, 60)),
        ("pad", " ", (0, 0, 0)),
    ],
    "formica": [
        ("own_held", ",", (120, 70, 50)),
        ("food", "*", (214, 186, 60)),
        ("known_nests", "N", (60, 90, 160)),
        ("rivals", "b", (90, 150, 240)),
        ("ants_searching", "a", (235, 95, 60)),
        ("ants_defense", "a", (235, 95, 60)),
        ("ants_expansion", "a", (235, 95, 60)),
        ("ants_raid", "a", (235, 95, 60)),
        ("ants_build", "a", (235, 95, 60)),
        ("ants_carrying", "A", (245, 150, 60)),
        ("own_nest", "0", (240, 220, 200)),
    ],
}
_GROUND = {"seen": (120, 104, 84), "unseen": (62, 56, 48), "off": (0, 0, 0)}
_SEEN = {"ants": ("visible",), "formica": ("food_vision", "own_held")}


def _planes(spec: Spec, now: Arrays, board: int, seat: int) -> dict[str, Array]:
    field = spec.arrays["planes"]
    planes = now["planes"][board, seat]
    if field.bit:
        planes = unpack_planes(planes, spec.sizes["W"])
    return dict(zip(field.names(2), planes, strict=True))


def frame(spec: Spec, now: Arrays, board: int, mode: str, seat: int = 0) -> Any:
    """A picture of what an observed seat (an index along axis S) sees: a text for "ansi", uint8[H*8,W*8,3] for
    "rgb_array".

    Formica's hexes are drawn row by row, each row half a cell further right than the one above: W grows by half of H.
    """
    planes = _planes(spec, now, board, seat)
    height, width = next(iter(planes.values())).shape
    on = planes["valid"] != 0 if "valid" in planes else np.ones((height, width), bool)
    styles = [*_STYLES[spec.game], *((name, "b", (90, 150, 240)) for name in planes if name.startswith("foes_"))]
    if mode == "ansi":
        text = np.where(on, ".", " ")
        for name, letter, _ in styles:
            if name in planes:
                text[planes[name] != 0] = letter
        if spec.game == "formica":
            return "\n".join((" " * row + " ".join(cells)).rstrip() for row, cells in enumerate(text)) + "\n"
        return "\n".join("".join(row).rstrip() for row in text) + "\n"
    seen = np.any([planes[name] != 0 for name in _SEEN[spec.game] if name in planes], axis=0)
    image = np.where(seen[..., None], _GROUND["seen"], _GROUND["unseen"]).astype(np.uint8)
    image[~on] = _GROUND["off"]
    for name, _, colour in styles:
        if name in planes:
            image[planes[name] != 0] = colour
    large = np.repeat(np.repeat(image, SCALE, axis=0), SCALE, axis=1)
    if spec.game != "formica":
        return large
    half = SCALE // 2
    out = np.zeros((height * SCALE, width * SCALE + half * (height - 1), 3), np.uint8)
    for row in range(height):
        out[row * SCALE : (row + 1) * SCALE, row * half : row * half + width * SCALE] = large[
            row * SCALE : (row + 1) * SCALE
        ]
    return out
