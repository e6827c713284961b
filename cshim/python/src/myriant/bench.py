"""``python -m myriant.bench``: how fast steps are through Python, against Go, and what share of training they take.

The workloads are those of ``myriant bench``: boards in the middle of games, and orders for the next eight turns. Go
plays them in a process of its own (``myriant bench --paced``), Python here, in turns: a pass of Go, one of
``Batch.step`` with zero-copy views, and one of the library's own call without the package around it, in another order
every round. All number the wall time of a step over its boards. What Python takes over Go is the median of the rounds'
ratios, so that a machine that slows down for a while slows both. Before anything is timed, the boards that the
orders lead to are compared with Go's by hash. Run it on a machine that does nothing else.

The second part trains a small convolutional policy for a few iterations of PPO on one processor's worth of
work (PyTorch where it is installed, else the forward pass alone in numpy) and splits the time.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _command
from .batch import Batch
from .planes import unpack_planes
from .spec import make_spec

WORKLOADS = ("ants-32x32", "ants-64x96", "ants-8p", "formica")


class Played:
    """A workload that is played through Python."""

    def __init__(self, recorded: dict[str, Any], workers: int) -> None:
        self.name: str = recorded["name"]
        boards, sources = recorded["boards"], recorded["sources"]
        rules = recorded["rules"]
        game: str = recorded["game"]
        spec = make_spec(game)
        of = {role: [n for n in recorded["arrays"] if spec.arrays[n].role == role] for role in ("hidden", "mask")}
        seen = [n for n in recorded["arrays"] if spec.arrays[n].role == "observation"]
        seats = make_spec(game, map=recorded["map"]).num_players
        self.batch = Batch(
            game,
            num_boards=boards,
            map=recorded["map"],
            rules=json.loads(rules) if rules.startswith("{") else rules,
            seats=[recorded["policy"]] * seats if recorded["policy"] else None,
            observe=range(seats),
            obs=[*seen, *of["mask"]],
            statistics=of["hidden"],
            head=recorded["head"] or None,
            autoreset="disabled",
            workers=workers,
            copy=False,
        )
        if list(self.batch.spec.exported) != recorded["arrays"]:
            raise SystemExit(f"{self.name}: exports {self.batch.spec.exported}, Go exports {recorded['arrays']}")
        self.batch.reset(seed=0)
        at = 0
        for shot in recorded["shots"]:
            self.batch.restore(base64.b64decode(shot["data"]), range(at, at + shot["boards"]))
            at += shot["boards"]
        self.sources = range(sources)
        self.start = self.batch.snapshot(self.sources)
        self.rest = list(range(sources, boards))
        self.actions: list[Any] = []
        for turn in recorded["turns"]:
            of_sources = np.frombuffer(base64.b64decode(turn["actions"]), np.uint8)
            part = sum(turn["bytes"][: boards % sources])
            flat = np.concatenate([np.tile(of_sources, boards // sources), of_sources[:part]])
            head = self.batch.spec.heads[self.batch.spec.head]
            self.actions.append(
                None if recorded["policy"] else flat.reshape(-1 if head.ragged else head.shape[0], *head.shape[1:])
            )
        self.play(self.step)
        hashes = [f"{h:016x}" for h in self.batch.hashes(range(sources))]
        if hashes != recorded["hashes"]:
            raise SystemExit(f"{self.name}: the recorded orders led elsewhere than in Go")

    def step(self, actions: Any) -> None:
        """A step as a user makes it."""
        self.batch.step(actions)

    def call(self, actions: Any) -> None:
        """The library's call alone."""
        b, table = self.batch, self.batch._table
        b._encode("step", actions, None, False, None, 1.0)
        b._handle.lib.myriant_step(b._handle.number, b._actions, table.address, table.rows)

    def play(self, step: Callable[[Any], None]) -> float:
        """Plays the turns from the start; nanoseconds a board and turn of the second half, as in Go."""
        # Few boards come from bytes, for bytes are garbage that would be collected while steps are timed.
        self.batch.restore(self.start, self.sources)
        self.batch.clone(self.rest, [i % len(self.sources) for i in self.rest])
        half = len(self.actions) // 2
        for a in self.actions[:half]:
            step(a)
        begin = time.perf_counter()
        for a in self.actions[half:]:
            step(a)
        return (time.perf_counter() - begin) / (len(self.actions) - half) / self.batch.num_boards * 1e9


class Go:
    """Workloads that Go plays, in a process of its own, when it is told to."""

    def __init__(self, command: str, names: Sequence[str], workers: int, boards: int) -> None:
        arguments = [command, "bench", "--paced", "--quick", "--workers", str(workers), "--boards", str(boards)]
        for name in names:
            arguments += ["--workload", name]
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (lives as long as the process)
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, bufsize=1
        )
        self.recorded: list[dict[str, Any]] = json.loads(self.line())

    def line(self) -> str:
        """The next line of the process. Raises SystemExit with its reason when there is none."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.close()
            raise SystemExit(self.said or "myriant bench --paced ended")
        return line

    def play(self, name: str) -> float:
        """Plays the turns of a workload from the start; nanoseconds a board and turn."""
        assert self.process.stdin is not None
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        return float(self.line())

    def close(self) -> None:
        """Ends the process. Again: nothing."""
        if self.errors.closed:
            return
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.errors.seek(0)
        self.said = self.errors.read().strip()
        self.errors.close()

    def __enter__(self) -> Go:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Speed:
    """How fast a workload is, in nanoseconds a board and turn: through Go, the library's call alone, and Python."""

    workload: str
    workers: int
    boards: int
    rounds: int
    go: float  # median of the rounds
    call: float
    python: float
    over_go: float  # median of the rounds' python / go, less 1
    best_go: float  # least of the rounds
    best_python: float


def speeds(command: str, names: Sequence[str], workers: int, seconds: float, boards: int) -> list[Speed]:
    """Measures workloads, each for so many seconds and at least three rounds."""
    with Go(command, names, workers, boards) as of_go:
        return [against(of_go, Played(recorded, workers), workers, seconds) for recorded in of_go.recorded]


def against(go: Go, p: Played, workers: int, seconds: float) -> Speed:
    """Measures a workload in Go and here, a pass of each in turns, and closes it."""
    sides: list[Callable[[], float]] = [lambda: go.play(p.name), lambda: p.play(p.call), lambda: p.play(p.step)]
    taken: list[list[float]] = [[], [], []]
    end = time.perf_counter() + seconds
    while (rounds := len(taken[0])) < 3 or time.perf_counter() < end:
        for i in ((rounds + k) % 3 for k in range(3)):
            taken[i].append(sides[i]())
    p.batch.close()
    of_go, of_call, of_python = taken
    return Speed(
        workload=p.name,
        workers=workers,
        boards=p.batch.num_boards,
        rounds=rounds,
        go=median(of_go),
        call=median(of_call),
        python=median(of_python),
        over_go=median(b / a for a, b in zip(of_go, of_python, strict=True)) - 1,
        best_go=min(of_go),
        best_python=min(of_python),
    )


@dataclass
class Share:
    """What a training iteration takes: seconds of each part."""

    policy: str
    boards: int
    steps: int
    environment: float
    acting: float
    learning: float

    @property
    def share(self) -> float:
        """The environment's part of all."""
        return self.environment / (self.environment + self.acting + self.learning)


def training(seconds: float, boards: int = 64, steps: int = 8) -> Share:
    """Trains on boards of open-32x32-2p against greedy; an iteration is some steps and one epoch over them."""
    batch = Batch("ants", num_boards=boards, map="open-32x32-2p", seats=["caller", "greedy"], head="cell", copy=False)
    actor: _Torch | _Numpy
    try:
        actor = _Torch(batch)
    except ImportError:
        actor = _Numpy(batch)
    now = batch.reset(seed=1)
    share = Share(actor.name, boards, steps, 0.0, 0.0, 0.0)
    end = time.perf_counter() + seconds
    iterations = 0
    while iterations < 2 or time.perf_counter() < end:
        if iterations == 1:
            share.environment = share.acting = share.learning = 0.0  # the first one warms up
        for _ in range(steps):
            begin = time.perf_counter()
            actions = actor.act(now.planes, now.action_mask)
            middle = time.perf_counter()
            now = batch.step(actions)
            share.environment += time.perf_counter() - middle
            share.acting += middle - begin
            actor.keep(now.reward)
        begin = time.perf_counter()
        actor.learn()
        share.learning += time.perf_counter() - begin
        iterations += 1
    batch.close()
    for part in ("environment", "acting", "learning"):
        setattr(share, part, getattr(share, part) / (iterations - 1))
    return share


class _Numpy:
    """A 3x3 convolution of 8 channels and a head, forward alone."""

    name = "numpy, forward pass alone"

    def __init__(self, batch: Batch) -> None:
        rng = np.random.default_rng(0)
        self.cols = batch.spec.sizes["W"]
        channels = batch.spec.sizes["C"]
        self.first = rng.standard_normal((8, channels, 3, 3)).astype(np.float32) / 8
        self.second = rng.standard_normal((5, 8)).astype(np.float32)

    def act(self, planes: npt.NDArray[Any], mask: npt.NDArray[Any]) -> npt.NDArray[Any]:
        x = unpack_planes(planes[:, 0], self.cols, np.float32)
        h = sum(
            np.einsum("bchw,oc->bohw", np.roll(x, (1 - i, 1 - j), (2, 3)), self.first[:, :, i, j])
            for i in range(3)
            for j in range(3)
        )
        logits = np.einsum("bchw,oc->bohw", np.maximum(h, 0), self.second)
        actions: npt.NDArray[Any] = np.where(mask[:, 0] != 0, logits, -np.inf).argmax(axis=1)[:, None].astype(np.uint8)
        return actions

    def keep(self, reward: npt.NDArray[Any]) -> None:
        pass

    def learn(self) -> None:
        pass


class _Torch:
    """A convolutional policy of 32 channels, masked, one epoch of PPO's loss."""

    def __init__(self, batch: Batch) -> None:
        import torch

        self.torch = torch
        self.name = f"PyTorch, 3 convolutions of 32 channels, {torch.get_num_threads()} threads"
        torch.manual_seed(0)
        self.cols = batch.spec.sizes["W"]
        layers: list[Any] = []
        before = batch.spec.sizes["C"]
        for _ in range(3):
            layers += [torch.nn.Conv2d(before, 32, 3, padding=1, padding_mode="circular"), torch.nn.ReLU()]
            before = 32
        self.body = torch.nn.Sequential(*layers)
        self.head = torch.nn.Conv2d(32, 5, 1)
        self.value = torch.nn.Linear(32, 1)
        parts = torch.nn.ModuleList([self.body, self.head, self.value])
        self.optimizer = torch.optim.Adam(parts.parameters(), lr=1e-4)
        self.kept: list[Any] = []
        self.rewards: list[Any] = []

    def forward(self, x: Any, mask: Any) -> Any:
        h = self.body(x)
        logits = self.head(h).masked_fill(mask == 0, -1e9)
        return self.torch.log_softmax(logits, 1), self.value(h.mean((2, 3)))[:, 0]

    def act(self, planes: npt.NDArray[Any], mask: npt.NDArray[Any]) -> npt.NDArray[Any]:
        torch = self.torch
        x = torch.from_numpy(unpack_planes(planes[:, 0], self.cols, np.float32))
        m = torch.from_numpy(mask[:, 0].copy())
        with torch.no_grad():
            log_p, _ = self.forward(x, m)
            flat = log_p.permute(0, 2, 3, 1).reshape(-1, 5)
            chosen = torch.multinomial(flat.exp(), 1).reshape(log_p.shape[0], *log_p.shape[2:])
        self.kept.append((x, m, chosen, log_p.gather(1, chosen[:, None])))
        actions: npt.NDArray[Any] = chosen[:, None].numpy().astype(np.uint8)
        return actions

    def keep(self, reward: npt.NDArray[Any]) -> None:
        self.rewards.append(self.torch.from_numpy(reward[:, 0].copy()))

    def learn(self) -> None:
        for (x, m, chosen, before), reward in zip(self.kept, self.rewards, strict=True):
            log_p, value = self.forward(x, m)
            ratio = (log_p.gather(1, chosen[:, None]) - before).sum((1, 2, 3)).exp()
            advantage = reward - value.detach()
            loss = -self.torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            loss = loss + (value - reward).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        self.kept, self.rewards = [], []


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints. The result is an exit status."""
    p = argparse.ArgumentParser(prog="python -m myriant.bench", description=__doc__.split("\n\n")[0])
    p.add_argument("--quick", action="store_true", help="end within a minute")
    p.add_argument("--json", action="store_true", help="print the results as JSON")
    p.add_argument("--workload", action="append", choices=[*WORKLOADS, "ants-32x32-greedy", "formica-scripted"])
    p.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads (default: all processors)")
    p.add_argument("--boards", type=int, default=0, help="boards of every workload (default: the workload's own)")
    o = p.parse_args(arguments)
    command = _command.find()
    if command is None:
        print("the command myriant is not installed beside this Python", file=sys.stderr)
        return 1
    found = speeds(str(command), o.workload or WORKLOADS, o.workers, 4.0 if o.quick else 20.0, o.boards)
    share = training(4.0 if o.quick else 20.0)
    if o.json:
        print(json.dumps({"speed": [asdict(s) for s in found], "training": {**asdict(share), "share": share.share}}))
        return 0
    print("nanoseconds a board and turn, medians of the rounds; best: the least of them\n")
    print(
        f"{'workload':18}{'workers':>8}{'boards':>7}{'rounds':>7}{'Go':>9}{'C call':>9}{'Python':>9}{'over Go':>9}"
        f"{'best Go':>9}{'best Python':>12}{'over Go':>9}"
    )
    for s in found:
        print(
            f"{s.workload:18}{s.workers:8}{s.boards:7}{s.rounds:7}{s.go:9,.0f}{s.call:9,.0f}{s.python:9,.0f}{s.over_go:9.1%}"
            f"{s.best_go:9,.0f}{s.best_python:12,.0f}{s.best_python / s.best_go - 1:9.1%}"
        )
    print(f"\na training iteration: {share.boards} boards of open-32x32-2p against greedy, {share.steps} steps")
    print(f"{share.policy}\n")
    whole = share.environment + share.acting + share.learning
    for part in ("environment", "acting", "learning"):
        seconds = getattr(share, part)
        print(f"{part:20}{seconds * 1e3:10.1f} ms{seconds / whole:10.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
