"""What a dataset says of itself, and its views, against each other."""

import pickle
import signal
import threading
import time

import numpy as np
import pytest

import myriant
from myriant import datasets

EQUAL = ("reward", "terminated", "truncated")


def equal(a, b):
    """Equal arrays, ragged ones too."""
    if isinstance(a, datasets.Ragged):
        np.testing.assert_array_equal(a.lengths.reshape(-1), b.lengths.reshape(-1))
        a, b = a.values, b.values
    np.testing.assert_array_equal(a, b)
    assert a.dtype == b.dtype


def ends(e):
    """Per seat of an episode: how many steps it played until the game ended for it."""
    over = e.terminated | e.truncated
    return [int(over[:, s].argmax()) + 1 if over[:, s].any() else e.turns for s in range(len(e.seats))]


def keys(batch):
    """(episode, step, seat) of each transition."""
    return list(zip(batch.info.episode.tolist(), batch.info.step.tolist(), batch.info.seat.tolist(), strict=True))


def test_info(folders, game, kind):
    with datasets.open(folders(game, kind)) as data:
        assert (data.game, data.kind, len(data), data.complete) == (game, kind, 12, True)
        assert data.turns == sum(e.turns for e in data)
        assert set(data.policies) == ({"greedy", "random"} if game == "ants" else {"scripted", "random"})
        assert data.manifest["engine"]["signature"] == myriant.library()["signatures"][game][data.spec.rule_set]
        assert {m.id for m in data.maps} == ({"tiny-2p", "small-3p"} if game == "ants" else {"default"})
        for m in data.maps:
            assert myriant.load_map(game, data.map(m.digest)) == data.map(m.digest)
        for name, column in data.columns.items():
            assert column.name == name
            assert column.doc
        assert data.columns["planes"].role == "observation"
        assert len(data.spec.arrays["planes"].names(2)) == data.columns["planes"].shape[0]
        assert all(path.is_file() for path in data.files)
        assert game in repr(data)
    with pytest.raises(myriant.ClosedError):
        data.rows()
    data.close()


def test_kinds_are_equal(folders, game):
    """Orders that are played again are the steps that were written, in either form, column by column."""
    orders = datasets.open(folders(game))
    for form in ("arrow", "parquet"):
        steps = datasets.open(folders(game, "steps", form))
        for a, b in zip(orders, steps, strict=True):
            assert (a.number, a.id, a.seed, a.map, a.reason, a.seats) == (
                b.number,
                b.id,
                b.seed,
                b.map,
                b.reason,
                b.seats,
            )
            for part in ("obs", "mask", "info"):
                assert list(getattr(a, part)) == list(getattr(b, part))
                for name in getattr(a, part):
                    equal(getattr(a, part)[name], getattr(b, part)[name])
            equal(a.action, b.action)
            for name in EQUAL:
                equal(getattr(a, name), getattr(b, name))


def test_episode(folders, game, kind):
    data = datasets.open(folders(game, kind))
    all_of_them = list(data)
    results = data.results()
    assert [e.number for e in all_of_them] == list(range(12))
    assert {e.turns for e in all_of_them} != {all_of_them[0].turns} or game == "formica"
    for number in (11, 0, 5, -1):
        e, other = data[number], all_of_them[number]
        equal(e.obs["planes"], other.obs["planes"])
        equal(e.action, other.action)
        seats = len(e.seats)
        assert e.obs["planes"].shape[:2] == (e.turns + 1, seats)
        assert e.reward.shape == e.terminated.shape == e.truncated.shape == (e.turns, seats)
        assert e.action.shape == (e.turns, seats)
        assert (e.terminated[-1] | e.truncated[-1]).all()
        np.testing.assert_allclose(e.reward.sum(0), [s.total for s in e.seats], rtol=1e-6)
        i = e.number
        assert results["turns"][i] == e.turns
        assert results["reason"][i] == e.reason
        assert results["map"][i] == e.map
        assert results["seed"][i] == e.seed
        assert [(s.policy, s.score, s.rank) for s in e.seats] == list(
            zip(results["policy"][i, :seats], results["score"][i, :seats], results["rank"][i, :seats], strict=True)
        )
        assert results["return"][i, :seats].tolist() == [s.total for s in e.seats]
    some = data.results([3, 1])
    assert some["seed"].tolist() == results["seed"][[3, 1]].tolist()
    assert data.results([])["turns"].shape == (0,)
    for wrong in (12, -13):
        with pytest.raises(IndexError, match="12"):
            data[wrong]


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_transitions(folders, game, kind, batch):
    data = datasets.open(folders(game, kind))
    got = list(data.transitions(batch=batch, info=["episode", "step", "seat", "score"]))
    assert [len(b) for b in got[:-1]] == [batch] * (len(got) - 1)
    at = [(b, i) for b in got for i in range(len(b))]
    found = {k: place for b in got for k, place in zip(keys(b), [(b, i) for i in range(len(b))], strict=True)}
    assert len(found) == len(at)
    want = 0
    for e in data:
        for seat, steps in enumerate(ends(e)):
            want += steps
            for t in range(steps):
                b, i = found[e.id, t, seat]
                for name in e.obs:
                    for side, when in ((b.obs, t), (b.next_obs, t + 1)):
                        mine = side[name][i]
                        np.testing.assert_array_equal(mine, e.obs[name][when, seat], err_msg=name)
                for name in e.mask:
                    np.testing.assert_array_equal(b.mask[name][i], e.mask[name][t, seat])
                    np.testing.assert_array_equal(b.next_mask[name][i], e.mask[name][t + 1, seat])
                np.testing.assert_array_equal(b.action[i], e.action[t, seat])
                assert b.reward[i] == e.reward[t, seat]
                last = t == steps - 1
                assert (b.terminated[i] | b.truncated[i]) == last
                assert b.info.score[i] == e.info["score"][t, seat]
    assert len(at) == want


def test_actions_fit_masks(folders):
    """Greedy orders nothing that its mask refuses."""
    data = datasets.open(folders())
    seen = 0
    for b in data.transitions(batch=64):
        mask, action = b.mask["ant_mask"], b.action
        np.testing.assert_array_equal(mask.lengths, action.lengths)
        greedy = data.names("policy").index("greedy")
        assert greedy >= 0
        assert mask.values[np.arange(len(action.values)), action.values].all()
        grid = datasets.scatter(b.obs["ant_cells"], action, b.obs["planes"].shape[2:], 255)
        np.testing.assert_array_equal(grid != 255, b.obs["planes"][:, 0] != 0)
        seen += len(action.values)
    assert seen > 1000


def test_choice(folders, kind):
    data = datasets.open(folders("ants", kind))
    b = next(iter(data.transitions([4, 2], obs=["ant_cells"], next_obs=["planes"], info=["seed"], batch=100000)))
    assert list(b.obs) == ["ant_cells"]
    assert (b.mask, list(b.next_obs), b.next_mask, list(b.info)) == ({}, ["planes"], {}, ["seed"])
    assert set(b.info.seed.tolist()) == set(data.results([2, 4])["seed"].tolist())
    b = next(iter(data.transitions(next_obs=False)))
    assert b.next_obs == b.next_mask == {}
    r = next(iter(data.rows([1], columns=["state_hash", "actions"])))
    assert list(r) == ["state_hash", "actions"]
    assert r.state_hash.shape == (r.num_rows,)
    packed = datasets.open(data.path, unpack=None)
    p = next(iter(packed.transitions(batch=5)))
    q = next(iter(data.transitions(batch=5)))
    rows, cols = q.obs["planes"].shape[2:]
    assert p.obs["planes"].shape == (5, len(data.spec.arrays["planes"].names(2)), rows, (cols + 7) // 8)
    equal(myriant.unpack_planes(p.obs["planes"], cols), q.obs["planes"])
    assert next(iter(datasets.open(data.path, unpack=np.float32).rows())).planes.dtype == np.float32


@pytest.mark.parametrize(
    ("length", "stride", "short"), [(1, None, False), (4, 2, True), (5, 9, False), (1000, None, True)]
)
def test_windows(folders, game, kind, length, stride, short):
    data = datasets.open(folders(game, kind))
    found = {}
    for w in data.windows(length, stride=stride, short=short, batch=10):
        assert w.obs["planes"].shape[:2] == (len(w), length + 1)
        assert w.reward.shape == w.valid.shape == (len(w), length)
        for i in range(len(w)):
            found[w.info.episode[i, 0], w.info.step[i, 0], w.info.seat[i, 0]] = (w, i)
    want = 0
    for e in data:
        for seat, turns in enumerate(ends(e)):
            for begin in range(0, turns, stride or length):
                n = min(length, turns - begin)
                if n < length and not short:
                    continue
                want += 1
                w, i = found[e.id, begin, seat]
                assert w.steps[i] == n == w.valid[i].sum()
                span = slice(begin, begin + n)
                np.testing.assert_array_equal(w.obs["planes"][i, : n + 1], e.obs["planes"][begin : begin + n + 1, seat])
                assert not w.obs["planes"][i, n + 1 :].any()
                for name in EQUAL:
                    mine = getattr(w, name)[i]
                    np.testing.assert_array_equal(mine[:n], getattr(e, name)[span, seat])
                    assert not mine[n:].any()
                for t in range(length):
                    there = e.action[begin + t, seat] if t < n else []
                    np.testing.assert_array_equal(w.action[i, t], there)
    assert len(found) == want > 0


def test_shuffle(folders, kind):
    """Equal seeds, equal orders, whatever the workers; nothing twice, nothing missing."""
    data = datasets.open(folders("ants", kind))

    def order(**options):
        return [k for b in data.transitions(batch=16, obs=["ant_cells"], next_obs=False, **options) for k in keys(b)]

    plain = order()
    first = order(shuffle=True, seed=5, buffer=200)
    assert (
        first
        == order(shuffle=True, seed=5, buffer=200, workers=1)
        == order(shuffle=True, seed=5, buffer=200, workers=3)
    )
    assert sorted(first) == sorted(plain)
    assert first != plain
    assert first != order(shuffle=True, seed=6, buffer=200)
    assert len({e for e, _, _ in first[:100]}) > len({e for e, _, _ in plain[:100]})
    parts = [order(shuffle=True, seed=5, buffer=200, part=p, parts=3) for p in range(3)]
    assert sorted(k for part in parts for k in part) == sorted(plain)
    assert all(len({e for e, _, _ in part}) == 4 for part in parts)
    windows = [
        list(zip(w.info.episode[:, 0].tolist(), w.info.step[:, 0].tolist(), w.info.seat[:, 0].tolist(), strict=True))
        for seed in (1, 1, 2)
        for w in [next(iter(data.windows(3, short=True, batch=100000, shuffle=True, seed=seed, buffer=30)))]
    ]
    assert windows[0] == windows[1] != windows[2]
    assert sorted(windows[0]) == sorted(windows[2])
    numbers = [[e.number for e in data.episodes(shuffle=True, seed=s)] for s in (1, 1, 2)]
    assert numbers[0] == numbers[1] != numbers[2]
    assert sorted(numbers[2]) == list(range(12))
    view = data.transitions(shuffle=True, seed=9, batch=50)
    assert [keys(b) for b in view] == [keys(b) for b in view]


def test_split(folders, game):
    data = datasets.open(folders(game))
    train, held = data.split(0.5, seed=4)
    assert sorted([*train, *held]) == list(range(12))
    assert 0 < len(train) < 12
    steps = datasets.open(folders(game, "steps")).split(0.5, seed=4)
    np.testing.assert_array_equal(steps[0], train)
    assert [len(side) for side in data.split(1.0)] == [12, 0]
    assert [len(side) for side in data.split(0.0)] == [0, 12]
    assert not np.array_equal(data.split(0.5, seed=5)[0], train)
    # More lies on the side of a greater part.
    assert set(train) <= set(data.split(0.8, seed=4)[0])
    assert {e.number for e in data.episodes(train)} == set(train.tolist())


def test_wrong(folders, tmp_path):
    data = datasets.open(folders())
    for call, match in [
        (lambda: data.rows([12]), "12"),
        (lambda: data.rows([-1]), "-1"),
        (lambda: data.rows([0.5]), "whole"),
        (lambda: data.transitions(batch=0), "batch"),
        (lambda: data.transitions(buffer=0), "buffer"),
        (lambda: data.windows(0), "length"),
        (lambda: data.windows(3, stride=0), "stride"),
        (lambda: data.rows(part=2, parts=2), "part"),
        (lambda: data.rows(seed=-1), "seed"),
        (lambda: data.transitions(obs=["score"]), "score"),
        (lambda: data.transitions(obs="planes"), "list"),
        (lambda: data.transitions(info=["nothing"]), "nothing"),
        (lambda: data.split(1.5), "fraction"),
        (lambda: list(data.rows(columns=["nothing"])), "nothing"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()
    with pytest.raises(myriant.RecordError, match="nowhere"):
        datasets.open(tmp_path / "nowhere")
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(myriant.CorruptError, match=r"manifest\.json"):
        datasets.open(tmp_path)


def test_lifetime(folders):
    """Arrays outlive views, readers and datasets; a view that is left ends; threads read at once."""
    data = datasets.open(folders())
    view = iter(data.transitions(batch=8))
    first = next(view)
    kept = first.obs["planes"].copy()
    view.close()
    data.close()
    np.testing.assert_array_equal(first.obs["planes"], kept)
    first.reward[:] = 5  # the caller's
    data = datasets.open(folders())
    want = [keys(b) for b in data.transitions(batch=64)]
    again = pickle.loads(pickle.dumps(data))
    assert [keys(b) for b in again.transitions(batch=64)] == want
    found = {}

    def read(n):
        found[n] = [keys(b) for b in data.transitions(batch=64)]

    threads = [threading.Thread(target=read, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(found[n] == want for n in range(4))


def test_ragged():
    r = datasets.Ragged(np.arange(6), np.array([0, 2, 2, 5, 6]), (2, 2))
    assert [a.tolist() for a in r] == [[0, 1], [], [2, 3, 4], [5]]
    assert r[1, 0].tolist() == [2, 3, 4]
    assert r[-1, -1].tolist() == [5]
    assert r.lengths.tolist() == [[2, 0], [3, 1]]
    assert r.row.tolist() == [0, 0, 2, 2, 2, 3]
    assert r.take([2, 0, 1]) == datasets.Ragged(np.array([2, 3, 4, 0, 1]), np.array([0, 3, 5, 5]))
    for wrong in (0, (2, 0), (0, 0, 0)):
        with pytest.raises(IndexError):
            r[wrong]
    with pytest.raises(myriant.ArgumentError, match="shape"):
        datasets.Ragged(np.arange(2), np.array([0, 2]), (2,))
    grid = datasets.scatter(r, np.array([9, 8, 7, 6, 5, 4]), (2, 4), -1)
    assert grid.shape == (2, 2, 2, 4)
    assert grid[0, 0].tolist() == [[9, 8, -1, -1], [-1, -1, -1, -1]]
    assert grid[1, 0].tolist() == [[-1, -1, 7, 6], [5, -1, -1, -1]]
    for cells, values in ((r, np.arange(5)), (datasets.Ragged(np.array([8]), np.array([0, 1])), np.arange(1))):
        with pytest.raises(myriant.ArgumentError, match="scatter"):
            datasets.scatter(cells, values, (2, 4), 0)


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted(folders):
    """Ctrl-C is heard whatever a reader is at, and readers go on after it. It comes twenty times: as long as Python
    code gave memory back, one in twenty-five came while it ran, and was lost."""
    data = datasets.open(folders())

    def endless():
        end = time.monotonic() + 60
        while time.monotonic() < end:
            assert sum(r.num_rows for r in data.rows()) > 0

    for i in range(20):
        timer = threading.Timer(0.03 + 0.003 * i, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            endless()
        timer.join()
    rows = sum((e.turns + 1) * len(e.seats) for e in data)
    assert sum(r.num_rows for r in data.rows()) == rows > 0
