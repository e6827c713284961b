"""PyTorch: a batch whose arrays are tensors of the library's own memory.

    from myriant.adapters.torch import TorchBatch

    with TorchBatch("ants", num_boards=256, head="cell_logits", planes="float32", seats=["caller", "greedy"]) as batch:
        now = batch.reset(seed=7)
        with torch.no_grad():
            now = batch.step(net(now.planes.flatten(0, 1)).unflatten(0, now.planes.shape[:2]))

Nothing is copied on the way in or out. Tensors of the same array show the same memory: every call that changes
boards overwrites what they show, so what is kept across steps must be cloned. The memory itself lives as long as a
tensor of it does, also after ``close``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..arrays import Array, Arrays, listed
from ..batch import Batch
from ..errors import ActionError, ConfigError
from ..spec import Spec


class _Writeable:
    """What makes numpy an array of the same memory that may be written to."""

    __slots__ = ("__array_interface__", "array")

    def __init__(self, array: Array) -> None:
        self.array = array
        interface = dict(array.__array_interface__)
        interface["data"] = (interface["data"][0], False)
        self.__array_interface__ = interface


def tensor(array: Array) -> Tensor:
    """An array as a tensor of the same memory, which the tensor keeps alive.

    Read-only views of a batch are taken as they are: writing to the tensor changes nothing but what is shown. Raises
    TypeError for a dtype that torch lacks, ValueError for negative strides.
    """
    if not array.flags.writeable:
        array = np.asarray(_Writeable(array))
    return torch.from_numpy(array)


def tensors(arrays: Mapping[str, Array]) -> dict[str, Tensor]:
    """Arrays by name as tensors of the same memory, see ``tensor``."""
    return {name: tensor(a) for name, a in arrays.items()}


class Tensors(Mapping[str, Tensor]):
    """What a reset or a step led to: tensors by name, as items or attributes, as ``myriant.Arrays`` has arrays.

    Attributes:
        valid_seats, final_boards, final_info, final_obs: those of ``Arrays``, as tensors that are the caller's.
    """

    __slots__ = ("_arrays", "_data", "_device")

    def __init__(self, data: dict[str, Tensor], arrays: Arrays, device: torch.device) -> None:
        self._data, self._arrays, self._device = data, arrays, device

    def __getitem__(self, name: str) -> Tensor:
        if name not in self._data:
            self._arrays[name]  # tells what is wrong
        return self._data[name]

    def __getattr__(self, name: str) -> Tensor:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._data:
            getattr(self._arrays, name)  # tells what is wrong
        return self._data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __repr__(self) -> str:
        found = {name: (str(t.dtype), t.shape) for name, t in self._data.items()}
        return listed("Tensors", found, self._arrays.final_boards)

    @property
    def action_mask(self) -> Tensor:
        """The mask of the batch's head; see ``Arrays.action_mask``."""
        spec: Spec = self._arrays._spec
        names = spec.heads[spec.head].masks
        if len(names) != 1:
            raise ConfigError(f"head {spec.head!r} has {len(names)} masks: {', '.join(names)}")
        return self[names[0]]

    @property
    def valid_seats(self) -> Tensor:
        return torch.from_numpy(self._arrays.valid_seats).to(self._device)

    @property
    def final_boards(self) -> Tensor:
        return torch.from_numpy(self._arrays.final_boards).to(self._device)

    @property
    def final_info(self) -> dict[str, Tensor] | None:
        return self._moved(self._arrays.final_info)

    @property
    def final_obs(self) -> dict[str, Tensor] | None:
        return self._moved(self._arrays.final_obs)

    def _moved(self, arrays: dict[str, Array] | None) -> dict[str, Tensor] | None:
        return None if arrays is None else {name: t.to(self._device) for name, t in tensors(arrays).items()}


class TorchBatch:
    """A ``myriant.Batch`` with tensors in place of arrays.

    Args:
        game, config: those of ``Batch``, but for copy.
        device: where tensors are. On "cpu" they show the library's memory; on another device they are copies, which
            never change.

    Attributes:
        batch: the batch. Its other calls (``snapshot``, ``restore``, ``hashes``, ..) may be used.
        spec: its spec.

    Errors and threads are those of ``Batch``.
    """

    def __init__(self, game: str = "ants", *, device: str | torch.device = "cpu", **config: Any) -> None:
        if "copy" in config:
            raise ConfigError("TorchBatch has no copy: clone the tensors that are to be kept")
        self.device = torch.device(device)
        self.batch = Batch(game, copy=False, **config)
        self.spec: Spec = self.batch.spec
        self._tensors: dict[str, tuple[Array, Tensor]] = {}

    def reset(self, seed: int | Sequence[int] | None = None) -> Tensors:
        """As ``Batch.reset``."""
        return self._wrap(self.batch.reset(seed))

    def reset_mask(
        self, mask: Tensor | Array, *, seeds: Sequence[int] | None = None, episode_seeds: Sequence[int] | None = None
    ) -> Tensors:
        """As ``Batch.reset_mask``; the mask may be a tensor."""
        chosen = mask.cpu().numpy() if isinstance(mask, Tensor) else mask
        return self._wrap(self.batch.reset_mask(chosen, seeds=seeds, episode_seeds=episode_seeds))

    def step(self, actions: Any = None, **choice: Any) -> Tensors:
        """As ``Batch.step``. actions is a tensor of the head's shape, or a mapping of one head to it; read where it
        is if it is on the CPU, contiguous and of the head's dtype, else converted. It needs no ``detach``."""
        return self._wrap(self.batch.step(_given(actions), **choice))

    def send(self, actions: Any = None, **choice: Any) -> None:
        """As ``Batch.send``."""
        self.batch.send(_given(actions), **choice)

    def recv(self) -> Tensors:
        """As ``Batch.recv``."""
        return self._wrap(self.batch.recv())

    def close(self) -> None:
        """Ends the batch. Tensors that were given out stay readable."""
        self._tensors.clear()
        self.batch.close()

    def __enter__(self) -> TorchBatch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<TorchBatch on {self.device}: {self.batch!r}>"

    def _wrap(self, now: Arrays) -> Tensors:
        data = {}
        for name, array in now.items():
            kept = self._tensors.get(name)
            if kept is None or kept[0] is not array:
                self._tensors[name] = kept = array, tensor(array)
            data[name] = kept[1] if self.device.type == "cpu" else kept[1].to(self.device)
        return Tensors(data, now, self.device)


def _given(actions: Any) -> Any:
    if isinstance(actions, Mapping):
        return {head: _given(a) for head, a in actions.items()}
    if not isinstance(actions, Tensor):
        return actions
    a = actions.detach()
    if a.dtype is torch.bfloat16:
        a = a.float()
    try:
        return a.cpu().numpy()
    except (TypeError, RuntimeError) as e:
        raise ActionError(f"step: actions are a tensor that cannot be read: {e}") from e
