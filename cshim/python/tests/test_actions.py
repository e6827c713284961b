"""Actions: what is taken, what is refused, and how that is told."""

import boards
import numpy as np
import pytest

import myriant

GAMES = list(boards.GAMES)


def started(game="ants", **config):
    batch = boards.GAMES[game](**config)
    return batch, batch.reset(seed=5)


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


def test_lists_int64_and_strides_are_the_same_as_plain_arrays(game):
    batch, now = started(game)
    plain = boards.legal(now, np.random.default_rng(0)).astype(batch.spec.heads[batch.spec.head].dtype)
    shot = batch.snapshot()
    wide = np.zeros((*plain.shape, 2), plain.dtype)
    wide[..., 0] = plain
    unaligned = np.frombuffer(b"x" + plain.tobytes(), dtype=plain.dtype, offset=1).reshape(plain.shape)
    results = []
    for form in (
        plain,
        plain.tolist(),
        plain.astype(np.int64),
        plain.astype(np.int16),
        np.asfortranarray(plain),
        wide[..., 0],
        plain[::-1].copy()[::-1],
        plain.astype(plain.dtype.newbyteorder()),
        unaligned,
        {batch.spec.head: plain},
    ):
        batch.restore(shot)
        batch.step(form)
        results.append(batch.hashes())
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])
    batch.close()


def unchanged(batch, before):
    np.testing.assert_array_equal(batch.hashes(), before)


@pytest.mark.parametrize("as_type", [np.int64, np.int32, np.uint16, list])
def test_action_9999(as_type):
    batch, now = started()
    before = batch.hashes()
    actions = np.full(len(now.ant_cells), boards.STAY, np.int64)
    actions[3] = 9999
    given = actions.tolist() if as_type is list else actions.astype(as_type)
    with pytest.raises(myriant.ActionError, match="step: board 1, seat 1, entry 0: action 9999 of head 'ant'"):
        batch.step(given)
    unchanged(batch, before)
    actions[3] = boards.STAY
    batch.step(actions)
    batch.close()


def test_action_9999_of_formica():
    batch, _ = started("formica")
    before = batch.hashes()
    actions = np.zeros(batch.spec.heads["orders"].shape, np.int64)
    actions[..., 3] = -1
    for bad in (9999, 1 << 40, -7):
        actions[1, 2, 0] = bad
        with pytest.raises(myriant.ActionError, match=f"board 1,? seat 2.*{bad}"):
            batch.step(actions)
        unchanged(batch, before)
    actions[1, 2, 0] = 0
    batch.step(actions)
    batch.close()


def test_action_of_the_right_type_but_out_of_range():
    batch, now = started()
    before = batch.hashes()
    actions = np.full(len(now.ant_cells), boards.STAY, np.uint8)
    actions[5] = 5
    with pytest.raises(myriant.ActionError, match="board 2 seat 1 ant 0: action 5"):
        batch.step(actions)
    unchanged(batch, before)
    batch.close()


def test_action_of_a_cell_out_of_range():
    batch, now = started(head="cell")
    actions = np.full(batch.spec.heads["cell"].shape, boards.STAY, np.int64)
    row, col = divmod(int(now.ant_cells[2]), now.cell_mask.shape[-1])
    actions[1, 0, row, col] = 300
    with pytest.raises(myriant.ActionError, match=rf"board 1, seat 0, entry \[{row}, {col}\]: action 300"):
        batch.step(actions)
    batch.close()


def test_invalid_actions_can_be_read_as_nothing(game):
    batch, now = started(game, bad_actions="hold")
    head = batch.spec.heads[batch.spec.head]
    nothing = np.full((len(now.ant_cells),), 4) if game == "ants" else np.full(head.shape, -1)
    shot = batch.snapshot()
    batch.step(nothing)
    held = batch.hashes()
    for bad in (77, 9999, -3, 1 << 40):
        batch.restore(shot)
        actions = nothing.astype(np.int64)
        actions.reshape(len(actions), -1)[:, 0] = bad
        batch.step(actions)
        np.testing.assert_array_equal(batch.hashes(), held)
    batch.close()


@pytest.mark.parametrize("change", [-1, +1, "none", "scalar", "two axes"])
def test_wrong_lengths(change, game):
    batch, now = started(game)
    before = batch.hashes()
    right = boards.legal(now, np.random.default_rng(0))
    wrong = {
        -1: right[:-1],
        +1: np.concatenate([right, right[:1]]),
        "none": right[:0],
        "scalar": right.reshape(-1)[0],
        "two axes": right[None],
    }[change]
    with pytest.raises(myriant.ActionError, match=r"step: actions of head '\w+' have shape .*, want \["):
        batch.step(wrong)
    unchanged(batch, before)
    batch.close()


def test_wrong_lengths_of_cells_and_logits():
    batch, now = started()
    n = len(now.ant_cells)
    for head, shape in (
        ("ant_logits", (n, 4)),
        ("ant_logits", (n - 1, 5)),
        ("ant_logits", (n + 1, 5)),
        ("ant_logits", (n * 5,)),
        ("cell", (3, 2, 24, 23)),
        ("cell", (2, 2, 24, 24)),
        ("cell_logits", (3, 2, 4, 24, 24)),
    ):
        with pytest.raises(myriant.ActionError, match=f"head '{head}' have shape"):
            batch.step(np.zeros(shape, np.float32), head=head)
    batch.close()


def test_lists_that_are_no_array():
    batch, _ = started()
    with pytest.raises(myriant.ActionError, match="no array"):
        batch.step([[1, 2], [3]])
    with pytest.raises(myriant.ActionError, match="want whole numbers"):
        batch.step(["north"] * 6)
    batch.close()


def test_wrong_types(game):
    batch, now = started(game)
    right = boards.legal(now, np.random.default_rng(0))
    for kind in (np.float32, bool, complex, object):
        with pytest.raises(myriant.ActionError, match="want whole numbers"):
            batch.step(right.astype(kind))
    with pytest.raises(myriant.ActionError, match=r"logits go through head .*_logits'"):
        batch.step(right.astype(np.float64))
    batch.close()


def test_unknown_heads(game):
    batch, now = started(game)
    right = boards.legal(now, np.random.default_rng(0))
    with pytest.raises(myriant.ActionError, match="no head 'nobody': "):
        batch.step(right, head="nobody")
    with pytest.raises(myriant.ActionError, match="want one head"):
        batch.step({batch.spec.head: right, "cell": right})
    with pytest.raises(myriant.ActionError, match="want one head"):
        batch.step({})
    with pytest.raises(myriant.ConfigError, match="head 'nobody'"):
        boards.GAMES[game](head="nobody")
    batch.close()


def test_no_actions_where_the_caller_plays(game):
    batch, _ = started(game)
    before = batch.hashes()
    with pytest.raises(myriant.ActionError):
        batch.step()
    unchanged(batch, before)
    batch.close()


def masked_argmax(logits, mask):
    return np.where(mask != 0, logits, -np.inf).argmax(axis=-1)


def test_logits_are_masked_and_the_highest_wins():
    batch, now = started()
    rng = np.random.default_rng(0)
    for _ in range(50):
        logits = rng.standard_normal(now.ant_mask.shape).astype(np.float32)
        shot = batch.snapshot()
        expected = batch.step(masked_argmax(logits, now.ant_mask))
        hashes = batch.hashes()
        for form in (logits, logits.astype(np.float64), logits.astype(np.float16).astype(np.float32)):
            batch.restore(shot)
            batch.step(form, head="ant_logits")
            if form is not logits and form.dtype == np.float32:
                continue
            np.testing.assert_array_equal(batch.hashes(), hashes)
        batch.restore(shot)
        cells = np.zeros(batch.spec.heads["cell_logits"].shape, np.float32)
        for b in range(3):
            for s in range(2):
                lo, hi = now.ant_offsets[b * 2 + s : b * 2 + s + 2]
                for i in range(lo, hi):
                    cells[b, s, :, *divmod(int(now.ant_cells[i]), 24)] = logits[i]
        now = batch.step({"cell_logits": cells})
        np.testing.assert_array_equal(batch.hashes(), hashes)
        assert len(now.ant_cells) == len(expected.ant_cells)
    batch.close()


def test_sampling():
    """Draws follow from the seed, spread as the softmax says, and never fall on what is masked."""
    batch = boards.ants(num_boards=500, map="open-32x32-2p")
    now = batch.reset(seed=1)
    shot = batch.snapshot()
    logits = np.zeros((len(now.ant_cells), 5), np.float32)

    def drawn(**how):
        batch.restore(shot)
        batch.step(logits, head="ant_logits", sample=True, **how)
        return batch.hashes()

    np.testing.assert_array_equal(drawn(seed=4), drawn(seed=4))
    assert (drawn(seed=4) != drawn(seed=5)).mean() > 0.9
    logits[:, 1] = 3
    batch.restore(shot)
    east = batch.step(np.full(len(now.ant_cells), 1)).ant_cells
    batch.restore(shot)
    sampled = batch.step(logits, head="ant_logits", sample=True, seed=9).ant_cells
    if len(sampled) == len(east):
        assert 0.7 < (sampled == east).mean() < 0.95  # e^3 / (e^3 + 4) = 0.83
    np.testing.assert_array_equal(drawn(seed=1, temperature=1e-4), drawn(seed=2, temperature=1e-4))
    batch.close()


def test_draws_without_a_seed_follow_from_the_reset():
    def game():
        batch = boards.ants()
        now = batch.reset(seed=11)
        for _ in range(20):
            now = batch.step(np.zeros((len(now.ant_cells), 5), np.float32), head="ant_logits", sample=True)
        hashes = batch.hashes()
        batch.close()
        return hashes

    np.testing.assert_array_equal(game(), game())


def test_sampling_refuses():
    batch, now = started()
    zeros = np.zeros((len(now.ant_cells), 5), np.float32)
    with pytest.raises(myriant.ActionError, match="no logits"):
        batch.step(zeros[:, 0].astype(np.uint8), sample=True)
    with pytest.raises(myriant.ArgumentError, match="temperature"):
        batch.step(zeros, head="ant_logits", sample=True, temperature=-1)
    with pytest.raises(myriant.ArgumentError, match="temperature"):
        batch.step(zeros, head="ant_logits", sample=True, temperature=float("nan"))
    with pytest.raises(myriant.ArgumentError, match="seed"):
        batch.step(zeros, head="ant_logits", sample=True, seed=-1)
    with pytest.raises(myriant.ActionError, match="want float32"):
        batch.step(np.full(zeros.shape, "x"), head="ant_logits")
    batch.close()


def test_zero_ants():
    """Boards without ants take no actions, and show none."""
    batch = boards.ants(
        map=boards.PAIR, rules=boards.NO_FOOD, autoreset="disabled", obs=["planes", "ant_cells", "ant_mask"]
    )
    now = batch.reset(seed=1)
    actions = np.full(len(now.ant_cells), boards.STAY)
    actions[:2] = boards.EAST, boards.WEST  # of board 0, seat 0: they meet and die
    now = batch.step(actions)
    assert np.diff(now.ant_offsets).tolist() == [0, 2, 2, 2, 2, 2]
    assert len(now.entries("ant_cells", 0, 0)) == 0
    assert now.entries("ant_cells", 0, 1).tolist() == [41, 43]
    now = batch.reset(seed=1)
    now = batch.step([boards.EAST, boards.WEST] * 6)
    assert now.ant_cells.shape == (0,)
    assert now.ant_mask.shape == (0, 5)
    assert now.ant_offsets.tolist() == [0] * 7
    assert now.planes[:, :, 0].sum() == 0
    for nothing in ([], np.zeros(0, np.uint8), np.zeros(0, np.int64)):
        now = batch.step(nothing)
        assert not now.valid.any()
    batch.step(np.zeros((0, 5), np.float32), head="ant_logits")
    with pytest.raises(myriant.ActionError, match=r"have shape \[1\], want \[0\]"):
        batch.step([4])
    batch.close()


def test_all_heads_of_formica():
    batch, now = started("formica")
    rng = np.random.default_rng(0)
    for _ in range(4):
        now = batch.step({"orders": boards.legal(now, rng)})
        logits = rng.standard_normal(batch.spec.heads["order_logits"].shape)
        batch.step(logits, head="order_logits")
        batch.step(logits, head="order_logits", sample=True, seed=3)
        weights = np.ones(batch.spec.heads["order_weights"].shape, np.int64)
        weights[..., 0], weights[..., 4], weights[..., 5] = 0, 0, -1
        batch.step(weights, head="order_weights")
        none = np.full(batch.spec.heads["order_bytes"].shape, 255)
        now = batch.step(none, head="order_bytes")
    batch.close()
