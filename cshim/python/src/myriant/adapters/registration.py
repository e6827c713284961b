"""Makes the environments known to Gymnasium, whichever of the two packages is imported first.

Gymnasium has no plugins: somebody has to call ``register`` after it is there. ``import myriant`` does so at once if
it is, and else when it comes, so that neither the order of two imports matters nor a program without Gymnasium pays
for it.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

ENVIRONMENTS = {"myriant/Ants-v0": "ants", "myriant/Formica-v0": "formica"}


def register() -> None:
    """Registers the environments with Gymnasium; again: nothing."""
    import gymnasium

    for name, game in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="myriant.adapters.gymnasium:Env",
                vector_entry_point="myriant.adapters.gymnasium:VectorEnv",
                kwargs={"game": game},
            )


def announce() -> None:
    """Registers now if Gymnasium is imported, else when it will be."""
    if "gymnasium" in sys.modules:
        register()
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    """Sees that Gymnasium is about to be imported. Who only asks where it is gets the answer and changes nothing."""

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(name, path, target)) is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader, self)
                return spec
        return None


class _Loader(Loader):
    """Loads Gymnasium as its own loader does, and registers then."""

    def __init__(self, own: Loader, finder: _Finder) -> None:
        self._own = own
        self._finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._own
        if module.__spec__ is not None:
            module.__spec__.loader = self._own
        self._own.exec_module(module)
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(self._finder)
        try:
            register()
        except Exception as e:  # not for us to spoil an import of somebody else's
            warnings.warn(f"the environments of myriant are not registered with Gymnasium: {e}", stacklevel=2)
