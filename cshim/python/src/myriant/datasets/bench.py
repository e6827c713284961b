"""Figures of datasets, as tables: python -m myriant.datasets.bench [PART ..]

Parts:
    bits      bits an ant-turn of orders, of random, greedy and hunter
    size      the same steps as orders, as steps, and as dense uint8 in HDF5 (Minari, where it is installed)
    writing   transitions written a second
    reading   rows and transitions read a second
    memory    the most memory that a process takes to read a dataset, and one ten times as large

Without parts: all of them. Datasets are greedy against hunter on open-64x96-2p; pyarrow reads and writes the same steps
where it is installed. Ways to read take turns, --rounds times, and the best counts; files are in the system's cache.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter as clock
from typing import Any

from .dataset import Dataset, open
from .tools import convert, generate

MAP = "open-64x96-2p"
PARTS = ("bits", "size", "writing", "reading", "memory")

_PEAK = """
import sys
from pathlib import Path
from myriant import datasets
data = datasets.open(sys.argv[1], unpack=None)
if sys.argv[2] == "nothing":
    sum(1 for r in data.rows([0]))
elif sys.argv[2] == "rows":
    sum(r.num_rows for r in data.rows())
else:
    sum(len(t) for t in data.transitions(batch=256, shuffle=True))
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(int(status["VmHWM"].split()[0]))
"""


class _Folders:
    """The datasets of the figures, made when first asked for."""

    def __init__(self, at: Path, episodes: int) -> None:
        self.at, self.episodes = at, episodes

    def get(self, kind: Any, form: Any = "arrow", times: int = 1) -> Dataset:
        """A dataset of a kind and format, of so many times the episodes; bits are left packed."""
        folder = self.at / f"{kind}-{form}-{times}"
        if not folder.exists():
            if kind == "orders":
                generate(folder, map=MAP, policies=["greedy", "hunter"], episodes=times * self.episodes, format=form)
            else:
                convert(self.get("orders", times=times), folder, kind=kind, format=form)
        return open(folder, unpack=None)


def _bytes(data: Dataset) -> int:
    return sum(p.stat().st_size for p in data.files)


def _count(data: Dataset) -> int:
    """Transitions: a step of one of two seats."""
    return 2 * data.turns


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    print()
    print("|", " | ".join(head), "|")
    print("|", " | ".join("---" for _ in head), "|")
    for row in rows:
        print("|", " | ".join(row), "|", flush=True)


def bits(folders: _Folders) -> None:
    """Bits an ant-turn: everything in the files counts."""
    rows = []
    for policy in ("random", "greedy", "hunter"):
        with tempfile.TemporaryDirectory() as at:
            data = generate(Path(at) / "data", map=MAP, policies=[policy], episodes=200)
            orders = sum(int(s["orders"]) for s in data.manifest["shards"])
            rows.append([policy, f"{orders:,}", f"{8 * _bytes(data) / orders:.2f}"])
    _table(["policy of all seats", "ant-turns", "bits each"], rows)


def _hdf5(data: Dataset) -> float | None:
    """Bytes a transition as a Minari dataset, of a few episodes; None without Minari."""
    with tempfile.TemporaryDirectory() as at:
        os.environ["MINARI_DATASETS_PATH"] = at
        try:
            from .minari import export
        except ImportError:
            return None
        some = range(min(4, len(data)))
        export(data, "myriant/figures-v0", list(some), data_format="hdf5")
        size = sum(p.stat().st_size for p in Path(at).rglob("*") if p.is_file())
        return float(size / (2 * sum(data.results(list(some))["turns"])))


def size(folders: _Folders) -> None:
    """Bytes a transition."""
    orders = folders.get("orders")
    n = _count(orders)
    sizes = [("orders, Arrow", _bytes(orders) / n)]
    sizes += [(f"steps, {form}", _bytes(folders.get("steps", form.lower())) / n) for form in ("Arrow", "Parquet")]
    dense = _hdf5(open(orders.path))
    if dense is not None:
        sizes.append(("dense uint8 planes and an action a cell in HDF5 (Minari), 4 episodes", dense))
    rows = [[name, f"{b:,.1f}", f"{b / sizes[0][1]:,.0f}"] for name, b in sizes]
    _table([f"{n:,} transitions", "bytes each", "times orders"], rows)


def writing(folders: _Folders) -> None:
    """Transitions a second: generating plays, converting plays again."""
    rows = []

    def row(name: str, count: int, way: Callable[[Path], object]) -> None:
        with tempfile.TemporaryDirectory() as at:
            begin = clock()
            way(Path(at) / "data")
            rows.append([name, f"{count / (clock() - begin):,.0f}"])

    orders = folders.get("orders")
    n = _count(orders)
    game: dict[str, Any] = {"map": MAP, "policies": ["greedy", "hunter"], "episodes": folders.episodes}
    for form in ("arrow", "parquet"):
        for kind in ("orders", "steps"):
            row(f"generate {kind}, {form}", n, lambda at, k=kind, f=form: generate(at, kind=k, format=f, **game))  # type: ignore[misc]
        row(f"convert orders to steps, {form}", n, lambda at, f=form: convert(orders, at, kind="steps", format=f))  # type: ignore[misc]
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        pass
    else:
        table = pa.table(orders)
        zstd = pa.ipc.IpcWriteOptions(compression="zstd")

        def ipc(at: Path) -> None:
            with pa.OSFile(str(at), "wb") as f, pa.ipc.new_file(f, table.schema, options=zstd) as w:
                w.write_table(table)

        row("pyarrow: a table of the steps, arrow", n, ipc)
        row("pyarrow: a table of the steps, parquet", n, lambda at: pq.write_table(table, at, compression="zstd"))
    _table(["written", "transitions/s"], rows)


def _ways(folders: _Folders) -> dict[str, Callable[[], int]]:
    """Ways to read everything: each tells how many rows, or transitions, it had in hand."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        pa = pq = None

    def rows(d: Dataset) -> int:
        return sum(r.num_rows for r in d.rows())

    def transitions(d: Dataset, **options: Any) -> int:
        return sum(len(t) for t in d.transitions(batch=1024, **options))

    def stream(d: Dataset) -> int:
        return sum(b.num_rows for b in pa.RecordBatchReader.from_stream(d))

    def ipc(path: Path, whole: bool) -> int:
        with pa.OSFile(str(path)) as f:
            file = pa.ipc.open_file(f)
            if whole:
                return int(file.read_all().num_rows)
            return sum(file.get_batch(i).num_rows for i in range(file.num_record_batches))

    orders, arrow, parquet = folders.get("orders"), folders.get("steps"), folders.get("steps", "parquet")
    ways: dict[str, Callable[[], int]] = {}
    if pa is not None:
        ways["orders: record batches in pyarrow"] = lambda: stream(orders)
    ways["orders: rows in numpy"] = lambda: rows(orders)
    ways["orders: transitions"] = lambda: transitions(orders)
    ways["orders: transitions, shuffled"] = lambda: transitions(orders, shuffle=True)
    if pa is not None:
        ways["steps: record batches in pyarrow"] = lambda: stream(arrow)
    ways["steps: rows in numpy"] = lambda: rows(arrow)
    ways["steps: transitions"] = lambda: transitions(arrow)
    ways["steps: transitions, shuffled"] = lambda: transitions(arrow, shuffle=True)
    if pa is not None:
        ways["pyarrow alone: steps, Arrow, batch by batch"] = lambda: sum(ipc(p, False) for p in arrow.files)
        ways["pyarrow alone: steps, Arrow, all at once"] = lambda: sum(ipc(p, True) for p in arrow.files)
        ways["pyarrow alone: steps, Parquet, batch by batch"] = lambda: sum(
            b.num_rows for p in parquet.files for b in pq.ParquetFile(p).iter_batches(4096)
        )
        ways["pyarrow alone: steps, Parquet, all at once"] = lambda: sum(
            pq.read_table(p).num_rows for p in parquet.files
        )
    return ways


def reading(folders: _Folders, rounds: int) -> None:
    """Rows, or transitions, a second, and as parts of the first way's."""
    ways = _ways(folders)
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            begin = clock()
            count = way()
            best[name] = max(best.get(name, 0.0), count / (clock() - begin))
    first = next(iter(best.values()))
    _table(
        ["read", "a second", "ratio"], ([name, f"{rate:,.0f}", f"{rate / first:.2f}"] for name, rate in best.items())
    )


def memory(folders: _Folders) -> None:
    """The most resident memory of a process that reads a dataset, and beyond that of one that reads one episode."""
    table = []
    for kind in ("orders", "steps"):
        for what in ("rows", "transitions, shuffled"):
            row = [f"{kind}: {what}"]
            for times in (1, 10):
                data = folders.get(kind, times=times)
                peak = []
                for part in ("nothing", what):
                    command = [sys.executable, "-c", _PEAK, str(data.path), part]
                    peak.append(int(subprocess.run(command, check=True, capture_output=True).stdout) / 1000)
                row.append(f"{peak[1]:.0f} MB, {peak[1] - peak[0]:+.0f}")
            table.append(row)
    shards = folders.get("steps").manifest["shards"]
    n = 1e-6 * sum(int(g["raw_bytes"]) for s in shards for g in s["groups"])
    _table(["peak", f"{n:,.0f} MB of rows", f"{10 * n:,.0f} MB of rows"], table)


def main(args: list[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m myriant.datasets.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help="bits, size, writing, reading, memory (default: all)")
    parser.add_argument("--episodes", type=int, default=40, help="episodes of the datasets (40)")
    parser.add_argument("--rounds", type=int, default=15, help="rounds of reading (15)")
    parser.add_argument("--folder", type=Path, help="where to keep the datasets for another run (default: nowhere)")
    given = parser.parse_args(args)
    for part in given.parts:
        if part not in PARTS:
            parser.error(f"no part {part!r}: have {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as at:
        folders = _Folders(given.folder or Path(at), given.episodes)
        for part in given.parts or PARTS:
            if part == "reading":
                reading(folders, given.rounds)
            else:
                {"bits": bits, "size": size, "writing": writing, "memory": memory}[part](folders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
