"""Hugging Face: a dataset as a folder that ``datasets.load_dataset`` takes, and that can be pushed as it is.

    from myriant.datasets.huggingface import export

    export(datasets.open("data"), "folder", validation=0.1)

The rows are those of kind ``steps``, in Parquet: any reader of Parquet reads them without this package. A folder of
kind ``orders``, far smaller, can be pushed as it is, too; whoever has this package reads it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import ArgumentError, RecordError
from .dataset import Dataset, Episodes


def export(
    data: Dataset,
    folder: str | os.PathLike[str],
    episodes: Episodes = None,
    *,
    validation: float = 0.0,
    seed: int = 0,
    file_rows: int = 100_000,
    license: str | None = None,
) -> Path:
    """Writes a folder that is new or empty, and returns its path.

    Args:
        data: the dataset.
        folder: where.
        episodes: numbers; None: all.
        validation: about which fraction of the episodes is the split "validation", chosen as ``Dataset.split`` does.
        seed: of that choice.
        file_rows: rows of a file, about.
        license: named in the card.

    The folder has data/train-*.parquet, data/validation-*.parquet, README.md, the card, and what the dataset says of
    itself: dataset.json, its manifest but for files, and maps/. Some hundred rows are in memory at a time. Raises
    RecordError.
    """
    if not 0 <= validation < 1:
        raise ArgumentError(f"export: a validation fraction of {validation}, want one from 0 to less than 1")
    if file_rows < 1:
        raise ArgumentError(f"export: files of {file_rows} rows")
    out = Path(folder)
    if out.exists() and any(out.iterdir()):
        raise RecordError(f"export: {out} is not empty")
    (out / "data").mkdir(parents=True, exist_ok=True)
    numbers = np.arange(len(data)) if episodes is None else np.asarray(episodes, np.int64)
    sides = {"train": numbers}
    if validation:
        held = np.isin(numbers, data.split(1 - validation, seed=seed)[1])
        sides = {"train": numbers[~held], "validation": numbers[held]}
        for name, side in sides.items():
            if not len(side):
                raise ArgumentError(f"export: no episode is left for {name}")
    counts = {name: _write(data, side, out / "data", name, file_rows) for name, side in sides.items()}
    (out / "maps").mkdir()
    for m in data.maps:
        (out / "maps" / f"{m.digest}.json").write_text(json.dumps(data.map(m.digest)), encoding="utf-8")
    about = {name: value for name, value in data.manifest.items() if name != "shards"}
    (out / "dataset.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    card = _card(data, counts, {name: len(side) for name, side in sides.items()}, license)
    (out / "README.md").write_text(card, encoding="utf-8")
    return out


def _write(data: Dataset, episodes: Any, folder: Path, name: str, file_rows: int) -> int:
    """Files of one split; how many rows they have."""
    stream = pa.RecordBatchReader.from_stream(data.arrow(episodes))
    # Names come with each row: a dictionary is how Arrow has them, and not for everybody.
    schema = pa.schema(
        [
            pa.field(f.name, f.type.value_type if pa.types.is_dictionary(f.type) else f.type, f.nullable, f.metadata)
            for f in stream.schema
        ]
    )
    rows, files, writer, held = 0, 0, None, 0
    try:
        for batch in stream:
            if writer is None:
                writer = pq.ParquetWriter(folder / f"{name}-{files:05d}.parquet", schema, compression="zstd")
                files, held = files + 1, 0
            writer.write_table(pa.Table.from_batches([batch]).cast(schema))
            held, rows = held + batch.num_rows, rows + batch.num_rows
            if held >= file_rows:
                writer.close()
                writer = None
    finally:
        if writer is not None:
            writer.close()
    return rows


def _card(data: Dataset, rows: dict[str, int], episodes: dict[str, int], license: str | None) -> str:
    game, spec = data.game, data.spec
    lines = ["---", *([f"license: {license}"] if license else []), "task_categories:", "- reinforcement-learning"]
    lines += ["tags:", "- myriant", f"- {game}", "configs:", "- config_name: default", "  data_files:"]
    for name in rows:
        lines += [f"  - split: {name}", f"    path: data/{name}-*.parquet"]
    lines += ["---", "", f"# {game} episodes, step by step", ""]
    lines += [f"Played by {', '.join(data.policies)} on {', '.join(m.id for m in data.maps)} with the rules"]
    lines += [f"`{spec.rule_set}`. A row is what one seat saw and did in one step; the last of a seat in an episode"]
    lines += [
        "(`is_final_obs`) is what the episode led to. manifest.json and maps/ say how every episode is played",
        "again.",
    ]
    lines += ["", "| split | episodes | rows |", "| --- | --- | --- |"]
    lines += [f"| {name} | {episodes[name]} | {rows[name]} |" for name in rows]
    lines += ["", "| column | type | meaning |", "| --- | --- | --- |"]
    for c in data.columns.values():
        shape = f" {list(c.shape)}" if c.shape else ""
        kind = "bits" if c.packed else "name" if c.names else c.dtype.name
        lines.append(f"| `{c.name}` | {'list of ' if c.ragged else ''}{kind}{shape} | {c.doc.replace('|', '/')} |")
    planes = spec.arrays["planes"]
    lines += ["", f"Planes, in order: {', '.join(f'`{name}`' for name in planes.names(2))}.", ""]
    version = data.manifest["engine"]
    lines += [f"Engine {version['version']}, behaviour signature `{version['signature']}`.", ""]
    return "\n".join(lines)
