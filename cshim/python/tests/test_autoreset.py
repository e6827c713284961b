"""Episodes: how they end and begin again, in every autoreset mode."""

from enum import Enum

import boards
import numpy as np
import pytest

import myriant

MODES = ["next_step", "same_step", "disabled"]
SHORT = {"ants": boards.THREE_TURNS, "formica": {"name": "default", "max_ticks": 24}}


@pytest.fixture(params=list(boards.GAMES))
def game(request):
    return request.param


def turn(now):
    return now.privileged["turn"]


@pytest.mark.parametrize("mode", MODES)
def test_three_turns_over_four_episodes(game, mode):
    """Every episode has three turns, whatever the mode; valid marks them, and no others."""
    batch = boards.GAMES[game](rules=SHORT[game], autoreset=mode, privileged=True)
    assert batch.spec.max_steps == 3
    now = batch.reset(seed=5)
    rng = np.random.default_rng(0)
    every = np.ones(batch.num_boards, bool)
    assert not now.valid.any()
    assert not now.done.any()
    assert (turn(now) == 0).all()
    for episode in range(4):
        for t in (1, 2, 3):
            now = batch.step(boards.legal(now, rng))
            assert now.valid.all()
            assert now.valid_seats.all()
            assert (now.done == (t == 3)).all()
            if mode != "same_step" or t < 3:
                assert (turn(now) == t).all()
            if t < 3:
                assert now.final_info is None
                assert now.final_obs is None
                assert not now.truncated.any()
            assert not (now.terminated & now.truncated).any()
        assert now.final_boards.tolist() == list(range(batch.num_boards))
        assert (now.final_info["turn"] == 3).all()
        assert (now.reason > 0).all()
        assert (now.final_info["reason"] == now.reason).all()
        ended = now.terminated | now.truncated
        assert ended.all()
        if game == "ants":
            assert now.truncated.all()
            assert batch.spec.reasons[now.reason[0] - 1] == "turn_limit"
        else:
            assert now.terminated.all()
        if mode == "next_step":
            now = batch.step(boards.legal(now, rng))
            assert not now.valid.any()
            assert not now.valid_seats.any()
            assert not now.done.any()
            assert not now.reward.any()
            assert not (now.terminated | now.truncated).any()
            assert now.final_info is None
            assert (turn(now) == 0).all()
        elif mode == "disabled":
            before = batch.hashes()
            for _ in range(2):
                now = batch.step(boards.legal(now, rng))
                assert not now.valid.any()
                assert not now.valid_seats.any()
                assert now.done.all()
                assert now.final_info is None
            np.testing.assert_array_equal(batch.hashes(), before)
            now = batch.reset_mask(every)
            assert not now.done.any()
            assert (turn(now) == 0).all()
        assert episode < 4
    batch.close()


def test_the_modes_play_the_same_episodes(game):
    """Episode for episode: the same first states, whatever happens at the end."""
    starts = {}
    for mode in MODES:
        batch = boards.GAMES[game](rules=SHORT[game], autoreset=mode)
        now = batch.reset(seed=5)
        rng = np.random.default_rng(0)
        starts[mode] = [batch.hashes()]
        for _ in range(3):
            for _ in range(3):
                now = batch.step(boards.legal(now, rng))
            if mode == "next_step":
                now = batch.step(boards.legal(now, rng))
            elif mode == "disabled":
                now = batch.reset_mask(now.done)
            starts[mode].append(batch.hashes())
        batch.close()
    for mode in MODES[1:]:
        np.testing.assert_array_equal(starts[mode], starts[MODES[0]])


def test_final_obs_is_what_the_board_looked_like_before_the_reset(game):
    """Of same_step against a batch that stands still at the end."""
    rules = {"ants": {"name": "ladder", "max_turns": 9}, "formica": SHORT["formica"]}[game]
    seats = [["caller", "caller"]] if game == "ants" else None
    one = boards.GAMES[game](rules=rules, autoreset="same_step", seats=seats)
    two = boards.GAMES[game](rules=rules, autoreset="disabled", seats=seats)
    a, b = one.reset(seed=5), two.reset(seed=5)
    rng = np.random.default_rng(0)
    # Boards begin at different times, so that they end at different times.
    mask = np.arange(one.num_boards) == 0
    a, b = boards.play(one, a, 1)[-1], boards.play(two, b, 1)[-1]
    a, b = one.reset_mask(mask), two.reset_mask(mask)
    ended = 0
    for _ in range(40):
        actions = boards.legal(a, rng)
        a, b = one.step(actions), two.step(actions)
        if a.final_obs is None:
            boards.same(a, b)
            continue
        ended += len(a.final_boards)
        over = a.final_boards
        np.testing.assert_array_equal(np.flatnonzero(b.done), over)
        copies = {name: array.copy() for name, array in b.items()}  # before the reset
        for name, got in a.final_obs.items():
            spec = one.spec.arrays[name]
            if spec.ragged:
                want = [b.entries(name, i, s) for i in over for s in range(one.num_seats)]
                np.testing.assert_array_equal(got, np.concatenate(want))
            elif spec.axes == ("O",):
                counts = np.diff(copies[name]).reshape(one.num_boards, -1)[over].reshape(-1)
                np.testing.assert_array_equal(got, np.concatenate([[0], counts.cumsum()]))
            else:
                np.testing.assert_array_equal(got, copies[name][over], err_msg=name)
        for name in ("reward", "terminated", "truncated", "done", "reason", "episode_return"):
            np.testing.assert_array_equal(a[name], copies[name], err_msg=name)
        for name in a.final_info:
            np.testing.assert_array_equal(a.final_info[name], b.final_info[name], err_msg=name)
        b = two.reset_mask(b.done)
        for name in one.spec.with_role("observation", "mask"):
            np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    assert ended >= 8
    one.close()
    two.close()


@pytest.mark.parametrize("mode", MODES)
def test_a_seat_dies_at_turn_10_while_others_play_on(mode):
    batch = boards.ants(map=boards.TRIO, rules=boards.NO_FOOD, autoreset=mode)
    now = batch.reset(seed=1)
    for t in range(1, 31):
        actions = np.full(len(now.ant_cells), boards.STAY)
        if t == 10:
            for b in range(3):
                lo = now.ant_offsets[b * 3]
                actions[lo : lo + 2] = boards.EAST, boards.WEST
        now = batch.step(actions)
        assert now.valid.all()
        assert not now.done.any()
        assert (now.terminated == [[t >= 10, False, False]] * 3).all()
        assert not now.truncated.any()
        # The step that ends the seat is its own, those after it are not.
        assert (now.valid_seats == [[t <= 10, True, True]] * 3).all()
        assert len(now.ant_cells) == (12 if t >= 10 else 18)
    now = batch.reset(seed=1)
    assert not now.terminated.any()
    actions = np.full(len(now.ant_cells), boards.STAY)
    assert batch.step(actions).valid_seats.all()
    batch.close()


def test_valid_seats_after_boards_were_put_elsewhere():
    """What counts is the board that is there, not the one that was."""
    batch = boards.ants(map=boards.TRIO, rules=boards.NO_FOOD)
    now = batch.reset(seed=1)
    fresh = batch.snapshot([1])
    actions = np.full(len(now.ant_cells), boards.STAY)
    actions[:2] = boards.EAST, boards.WEST
    now = batch.step(actions)
    assert now.terminated[0].tolist() == [True, False, False]
    batch.clone([1], [0])
    batch.restore(fresh, [0])
    assert batch.arrays.terminated[:, 0].tolist() == [False, True, False]
    now = batch.step(np.full(len(batch.arrays.ant_cells), boards.STAY))
    assert now.valid_seats[:, 0].tolist() == [True, False, True]
    batch.close()


def test_seats_that_a_board_lacks():
    batch = myriant.Batch("ants", num_boards=2, map=["tiny-2p", "small-3p"])
    first = batch.reset(seed=1)
    assert batch.spec.players.tolist() == [["caller", "caller", None], ["caller"] * 3]
    for now in boards.play(batch, first, 5):
        assert now.valid_seats.tolist() == [[True, True, False], [True] * 3]
        assert now.terminated[0, 2]
        assert len(now.entries("ant_cells", 0, 2)) == 0
    batch.close()


@pytest.mark.parametrize("mode", MODES)
def test_seats_that_a_board_lacks_are_never_valid(game, mode):
    maps = {"ants": ["tiny-2p", "small-3p"], "formica": ["duel", "generated:seats=3,radius=12"]}[game]
    with myriant.Batch(game, num_boards=2, map=maps, rules=SHORT[game], autoreset=mode) as batch:
        valid = [now.valid_seats for now in boards.play(batch, batch.reset(seed=1), 9)]
        assert not any(seats[0, 2] for seats in valid)
        assert sum(int(seats[1, 2]) for seats in valid) == {"next_step": 7, "same_step": 9, "disabled": 3}[mode]
        np.testing.assert_array_equal([seats[0, :2] for seats in valid], [seats[1, :2] for seats in valid])


def test_reset_mask_touches_its_boards_alone(game):
    batch = boards.GAMES[game](num_boards=4, privileged=True)
    now = batch.reset(seed=5)
    now = boards.play(batch, now, 3)[-1]
    before = batch.hashes()
    again = batch.reset_mask([False, True, False, True])
    after = batch.hashes()
    assert (before == after).tolist() == [True, False, True, False]
    assert turn(again).tolist() == [3, 0, 3, 0]
    np.testing.assert_array_equal(again.planes[[0, 2]], now.planes[[0, 2]])
    batch.reset_mask(np.zeros(4, bool))
    np.testing.assert_array_equal(batch.hashes(), after)
    batch.reset_mask(np.array([1, 0, 0, 0]))
    assert batch.hashes()[0] != after[0]
    batch.close()


def test_reset_mask_refuses():
    batch = boards.ants()
    with pytest.raises(myriant.NotResetError):
        batch.reset_mask([True, False, False])
    batch.reset_mask([True] * 3, seeds=[1, 2, 3])  # every board has a stream now
    for mask in ([True] * 2, [True] * 4, [[True] * 3], [2, 0, 0], [0.5, 0, 0], [-1, 0, 0]):
        with pytest.raises(myriant.ArgumentError, match=r"want bool\[3\]"):
            batch.reset_mask(mask)
    with pytest.raises(myriant.ArgumentError, match="2 seeds for 3 boards"):
        batch.reset_mask([True] * 3, seeds=[1, 2])
    with pytest.raises(myriant.ArgumentError, match="one of them"):
        batch.reset_mask([True] * 3, seeds=[1, 2, 3], episode_seeds=[1, 2, 3])
    batch.close()


def test_gymnasiums_modes_are_understood():
    class AutoresetMode(Enum):
        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"

    for mode in AutoresetMode:
        assert myriant.make_spec("ants", autoreset=mode).autoreset == mode.name.lower()
    with pytest.raises(myriant.ConfigError, match="autoreset 'never'"):
        myriant.make_spec("ants", autoreset="never")


def test_returns_sum_rewards(game):
    rules = {"ants": {"name": "ladder", "max_turns": 60}, "formica": {"name": "default", "max_ticks": 160}}[game]
    rewards = {"food": 1.0, "losses": -0.25} if game == "ants" else {"score": 1.0}
    batch = boards.GAMES[game](rules=rules, rewards=rewards, num_boards=8)
    first = batch.reset(seed=5)
    total = np.zeros(first.reward.shape)
    ended = 0
    for now in boards.play(batch, first, 70):
        total += now.reward
        total[~now.valid] = 0
        np.testing.assert_allclose(now.episode_return, total, rtol=1e-4, atol=1e-4)
        if now.final_info is not None:
            np.testing.assert_allclose(now.final_info["episode_return"], total[now.final_boards], rtol=1e-4, atol=1e-4)
            ended += len(now.final_boards)
    assert ended > 0
    assert np.abs(total).max() > 0
    batch.close()
