"""Seeds: what a number starts, and what does not matter."""

import boards
import numpy as np
import pytest

import myriant

SHORT = {"ants": boards.THREE_TURNS, "formica": {"name": "default", "max_ticks": 24}}


@pytest.fixture(params=list(boards.GAMES))
def game(request):
    return request.param


def starts(batch, seed, actions_seed):
    """The states in which the first three episodes after a reset begin."""
    now = batch.reset(seed=seed)
    rng = np.random.default_rng(actions_seed)
    found = [batch.hashes()]
    while len(found) < 3:
        for _ in range(4):  # three turns and the reset
            now = batch.step(boards.legal(now, rng))
        found.append(batch.hashes())
    return np.array(found)


def test_three_episodes_start_the_same_whatever_came_between(game):
    batch = boards.GAMES[game](rules=SHORT[game])
    first = starts(batch, 7, actions_seed=1)
    now = batch.reset(seed=99)
    boards.play(batch, now, 11)
    batch.reset_mask([True] + [False] * (batch.num_boards - 1), episode_seeds=range(batch.num_boards))
    batch.clone([0], [1])
    np.testing.assert_array_equal(starts(batch, 7, actions_seed=2), first)
    other = boards.GAMES[game](rules=SHORT[game])
    np.testing.assert_array_equal(starts(other, 7, actions_seed=3), first)
    assert len(np.unique(first)) == first.size  # boards and episodes differ
    assert (starts(batch, 8, actions_seed=1) != first).all()
    batch.close()
    other.close()


def test_threads_and_other_batches_do_not_matter(game):
    many = dict(num_boards=20, rules={"ants": {"name": "ladder", "max_turns": 40}}.get(game, SHORT["formica"]))
    if game == "ants":
        many["map"] = "open-32x32-2p"
    batches = [boards.GAMES[game](workers=n, **many) for n in (1, 2, 16)] + [boards.GAMES[game](**many)]
    nows = [b.reset(seed=7) for b in batches]
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = boards.legal(nows[0], rng)
        nows = [b.step(actions) for b in batches]
        hashes = [b.hashes() for b in batches]
        for now, h in zip(nows[1:], hashes[1:], strict=True):
            np.testing.assert_array_equal(h, hashes[0])
            boards.same(now, nows[0])
    for b in batches:
        b.close()


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, 2**63, 2**64 - 1, np.uint64(2**64 - 1), np.int8(3)])
def test_any_uint64(game, seed):
    a, b = boards.GAMES[game](), boards.GAMES[game]()
    a.reset(seed=seed)
    b.reset(seed=int(seed))
    np.testing.assert_array_equal(a.hashes(), b.hashes())
    a.close()
    b.close()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7"])
def test_no_other_seeds(seed):
    with boards.ants() as batch:
        with pytest.raises((myriant.ArgumentError, TypeError)):
            batch.reset(seed=seed)
        with pytest.raises(myriant.ArgumentError):
            batch.reset(seed=[1, 2, -1])
        with pytest.raises(myriant.ArgumentError, match="2 seeds for 3 boards"):
            batch.reset(seed=[1, 2])


def test_a_seed_a_board_plays_what_a_batch_of_one_plays(game):
    many = boards.GAMES[game](num_boards=3, rules=SHORT[game])
    ones = [boards.GAMES[game](num_boards=1, rules=SHORT[game]) for _ in range(3)]
    seeds = [5, 2**64 - 1, 5]
    now = many.reset(seed=seeds)
    for one, seed in zip(ones, seeds, strict=True):
        one.reset(seed=seed)
    stay = {"ants": lambda n: np.full(len(n.ant_cells), 4), "formica": lambda n: np.full((*n.reward.shape, 4), -1)}[
        game
    ]
    for _ in range(9):
        np.testing.assert_array_equal(many.hashes(), [one.hashes()[0] for one in ones])
        now = many.step(stay(now))
        for one in ones:
            one.step(stay(one.arrays))
    many.reset_mask([False, True, False], seeds=[0, 9, 0])
    ones[1].reset(seed=9)
    np.testing.assert_array_equal(many.hashes(), [one.hashes()[0] for one in ones])
    many.close()
    for one in ones:
        one.close()


def test_episode_seeds(game):
    batch = boards.GAMES[game](num_boards=3)
    batch.reset(seed=1)
    batch.reset_mask([True, True, False], episode_seeds=[77, 77, 0])
    a = batch.hashes()
    assert a[0] == a[1] != a[2]
    batch.reset(seed=2)
    batch.reset_mask([False, False, True], episode_seeds=[0, 0, 77])
    assert batch.hashes()[2] == a[0]
    batch.close()


def test_reset_without_a_seed_goes_on(game):
    a, b = boards.GAMES[game](), boards.GAMES[game]()
    a.reset(seed=7)
    b.reset(seed=7)
    first = a.hashes()
    a.reset()
    b.reset()
    np.testing.assert_array_equal(a.hashes(), b.hashes())
    assert (a.hashes() != first).all()
    a.close()
    b.close()


def test_the_first_reset_without_a_seed_is_random():
    found = set()
    for _ in range(4):
        with boards.ants() as batch:
            batch.reset()
            found |= set(batch.hashes().tolist())
    assert len(found) == 12
