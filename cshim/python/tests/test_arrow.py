"""Arrow: what pyarrow, polars and duckdb see, and that memory is given back."""

import gc
import threading

import boards
import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from test_views import Rss

import myriant


def column(batch, rb, name):
    """A column's elements in the order of the array, flat."""
    values = rb.column(name)
    while isinstance(values, pa.FixedSizeListArray | pa.LargeListArray):
        values = values.flatten()
    return values.to_numpy(zero_copy_only=False)


@pytest.mark.parametrize("game", boards.GAMES)
@pytest.mark.parametrize("copy", [True, False])
def test_columns_are_the_arrays(game, copy):
    batch = boards.GAMES[game](privileged=True)
    now = batch.reset(seed=3)
    for _ in range(5):
        rb = pa.record_batch(batch.arrow(copy=copy))
        rb.validate(full=True)
        assert rb.num_rows == batch.num_boards
        for name in {**now, **now.privileged}:
            if batch.spec.arrays[name].axes == ("O",):
                continue
            array = now[name] if name in now else now.privileged[name]
            np.testing.assert_array_equal(column(batch, rb, name), array.reshape(-1), err_msg=name)
            meta = rb.schema.field(name).metadata
            assert meta[b"dtype"].decode() == batch.spec.arrays[name].dtype_name
        now = boards.play(batch, now, 1)[-1]
    batch.close()


def test_hidden_columns_need_the_word():
    batch = boards.ants()
    batch.reset(seed=3)
    names = pa.record_batch(batch).schema.names
    assert "planes" in names
    assert not set(names) & {a.name for a in batch.spec.arrays.values() if a.role == "hidden"}
    assert pa.schema(batch.arrow()).names == names
    assert pa.RecordBatchReader.from_stream(batch).read_all().schema.names == names
    batch.close()
    with boards.ants(privileged=True) as batch:
        batch.reset(seed=3)
        assert {"score", "turn"} <= set(pa.record_batch(batch).schema.names)


def test_ragged_lists():
    batch = boards.ants()
    now = boards.play(batch, batch.reset(seed=3), 6)[-1]
    lists = pa.record_batch(batch).column("ant_cells").to_pylist()
    for b in range(3):
        for s in range(2):
            assert lists[b][s] == now.entries("ant_cells", b, s).tolist()
    batch.close()


def test_streams_schemas_and_other_readers():
    batch = boards.ants(privileged=True)
    now = boards.play(batch, batch.reset(seed=3), 3)[-1]
    table = pa.RecordBatchReader.from_stream(batch).read_all()
    assert table.num_rows == 3
    assert pa.schema(batch.arrow()) == table.schema
    frame = pl.DataFrame(batch)
    assert frame.shape[0] == 3
    np.testing.assert_array_equal(np.stack(frame["score"].to_list()), now.privileged["score"])
    assert [[list(x) for x in row] for row in frame["ant_cells"].to_list()] == [
        [now.entries("ant_cells", b, s).tolist() for s in range(2)] for b in range(3)
    ]
    boards_table = pa.table(batch)  # noqa: F841 (duckdb finds it by name)
    rows = duckdb.sql("select turn, score[1] + score[2] from boards_table order by 1").fetchall()
    assert rows == [(3, int(s)) for s in now.privileged["score"].sum(axis=1)]
    stream = batch.arrow()  # noqa: F841
    assert duckdb.sql("select count(*), max(turn) from stream").fetchall() == [(3, 3)]
    batch.close()


def test_copies_stay_views_change():
    batch = boards.ants()
    now = batch.reset(seed=3)
    copy, view = pa.record_batch(batch), pa.record_batch(batch.arrow(copy=False))
    before = now.planes.reshape(-1)
    np.testing.assert_array_equal(column(batch, view, "planes"), before)
    boards.play(batch, now, 5)
    np.testing.assert_array_equal(column(batch, copy, "planes"), before)
    assert not np.array_equal(column(batch, view, "planes"), before)
    batch.close()
    del batch
    gc.collect()
    np.testing.assert_array_equal(column(None, copy, "planes"), before)
    assert len(column(None, view, "planes")) == len(before)


def test_final_arrays():
    batch = boards.ants(rules=boards.THREE_TURNS, autoreset="same_step", privileged=True)
    boards.play(batch, batch.reset(seed=3), 3)
    assert pa.record_batch(batch.arrow(final=True)).column("turn").to_pylist() == [3, 3, 3]
    assert pa.record_batch(batch).column("turn").to_pylist() == [3, 3, 3]
    batch.close()
    with boards.ants() as batch:
        batch.reset(seed=1)
        with pytest.raises(myriant.ConfigError, match="same_step"):
            batch.arrow(final=True)


def test_no_rows():
    """No ants anywhere: lists without entries; and a slice of no boards."""
    batch = boards.ants(map=boards.PAIR, rules=boards.NO_FOOD, autoreset="disabled")
    now = batch.reset(seed=1)
    now = batch.step([boards.EAST, boards.WEST] * 6)
    assert len(now.ant_cells) == 0
    for form in (batch.arrow(), batch.arrow(copy=False)):
        rb = pa.record_batch(form)
        rb.validate(full=True)
        assert rb.column("ant_cells").to_pylist() == [[[], []]] * 3
        assert rb.column("ant_mask").to_pylist() == [[[], []]] * 3
        empty = rb.slice(0, 0)
        empty.validate(full=True)
        assert empty.num_rows == 0
        assert pl.DataFrame(empty).shape[0] == 0
    assert pl.DataFrame(batch)["ant_cells"].to_list() == [[[], []]] * 3
    batch.close()


def test_before_reset_and_after_close():
    batch = boards.ants()
    pa.schema(batch.arrow())  # needs no episodes
    batch.reset(seed=1)
    form = batch.arrow()
    batch.close()
    for call in (form.__arrow_c_array__, form.__arrow_c_stream__, lambda: pa.record_batch(batch)):
        with pytest.raises(myriant.ClosedError):
            call()


def test_capsules_that_nobody_takes():
    batch = boards.ants()
    batch.reset(seed=1)

    def cycles(n):
        for _ in range(n):
            capsules = (batch.__arrow_c_schema__(), *batch.__arrow_c_array__(), batch.__arrow_c_stream__())
            assert "arrow_array_stream" in repr(capsules[-1])
            del capsules

    cycles(500)
    rss = Rss()
    rss.mark()
    cycles(5_000)
    assert rss.grown() < 4 << 20, rss.grown()
    batch.close()


def test_a_hundred_thousand_exports_with_flat_memory():
    batch = boards.ants(num_boards=1, obs=["planes", "ant_cells"])
    batch.reset(seed=1)
    forms = (batch.arrow(), batch.arrow(copy=False))

    def cycles(n):
        for i in range(n):
            rb = pa.record_batch(forms[i % 2])
            assert rb.num_rows == 1
            del rb

    cycles(5_000)
    rss = Rss()
    rss.mark()
    cycles(100_000)
    assert rss.grown() < 4 << 20, rss.grown()
    batch.close()


def test_release_after_close_from_another_thread():
    def once():
        batch = boards.ants(num_boards=50, map="open-32x32-2p", planes="float32")
        batch.reset(seed=1)
        held = [pa.record_batch(batch), pa.record_batch(batch.arrow(copy=False)), batch.arrow().__arrow_c_stream__()]
        batch.close()
        assert held[0].num_rows == held[1].num_rows == 50
        column(None, held[1], "planes").sum()

        def release():
            while held:
                held.pop()
            gc.collect()

        thread = threading.Thread(target=release)
        thread.start()
        thread.join()

    for _ in range(10):
        once()
    rss = Rss()
    rss.mark()
    for _ in range(40):
        once()
    assert rss.grown() < 20 << 20, rss.grown()  # each round holds 9 MB
