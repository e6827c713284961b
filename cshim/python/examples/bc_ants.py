"""Behaviour cloning: a small network learns to order ants as the bundled policy greedy does.

    pip install "./cshim/python[torch]"
    python cshim/python/examples/bc_ants.py

Records episodes of greedy against itself as a dataset of kind ``orders`` (a hundred kilobytes), splits it by episode,
trains on steps that the library plays again from those orders, and tells on which part of the held-out ants' orders
network and policy agree.

Greedy flips coins: where several steps are equally good, it takes the first of them from a direction that depends on
the cell and on a random word of the turn. Whoever does not know that word cannot do better than name the likeliest
order, which agrees with the one that was given for 81 % of the ants on tiny-2p (85 % on codeclash-32x32). So the
network is given the coins as well: the word follows from the episode's seed, which is in the dataset. To play, it
takes any word, as greedy does. ``--no-coins`` trains without them.

The network sees the cells around an ant, and of each cell the planes, the coin, and two distances over open ground
that are worked out from the planes: to what is worth going to (hills of others, ground that is not visible), and to
food that no other ant is nearer to.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import monotonic as clock
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

import myriant
from myriant import datasets
from myriant.datasets.torch import Stream

GATHER, SPREAD, DARK = 12, 40, 8  # levels of greedy's two waves, and that of ground out of sight
FAR = 99
SIDE = 7  # cells around an ant


def record(folder: Path, map_id: str, episodes: int, seed: int) -> None:
    """Greedy against itself, played and recorded by the library."""
    with myriant.Batch("ants", num_boards=64, map=map_id, seats=["greedy", "greedy"]) as batch:
        batch.record(folder)
        batch.reset(seed=seed)
        ended = 0
        while ended < episodes:
            ended += len(batch.step().final_boards)
        print(batch.record_stop())


# Coins. Numbers are as the library's: 64 bits, wrapping.

GAMMA = np.uint64(0x9E3779B97F4A7C15)


def mix(z: Any) -> Any:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def coins(seed: Any, seat: Any, step: Any, cells: int) -> Any:
    """The direction that greedy begins with, uint8[N,cells], of rows with those seeds, seats and steps."""
    h = mix(seed + GAMMA)
    for word in (np.full(len(seed), 0x504F4C4943592121, np.uint64), seat.astype(np.uint64), step.astype(np.uint64)):
        h = mix(h ^ mix(word + GAMMA)) + GAMMA
    cell = np.arange(cells, dtype=np.uint64) * GAMMA
    return (((h[:, None] ^ cell) * np.uint64(0xD6E8FEB86659FD93)) >> np.uint64(62)).astype(np.uint8)


# What the network sees.


def neighbours(x: Tensor) -> Tensor:
    """[N,H,W] as [N,4,H,W]: what lies north, east, south and west, on the torus."""
    return torch.stack([x.roll(1, 1), x.roll(-1, 2), x.roll(-1, 1), x.roll(1, 2)], 1)


def wave(sources: Tensor, ground: Tensor, levels: int) -> Tensor:
    """How far each cell is from sources (FAR: none), which have distances of their own, over open ground: int8."""
    level = sources
    for _ in range(levels):
        nearer = torch.where(ground, torch.minimum(level, neighbours(level).amin(1) + 1), sources)
        if torch.equal(nearer, level):
            break
        level = nearer
    return level


def sights(planes: dict[str, Tensor], coin: Tensor) -> Tensor:
    """[N,C,H,W] of planes by name, [N,H,W], and coins: the inputs, float32."""
    mine, food, hills, water, visible = (
        planes[name] != 0 for name in ("mine", "food", "enemy_hills", "known_water", "visible")
    )
    ground = visible & ~water & ~food
    far = torch.full(mine.shape, FAR, dtype=torch.int8)
    to_ant = wave(far.masked_fill(mine, 0), ground, GATHER)
    # A food is at minus the distance of its nearest ant: that ant then stands at 0.
    nearest = neighbours(to_ant).amin(1) + 1
    gather = wave(torch.where(food & (nearest <= GATHER), -nearest, far), ground, GATHER)
    spread = wave(far.masked_fill(~visible & ~water, DARK).masked_fill(hills, 0), ground, SPREAD)
    seen = [torch.stack(list(planes.values()), 1).float(), F.one_hot(coin.long(), 4).movedim(-1, 1).float()]
    for level in (gather, spread):
        # Which neighbours are nearer, which as near; whether this is level 0, an ant's that shall gather; the distance.
        step = neighbours(level) - level[:, None]
        seen += [step < 0, step == 0, level[:, None] == 0, (level[:, None] / 16).clamp(-1, 2)]
    return torch.cat([x.float() for x in seen], 1)


def patches(x: Tensor, at: Tensor, cells: Tensor) -> Tensor:
    """The cells around some, [K,C,SIDE,SIDE]: around cells of rows at of [N,C,H,W], on the torus."""
    rows, cols = x.shape[2:]
    reach = torch.arange(SIDE) - SIDE // 2
    r = (cells[:, None] // cols + reach) % rows
    c = (cells[:, None] % cols + reach) % cols
    return x.movedim(1, -1)[at[:, None, None], r[:, :, None], c[:, None, :]].movedim(-1, 1)


def samples(batch: datasets.Transitions) -> tuple[Tensor, Tensor]:
    """What the network learns from: the cells around each ant, and its order."""
    planes: Any = torch.from_numpy(batch.obs["planes"])
    ants: Any = batch.obs["ant_cells"]
    info: Any = batch.info
    shape = planes.shape[2:]
    coin = torch.from_numpy(coins(info.seed, info.seat, info.step, shape[0] * shape[1])).unflatten(1, shape)
    x = sights(dict(zip(PLANES, planes.unbind(1), strict=True)), coin)
    around = patches(x, torch.from_numpy(ants.row), torch.from_numpy(ants.values).long())
    return around, torch.from_numpy(batch.action.values).long()


PLANES = ("mine", "foes", "food", "own_hills", "enemy_hills", "known_water", "visible")
READ: dict[str, Any] = {
    "batch": 256,
    "obs": ["planes", "ant_cells"],
    "next_obs": False,
    "info": ["seed", "seat", "step"],
}


class Imitator(nn.Module):
    """Logits of the five orders of ants, [K,5]."""

    def __init__(self, use_coins: bool, width: int = 96) -> None:
        super().__init__()
        self.use_coins = use_coins
        inputs = (len(PLANES) + 4 + 2 * 10) * SIDE * SIDE
        self.body = nn.Sequential(
            *(nn.Flatten(), nn.Linear(inputs, width), nn.ReLU()),
            *(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 5)),
        )

    def forward(self, around: Tensor) -> Tensor:
        if not self.use_coins:
            around = around.clone()
            around[:, len(PLANES) : len(PLANES) + 4] = 0
        logits: Tensor = self.body(around)
        return logits


def agreement(net: Imitator, data: datasets.Dataset, episodes: Any) -> float:
    """Which part of the ants the network orders as they were ordered."""
    same = ants = 0
    with torch.no_grad():
        for around, given in Stream(data, episodes=episodes, transform=samples, **READ):
            same += int((net(around).argmax(1) == given).sum())
            ants += len(given)
    return same / ants


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--map", default="tiny-2p", help="a bundled map, or what the game can generate")
    parser.add_argument("--episodes", type=int, default=800)
    parser.add_argument("--minutes", type=float, default=8, help="of training, at most")
    parser.add_argument("--epochs", type=int, default=8, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, help="an existing dataset of greedy's play; absent: record one")
    parser.add_argument("--no-coins", action="store_true", help="do not tell the network greedy's coins")
    args = parser.parse_args()
    begin = clock()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the other core plays
    folder = args.data
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="bc-ants-")) / "data"
        record(folder, args.map, args.episodes, args.seed)
    data = datasets.open(folder)
    train, held = data.split(0.9, seed=args.seed)
    print(f"{data}\n{len(train)} episodes to learn from, {len(held)} held out; {clock() - begin:.0f} s")

    if data.spec.arrays["planes"].names(2) != PLANES:
        raise SystemExit("the dataset has other planes than this example knows")
    net = Imitator(not args.no_coins)
    print(f"{sum(p.numel() for p in net.parameters())} parameters")
    stream = Stream(data, episodes=train, shuffle=True, seed=args.seed, buffer=8192, transform=samples, **READ)
    steps = int(data.results(train)["turns"].sum()) * 2 // READ["batch"] + 1
    optimizer = torch.optim.Adam(net.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps * args.epochs + 1)
    until = clock() + 60 * args.minutes
    done = False
    for epoch in range(args.epochs):
        stream.set_epoch(epoch)
        losses = []
        for batch in stream:
            around, given = batch
            loss = F.cross_entropy(net(around), given)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            done = clock() > until
            if done:
                break
        part = agreement(net, data, held)
        print(f"epoch {epoch}: loss {np.mean(losses):.3f}, held-out agreement {part:.3f}, {clock() - begin:.0f} s")
        if done:
            break


if __name__ == "__main__":
    main()
