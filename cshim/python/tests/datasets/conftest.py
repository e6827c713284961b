"""Datasets that the tests share: of both games, both kinds, both forms of files."""

import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

RULES = {"ants": '{"name":"ladder","max_turns":30}', "formica": '{"name":"default","max_ticks":60}'}
MAPS = {"ants": ["tiny-2p", "small-3p"], "formica": ["default"]}
POLICIES = {"ants": "greedy,random", "formica": "scripted,random"}


def command():
    """The command that came with the package, or the one on the PATH."""
    beside = Path(sysconfig.get_path("scripts")) / "myriant"
    found = str(beside) if beside.is_file() else shutil.which("myriant")
    assert found, "no command myriant"
    return found


def generate(out, game="ants", *, kind="orders", form="arrow", episodes=12, seed=3):
    """Runs myriant generate."""
    maps = [part for m in MAPS[game] for part in ("--map", m)]
    subprocess.run(
        [
            *(command(), "generate", "--game", game, "--rules", RULES[game], *maps, "--policies", POLICIES[game]),
            *("--episodes", str(episodes), "--seed", str(seed), "--kind", kind, "--format", form, "--out", str(out)),
            "--json",
        ],
        check=True,
        capture_output=True,
    )
    return out


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt, in a process that a shell began in the background, with it ignored, too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Folders by game, kind and form, made when first asked for."""
    made = {}

    def folder(game="ants", kind="orders", form="arrow"):
        key = (game, kind, form)
        if key not in made:
            made[key] = generate(tmp_path_factory.mktemp("data") / "-".join(key), game, kind=kind, form=form)
        return made[key]

    return folder


@pytest.fixture(params=["ants", "formica"])
def game(request):
    return request.param


@pytest.fixture(params=["orders", "steps"])
def kind(request):
    return request.param
