"""The measurement runs, and says what it should; the package's command is the Go one."""

import json
import subprocess
import sys

import pytest

import myriant
from myriant import _command, bench


def test_python_m_myriant():
    done = subprocess.run([sys.executable, "-m", "myriant"], capture_output=True, text=True, check=True)
    assert f"myriant {myriant.__version__}" in done.stdout
    assert myriant.library()["signatures"]["ants"]["ladder"] in done.stdout
    done = subprocess.run([sys.executable, "-m", "myriant", "maps", "list"], capture_output=True, text=True, check=True)
    assert "tiny-2p" in done.stdout
    done = subprocess.run([sys.executable, "-m", "myriant", "nonsense"], capture_output=True, text=True)
    assert done.returncode == 2


def test_command_is_where_pip_puts_it():
    command = _command.find()
    assert command is not None
    said = subprocess.run([command, "version"], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[0] == f"myriant {myriant.__version__}"
    assert myriant.library()["acceleration"] in said


@pytest.mark.parametrize("workload", ["ants-32x32", "formica"])
def test_recorded_orders_lead_where_go_says(workload):
    with bench.Go(str(_command.find()), [workload], workers=2, boards=24) as go:
        (recorded,) = go.recorded
        assert go.play(workload) > 0
        assert go.play(workload) > 0
    assert go.process.returncode == 0
    played = bench.Played(recorded, workers=2)  # compares the hashes
    assert played.play(played.step) > 0
    assert played.play(played.call) > 0
    hashes = [f"{h:016x}" for h in played.batch.hashes(range(recorded["sources"]))]
    assert hashes == recorded["hashes"]
    played.batch.close()
    recorded["hashes"][0] = "0" * 16
    with pytest.raises(SystemExit, match="led elsewhere"):
        bench.Played(recorded, workers=1)


def test_go_that_fails_says_why():
    with pytest.raises(SystemExit, match='no workload "chess"'):
        bench.Go(str(_command.find()), ["chess"], workers=1, boards=4)


def test_training_is_split():
    share = bench.training(0.2, boards=4, steps=2)
    assert share.environment > 0
    assert share.acting > 0
    assert 0 < share.share < 1


def test_bench_quick():
    done = subprocess.run(
        [sys.executable, "-m", "myriant.bench", "--quick", "--json", "--boards", "16", "--workload", "ants-32x32"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    (speed,) = found["speed"]
    assert speed["workload"] == "ants-32x32"
    assert speed["go"] >= speed["best_go"] > 0
    assert speed["python"] >= speed["best_python"] > 0
    assert speed["call"] > 0
    assert speed["rounds"] >= 3
    assert speed["over_go"] > -1
    assert 0 < found["training"]["share"] < 1
