"""Loading the library: when, where not, and what it leaves alone."""

import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import boards
import pytest

import myriant
from myriant import _native


def test_import_loads_nothing_native():
    code, out, err, _ = boards.run(
        """
import os, sys
before = dict(os.environ)
import myriant
maps = open("/proc/self/maps").read() if os.path.exists("/proc/self/maps") else ""
assert "libmyriant" not in maps
assert myriant._native.path() is None
myriant.make_spec("ants")
assert "libmyriant" in open("/proc/self/maps").read()
assert dict(os.environ) == before
print("fine")
"""
    )
    assert (code, out, err) == (0, "fine\n", "")


def test_symbols_stay_private():
    path = myriant.library()["path"]
    import ctypes

    with pytest.raises(AttributeError):
        _ = ctypes.CDLL(None).myriant_version
    listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True)
    if listed.returncode == 0:
        names = [line.split()[-1] for line in listed.stdout.splitlines()]
        assert names
        assert all(name.startswith("myriant_") for name in names)


def test_nodelete():
    path = myriant.library()["path"]
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    assert "NODELETE" in dynamic


def test_versions_agree():
    about = myriant.library()
    assert about["version"] == myriant.__version__
    assert about["abi"] == _native.c.ABI_VERSION
    for signatures in about["signatures"].values():
        assert signatures
        assert all(re.fullmatch("[0-9a-f]{16}", s) for s in signatures.values())
    for game in myriant.games():
        spec = myriant.make_spec(game)
        assert spec.signature == about["signatures"][game][spec.rule_set]


def build(tmp_path, text):
    source, library = tmp_path / "other.c", tmp_path / _native.NAME
    source.write_text(text)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def test_other_interface_version_is_refused_by_name(tmp_path):
    other = build(tmp_path, "#include <stdint.h>\nint32_t myriant_abi_version(void) { return 99; }\n")
    code, _, err, _ = boards.run("import myriant; myriant.make_spec('ants')", MYRIANT_LIBRARY=str(other))
    assert code == 1
    assert "LibraryError" in err
    for part in (str(other), "version 99", "myriant_abi_version", f"needs version {_native.c.ABI_VERSION}"):
        assert part in err


def test_no_myriant_library_is_refused(tmp_path):
    other = build(tmp_path, "int other(void) { return 0; }\n")
    with pytest.raises(myriant.LibraryError, match="cannot be used as the myriant library"):
        _native.load(other)
    text = tmp_path / "text.so"
    text.write_text("no library")
    with pytest.raises(myriant.LibraryError, match=re.escape(str(text))):
        _native.load(text)


def test_missing_library_says_how_to_get_one(tmp_path, monkeypatch):
    shutil.copytree(Path(myriant.__file__).parent, tmp_path / "myriant", ignore=shutil.ignore_patterns("*.so"))
    code, _, err, _ = boards.run(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import myriant; myriant.make_spec()", MYRIANT_LIBRARY=""
    )
    assert code == 1
    assert "LibraryError" in err
    assert "pip install ./cshim/python" in err
    monkeypatch.setenv("MYRIANT_LIBRARY", str(tmp_path / "nothing"))
    with pytest.raises(myriant.LibraryError, match="no file"):
        _native.find()


FORK = """
import gc, os, sys, time
import myriant
batch = myriant.Batch("ants", num_boards=2, map="tiny-2p", copy=False)
now = batch.reset(seed=1)
child = os.fork()
if child == 0:
    begin = time.monotonic()
    make = (lambda: myriant.Batch("ants"), lambda: myriant.make_spec("ants"))
    for call in (lambda: batch.step([4] * 4), *make, batch.close):
        try:
            call()
        except RuntimeError as e:
            assert isinstance(e, myriant.ForkError), e
            assert "spawn start method" in str(e), e
        else:
            os._exit(3)
    del now, batch
    gc.collect()
    os._exit(0 if time.monotonic() - begin < 1 else 4)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
batch.step([4] * len(now.ant_cells))
batch.close()
print("fine")
"""


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_child_is_told_within_a_second():
    code, out, err, took = boards.run(FORK, timeout=30, PYTHONWARNINGS="ignore")
    assert (code, out) == (0, "fine\n"), err
    assert took < 15


def test_forked_child_ends_as_usual():
    """The child's interpreter ends, with a batch of its parent's at hand, with its own code."""
    code, _, err, _ = boards.run(
        """
import os, sys, myriant
batch = myriant.Batch("ants", num_boards=2, map="tiny-2p")
batch.reset(seed=1)
if (child := os.fork()) == 0:
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
""",
        timeout=30,
        PYTHONWARNINGS="ignore",
    )
    assert code == 0, err


def test_multiprocessing_with_fork(tmp_path):
    code, _, err, took = boards.run(
        """
import multiprocessing, myriant
def work(_):
    return myriant.Batch("ants", num_boards=1)
if __name__ == "__main__":
    myriant.make_spec("ants")
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            pool.map(work, [0])
        except RuntimeError as e:
            assert "spawn" in str(e)
        else:
            raise SystemExit(3)
""",
        timeout=30,
        PYTHONWARNINGS="ignore",
    )
    assert code == 0, err
    assert took < 15


def test_fork_before_the_first_use_is_fine():
    code, out, err, _ = boards.run(
        """
import os, myriant
if (child := os.fork()) == 0:
    batch = myriant.Batch("ants", num_boards=1, map="tiny-2p")
    batch.reset(seed=1)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("fine")
""",
        PYTHONWARNINGS="ignore",
    )
    assert (code, out) == (0, "fine\n"), err


def test_spawn_works(tmp_path):
    script = tmp_path / "spawned.py"
    script.write_text(
        textwrap.dedent("""
        import multiprocessing, myriant
        def work(seed):
            with myriant.Batch("ants", num_boards=1, map="tiny-2p") as batch:
                batch.reset(seed=seed)
                return int(batch.hashes()[0])
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                assert pool.map(work, [5]) == [work(5)]
        """)
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import myriant
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process of a shell's background may have it ignored
call = sys.argv[1]
if call == "create":
    def work():
        myriant.Batch("ants", num_boards=1500, map="xlarge-8p", seats=["greedy"] * 8, workers=1)
else:
    batch = myriant.Batch("ants", num_boards=1500, map="xlarge-8p", seats=["hunter"] * 8, workers=1)
    if call != "reset":
        batch.reset(seed=1)
    if call == "restore":
        shot = batch.snapshot()
    def work():
        if call in ("step", "recv"):
            for _ in range(1000):
                if call == "step":
                    batch.step()
                else:
                    batch.send()
                    batch.recv()
        elif call == "reset":
            for _ in range(1000):
                batch.reset(seed=2)
        elif call == "snapshot":
            for _ in range(1000):
                batch.snapshot()
        else:
            for _ in range(1000):
                batch.restore(shot)
at = []
def kill():
    time.sleep(0.5)
    at.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=kill, daemon=True).start()
try:
    work()
except KeyboardInterrupt:
    took = time.monotonic() - at[0]
    assert took < 1, took
    if call == "recv":
        if batch._handle.sent:
            batch.recv()
        batch.step()
    elif call != "create":
        batch.step() if call != "reset" else batch.reset(seed=1)
        assert batch.arrays is not None
        batch.close()
    print("interrupted")
else:
    print("ended" if call == "create" else "never interrupted")
"""


@pytest.mark.parametrize("call", ["create", "reset", "step", "recv", "snapshot", "restore"])
def test_ctrl_c_is_heard_within_a_second(call, tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, script, call], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout in ("interrupted\n", "ended\n"), done.stdout


OFTEN = """
import os, random, signal, threading, time
import numpy as np
import myriant
batch = myriant.Batch("ants", num_boards=100, map="open-32x32-2p", seats=["greedy", "greedy"], privileged=True)
other = myriant.Batch("ants", num_boards=1, map="tiny-2p")
batch.reset(seed=1)
armed = stop = False
def handler(*_):
    global armed
    if armed:
        armed = False
        raise KeyboardInterrupt
signal.signal(signal.SIGINT, handler)
def kill():
    rng = random.Random(1)
    while not stop:
        time.sleep(rng.random() * 0.003)
        os.kill(os.getpid(), signal.SIGINT)
end, interrupted, calls = time.monotonic() + 5, 0, 0
thread = threading.Thread(target=kill, daemon=True)
rng = random.Random(2)
shot = batch.snapshot()
def once():
    global calls
    batch._quick = rng.random() < 0.5
    k = rng.randrange(7)
    if k == 0:
        batch.reset(seed=rng.randrange(9))
    elif k == 1:
        batch.restore(shot)
    elif k == 2:
        batch.snapshot()
    elif k == 3:
        if not batch._handle.sent:
            batch.send()
        batch.recv()
    elif k == 4:
        batch.hashes()
    else:
        batch.step()
    calls += 1
def attempt():
    global armed
    try:
        armed = True
        try:
            once()
        except myriant.BusyError:
            batch.recv()
        except myriant.IdleError:
            pass
    finally:
        armed = False
thread.start()
while time.monotonic() < end:
    try:
        attempt()
    except KeyboardInterrupt:
        interrupted += 1
stop = True
thread.join()
if batch._handle.sent == "send":
    batch.recv()
now = batch.arrays
again = batch.array("planes")
assert (now.planes == again).all()
now = batch.reset(seed=3)
fresh = myriant.Batch("ants", num_boards=100, map="open-32x32-2p", seats=["greedy", "greedy"])
fresh.reset(seed=3)
for _ in range(5):
    batch.step()
    fresh.step()
assert (batch.hashes() == fresh.hashes()).all()
batch.close()
assert interrupted > 50 and calls > 50, (interrupted, calls)
print("fine")
"""


def test_ctrl_c_again_and_again():
    """Signals at any moment leave a batch that goes on, and knows how it stands."""
    code, out, err, _ = boards.run(OFTEN, timeout=120)
    assert (code, out) == (0, "fine\n"), err


def test_ctrl_c_handler_stays():
    code, out, err, _ = boards.run(
        """
import signal, myriant
before = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
got = []
signal.signal(signal.SIGTERM, lambda *a: got.append(a[0]))
batch = myriant.Batch("ants", num_boards=1, map="tiny-2p")
batch.reset(seed=1)
signal.raise_signal(signal.SIGTERM)
assert got == [signal.SIGTERM]
assert signal.getsignal(signal.SIGINT) is before[signal.SIGINT]
print("fine")
"""
    )
    assert (code, out) == (0, "fine\n"), err


def test_terminated_by_a_signal():
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import myriant, time\nb = myriant.Batch('ants', num_boards=1, map='tiny-2p')\nb.reset(seed=1)\n"
            "print('up', flush=True)\ntime.sleep(60)",
        ],
        stdout=subprocess.PIPE,
    )
    assert child.stdout.readline() == b"up\n"
    begin = time.monotonic()
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=10) == -signal.SIGTERM
    assert time.monotonic() - begin < 5
    child.stdout.close()


def test_exports_of_the_header_are_bound():
    header = Path(__file__).parents[2] / "include" / "myriant.h"
    named = set(re.findall(r"^\S.*\bmyriant_(\w+)\(", header.read_text(), re.M))
    assert named - {"abi_version", "version", "status_name"} == set(_native._SIGNATURES)


def test_process_is_remembered():
    myriant.library()
    assert _native.loaded_here()
    assert _native._process == os.getpid()
