"""Datasets: folders of recorded episodes, of either kind, read through the library.

    from myriant import datasets

    data = datasets.open("data")
    train, rest = data.split(0.9)
    for batch in data.transitions(train, batch=512, shuffle=True, seed=1):
        learn(batch.obs["planes"], batch.action, batch.reward, batch.next_obs["planes"], batch.terminated)

A dataset of kind ``orders`` has what was ordered; reading plays its episodes again, several at once, on the library's
threads. One of kind ``steps`` has what every seat saw. Both read the same.

``generate``, ``convert``, ``merge``, ``split``, ``verify`` and ``stats`` do what the command does.

Reading order: dataset.py (what a dataset is, and its views), views.py (what views give), ragged.py, reader.py (the
library's side), tools.py (datasets made, and made from others). Of their own: torch.py (``IterableDataset`` with
workers), minari.py, huggingface.py.
"""

from .dataset import Column, Dataset, View, open
from .ragged import Ragged, scatter
from .tools import Progress, convert, generate, merge, split, stats, verify
from .views import Episode, Rows, Seat, Transitions, Windows

__all__ = [
    "Column",
    "Dataset",
    "Episode",
    "Progress",
    "Ragged",
    "Rows",
    "Seat",
    "Transitions",
    "View",
    "Windows",
    "convert",
    "generate",
    "merge",
    "open",
    "scatter",
    "split",
    "stats",
    "verify",
]
