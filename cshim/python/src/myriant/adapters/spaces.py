"""Gymnasium's spaces of a form."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from .form import Form


class Choices(spaces.MultiDiscrete):
    """A ``MultiDiscrete`` whose ``sample`` also takes a mask as ``action_masks()`` gives it: one array [M], part
    after part.

    A part without any choice gives 0, as in ``MultiDiscrete``.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray[Any, np.dtype[Any]]:
        """A random action; with a mask, uniform among the choices that it leaves."""
        if not isinstance(mask, np.ndarray):
            return super().sample(mask, probability)
        if probability is not None:
            raise ValueError("mask and probability: one of them")
        total = int(self.nvec.sum())
        if mask.shape != (total,):
            raise ValueError(f"mask has shape {mask.shape}, want ({total},)")
        draws = np.where(mask != 0, self.np_random.random(total), -1.0)
        first = np.cumsum(self.nvec) - self.nvec
        if (self.nvec == self.nvec[0]).all():
            picks = draws.reshape(len(self.nvec), -1).argmax(axis=1)
        else:
            picks = np.array([draws[i : i + n].argmax() for i, n in zip(first, self.nvec, strict=True)])
        return np.asarray(picks, dtype=self.dtype)


def observation_space(form: Form) -> spaces.Space[Any]:
    """What one seat sees: a ``Box``, or a ``Dict`` of them."""
    boxes: dict[str, spaces.Space[Any]] = {name: box(form, name) for name in form.sees}
    return boxes[form.sees[0]] if len(boxes) == 1 else spaces.Dict(boxes)


def box(form: Form, name: str) -> spaces.Box:
    """The values of one observed array of one seat."""
    kind = form.spec.arrays[name].dtype
    high = form.high(name).astype(kind)
    return spaces.Box(np.zeros_like(high), high, dtype=kind.type)


def action_space(form: Form) -> Choices:
    """What one seat chooses."""
    return Choices(form.nvec)
