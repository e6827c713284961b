"""Masks, computed once more from what the observation shows."""

import boards
import numpy as np
import pytest

import myriant


def ants_mask(batch, now):
    """int8[N,5] from the planes alone: known water and visible food refuse a move."""
    spec = batch.spec
    h, w = spec.sizes["H"], spec.sizes["W"]
    planes = myriant.unpack_planes(now.planes, w)
    names = spec.arrays["planes"].names(2)
    blocked = planes[:, :, names.index("known_water")].astype(bool)
    if spec.rules["food_blocks"]:
        blocked |= planes[:, :, names.index("food")].astype(bool)
    seat = np.repeat(np.arange(spec.num_boards * spec.num_seats), np.diff(now.ant_offsets))
    rows, cols = np.divmod(now.ant_cells, w)
    blocked = blocked.reshape(-1, h, w)
    mask = np.ones((len(rows), 5), np.int8)
    for a, (dr, dc) in enumerate([(-1, 0), (0, 1), (1, 0), (0, -1)]):
        mask[:, a] = ~blocked[seat, (rows + dr) % h, (cols + dc) % w]
    return mask


def test_ten_thousand_steps_of_ants():
    batch = boards.ants(num_boards=2, rules={"name": "ladder", "max_turns": 300})
    now = batch.reset(seed=1)
    rng = np.random.default_rng(1)
    mine = batch.spec.arrays["planes"].names(2).index("mine")
    episodes = ants_seen = blocked = 0
    for step in range(10_000):
        expected = ants_mask(batch, now)
        np.testing.assert_array_equal(now.ant_mask, expected)
        ants_seen += len(expected)
        blocked += int((expected == 0).sum())
        if step % 50 == 0:
            own = myriant.unpack_planes(now.planes, 24)[:, :, mine].reshape(4, -1)
            found = [np.flatnonzero(row) for row in own]
            np.testing.assert_array_equal(np.concatenate(found), now.ant_cells)
            np.testing.assert_array_equal(np.diff(now.ant_offsets), [len(f) for f in found])
        now = batch.step((rng.random(expected.shape) * expected).argmax(axis=1))
        episodes += len(now.final_boards)
    assert episodes > 20
    assert ants_seen > 20_000
    assert blocked > 1_000
    batch.close()


def test_ten_thousand_steps_of_ants_by_cell():
    batch = boards.ants(num_boards=1, head="cell", map="small-3p", rules={"name": "codeclash", "max_turns": 200})
    now = batch.reset(seed=1)
    rng = np.random.default_rng(1)
    stay_only = np.array([0, 0, 0, 0, 1], np.int8)[None, None, :, None, None]
    for _ in range(10_000):
        expected = np.broadcast_to(stay_only, now.cell_mask.shape).copy()
        per_ant = ants_mask(batch, now)
        seat = np.repeat(np.arange(batch.num_seats), np.diff(now.ant_offsets))
        rows, cols = np.divmod(now.ant_cells, now.cell_mask.shape[-1])
        expected[0, seat, :, rows, cols] = per_ant
        np.testing.assert_array_equal(now.action_mask, expected)
        now = batch.step((rng.random(expected.shape) * expected).argmax(axis=2))
    batch.close()


def test_ten_thousand_steps_of_formica():
    batch = boards.formica(num_boards=2, rules={"name": "default", "max_ticks": 320})
    planes = batch.spec.arrays["planes"].names(2)
    scalars = batch.spec.arrays["scalars"].names(2)
    modes = batch.spec.arrays["mode_mask"].names(2)
    legal_cells, alive = planes.index("legal_relocation"), scalars.index("alive_0")
    now = batch.reset(seed=1)
    rng = np.random.default_rng(1)
    dead = relocations = 0
    for _ in range(10_000):
        target = (now.planes[:, :, legal_cells] != 0).astype(np.int8)
        np.testing.assert_array_equal(now.target_mask, target)
        can = target.any(axis=(2, 3))
        np.testing.assert_array_equal(now.mode_mask[..., modes.index("relocate")], can)
        lives = now.scalars[..., alive] != 0
        np.testing.assert_array_equal(now.defend_mask[..., 1], lives)
        assert now.defend_mask[..., 0].all()
        assert now.mode_mask[..., modes.index("forage")].all()
        for mode in ("raid", "build"):
            np.testing.assert_array_equal(now.mode_mask[..., modes.index(mode)], lives)
        dead += int((~lives).sum())
        relocations += int(can.sum())
        now = batch.step(boards.legal(now, rng))
    assert relocations > 0
    assert dead > 0
    batch.close()


def test_action_masks():
    with boards.ants() as batch:
        now = batch.reset(seed=1)
        np.testing.assert_array_equal(batch.action_masks(), now.ant_mask != 0)
        assert batch.action_masks().dtype == bool
    with boards.ants(head="cell") as batch:
        now = batch.reset(seed=1)
        assert "ant_mask" not in now
        assert batch.action_masks().shape == (3, 2, 5, 24, 24)
    with boards.ants(head="cell", obs=["planes"]) as batch:
        batch.reset(seed=1)
        with pytest.raises(KeyError, match="cell_mask"):
            batch.action_masks()
    with boards.formica() as batch:
        now = batch.reset(seed=1)
        assert list(now.masks) == ["mode_mask", "defend_mask", "target_mask"]
        with pytest.raises(myriant.ConfigError, match="3 masks"):
            batch.action_masks()
