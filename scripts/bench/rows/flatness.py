"""P5, P5b, P6 and P10: CPU time that should not grow with the map, the people or the log; syncing off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from scripts.bench.campaigns import build, clock, ring
from scripts.bench.ground import LAYER, Ground
from scripts.bench.measuring import cpu, ratio, timed, unsynced
from scripts.bench.table import Row
from scripts.bench.walk import Walk, take, turn_file

from turnwright import Campaign

_FEW = 10


def with_the_map(ground: Ground) -> Iterator[Row]:
    """P5: moves on a large map, in layers of 30 and in one layer."""
    floor = f"itself at {_FEW} areas"
    small = ground.small_campaign(ground.memory, areas=_FEW)
    value = _growth(ground, ground.large_map(), small)
    yield Row("P5", f"CPU of a turn, {ground.areas:,} areas in layers of {LAYER}", floor, value, 1.15)
    areas = ground.pick(10_000, 2_000)
    one_layer = build(ground.fresh(ground.memory) / "campaign", areas=areas, layer=areas)
    yield Row("P5", f"CPU of a turn, one layer of {areas:,} areas", floor, _growth(ground, one_layer, small), 1.15)


def with_the_people(ground: Ground) -> Iterator[Row]:
    """P5b: moves among many people."""
    people = ground.pick(10_000, 2_000)
    few, many = (ground.small_campaign(ground.memory, people=number) for number in (_FEW, people))
    what = f"CPU of a turn, {people:,} characters, 2 in the party"
    yield Row("P5b", what, f"itself at {_FEW} characters", _growth(ground, many, few), 1.3)


def with_the_log(ground: Ground) -> Iterator[Row]:
    """P6: moves after a long log, on the same map."""
    value = _growth(ground, ground.long_log(), ground.large_map())
    yield Row("P6", f"CPU of a turn, {ground.records:,} records", "itself on a new log", value, 1.15)


def _growth(ground: Ground, large: Path, small: Path) -> float:
    """Return CPU time of moves in one campaign over that in another."""
    with unsynced():
        walks = [Walk(large), Walk(small)]
        ours, floor = (walk.seconds(ground.turns) for walk in walks)
        value = ratio(ground.rounds, ours, floor)
        for walk in walks:
            walk.close()
    return value


def of_generating(ground: Ground) -> Iterator[Row]:
    """P10: new layers of 30 areas, each inside another area of one layer, on a large map and on next to none."""
    large = ground.large_map()
    last = ground.areas // LAYER
    layers = count(1)

    def ours() -> float:
        parent = (last - next(layers)) * LAYER
        return _generating(large, ring(parent + 1, parent + LAYER))

    def floor() -> float:
        small = build(ground.fresh(ground.memory) / "campaign", areas=LAYER, layer=LAYER)
        return _generating(small, ring(1, LAYER))

    with unsynced():
        value = ratio(ground.rounds, ours, floor)
    what = f"CPU of map_generate, {LAYER} areas into a new layer, {ground.areas:,} areas"
    yield Row("P10", what, f"itself on a map of {LAYER} areas", value, 1.2)


def _generating(folder: Path, parents: list[str]) -> float:
    """Return the CPU time of filling each of these areas with a new layer."""
    stem = f"g{(folder / 'log.jsonl').stat().st_size}"
    arguments = ({"parent_area_id": parent, "theme": "Cave", "constraints": {"size": LAYER}} for parent in parents)
    files = [turn_file(f"{stem}-{number}", "map_generate", args) for number, args in enumerate(arguments)]
    with Campaign.open(folder, clock) as campaign:
        campaign.process({})  # opening is not what is measured
        return timed(lambda: take(campaign, files), cpu)[0]
