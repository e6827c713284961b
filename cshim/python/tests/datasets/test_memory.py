"""Memory does not grow with the dataset."""

import json
import subprocess
import sys

import pyarrow as pa
import pytest

from myriant import datasets

READ = """
import json, sys
from pathlib import Path
from myriant import datasets

data = datasets.open(sys.argv[1], unpack=None)
view, rows, size = sys.argv[2], 0, 0
if view == "arrow":
    import pyarrow as pa

    for batch in pa.RecordBatchReader.from_stream(data):
        rows, size = rows + batch.num_rows, size + batch.nbytes
elif view == "rows":
    for r in data.rows():
        rows, size = rows + r.num_rows, size + sum(getattr(r, n).nbytes for n in ("planes",))
else:
    for t in data.transitions(batch=256, shuffle=view == "shuffled", buffer=1024):
        rows, size = rows + len(t), size + t.obs["planes"].nbytes
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
most = int(status["VmHWM"].split()[0])  # of this program alone, unlike ru_maxrss
print(json.dumps([rows, size, 1024 * most]))
"""


def read(folder, view):
    """Rows, their bytes, and the most memory that a process took, reading a dataset."""
    done = subprocess.run([sys.executable, "-c", READ, str(folder), view], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """Folders of a dataset and of one ten times as large, by kind."""
    made = {}

    def folder(kind):
        if kind not in made:
            at = tmp_path_factory.mktemp(kind)
            rules = {"max_turns": 150}
            made[kind] = [
                datasets.generate(
                    at / str(n), map="open-64x96-2p", policies=["greedy", "hunter"], rules=rules, episodes=n, kind=kind
                ).path
                for n in (8, 80)
            ]
        return made[kind]

    return folder


@pytest.mark.parametrize("view", ["rows", "transitions", "shuffled", "arrow"])
def test_reading_orders(sizes, view):
    small, large = (read(folder, view) for folder in sizes("orders"))
    assert large[0] > 9 * small[0]
    assert large[1] > 100 << 20
    assert large[2] - small[2] < large[1] // 2


def test_reading_steps(sizes):
    small, large = (read(folder, "rows") for folder in sizes("steps"))
    assert large[0] > 9 * small[0]
    assert large[1] > 100 << 20
    assert large[2] - small[2] < large[1] * 3 // 4  # some groups of rows are kept, and 13 MB do not fill them


def test_buffers_are_aligned(folders, game):
    """Buffers of records lie at multiples of 64 bytes, those of a file as those that are played."""
    for kind in ("orders", "steps"):
        shard = datasets.open(folders(game, kind)).files[0]
        with pa.OSFile(str(shard)) as file:
            from_file = list(pa.ipc.open_file(file).get_batch(0).columns)
        played = [c for b in pa.RecordBatchReader.from_stream(datasets.open(folders(game, kind))) for c in b.columns]
        for columns in (from_file, played):
            places = [b.address for c in columns for b in c.buffers() if b is not None and b.size > 0]
            assert len(places) > 10
            assert not any(at % 64 for at in places)
