"""Minari: episodes as a Minari dataset, each seat's part of an episode an episode of its own.

    from myriant.datasets.minari import export

    made = export(datasets.open("data"), "myriant/ants-greedy-v0")

Observations are those of the Gymnasium adapter, with dense planes. Of Ants, so are actions: a choice for every cell.
An action of Formica is an order as the head ``order_bytes`` takes it, uint8[10], since orders of bundled policies
share by finer parts than the adapter's tenths; it begins with 255 where none was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import minari
import numpy as np
from gymnasium import spaces
from minari.data_collector import EpisodeBuffer

from ..adapters.form import Form, form_of
from ..adapters.spaces import action_space, observation_space
from ..arrays import Array
from ..errors import ArgumentError, ConfigError
from .dataset import Dataset, Episodes
from .ragged import scatter
from .views import Episode


def export(
    data: Dataset,
    dataset_id: str,
    episodes: Episodes = None,
    *,
    seats: Sequence[int] | None = None,
    policies: Sequence[str] | None = None,
    **about: Any,
) -> minari.MinariDataset:
    """Writes a Minari dataset and returns it. An episode is in memory at a time.

    Args:
        data: a dataset opened with unpack=np.uint8, the default.
        dataset_id: the Minari dataset's name; it must be new.
        episodes: numbers; None: all.
        seats, policies: whose parts to write; None: all.
        about: other arguments of ``minari.create_dataset_from_buffers``, such as author, or data_format.

    A seat's part ends with the step that ends the game for it. Each Minari episode has the infos ``seat`` and
    ``episode``, and the seed that the board was reset with. Minari would make pictures of byte planes, and lose what
    they say: JPEG is off.
    """
    form = form_of(data.spec)
    decode = _DECODERS.get(data.game)
    if decode is None:
        raise ConfigError(f"game {data.game!r} has no export to Minari")
    for name in form.sees:
        if data.columns[name].packed and data.columns[name].shape != (*form.shape(name)[:-1], data.spec.sizes["W"]):
            raise ArgumentError("export: open the dataset with unpack=np.uint8")
    seen: Any = observation_space(_Dense(form))

    def buffers() -> Iterator[EpisodeBuffer]:
        for e in data.episodes(episodes):
            for seat in range(len(e.seats)) if seats is None else seats:
                if not 0 <= seat < len(e.seats) or (policies is not None and e.seats[seat].policy not in policies):
                    continue
                yield _buffer(form, decode, e, seat)

    about.setdefault("requirements", ["myriant"])
    about.setdefault("description", f"{data.game} episodes between {', '.join(data.policies)}")
    about.setdefault("algorithm_name", ", ".join(policies or data.policies))
    return minari.create_dataset_from_buffers(
        dataset_id,
        buffers(),  # it is iterated over once
        observation_space=seen,
        action_space=_choices(form),
        jpeg_encoding=False,
        **about,
    )


class _Dense(Form):
    """A form whose planes are unpacked."""

    def __init__(self, form: Form) -> None:
        super().__init__(form.spec)
        self.sees = form.sees
        self._form = form

    def shape(self, name: str) -> tuple[int, ...]:
        shape = self._form.shape(name)
        return (*shape[:-1], self.spec.sizes["W"]) if self.spec.arrays[name].bit else shape

    def high(self, name: str) -> Array:
        return np.full(self.shape(name), 1) if self.spec.arrays[name].bit else self._form.high(name)


def _buffer(form: Form, decode: Callable[[Form, Episode, int], Array], e: Episode, seat: int) -> EpisodeBuffer:
    over = np.flatnonzero(e.terminated[:, seat] | e.truncated[:, seat])
    steps = int(over[0]) + 1 if len(over) else e.turns
    obs = {name: np.ascontiguousarray(e.obs[name][: steps + 1, seat]) for name in form.sees}  # type: ignore[index]
    return EpisodeBuffer(
        seed=e.seed,
        observations=obs if len(obs) > 1 else obs[form.sees[0]],
        actions=decode(form, e, seat)[:steps],
        rewards=e.reward[:steps, seat].astype(np.float64),
        terminations=e.terminated[:steps, seat].copy(),
        truncations=e.truncated[:steps, seat].copy(),
        infos={"seat": [seat] * (steps + 1), "episode": [e.id] * (steps + 1)},
    )


def _ants(form: Form, e: Episode, seat: int) -> Array:
    mine = np.arange(e.turns) * len(e.seats) + seat
    cells: Any = e.obs["ant_cells"]
    given = scatter(cells.take(mine), e.action.take(mine), form.grid, form.nothing[0])
    return given.reshape(e.turns, -1).astype(np.int64)


def _formica(form: Form, e: Episode, seat: int) -> Array:
    mine = np.arange(e.turns) * len(e.seats) + seat
    orders = e.action.take(mine)
    out = np.zeros((e.turns, *form.spec.heads["order_bytes"].shape[2:]), np.uint8)
    out[:, 0] = 255
    given = orders.lengths > 0
    out[given] = orders.values.reshape(-1, out.shape[1])
    return out


def _choices(form: Form) -> spaces.Space[Any]:
    if form.spec.game == "formica":
        return spaces.Box(0, 255, form.spec.heads["order_bytes"].shape[2:], np.uint8)
    return action_space(form)


_DECODERS: dict[str, Callable[[Form, Episode, int], Array]] = {"ants": _ants, "formica": _formica}
