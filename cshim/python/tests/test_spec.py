"""Specs: what a batch will be, told without making one, for both games from their declarations."""

import boards
import numpy as np
import pytest

import myriant

GAMES = list(boards.GAMES)


def test_both_games_are_there():
    assert set(GAMES) <= set(myriant.games())


@pytest.mark.parametrize("game", GAMES)
def test_spec_without_a_batch_is_the_batchs(game):
    config = {"num_boards": 5, "seats": [None, "random"], "autoreset": "same_step"}
    spec = myriant.make_spec(game, **config)
    with myriant.Batch(game, **config) as batch:
        assert spec == batch.spec
        now = batch.reset(seed=1)
        assert list(now) == [name for name in spec.exported if spec.arrays[name].role != "hidden"]
        for name, a in now.items():
            of = spec.arrays[name]
            assert a.dtype == of.dtype
            assert all(n == want for n, want in zip(a.shape, of.shape, strict=True) if want >= 0)
            assert len(of.axes) == len(of.shape) == len(of.labels)
            assert of.doc


@pytest.mark.parametrize("game", GAMES)
def test_a_spec_takes_no_time_and_memory(game):
    spec = myriant.make_spec(game, num_boards=100_000_000)
    assert spec.num_boards == 100_000_000
    assert spec.arrays["reward"].shape == (100_000_000, spec.num_seats)


@pytest.mark.parametrize("game", GAMES)
def test_declarations_are_whole(game):
    spec = myriant.make_spec(game)
    for name in ("reward", "terminated", "truncated", "done", "valid", "reason", "episode_return"):
        assert spec.arrays[name].row >= 0
    for a in spec.arrays.values():
        assert a.role in ("observation", "mask", "reward", "flag", "hidden")
    assert spec.arrays["score"].role == spec.arrays["rank"].role == spec.arrays["turn"].role == "hidden"
    for head in spec.heads.values():
        assert head.masks
        for mask in head.masks:
            assert spec.arrays[mask].role == "mask"
        assert head.logits == (head.dtype == np.float32)
    planes = spec.arrays["planes"]
    assert len(planes.names(2)) == planes.shape[2] == spec.sizes["C"]
    assert len(set(planes.names(2))) == spec.sizes["C"]
    assert planes.names(0) == ()


def test_what_is_exported():
    plain = myriant.make_spec("ants")
    assert plain.with_role("observation") == ("planes", "ant_offsets", "ant_cells")
    assert plain.with_role("mask") == ("ant_mask",)
    few = myriant.make_spec("ants", obs=["planes"], statistics=[])
    assert few.with_role("observation", "mask", "hidden") == ("planes",)
    ragged = myriant.make_spec("ants", obs=["ant_cells"])
    assert ragged.with_role("observation") == ("ant_offsets", "ant_cells")  # offsets come along
    cells = myriant.make_spec("ants", head="cell_logits")
    assert cells.with_role("mask") == ("cell_mask",)
    both = myriant.make_spec("ants", obs=["planes", "ant_cells", "ant_mask", "cell_mask"])
    assert both.with_role("mask") == ("ant_mask", "cell_mask")
    everything = myriant.make_spec("ants", privileged=True)
    assert set(everything.with_role("hidden")) == {a.name for a in everything.arrays.values() if a.role == "hidden"}
    stats = myriant.make_spec("ants", statistics=["score", "episode_kills"])
    assert stats.with_role("hidden") == ("score", "episode_kills")


def test_hidden_arrays_stay_hidden():
    """Scores and turns are neither items nor attributes, but what an episode's end tells."""
    batch = boards.ants(rules=boards.THREE_TURNS, statistics=["score", "rank", "turn", "episode_kills"])
    now = batch.reset(seed=1)
    for name in ("score", "turn", "rank", "episode_kills"):
        assert name not in now
        with pytest.raises(KeyError, match="hidden"):
            now[name]
        with pytest.raises(AttributeError, match="hidden"):
            getattr(now, name)
    now = boards.play(batch, now, 3)[-1]
    assert now.final_info["score"].shape == (3, 2)
    assert now.final_info["turn"].tolist() == [3, 3, 3]
    assert "episode_kills" in now.final_info
    batch.close()
    batch = boards.ants(privileged=True)
    now = batch.reset(seed=1)
    assert "score" not in now
    assert now.privileged["score"].tolist() == [[1, 1]] * 3
    assert set(now.privileged) == set(batch.spec.with_role("hidden"))
    batch.close()


def test_missing_arrays_say_why():
    batch = boards.ants()
    now = batch.reset(seed=1)
    with pytest.raises(KeyError, match="not exported: name it in obs"):
        now["cell_mask"]
    with pytest.raises(AttributeError, match="no array 'plains': ants has planes, "):
        _ = now.plains
    assert "planes" in dir(now)
    assert repr(now).splitlines()[:2] == ["<Arrays", "  planes          uint8[3, 2, 7, 24, 3]"]
    with pytest.raises(myriant.ConfigError, match="not ragged"):
        now.entries("planes", 0, 0)
    with pytest.raises(myriant.ConfigError, match="board 3, seat 0 of 3 boards"):
        now.entries("ant_cells", 3, 0)
    batch.close()


@pytest.mark.parametrize(
    ("config", "error", "text"),
    [
        ({"num_boards": 0}, myriant.ConfigError, "boards is 0"),
        ({"num_boards": -3}, myriant.ConfigError, "boards is -3"),
        ({"num_boards": "many"}, myriant.ConfigError, "num_boards is 'many'"),
        ({"map": "nowhere"}, myriant.MapError, "nowhere"),
        ({"map": "rows 3\ncols"}, myriant.MapError, "line 2"),
        ({"map": {"rows": 3}}, myriant.MapError, "map"),
        ({"map": 7}, myriant.ConfigError, "map 7"),
        ({"map": ["tiny-2p", 7]}, myriant.ConfigError, "map 7"),
        ({"map_of": [1]}, myriant.ConfigError, r"map_of\[0\] is 1"),
        ({"rules": "chess"}, myriant.RulesError, "chess"),
        ({"rules": {"name": "ladder", "max_turns": -1}}, myriant.RulesError, "max_turns"),
        ({"rules": {"name": "ladder", "gravity": 9}}, myriant.RulesError, "gravity"),
        ({"seats": ["caller", "nobody"]}, myriant.ConfigError, "nobody"),
        ({"seats": ["caller"] * 3, "map": "tiny-2p"}, myriant.ConfigError, "3 policies for 2 seats"),
        ({"seats": "greedy"}, myriant.ConfigError, "seats 'greedy'"),
        ({"seats": [["caller"], 7]}, myriant.ConfigError, r"seats\[1\] is 7"),
        ({"seats": [{}]}, myriant.ConfigError, r"seats\[0\]"),
        ({"seats": [{"greedy": -1}]}, myriant.ConfigError, r"seats\[0\]"),
        ({"observe": [2], "map": "tiny-2p"}, myriant.ConfigError, "2"),
        ({"obs": ["plains"]}, myriant.ConfigError, "obs has 'plains': ants has planes"),
        ({"obs": "planes"}, myriant.ConfigError, "want a list"),
        ({"obs": ["score"]}, myriant.PrivilegedError, "privileged=True"),
        ({"statistics": ["planes"]}, myriant.ConfigError, "statistics has 'planes'"),
        ({"planes": "int64"}, myriant.ConfigError, 'planes of "int64"'),
        ({"options": {"fast": True}}, myriant.ConfigError, "fast"),
        ({"rewards": {"fun": 1}}, myriant.ConfigError, "fun"),
        ({"bad_actions": "shrug"}, myriant.ConfigError, "shrug"),
        ({"workers": -1}, myriant.ConfigError, "workers is -1"),
    ],
)
def test_configurations_that_cannot_be(config, error, text):
    for make in (myriant.make_spec, myriant.Batch):
        with pytest.raises(error, match=text):
            make("ants", **config)


def test_unknown_games_and_parameters():
    with pytest.raises(myriant.ConfigError, match='no game "chess"'):
        myriant.make_spec("chess")
    with pytest.raises(TypeError, match="colour"):
        myriant.make_spec("ants", colour="red")
    with pytest.raises(TypeError, match="Batch: no parameter 'colour': have num_boards, map, "):
        myriant.Batch("ants", colour="red")
    with pytest.raises(TypeError, match=r"Batch: no parameter 'n_boards': did you mean num_boards\?"):
        myriant.Batch("ants", n_boards=3)
    with pytest.raises(myriant.MapError, match=r"^Batch: maps\[0\]"):
        myriant.Batch("ants", map="nowhere")


def test_maps_in_every_form(tmp_path):
    canonical = myriant.load_map("ants", "tiny-2p")
    assert (canonical["rows"], canonical["cols"], canonical["players"]) == (24, 24, 2)
    path = tmp_path / "mine.txt"
    path.write_text(boards.PAIR)
    for form, rows in (
        ("tiny-2p", 24),
        (canonical, 24),
        (boards.PAIR, 8),
        (path, 8),
        (str(path), 8),
        ("generated:cave:seats=2,rows=32,cols=32,seed=3", 32),
    ):
        assert myriant.make_spec("ants", map=form).maps[0].rows == rows
        assert myriant.load_map("ants", form)["rows"] == rows
    several = myriant.make_spec("ants", num_boards=5, map=["tiny-2p", path], map_of=[0, 0, 1])
    assert [several.map_of_board(b).rows for b in range(5)] == [24, 24, 8, 24, 24]
    with pytest.raises(myriant.MapError, match="load_map"):
        myriant.load_map("ants", "nowhere")
    for nothing in (tmp_path / "nothing", "maps/nothing", "nothing.txt"):
        with pytest.raises(myriant.ConfigError, match="No such file"):
            myriant.load_map("ants", nothing)
    board = myriant.load_map("formica", "duel")
    spec = myriant.make_spec("formica", map=board, rules="duel")
    assert spec.num_players == 2
    assert spec.maps == myriant.make_spec("formica", map="duel", rules="duel").maps
    assert myriant.load_map("formica", "generated:seats=3,radius=14")["radius"] == 14
    with pytest.raises(myriant.MapError, match="want seats or radius"):
        myriant.load_map("formica", "generated:cave:seats=2")


def test_generated_boards_of_formica_are_played():
    with myriant.Batch("formica", num_boards=2, map=["generated:seats=3,radius=14", "duel"]) as batch:
        assert (batch.spec.num_players, [m.seats for m in batch.spec.maps]) == (3, [3, 2])
        now = batch.reset(seed=1)
        assert now.planes.shape[1:] == (3, batch.spec.sizes["C"], 29, 29)
        boards.play(batch, now, 3)


def test_options_change_the_planes():
    owners = myriant.make_spec("ants", map="medium-4p", options={"per_owner": True})
    assert owners.arrays["planes"].names(2)[:4] == ("mine", "foes_1", "foes_2", "foes_3")
    padded = myriant.make_spec("ants", num_boards=2, map=["tiny-2p", "small-3p"])
    assert padded.arrays["planes"].names(2)[-1] == "pad"


def test_recentred_arrays():
    batch = boards.ants(options={"recentre": True}, planes="uint8")
    now = batch.reset(seed=1)
    hills = batch.spec.arrays["planes"].names(2).index("own_hills")
    assert now.planes[:, :, hills, 12, 12].all()
    batch.close()


def test_specs_compare_and_hash_nothing_native():
    a, b = myriant.make_spec("ants"), myriant.make_spec("ants")
    assert a == b
    assert a != myriant.make_spec("ants", num_boards=2)
    assert a.arrays["planes"].dtype_name == "bit"
    assert a.arrays["reward"].dtype_name == "float32"


@pytest.mark.parametrize("game", boards.GAMES)
def test_what_is_printed_fits_a_screen(game):
    with boards.GAMES[game](num_boards=256, seats=[{"caller": 1, "random": 3}, "random"]) as batch:
        assert repr(batch).startswith(f"<Batch {game} {batch.spec.rule_set}: 256 boards on {batch.spec.maps[0].id}, ")
        assert repr(batch).endswith("not reset>")
        now = batch.reset(seed=1)
        assert "not reset" not in repr(batch)
        for printed in (repr(batch.spec), repr(now), repr(batch)):
            lines = printed.splitlines()
            assert len(lines) < 32
            assert max(map(len, lines)) < 120
        for name in batch.spec.exported:
            assert sum(line.split()[0] == name for line in repr(batch.spec).splitlines()) == 1
            assert sum(line.split()[0] == name for line in repr(now).splitlines()) == (name in now)
    assert "closed" in repr(batch)


def test_what_is_printed_of_parts():
    spec = myriant.make_spec("ants", num_boards=4, map="tiny-2p")
    assert repr(spec.arrays["planes"]) == "<ArraySpec planes: bit[B=4, S=2, C=7, H=24, RB=3]>"
    assert repr(spec.heads["ant_logits"]) == "<HeadSpec ant_logits: float32[N, 5]>"
    assert repr(spec.maps[0]) == "<MapSpec tiny-2p: 24x24, 2 seats>"
    five = myriant.make_spec("ants", num_boards=5, map=["tiny-2p", "small-3p", "medium-4p", "tiny-2p", "tiny-2p"])
    assert "and 2 more" in repr(five)
    league = myriant.League(spec, [["main", "old"], ["main", None]])
    assert repr(league) == "<League of 4 boards, seats of 'main' on 4, 'old' on 2>"


def test_arrays_tell_what_ended():
    with boards.ants(rules=boards.THREE_TURNS) as batch:
        now = boards.play(batch, batch.reset(seed=1), 3)[-1]
        assert "3 boards whose episode ended" in repr(now)
