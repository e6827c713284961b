"""How fast datasets are read: python -m myriant.datasets.bench ORDERS STEPS

ORDERS and STEPS are folders of the same episodes in both kinds, as ``myriant data convert`` makes them. Each way of
reading reads everything, one after the other, --rounds times over; the best time counts. pyarrow, if it is installed,
decodes the files of STEPS into tables and looks at nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter as clock
from typing import Any

from .dataset import Dataset, open


def _transitions(data: Dataset, **options: Any) -> int:
    return sum(len(b) for b in data.transitions(batch=1024, **options))


def _rows(data: Dataset) -> int:
    return sum(r.num_rows for r in data.rows())


def _pyarrow(files: tuple[Path, ...]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    for path in files:
        if path.suffix == ".parquet":
            rows += pq.read_table(path).num_rows
        else:
            with pa.OSFile(str(path)) as file:
                rows += pa.ipc.open_file(file).read_all().num_rows
    return rows


def main(args: list[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("orders", type=Path)
    parser.add_argument("steps", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(args)
    packed = {kind: open(getattr(given, kind), unpack=None) for kind in ("orders", "steps")}
    dense = {kind: open(getattr(given, kind)) for kind in ("orders", "steps")}
    if packed["orders"].kind != "orders" or packed["steps"].kind != "steps":
        raise SystemExit("the folders are not of kinds orders and steps")
    ways: dict[str, Callable[[], int]] = {}
    for kind in ("orders", "steps"):
        ways |= {
            f"{kind}: rows, all columns": lambda d=packed[kind]: _rows(d),  # type: ignore[misc]
            f"{kind}: transitions": lambda d=packed[kind]: _transitions(d),  # type: ignore[misc]
            f"{kind}: transitions, planes unpacked": lambda d=dense[kind]: _transitions(d),  # type: ignore[misc]
            f"{kind}: transitions without next_obs": lambda d=packed[kind]: _transitions(d, next_obs=False),  # type: ignore[misc]
            f"{kind}: transitions, shuffled": lambda d=packed[kind]: _transitions(d, shuffle=True),  # type: ignore[misc]
        }
    ways["pyarrow: rows of steps, all columns"] = lambda: _pyarrow(packed["steps"].files)
    best: dict[str, float] = {}
    for _ in range(given.rounds):
        for name, way in ways.items():
            begin = clock()
            try:
                count = way()
            except ImportError:
                continue
            best[name] = max(best.get(name, 0.0), count / (clock() - begin))
    base = best[next(iter(ways))]
    for name, rate in best.items():
        print(f"{name:40} {rate:12,.0f}/s {rate / base:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
