"""Snapshots, clones, states and hashes."""

import boards
import numpy as np
import pytest

import myriant


@pytest.fixture(params=list(boards.GAMES))
def game(request):
    return request.param


def test_a_restored_board_plays_on_as_the_original(game):
    batch = boards.GAMES[game](num_boards=4)
    now = boards.play(batch, batch.reset(seed=3), 7)[-1]
    shot = batch.snapshot()
    assert isinstance(shot, bytes)
    first = boards.play(batch, now, 25, seed=1)
    end = batch.hashes()
    other = boards.GAMES[game](num_boards=4)
    for again in (batch, other):
        if again is other:
            other.reset(seed=0)
        again.restore(shot)
        boards.same(again.arrays.obs, now.obs)
        second = boards.play(again, again.arrays, 25, seed=1)
        np.testing.assert_array_equal(again.hashes(), end)
        for a, b in zip(first, second, strict=True):
            boards.same(a, b)
    batch.close()
    other.close()


def test_some_boards(game):
    batch = boards.GAMES[game](num_boards=4)
    boards.play(batch, batch.reset(seed=3), 5)
    shot = batch.snapshot([2, 0])
    before = batch.hashes()
    batch.restore(shot, [1, 3])
    assert batch.hashes().tolist() == before[[0, 2, 2, 0]].tolist()
    assert batch.hashes([3, 1]).tolist() == before[[0, 2]].tolist()
    assert len(batch.hashes([])) == 0
    batch.close()


def test_a_clone_steps_as_its_original(game):
    batch = boards.GAMES[game](num_boards=4)
    boards.play(batch, batch.reset(seed=3), 5)
    batch.clone([1, 2, 3], [0, 0, 0])
    now = batch.arrays
    assert len(set(batch.hashes().tolist())) == 1
    np.testing.assert_array_equal(now.planes[1:], np.repeat(now.planes[:1], 3, axis=0))
    rng = np.random.default_rng(0)
    for _ in range(20):
        if game == "ants":
            per = len(now.ant_cells) // 4
            assert len(now.ant_cells) == 4 * per
            one = (rng.random((per, 5)) * now.ant_mask[:per]).argmax(axis=1)
        else:
            one = boards.legal(now, rng)[:1]
        now = batch.step(np.concatenate([one] * 4))
        assert len(set(batch.hashes().tolist())) == 1
    batch.close()


def test_tree_search_with_clones():
    """Each action of one ant tried on a clone of its own, as a search would."""
    batch = boards.ants(num_boards=6, seats=["caller", "greedy"])
    now = boards.play(batch, batch.reset(seed=3), 3)[-1]
    root = batch.snapshot([0])
    batch.restore(root, [5])
    batch.clone(range(5), [5] * 5)
    now = batch.arrays
    actions = np.full(len(now.ant_cells), boards.STAY)
    for b in range(5):
        actions[now.ant_offsets[b]] = b
    batch.step(actions)
    assert len(set(batch.hashes(range(5)).tolist())) > 1
    assert batch.hashes([5]) == batch.hashes([4])  # stayed, both
    batch.close()


def test_bytes_that_are_no_snapshot(game):
    batch = boards.GAMES[game](num_boards=2)
    batch.reset(seed=3)
    shot = batch.snapshot()
    before = batch.hashes()
    for bad in (b"", b"nothing", shot[:-1], shot + b"x", shot[:40], bytes(len(shot))):
        with pytest.raises(myriant.StateError, match="restore"):
            batch.restore(bad)
    with pytest.raises(myriant.StateError, match="2 boards, want 1"):
        batch.restore(shot, [0])
    np.testing.assert_array_equal(batch.hashes(), before)
    other = boards.GAMES[game](rules={"ants": "codeclash", "formica": "default"}[game], num_boards=2)
    other.reset(seed=1)
    with pytest.raises(myriant.StateError, match="other rules"):
        other.restore(shot)
    batch.close()
    other.close()


def test_boards_out_of_range(game):
    batch = boards.GAMES[game](num_boards=2)
    batch.reset(seed=3)
    shot = batch.snapshot([0])
    for call in (
        lambda: batch.snapshot([2]),
        lambda: batch.snapshot([-1]),
        lambda: batch.restore(shot, [7]),
        lambda: batch.clone([0], [2]),
        lambda: batch.hashes([9]),
        lambda: batch.view(2, 0),
    ):
        with pytest.raises(myriant.ArgumentError, match=r"board -?\d of 2"):
            call()
    with pytest.raises(myriant.ArgumentError, match="2 boards onto 1"):
        batch.clone([0], [1, 0])
    with pytest.raises(myriant.ArgumentError, match="whole numbers"):
        batch.snapshot([0.5])
    with pytest.raises(myriant.ArgumentError, match="seat"):
        batch.view(0, 17)
    batch.close()


def test_states(game):
    batch = boards.GAMES[game](num_boards=2, privileged=True)
    boards.play(batch, batch.reset(seed=3), 4)
    state = batch.state(0)
    assert batch.state(0) == state != batch.state(1)
    batch.set_state(1, state)
    assert batch.state(1) == state
    assert len(set(batch.hashes().tolist())) == 1
    outcome = batch.outcome(1)
    assert outcome["steps"] == 4
    assert not outcome["done"]
    with pytest.raises(myriant.StateError):
        batch.set_state(1, state[:-1])
    assert batch.state(1) == state
    batch.close()


def test_hidden_information_needs_the_word():
    batch = boards.ants()
    now = batch.reset(seed=3)
    for call in (lambda: batch.state(0), lambda: batch.outcome(0), lambda: now.privileged):
        with pytest.raises(myriant.PrivilegedError, match="privileged=True"):
            call()
    batch.close()


def test_view_is_what_a_seat_knows():
    batch = boards.ants(num_boards=1)
    now = batch.reset(seed=3)
    mine = [r * 24 + c for r, c in batch.view(0, 1)["mine"]]
    assert mine == now.entries("ant_cells", 0, 1).tolist()
    batch.close()
    batch = boards.formica(num_boards=1)
    batch.reset(seed=3)
    assert [batch.view(0, seat)["slot"] for seat in range(4)] == [0, 1, 2, 3]
    batch.close()


def test_step_board_plays_one_board_alone():
    batch = boards.ants(privileged=True)
    now = batch.reset(seed=3)
    before = batch.hashes()
    ants = [len(now.entries("ant_cells", 1, s)) for s in range(2)]
    batch.step_board(1, [bytes([4] * n) for n in ants])
    after = batch.hashes()
    assert (before == after).tolist() == [True, False, True]
    assert batch.arrays.privileged["turn"].tolist() == [0, 1, 0]
    with pytest.raises(myriant.ActionError):
        batch.step_board(1, [b"\x09" * ants[0], b"\x04" * ants[1]])
    batch.close()
