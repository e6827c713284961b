"""Myriant: reinforcement-learning environments for ant colonies, thousands of boards a step.

    import myriant

    with myriant.Batch("ants", num_boards=256, map="tiny-2p", seats=["caller", "greedy"]) as batch:
        now = batch.reset(seed=7)
        now = batch.step(policy(now.planes, now.action_mask))

``Batch`` is the native interface: arrays, not dicts of agents. Adapters to Gymnasium, PettingZoo, PufferLib and
PyTorch are modules of their own. Importing the package loads nothing native; the library is loaded at first use.
"""

from ._version import __version__
from .adapters.registration import announce as _announce
from .arrays import Arrays
from .batch import Batch
from .errors import (
    ActionError,
    ArgumentError,
    BusyError,
    ClosedError,
    ConfigError,
    CorruptError,
    DatasetError,
    ExportError,
    ForkError,
    HandleError,
    IdleError,
    InternalError,
    LibraryError,
    MapError,
    MyriantError,
    NotResetError,
    OutOfMemoryError,
    PrivilegedError,
    RecordError,
    RulesError,
    SignatureError,
    StateError,
)
from .league import League
from .library import library
from .planes import pack_planes, unpack_planes
from .spec import ArraySpec, Field, HeadSpec, Label, MapSpec, Spec, catalog, games, load_map, make_spec

__all__ = [
    "ActionError",
    "ArgumentError",
    "ArraySpec",
    "Arrays",
    "Batch",
    "BusyError",
    "ClosedError",
    "ConfigError",
    "CorruptError",
    "DatasetError",
    "ExportError",
    "Field",
    "ForkError",
    "HandleError",
    "HeadSpec",
    "IdleError",
    "InternalError",
    "Label",
    "League",
    "LibraryError",
    "MapError",
    "MapSpec",
    "MyriantError",
    "NotResetError",
    "OutOfMemoryError",
    "PrivilegedError",
    "RecordError",
    "RulesError",
    "SignatureError",
    "Spec",
    "StateError",
    "__version__",
    "catalog",
    "games",
    "library",
    "load_map",
    "make_spec",
    "pack_planes",
    "unpack_planes",
]

_announce()
