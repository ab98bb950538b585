"""P9: how long the chain and a full replay take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256

from scripts.bench.ground import Ground
from scripts.bench.measuring import cpu, ratio, timed, unsynced
from scripts.bench.table import Row
from scripts.bench.walk import Walk

from turnwright.audit.verify import verify


def verify_log(ground: Ground) -> Iterator[Row]:
    """P9: `verify`, against parsing and hashing every line."""
    turns = ground.pick(3000, 1000)
    folder = ground.small_campaign(ground.memory)
    with unsynced():
        walk = Walk(folder)
        walk.batch(turns)
        walk.close()
    lines = (folder / "log.jsonl").read_bytes().splitlines()

    def ours() -> float:
        seconds, findings = timed(lambda: verify(folder), cpu)
        if findings.problems:
            raise RuntimeError(f"the campaign is not what its log says: {findings.problems[0]}")
        return seconds

    def floor() -> float:
        return timed(lambda: [(json.loads(line), sha256(line).digest()) for line in lines], cpu)[0]

    yield Row(
        "P9", f"verify {turns:,} turns", "json.loads and sha256 of every line", ratio(ground.rounds, ours, floor), 5
    )
