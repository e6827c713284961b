"""The errors of the package.

Every error of the library is a ``MyriantError`` and, where Python has one that
fits, also a built-in exception: a bad configuration is a ``ValueError``, a closed
batch a ``RuntimeError``, a file that cannot be written an ``OSError``. The message
names the call, and what was wrong where.
"""

from __future__ import annotations

from . import _constants as c


class MyriantError(Exception):
    """Base of all errors of the package."""


class ArgumentError(MyriantError, ValueError):
    """An argument that cannot be: an index out of range, a mask of the wrong length."""


class ConfigError(MyriantError, ValueError):
    """A configuration that no batch can be made from."""


class RulesError(ConfigError):
    """A rule set that is unknown or contradicts itself."""


class MapError(ConfigError):
    """A map that is none, or that the rules cannot be played on."""


class ActionError(MyriantError, ValueError):
    """Actions that the game cannot read. Nothing was played."""


class NotResetError(MyriantError, RuntimeError):
    """A call that needs episodes, before the first reset."""


class ClosedError(MyriantError, RuntimeError):
    """Use of a closed batch."""


class HandleError(MyriantError, RuntimeError):
    """A number that is no handle of the library."""


class BusyError(MyriantError, RuntimeError):
    """Another call of the same batch is under way, or a step was sent and not received."""


class IdleError(MyriantError, RuntimeError):
    """``recv`` without ``send``, or the end of a recording that nobody began."""


class StateError(MyriantError, ValueError):
    """Bytes that are no snapshot or state of these boards."""


class ExportError(MyriantError, ValueError):
    """Arrays that cannot be exported as asked."""


class RecordError(MyriantError, OSError):
    """A file or folder that could not be written."""


class DatasetError(MyriantError, ValueError):
    """A dataset that cannot be read."""


class CorruptError(DatasetError):
    """A file of a dataset that is not what the dataset says, or an episode that plays otherwise than it was recorded.

    The message names the file."""


class SignatureError(DatasetError):
    """A dataset of an engine that behaves otherwise than this one."""


class OutOfMemoryError(MyriantError, MemoryError):
    """No memory for the arrays of a batch."""


class InternalError(MyriantError, RuntimeError):
    """A bug in the library. The batch is of no more use; please report it."""


class PrivilegedError(MyriantError, RuntimeError):
    """Hidden information was asked of a batch that was made without ``privileged=True``."""


class LibraryError(MyriantError, ImportError):
    """The shared library is missing or of another interface version."""


class ForkError(MyriantError, RuntimeError):
    """Use of the library in a forked child of the process that loaded it."""


BY_STATUS: dict[int, type[MyriantError]] = {
    c.ERR_ARGUMENT: ArgumentError,
    c.ERR_HANDLE: HandleError,
    c.ERR_CLOSED: ClosedError,
    c.ERR_BUSY: BusyError,
    c.ERR_IDLE: IdleError,
    c.ERR_CONFIG: ConfigError,
    c.ERR_RULES: RulesError,
    c.ERR_MAP: MapError,
    c.ERR_ORDERS: ActionError,
    c.ERR_NOT_RESET: NotResetError,
    c.ERR_STATE: StateError,
    c.ERR_EXPORT: ExportError,
    c.ERR_IO: RecordError,
    c.ERR_MEMORY: OutOfMemoryError,
    c.ERR_PANIC: InternalError,
    c.ERR_CORRUPT: CorruptError,
    c.ERR_SIGNATURE: SignatureError,
}
