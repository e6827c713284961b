"""Files of datasets: read by other libraries, damaged, and as Arrow streams."""

import shutil

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import myriant
from myriant import datasets


def through_go(data):
    """All rows of a dataset as the library gives them: a list of dicts of plain values."""
    found = []
    for r in datasets.open(data.path, unpack=None).rows():
        for i in range(r.num_rows):
            row = {}
            for name, c in r.items():
                column, v = data.columns[name], c[i]
                if column.names:
                    row[name] = column.names[v]
                elif column.packed and not column.ragged and v.size == 1:
                    row[name] = int(v[0])
                else:
                    row[name] = v.reshape(-1).tolist() if isinstance(v, np.ndarray) else v.item()
            found.append(row)
    return found


def same(rows, want):
    """Rows of another library: equal columns in equal order, equal values. Columns of bytes are lists of them."""
    assert len(rows) == len(want) > 0
    for got, row in zip(rows, want, strict=True):
        assert list(got) == list(row)
        for name, value in row.items():
            assert (list(got[name]) if isinstance(value, list) else got[name]) == value, name


def readers(path):
    """The rows of a shard by library."""
    if path.suffix == ".parquet":
        yield "pyarrow", pq.read_table(path).to_pylist()
        yield "polars", pl.read_parquet(path).to_dicts()
        table = duckdb.sql(f"select * from read_parquet('{path}')").to_arrow_table()
        yield "duckdb", table.to_pylist()
        return
    with pa.OSFile(str(path)) as file:
        shard = pa.ipc.open_file(file).read_all()
    yield "pyarrow", shard.to_pylist()
    yield "polars", pl.read_ipc(path).to_dicts()
    yield "duckdb", duckdb.sql("select * from shard").to_arrow_table().to_pylist()  # duckdb reads no IPC files


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_shards_of_steps(folders, game, form):
    data = datasets.open(folders(game, "steps", form))
    want = through_go(data)
    rows = {}
    for path in data.files:
        for library, part in readers(path):
            rows.setdefault(library, []).extend(part)
    assert set(rows) == {"pyarrow", "polars", "duckdb"}
    for part in rows.values():
        same(part, want)


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_shards_of_orders(folders, game, form):
    data = datasets.open(folders(game, "orders", form))
    want = data.results()
    for library in ("pyarrow", "polars", "duckdb"):
        rows = [r for path in data.files for name, part in readers(path) for r in part if name == library]
        assert len(rows) == len(data)
        for i, row in enumerate(rows):
            for name in ("episode", "seed", "map", "turns", "reason", "final_hash", "order_count"):
                assert row[name] == want[name][i]
            seats = list(row["seats"])
            for name in ("policy", "score", "rank", "strikes", "return"):
                assert [s[name] for s in seats] == want[name][i, : len(seats)].tolist()
            assert len(row["orders"]) > 0


def test_stream(folders, game, kind):
    """A dataset itself is a table for whoever knows Arrow."""
    data = datasets.open(folders(game, kind))
    want = through_go(data)
    same(pa.table(data).to_pylist(), want)
    same(pl.DataFrame(data).to_dicts(), want)
    same(duckdb.sql("select * from data").to_arrow_table().to_pylist(), want)
    some = data.arrow([2, 0])
    assert pa.table(some)["episode"].unique().to_pylist() == [2, 0]
    reader = pa.RecordBatchReader.from_stream(data)
    assert reader.schema.field("reward").metadata[b"doc"].decode() == data.columns["reward"].doc
    kept = reader.read_next_batch()
    reader.close()
    del reader, some
    data.close()
    assert kept.to_pylist() == [r for r in pa.table(datasets.open(data.path)).to_pylist()][: kept.num_rows]
    with pytest.raises(myriant.ClosedError):
        pa.table(data)


def test_stream_tells(folders, tmp_path):
    """What is damaged is told through Arrow, too."""
    shutil.copytree(folders(), tmp_path / "data")
    data = datasets.open(tmp_path / "data")
    damage(data.files[0], data.files[0].stat().st_size // 2)
    with pytest.raises(OSError, match=data.files[0].name):
        pa.table(data)
    with pytest.raises(OSError, match=data.files[0].name):
        pa.RecordBatchReader.from_stream(data).read_all()
    with pytest.raises(pl.exceptions.ComputeError, match=data.files[0].name):
        pl.DataFrame(data)
    with pytest.raises(duckdb.Error, match=data.files[0].name):
        duckdb.sql("select * from data").fetchall()


def damage(path, at):
    content = bytearray(path.read_bytes())
    content[at] ^= 0x10
    path.write_bytes(content)


def everything(path):
    """All that can be read of a dataset."""
    data = datasets.open(path, unpack=None)
    rows = [
        {name: c.values if isinstance(c, datasets.Ragged) else c for name, c in r.items()} for r in data.rows(workers=1)
    ]
    whole = {name: np.concatenate([r[name] for r in rows]) for name in rows[0]}
    return whole, data.results()


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_damaged(folders, tmp_path, kind, form):
    """A flipped bit anywhere is an error that names the file, or is where nothing is read; a cut file is an error."""
    shutil.copytree(folders("ants", kind, form), tmp_path / "data")
    path = datasets.open(tmp_path / "data").files[0]
    content = path.read_bytes()
    want, _ = everything(tmp_path / "data")
    told = 0
    steps = 40
    for i in range(steps):
        at = min(i * len(content) // (steps - 1), len(content) - 1)
        damage(path, at)
        try:
            got, _ = everything(tmp_path / "data")
        except myriant.CorruptError as e:
            assert path.name in str(e)  # noqa: PT017
            told += 1
        else:
            for name in want:
                np.testing.assert_array_equal(got[name], want[name])
        path.write_bytes(content)
    assert told >= steps - 2
    for length in {0, 1, 8, len(content) // 3, len(content) // 2, len(content) - 9, len(content) - 1}:
        path.write_bytes(content[:length])
        with pytest.raises(myriant.CorruptError, match=path.name):
            everything(tmp_path / "data")
    path.unlink()
    with pytest.raises(myriant.RecordError, match=path.name):
        everything(tmp_path / "data")
    path.write_bytes(content)
    got, _ = everything(tmp_path / "data")
    for name in want:
        np.testing.assert_array_equal(got[name], want[name])


def test_other_engine(folders, tmp_path):
    shutil.copytree(folders(), tmp_path / "data")
    manifest = tmp_path / "data" / "manifest.json"
    text = manifest.read_text()
    signature = datasets.open(tmp_path / "data").manifest["engine"]["signature"]
    manifest.write_text(text.replace(signature, "0" * 16))
    with pytest.raises(myriant.SignatureError, match="0" * 16):
        datasets.open(tmp_path / "data")
    data = datasets.open(tmp_path / "data", any_engine=True)
    assert data[0].turns > 0
