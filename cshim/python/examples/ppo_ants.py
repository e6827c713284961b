"""PPO plays Ants: one file, two CPU cores, a quarter of an hour.

    pip install './cshim/python[train]'
    python ppo_ants.py                            # trains on the bundled map tiny-2p, writes runs/ppo_ants
    python ppo_ants.py --resume                   # goes on from the last checkpoint
    python ppo_ants.py --play runs/ppo_ants/policy.onnx --matches 400      # full matches of an exported policy
    python ppo_ants.py --plot curves.png          # the learning curves (needs matplotlib)

How it works
    A colony is one agent with many bodies. The network is fully convolutional: it reads a seat's seven planes, and
    gives five logits (N, E, S, W, stay) for every cell. Those of cells with an own ant are looked at, and every
    ant's ratio is clipped by itself.
    Before the first convolution that learns come some that are fixed (Look): which neighbour is nearer to food, to a
    hill, to an enemy, to the dark, along open land; and how many ants can attack a cell. So the network need not
    learn to find ways, and reaches in minutes what would take hours.
    An ant's advantage has two parts, both by GAE. The colony's: from the engine's reward, and the same for all its
    ants. The ant's own: it ate, razed a hill or died, which its seat can see, so credit goes to who deserves it, and
    follows the ant over the board. That needs a critic for each: one value a board, and one a cell.
    At first the network watches a policy of the engine for a minute, and learns to do the same (imitate): it plays
    badly after that, but as ants do. Then the boards of PPO step together. On some both seats are the network
    (self-play), on the others one seat is a policy of the engine: random, greedy or hunter, as they come.

Read from the bottom: main, train, then Trainer: imitate, collect, update.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn import functional as F

import myriant

NEAR = 10  # squared distance at which an ant may have had a part in a fight: the enemy moved, then both attacked
ATTACK = 5  # the squared attack radius
MINE, FOES, FOOD, OWN_HILLS, ENEMY_HILLS, KNOWN_WATER, VISIBLE = range(7)  # the planes
MOVES = ((1, -2), (-1, -1), (-1, -2), (1, -1), (0, -1))  # N, E, S, W, stay: shift and axis that bring the target here


@dataclass
class Config:
    """What a run depends on. Every field is an option of the command line."""

    map: str = "tiny-2p"  # a bundled map's name, or a file; rows and columns must be even
    out: str = "runs/ppo_ants"  # the folder of everything that the run writes
    seed: int = 1
    iterations: int = 300  # of collecting and learning
    minutes: float = 0.0  # stop after so long; 0: not before the last iteration
    threads: int = 2  # of the network and of the engine

    boards: int = 96  # boards that step together
    steps: int = 16  # steps of every board an iteration
    greedy: float = 0.8  # the share of the boards where the other seat is greedy
    random: float = 0.02
    hunter: float = 0.0  # self-play has the other boards

    teacher: str = "hunter"  # the engine's policy that is imitated at the beginning
    imitate: int = 300  # steps of that, each on what 192 boards show; 0: PPO from nothing
    sharpen: float = 3.0  # what the imitator's logits are multiplied with: ants that hesitate collide
    critics: int = 4  # iterations after that in which the critics learn alone

    channels: int = 48
    layers: int = 2
    bfloat16: bool = True  # far faster on CPUs with AMX or AVX512-BF16; --no-bfloat16 for the others
    epochs: int = 2
    minibatch: int = 384  # observations
    lr: float = 1e-3  # of body and actor; falls to 0 in a straight line
    critic_lr: float = 1e-3  # the same
    gamma: float = 0.99
    lam: float = 0.95  # of GAE
    clip: float = 0.2
    entropy: float = 0.004  # weight of the entropy bonus; falls to a tenth
    value: float = 0.5  # weight of the value loss
    max_norm: float = 0.5  # of the gradient

    win: float = 0.5  # the colony's reward for the win, and against the defeat, at the end
    food: float = 0.03  # for each food, less that of the enemy, and so with the next two
    kills: float = 0.03  # for each enemy killed in combat
    losses: float = 0.03  # against, for each own ant that died
    explore: float = 0.0  # for each cell seen for the first time, as a share of the board
    near: float = (
        0.1  # the ant's own reward: for food beside it, for an enemy that died near it, against an own ant's death
    )
    razed: float = 0.3  # it went onto a hill that was another seat's
    near_gamma: float = 0.95  # what happens near an ant is soon over
    near_lam: float = 0.9

    save_every: int = 10  # iterations from one checkpoint to the next
    matches: int = 400  # of the evaluation at the end, against each opponent and in each way to choose


class Torus(Function):
    """Circular padding of [N,C,H,W]. (F.pad does the same, but its gradient takes longer than a convolution's.)"""

    @staticmethod
    def forward(x: Tensor, by: int) -> Tensor:
        """The torus and a rim of some cells."""
        x = torch.cat([x[:, :, -by:], x, x[:, :, :by]], 2)
        return torch.cat([x[..., -by:], x, x[..., :by]], 3)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, int], output: Tensor) -> None:
        """Remembers the rim's width."""
        ctx.by = inputs[1]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        """What the rim's cells got belongs to the cells that they show."""
        by, grad = ctx.by, grad.contiguous(memory_format=torch.channels_last)
        grad[..., by : 2 * by] += grad[..., -by:]
        grad[..., -2 * by : -by] += grad[..., :by]
        inner = grad[:, :, by:-by, by:-by]
        inner[:, :, -by:] += grad[:, :, :by, by:-by]
        inner[:, :, :by] += grad[:, :, -by:, by:-by]
        return inner, None


def torus(x: Tensor, by: int = 1) -> Tensor:
    """Circular padding by some cells."""
    return Torus.apply(x, by) if torch.is_grad_enabled() else Torus.forward(x, by)


class Look(nn.Module):
    """Fixed features of an observation: planes uint8[N,7,H,W] to uint8[N,FEATURES,H,W].

    Waves go out over open land from food, enemy hills, the dark, enemies and own hills, a step at a time. A byte a
    cell holds all five, a bit each, so they go at once. The features are the planes, where the waves had come after 4
    and after 8 steps, which of a cell's neighbours each reached sooner than the cell itself (the way there), and how
    many own ants and enemies could attack the cell from where they are, and after a move.
    """

    WAVES = 5
    STEPS = 24
    FEATURES = 7 + WAVES * (4 + 2) + 4

    def __init__(self) -> None:
        super().__init__()
        reach = range(-3, 4)
        near = torch.tensor([[float(r * r + c * c <= ATTACK) for c in reach] for r in reach])
        moves = (near.roll(by, axis) for by in (-1, 1) for axis in (0, 1))
        kernel = torch.zeros(4, 2, 7, 7)  # one for each plane alone
        kernel[0, 0] = kernel[2, 1] = near
        kernel[1, 0] = kernel[3, 1] = torch.stack([near, *moves]).amax(0)
        self.register_buffer("kernel", kernel, persistent=False)

    @torch.no_grad()
    def forward(self, planes: Tensor) -> Tensor:
        """All features."""
        dry, food = 1 - planes[:, KNOWN_WATER], planes[:, FOOD]
        dark = dry * (1 - planes[:, VISIBLE])
        wave = food + 2 * planes[:, ENEMY_HILLS] + 4 * dark + 8 * planes[:, FOES] + 16 * planes[:, OWN_HILLS]
        land = 255 * dry * (1 - food)
        ways, at = [torch.zeros_like(wave)] * 4, []
        for step in range(1, self.STEPS + 1):
            around = [wave.roll(by, axis) for by, axis in MOVES[:4]]
            ways = [way | there & ~wave for way, there in zip(ways, around, strict=True)]
            north, east, south, west = around
            wave = wave | (north | east | south | west) & land
            if step in (4, 8):
                at.append(wave)
        bits = torch.tensor([[[1 << i]] for i in range(self.WAVES)], dtype=torch.uint8)
        waves = (torch.stack(ways + at, 1)[:, :, None] & bits != 0).flatten(1, 2)
        attackers = F.conv2d(torus(planes[:, [MINE, FOES]].float(), 3), self.kernel)
        return torch.cat([planes, waves.to(torch.uint8), attackers.to(torch.uint8)], 1)


class Policy(nn.Module):
    """Planes to logits a cell and a value a board.

    The first convolution makes one cell of two by two, so that those after it see twice as far at a quarter of the
    cost; the head turns each back into two by two cells. In training they compute in bfloat16 where fast is set.
    """

    def __init__(self, channels: int, layers: int, fast: bool = False) -> None:
        super().__init__()
        self.fast = fast
        self.look = Look()
        self.first = nn.Conv2d(Look.FEATURES, channels, 6, stride=2)
        self.body = nn.ModuleList(nn.Conv2d(channels, channels, 3) for _ in range(layers))
        self.actor = nn.Conv2d(channels, 4 * 5, 1)
        self.critics = nn.Conv2d(channels, channels, 3)
        self.own_critic = nn.Conv2d(channels, 4, 1)
        self.colony_critic = nn.Sequential(nn.Linear(2 * channels, channels), nn.ReLU(), nn.Linear(channels, 1))
        for conv in (self.first, *self.body, self.critics):
            nn.init.orthogonal_(conv.weight, 2**0.5)
            nn.init.zeros_(conv.bias)
        self.first.weight.data[:, -4:] /= 2  # counts are larger than bits
        nn.init.orthogonal_(self.actor.weight, 0.01)
        for last in (self.own_critic, self.colony_critic[2]):
            nn.init.zeros_(last.weight)
        for last in (self.actor, self.own_critic, self.colony_critic[2]):
            nn.init.zeros_(last.bias)
        self.to(memory_format=torch.channels_last)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """planes uint8[N,7,H,W]: float32 logits [N,5,H,W], values of colonies [N], of cells [N,H,W].

        The critics read what the actor's body found, but their errors do not change it: they are far larger than
        the policy's gradient, and would undo what was learned by imitation.
        """
        fast = self.fast and self.training
        with torch.autocast("cpu", torch.bfloat16, enabled=fast):
            dtype = torch.bfloat16 if fast else torch.float32
            x = self.look(planes).to(dtype, memory_format=torch.channels_last)
            x = F.relu(self.first(torus(x, 2)))
            for conv in self.body:
                x = x + F.relu(conv(torus(x)))
            logits = F.pixel_shuffle(self.actor(x), 2)
            x = x.detach()
            x = x + F.relu(self.critics(torus(x)))
            pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
            value, own = self.colony_critic(pooled).squeeze(1), F.pixel_shuffle(self.own_critic(x), 2).squeeze(1)
        return logits.float(), value.float(), own.float()


def make_boards(c: Config) -> myriant.Batch:
    """The training boards: opponents in both seats in turn, self-play on the rest."""
    rows: list[list[str]] = []
    for name in ("greedy", "random", "hunter"):
        for i in range(round(getattr(c, name) * c.boards)):
            rows.append(["caller", name] if i % 2 == 0 else [name, "caller"])
    rows += [["caller", "caller"]] * (c.boards - len(rows))
    return myriant.Batch(
        "ants",
        num_boards=c.boards,
        map=load_map(c.map),
        seats=rows,
        observe=[0, 1],
        obs=["planes", "cell_mask"],
        head="cell",
        rewards={"rank": c.win, "food": c.food, "kills": c.kills, "losses": c.losses, "explore": c.explore},
        zero_sum=True,
        statistics=["rank", "turn"],
        workers=c.threads,
    )


def load_map(name: str) -> str | Path:
    return Path(name) if Path(name).is_file() else name


def look(now: myriant.Arrays, seats: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the given seats (numbers b*S+s) see: packed planes uint8[K,C,H,RB] and mask int8[K,5,H,W]."""
    return (
        now.planes.reshape(-1, *now.planes.shape[2:])[seats],
        now.cell_mask.reshape(-1, *now.cell_mask.shape[2:])[seats],
    )


def cells(batch: myriant.Batch, seats: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Actions uint8[K,H,W] of some seats as those of the whole batch. The engine reads none at seats of its own."""
    every = np.zeros((batch.num_boards * batch.num_seats, *actions.shape[1:]), np.uint8)
    every[seats] = actions
    return every.reshape(batch.num_boards, batch.num_seats, *actions.shape[1:])


def ants(planes: Tensor, mask: Tensor, logits: Tensor) -> tuple[Tensor, Tensor]:
    """Where the own ants are, bool[N,H,W], and the log-probabilities of their actions, float32[ants,5]."""
    mine = planes[:, MINE].bool()
    allowed = mask.movedim(1, -1)[mine].bool()
    return mine, logits.movedim(1, -1)[mine].masked_fill(~allowed, -1e9).log_softmax(1)


def act(policy: Policy, planes: np.ndarray, mask: np.ndarray, noise: Tensor | None) -> tuple[np.ndarray, ...]:
    """Actions uint8[N,H,W], their log-probabilities float32[N,H,W], 0 where no ant is, and the two kinds of values.

    noise float32[ants,5], exponentially distributed, draws from the softmax (the argmax with Gumbel noise);
    without it each ant does what is most probable.
    """
    actions, log_probs = np.zeros(mask[:, 0].shape, np.uint8), np.zeros(mask[:, 0].shape, np.float32)
    with torch.no_grad():
        x = torch.from_numpy(planes)
        logits, value, own = policy(x)
        mine, logs = ants(x, torch.from_numpy(mask), logits)
        scores = logs if noise is None else logs - noise.log()
        chosen = scores.argmax(1, keepdim=True)
        actions[mine.numpy()] = chosen.squeeze(1).numpy()
        log_probs[mine.numpy()] = logs.gather(1, chosen).squeeze(1).numpy()
    return actions, log_probs, value.numpy(), own.numpy()


def follow(actions: np.ndarray, plane: np.ndarray) -> np.ndarray:
    """What the plane has where each cell's action leads: [K,H,W]."""
    return np.choose(actions, [np.roll(plane, shift, axis) for shift, axis in MOVES])


def watch(before: np.ndarray, mask: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What ants did between two observations of a seat: actions uint8[K,H,W], and where they are certain, bool[K,H,W].

    An ant went to one of the cells that its mask allows and where an own ant is now. Of several: no two ants went to
    the same cell, and whoever stands on a cell came from somewhere, unless it hatched on a hill. Ants that died, and
    those that stay ambiguous, are not certain. (An ant that died may let another look certain: that is rare.)
    """
    there = np.stack([np.roll(after[:, MINE], shift, axis) for shift, axis in MOVES], 1)
    may = (mask & there & before[:, MINE, None]).astype(bool)
    for _ in range(4):
        settled = may.sum(1, keepdims=True) == 1
        goes = [np.roll(may[:, a], -shift, axis) for a, (shift, axis) in enumerate(MOVES)]
        gone = [np.roll((may & settled)[:, a], -shift, axis) for a, (shift, axis) in enumerate(MOVES)]
        taken = np.any(gone, axis=0)
        only = (np.sum(goes, axis=0) == 1) & (before[:, OWN_HILLS] == 0)
        taken, only = (np.stack([np.roll(x, *move) for move in MOVES], 1) for x in (taken, only))
        may &= settled | ~taken
        forced = may & only
        may &= ~forced.any(1, keepdims=True) | forced
    return may.argmax(1).astype(np.uint8), may.sum(1) == 1


def own_rewards(c: Config, before: np.ndarray, actions: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each ant got, float32[K,H,W], and whether it lives, bool[K,H,W], both at the cell that it came from.

    before and after are planes uint8[K,C,H,W]: what the seats saw. A move that the mask allows is made. What an ant
    gets is the change in ants around it: food that it or its neighbour ate, enemies and own ants that are gone.
    """
    ant, seen = before[:, MINE].astype(bool), after[:, VISIBLE]
    lives = ant & follow(actions, after[:, MINE]).astype(bool)
    eaten = before[:, FOOD] & ~after[:, FOOD] & seen
    gone = before[:, FOES] & (around(after[:, FOES], 1) == 0) & seen  # an ant moves one cell at most
    change = follow(actions, around(eaten, 1) + around(gone, NEAR)) - around(ant & ~lives, NEAR)
    reward = c.near * change + c.razed * (lives & follow(actions, before[:, ENEMY_HILLS]).astype(bool))
    return (reward * ant).astype(np.float32), lives


def around(plane: np.ndarray, radius2: int) -> np.ndarray:
    """How many cells are set at most the radius, whose square is given, away from each cell: int8[K,H,W]."""
    reach = range(-int(radius2**0.5), int(radius2**0.5) + 1)
    near = [np.roll(plane, (r, c), (-2, -1)) for r in reach for c in reach if r * r + c * c <= radius2]
    return np.sum(near, axis=0, dtype=np.int8)


class Rollout:
    """What the learner's K seats saw, did and got in T steps."""

    def __init__(self, steps: int, spec: myriant.Spec, seats: int) -> None:
        t, k, h, w = steps, seats, spec.sizes["H"], spec.sizes["W"]
        self.planes = np.zeros((t, k, *spec.arrays["planes"].shape[2:]), np.uint8)
        self.mask = np.zeros((t, k, 5, h, w), np.int8)
        self.action = np.zeros((t, k, h, w), np.uint8)
        self.log_prob = np.zeros((t, k, h, w), np.float32)
        self.value = np.zeros((t + 1, k), np.float32)
        self.own_value = np.zeros((t + 1, k, h, w), np.float32)
        self.own_reward = np.zeros((t, k, h, w), np.float32)
        self.lives = np.zeros((t, k, h, w), bool)
        self.reward = np.zeros((t, k), np.float32)
        self.terminated = np.zeros((t, k), bool)
        self.done = np.zeros((t, k), bool)
        self.valid = np.zeros((t, k), bool)

    def advantages(self, c: Config) -> tuple[np.ndarray, np.ndarray]:
        """GAE: the colonies', float32[T,K], and their ants', float32[T,K,H,W].

        A truncated episode has a future, a terminated one has none, and no more has a dead ant.

        After an episode's end comes a step in which the board begins anew (autoreset "next_step"): no transition of
        the seat, marked by valid, and left out of learning.
        """
        advantage, own = np.zeros_like(self.reward), np.zeros_like(self.own_reward)
        last, own_last = advantage[0], own[0]
        for t in reversed(range(len(self.reward))):
            future = c.gamma * self.value[t + 1] * ~self.terminated[t]
            last = self.reward[t] + future - self.value[t] + c.gamma * c.lam * ~self.done[t] * last
            advantage[t] = last = last * self.valid[t]

            goes_on = self.lives[t] & ~self.done[t][:, None, None]
            future = c.near_gamma * goes_on * follow(self.action[t], self.own_value[t + 1] + c.near_lam * own_last)
            own[t] = own_last = (self.own_reward[t] + future - self.own_value[t]) * self.valid[t][:, None, None]
        return advantage, own


class Trainer:
    """Everything that a run has: boards, network, optimizer, generators. ``save`` and ``load`` hold all of it."""

    def __init__(self, c: Config) -> None:
        self.config = c
        # PyTorch's own threads meet after every operation, which takes longer than these operations on a busy machine.
        # So each works on a share of the observations instead, and they meet once a step.
        torch.set_num_threads(1)
        self.pool = ThreadPoolExecutor(c.threads, initializer=torch.set_num_threads, initargs=(1,))
        torch.manual_seed(c.seed)
        self.generator = torch.Generator().manual_seed(c.seed)
        self.boards = make_boards(c)
        spec = self.boards.spec
        if spec.sizes["H"] % 2 or spec.sizes["W"] % 2:
            raise SystemExit(f"{c.map} has {spec.sizes['H']} rows and {spec.sizes['W']} columns: want even numbers")
        self.seats = np.flatnonzero(spec.caller)  # the learner's, as b*S+s
        self.policy = Policy(c.channels, c.layers, c.bfloat16)
        critics = [p for name, p in self.policy.named_parameters() if "critic" in name]
        actor = [p for name, p in self.policy.named_parameters() if "critic" not in name]
        self.optimizer = torch.optim.Adam(
            [{"params": actor, "lr": c.lr}, {"params": critics, "lr": c.critic_lr}], eps=1e-5, fused=True
        )
        self.rollout = Rollout(c.steps, spec, len(self.seats))
        self.iteration = 0
        self.observations = 0
        self.ants = 0
        self.seconds = 0.0
        self.results: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=100))
        self.now = self.boards.reset(seed=c.seed)

    def share(self, function: Callable[[np.ndarray], object], items: np.ndarray) -> list:
        """Calls the function with each thread's share of some numbers. The results are in order."""
        return list(self.pool.map(function, np.array_split(items, self.config.threads)))

    def imitate(self) -> Iterator[tuple[float, float]]:
        """Learns to do what the teacher does, from watching it play greedy and itself. Yields loss and accuracy."""
        c, parameters = self.config, list(self.policy.parameters())
        optimizer = torch.optim.Adam(parameters, lr=2e-3, fused=True)
        rows = [[c.teacher, "greedy"], ["greedy", c.teacher], [c.teacher, c.teacher]]
        with myriant.Batch(
            "ants", num_boards=192, map=load_map(c.map), seats=rows, observe=[0, 1], obs=["planes", "cell_mask"],
            workers=c.threads,
        ) as boards:  # fmt: skip
            width, seats = boards.spec.sizes["W"], np.flatnonzero(boards.spec.players == c.teacher)
            now = boards.reset(seed=c.seed)
            for _ in range(int(torch.randint(50, 60, (), generator=self.generator))):
                now = boards.step()  # so that the boards are at all stages of a game

            def gradient(i: np.ndarray) -> tuple[tuple[Tensor, ...], float, float]:
                x = torch.from_numpy(before[i])
                mine, logs = ants(x, torch.from_numpy(mask[i]), self.policy(x)[0])
                known = torch.from_numpy(certain[i])[mine]
                did = torch.from_numpy(actions[i])[mine].long()[known]
                loss = F.nll_loss(logs[known], did)
                right = (logs[known].argmax(1) == did).float().mean().item()
                return torch.autograd.grad(loss / c.threads, parameters, materialize_grads=True), loss.item(), right

            for step in range(c.imitate):
                packed, mask = look(now, seats)
                now = boards.step()
                before, after = (myriant.unpack_planes(p, width) for p in (packed, look(now, seats)[0]))
                actions, certain = watch(before, mask, after)
                certain &= now.valid_seats.reshape(-1)[seats][:, None, None]
                optimizer.param_groups[0]["lr"] = 2e-3 * (1 - step / c.imitate)
                order = torch.randperm(len(seats), generator=self.generator).numpy()
                for batch in np.array_split(order, 2):
                    gradients, losses, rights = zip(*self.share(gradient, batch), strict=True)
                    self.descend(optimizer, gradients)
                yield float(np.mean(losses)), float(np.mean(rights))
        with torch.no_grad():
            self.policy.actor.weight *= c.sharpen
            self.policy.actor.bias *= c.sharpen

    def descend(self, optimizer: torch.optim.Optimizer, gradients: Sequence[Sequence[Tensor]]) -> None:
        """A step of the optimizer, down the sum of the threads' gradients."""
        for p, *parts in zip(self.policy.parameters(), *gradients, strict=True):
            p.grad = torch.zeros_like(p)  # in p's memory format, which the fused optimizer takes for granted
            for part in parts:
                p.grad += part
        nn.utils.clip_grad_norm_(self.policy.parameters(), self.config.max_norm)
        optimizer.step()

    def collect(self) -> None:
        """Plays T steps of all boards into the rollout."""
        r, seats, players = self.rollout, self.seats, self.boards.spec.players
        every = np.arange(len(seats))
        for t in range(self.config.steps + 1):
            packed, mask = look(self.now, seats)
            planes = myriant.unpack_planes(packed, mask.shape[-1])
            count = planes[:, MINE].sum((1, 2), dtype=int)
            noise = torch.empty(count.sum(), 5).exponential_(generator=self.generator).split(count.tolist())
            parts = self.share(
                lambda i: act(self.policy, planes[i], mask[i], torch.cat(noise[i[0] : i[-1] + 1])),  # noqa: B023
                every,
            )
            action, log_prob, r.value[t], r.own_value[t] = (np.concatenate(part) for part in zip(*parts, strict=True))
            if t == self.config.steps:
                break
            r.planes[t], r.mask[t], r.action[t], r.log_prob[t] = packed, mask, action, log_prob
            self.now = now = self.boards.step(cells(self.boards, seats, action))
            after = myriant.unpack_planes(look(now, seats)[0], mask.shape[-1])
            parts = self.share(lambda i: own_rewards(self.config, planes[i], action[i], after[i]), every)  # noqa: B023
            r.own_reward[t], r.lives[t] = (np.concatenate(part) for part in zip(*parts, strict=True))
            r.reward[t] = now.reward.reshape(-1)[seats]
            r.terminated[t] = now.terminated.reshape(-1)[seats]
            r.done[t] = r.terminated[t] | now.truncated.reshape(-1)[seats]
            r.valid[t] = now.valid_seats.reshape(-1)[seats]
            for i, board in enumerate(now.final_boards):
                for seat in np.flatnonzero(players[board] != "caller"):
                    ranks = now.final_info["rank"][i]
                    self.results[players[board, seat]].append(float(ranks[1 - seat] < ranks[seat]))
                self.results["turns"].append(float(now.final_info["turn"][i]))
        self.observations += int(r.valid.sum())

    def update(self) -> dict[str, float]:
        """Learns from the rollout: epochs of minibatches. Returns the means of what was measured."""
        c, r = self.config, self.rollout
        progress = self.iteration / c.iterations
        for group, lr in zip(self.optimizer.param_groups, (c.lr, c.critic_lr), strict=True):
            group["lr"] = lr * (1 - progress)
        entropy_weight = c.entropy * (1 - 0.9 * progress)

        advantage, own = r.advantages(c)
        target, own_target = (advantage + r.value[:-1]).reshape(-1), own + r.own_value[:-1]
        own += advantage[..., None, None]
        ant = (r.log_prob != 0) & r.valid[..., None, None]
        own = (own - own[ant].mean()) / (own[ant].std() + 1e-8)
        planes, masks, actions, log_probs, own, own_target = (
            a.reshape(-1, *a.shape[2:]) for a in (r.planes, r.mask, r.action, r.log_prob, own, own_target)
        )
        parameters = list(self.policy.parameters())

        def gradient(i: np.ndarray) -> tuple[tuple[Tensor, ...], dict[str, float]]:
            """The gradient of the loss over observations i."""
            x = torch.from_numpy(myriant.unpack_planes(planes[i], masks.shape[-1]))
            logits, value, own_value = self.policy(x)
            mine, logs = ants(x, torch.from_numpy(masks[i]), logits)
            new = logs.gather(1, torch.from_numpy(actions[i])[mine].long()[:, None]).squeeze(1)
            old = torch.from_numpy(log_probs[i])[mine]
            a = torch.from_numpy(own[i])[mine]

            ratio = (new - old).exp()
            policy_loss = -torch.min(a * ratio, a * ratio.clamp(1 - c.clip, 1 + c.clip)).mean()
            value_loss = F.mse_loss(value, torch.from_numpy(target[i]))
            entropy = -(logs.exp() * logs).sum(1).mean()
            own_loss = F.mse_loss(own_value[mine], torch.from_numpy(own_target[i])[mine])
            loss = c.value * (value_loss + own_loss)
            if self.iteration >= c.critics:
                loss = loss + policy_loss - entropy_weight * entropy
            return torch.autograd.grad(loss / c.threads, parameters, materialize_grads=True), {
                "policy_loss": policy_loss.item(),
                "value_loss": value_loss.item(),
                "own_value_loss": own_loss.item(),
                "entropy": entropy.item(),
                "kl": (ratio - 1 - (new - old)).mean().item(),
                "clipped": ((ratio - 1).abs() > c.clip).float().mean().item(),
                "ants": len(a) / len(i),
            }

        measured: dict[str, list[float]] = defaultdict(list)
        valid = np.flatnonzero(r.valid)
        for _ in range(c.epochs):
            order = valid[torch.randperm(len(valid), generator=self.generator).numpy()]
            for batch in np.array_split(order, max(1, round(len(order) / c.minibatch))):
                gradients, numbers = zip(*self.share(gradient, batch), strict=True)
                self.descend(self.optimizer, gradients)
                for part in numbers:
                    for name, number in part.items():
                        measured[name].append(number)
        found = {name: float(np.mean(values)) for name, values in measured.items()}
        found["explained"] = float(1 - (target - r.value[:-1].reshape(-1))[valid].var() / (target[valid].var() + 1e-8))
        found["reward"] = float(r.reward[r.valid].mean())
        self.ants += int(found["ants"] * len(valid))
        return found

    def save(self, path: Path) -> None:
        """Writes all that the rest of the run depends on. A run that goes on from it is the run without a break."""
        state = {
            "config": asdict(self.config),
            "policy": self.policy.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "boards": self.boards.snapshot(),
            "counts": (self.iteration, self.observations, self.ants, self.seconds),
            "results": {name: list(values) for name, values in self.results.items()},
        }
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)  # a whole file at any moment

    def load(self, path: Path) -> None:
        """Goes on where ``save`` was called."""
        state = torch.load(path, weights_only=True)
        self.policy.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.boards.restore(state["boards"])
        self.now = self.boards.arrays
        self.iteration, self.observations, self.ants, self.seconds = state["counts"]
        for name, values in state["results"].items():
            self.results[name].extend(values)

    def close(self) -> None:
        """Ends the threads and frees the boards."""
        self.pool.shutdown()
        self.boards.close()


# Whoever gives logits float32[N,5,H,W] for planes uint8[N,C,H,W] can play.
Network = Callable[[np.ndarray], np.ndarray]


class Moves(nn.Module):
    """The part of a policy that playing needs."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, planes: Tensor) -> Tensor:
        return self.policy(planes)[0]


def export(policy: Policy, path: Path) -> None:
    """Writes ONNX: "planes" uint8[N,C,H,W] to "logits" float32[N,5,H,W], for boards of any even size."""
    n, h, w = (torch.export.Dim(name) for name in ("n", "half_rows", "half_cols"))
    example = torch.zeros(2, 7, 24, 28, dtype=torch.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what the exporter deprecates in itself
        torch.onnx.export(
            Moves(policy).eval(), (example,), path, input_names=["planes"], output_names=["logits"],
            dynamic_shapes={"planes": {0: n, 2: 2 * h, 3: 2 * w}}, dynamo=True, external_data=False, verbose=False,
        )  # fmt: skip


def torch_network(policy: Policy) -> Network:
    """A policy as it is, in float32."""
    policy.eval()

    def network(planes: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return policy(torch.from_numpy(planes))[0].numpy()

    return network


def onnx_network(path: Path, threads: int = 1) -> Network:
    """An exported policy, run by onnxruntime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda planes: session.run(["logits"], {"planes": planes})[0]


def play(
    network: Network, opponent: str, matches: int, *, map: str, sampled: bool, seed: int = 0, threads: int = 0
) -> dict[str, float]:
    """Plays full matches under the rules of the ladder, each seat in half of them: shares of "won", "drawn", "lost".

    Won is rank 1 alone. The engine masks the logits, and takes each ant's argmax or draws from the softmax.
    """
    rows = [["caller", opponent], [opponent, "caller"]]
    with myriant.Batch(
        "ants", num_boards=matches, map=load_map(map), seats=rows, observe=[0, 1], obs=["planes", "cell_mask"],
        head="cell_logits", autoreset="disabled", statistics=["rank"], workers=threads,
    ) as boards:  # fmt: skip
        seats = np.flatnonzero(boards.spec.caller)
        logits = np.zeros((2 * matches, 5, *boards.spec.arrays["cell_mask"].shape[-2:]), np.float32)
        ranks = np.zeros((matches, 2), int)
        now = boards.reset(seed=seed)
        while not ranks.all():
            on = seats[~ranks.any(1)]  # matches that are over are not looked at
            planes = look(now, on)[0]
            logits[on] = network(myriant.unpack_planes(planes, logits.shape[-1]))
            now = boards.step(logits.reshape(matches, 2, *logits.shape[1:]), sample=sampled)
            if now.final_info is not None:
                ranks[now.final_boards] = now.final_info["rank"]
    own = np.arange(matches) % 2
    mine, other = ranks[np.arange(matches), own], ranks[np.arange(matches), 1 - own]
    return {"won": float((mine < other).mean()), "drawn": float((mine == other).mean()),
            "lost": float((mine > other).mean())}  # fmt: skip


def evaluate(network: Network, c: Config) -> dict[str, dict[str, float]]:
    """Full matches against each of the engine's policies, sampled and by argmax."""
    found = {}
    for opponent in ("random", "greedy", "hunter"):
        for sampled in (True, False):
            name = f"{opponent} {'sampled' if sampled else 'argmax'}"
            found[name] = play(
                network, opponent, c.matches, map=c.map, sampled=sampled, seed=c.seed + 1000, threads=c.threads
            )
            shares = ", ".join(f"{what} {share:6.1%}" for what, share in found[name].items())
            print(f"{c.matches} matches against {name:15}: {shares}")
    return found


COLUMNS = ("iteration", "minutes", "observations", "ants", "random", "greedy", "hunter", "turns", "reward", "entropy",
           "policy_loss", "value_loss", "own_value_loss", "explained", "kl", "clipped", "ants_a_colony")  # fmt: skip


def train(c: Config, resume: bool = False, progress: bool = True) -> Trainer:
    """A whole run. Writes into c.out: config.json, imitation.csv, log.csv, TensorBoard's files, checkpoint.pt."""
    from torch.utils.tensorboard import SummaryWriter
    from tqdm import tqdm

    out = Path(c.out)
    out.mkdir(parents=True, exist_ok=True)
    (out / "config.json").write_text(json.dumps(asdict(c), indent=2) + "\n")
    trainer, checkpoint, log = Trainer(c), out / "checkpoint.pt", out / "log.csv"
    rows: list[dict[str, str]] = []
    if resume:
        trainer.load(checkpoint)
        with log.open(newline="") as file:  # what was logged after the checkpoint comes again
            rows = [row for row in csv.DictReader(file) if int(row["iteration"]) <= trainer.iteration]
    before, begin = trainer.seconds, time.monotonic()
    if not resume:
        with (out / "imitation.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("step", "minutes", "loss", "accuracy"))
            steps = tqdm(trainer.imitate(), f"watching {c.teacher}", c.imitate, disable=not progress)
            for step, (loss, accuracy) in enumerate(steps):
                writer.writerow((step + 1, f"{(time.monotonic() - begin) / 60:.4g}", f"{loss:.6g}", f"{accuracy:.6g}"))
                steps.set_postfix(loss=f"{loss:.3f}", accuracy=f"{accuracy:.0%}")
    with (
        log.open("w", newline="") as file,
        SummaryWriter(out, purge_step=trainer.iteration + 1) as board,
        tqdm(desc="PPO", total=c.iterations, initial=trainer.iteration, unit="it", disable=not progress) as bar,
    ):
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
        while trainer.iteration < c.iterations and not 0 < c.minutes * 60 <= trainer.seconds:
            trainer.collect()
            row = trainer.update()
            trainer.iteration += 1
            trainer.seconds = before + time.monotonic() - begin
            row |= {name: float(np.mean(values)) for name, values in trainer.results.items()}
            row |= {"iteration": trainer.iteration, "minutes": trainer.seconds / 60,
                    "observations": trainer.observations, "ants": trainer.ants}  # fmt: skip
            writer.writerow({name: f"{row[name]:.6g}" if name in row else "" for name in COLUMNS})
            file.flush()
            for name in COLUMNS[1:]:
                if name in row:
                    board.add_scalar(f"ppo/{name}", row[name], trainer.iteration)
            bar.set_postfix({name: f"{row[name]:.0%}" for name in ("random", "greedy", "hunter") if name in row})
            bar.update()
            if trainer.iteration % c.save_every == 0:
                trainer.save(checkpoint)
    trainer.save(checkpoint)
    return trainer


def plot(out: Path, png: Path) -> None:
    """Draws the learning curves of a run from its log.csv."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    with (out / "log.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
    for name, color in (("random", "tab:green"), ("greedy", "tab:blue"), ("hunter", "tab:red")):
        have = [row for row in rows if row[name]]
        if have:
            won = [100 * float(row[name]) for row in have]
            left.plot([float(row["minutes"]) for row in have], won, color, label=name)
    left.set(xlabel="minutes, imitation included", ylabel="won, % of the last 100 games", ylim=(-2, 102))
    left.set_title("Training games against the engine's policies")
    left.legend(loc="lower right")
    steps = [float(row["observations"]) / 1000 for row in rows]
    right.plot(steps, [float(row["entropy"]) for row in rows], "tab:purple", label="entropy of an ant's choice, nats")
    right.plot(
        steps, [float(row["explained"]) for row in rows], "tab:orange", label="variance the colony's critic explains"
    )
    right.set(xlabel="thousand observations of a seat", ylim=(-0.1, None))
    right.set_title("What is learned")
    right.legend()
    for axes in (left, right):
        axes.set_xlim(0)
        axes.grid(alpha=0.3)
    figure.savefig(png, dpi=100)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for field in fields(Config):
        name, kind = f"--{field.name.replace('_', '-')}", type(field.default)
        if kind is bool:
            parser.add_argument(name, action=argparse.BooleanOptionalAction, default=field.default)
        else:
            parser.add_argument(name, type=kind, default=field.default, metavar=kind.__name__)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --out")
    parser.add_argument("--play", type=Path, metavar="FILE", help="train nothing; play matches of an exported policy")
    parser.add_argument("--plot", type=Path, metavar="PNG", help="train nothing; draw the curves of the run in --out")
    options = vars(parser.parse_args(arguments))
    resume, exported, png = (options.pop(name) for name in ("resume", "play", "plot"))
    c = Config(**options)
    if png is not None:
        plot(Path(c.out), png)
        return
    if exported is None:
        trainer = train(c, resume)
        exported = Path(c.out) / "policy.onnx"
        export(trainer.policy, exported)
        trainer.close()
        print(
            f"{trainer.iteration} iterations, {trainer.seconds / 60:.1f} minutes, {trainer.observations:,} observations"
        )
        print(f"{trainer.ants:,} decisions of ants; wrote {exported}")
    found = evaluate(onnx_network(exported, c.threads), c)
    exported.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
