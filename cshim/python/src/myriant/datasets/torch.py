"""PyTorch: views of a dataset as an ``IterableDataset``.

    from torch.utils.data import DataLoader
    from myriant.datasets.torch import Stream

    stream = Stream("data", "transitions", batch=512, shuffle=True)
    loader = DataLoader(stream, batch_size=None, num_workers=2, multiprocessing_context="spawn")
    for epoch in range(10):
        stream.set_epoch(epoch)
        for batch in loader:
            learn(batch["obs"]["planes"], batch["reward"])

``batch_size=None``, for the dataset makes batches itself. Workers share the episodes: each is read by one of them.
They must be spawned, or at least forked before this process uses the library.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from ..errors import ConfigError
from .dataset import Dataset
from .ragged import Ragged


def tensors(given: Any) -> Any:
    """What a view gives, as tensors of the same memory in dicts: of a ``Ragged``, ``values`` and ``offsets``."""
    if isinstance(given, np.ndarray):
        return torch.from_numpy(given)
    if isinstance(given, Ragged):
        return {"values": torch.from_numpy(given.values), "offsets": torch.from_numpy(given.offsets)}
    if isinstance(given, Mapping):
        return {name: tensors(value) for name, value in given.items()}
    if is_dataclass(given):
        return {f.name: tensors(getattr(given, f.name)) for f in fields(given)}
    return given


class Stream(IterableDataset[Any]):
    """A view of a dataset, batch by batch.

    Args:
        data: a folder, or a dataset that was opened: workers open it anew.
        view: "transitions", "windows", "episodes" or "rows".
        transform: what is made of each batch, in the worker; None: ``tensors``. It must be picklable for workers.
        shuffle, seed: as of the view; other epochs have other orders, see ``set_epoch``.
        part, parts: which part of the episodes this process reads, of several that train together. Its workers share
            that part.
        threads: episodes that each worker plays at once; 0: as many as there are processors, without workers, and 1
            with them.
        options: all others of the view, such as episodes, batch, obs, buffer, and of windows length.
    """

    def __init__(
        self,
        data: Dataset | str | os.PathLike[str],
        view: Literal["transitions", "windows", "episodes", "rows"] = "transitions",
        *,
        transform: Callable[[Any], Any] | None = None,
        shuffle: bool = False,
        seed: int = 0,
        part: int = 0,
        parts: int = 1,
        threads: int = 0,
        **options: Any,
    ) -> None:
        super().__init__()
        self.data = data if isinstance(data, Dataset) else Dataset(data)
        if view not in ("transitions", "windows", "episodes", "rows"):
            raise ConfigError(f"no view {view!r}: have transitions, windows, episodes, rows")
        self._view = view
        self._transform = tensors if transform is None else transform
        self._shuffle, self._seed, self._part, self._parts = shuffle, seed, part, parts
        self._threads = threads
        self._options = options
        # Shared, so that workers that persist see it too.
        self._epoch = torch.zeros(1, dtype=torch.int64).share_memory_()  # type: ignore[no-untyped-call]
        self._begin(part, parts, threads)  # tells what is wrong here, not in a worker

    def set_epoch(self, epoch: int) -> None:
        """Which order the next iteration has, if it shuffles. Epoch 0 has that of the seed itself."""
        self._epoch[0] = epoch

    def _begin(self, part: int, parts: int, threads: int) -> Any:
        seed, epoch = self._seed, int(self._epoch[0])
        if epoch:
            seed = int(np.random.SeedSequence([seed, epoch]).generate_state(1, np.uint64)[0])
        view = getattr(self.data, self._view)
        return view(shuffle=self._shuffle, seed=seed, part=part, parts=parts, workers=threads, **self._options)

    def __iter__(self) -> Iterator[Any]:
        worker = get_worker_info()
        part, parts, threads = self._part, self._parts, self._threads
        if worker is not None:
            part, parts = part * worker.num_workers + worker.id, parts * worker.num_workers
            threads = threads or 1
        for batch in self._begin(part, parts, threads):
            yield self._transform(batch)
