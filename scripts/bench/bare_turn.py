"""What the promises of a turn need whoever keeps them, written down in one loop: how low P4 could go at all."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from pydantic_core import to_json
from scripts.bench.campaigns import WALKER
from scripts.bench.walk import Batch

from turnwright.model.record import reply_of
from turnwright.model.strict_json import canonical
from turnwright.model.turn import Turn
from turnwright.store import platform
from turnwright.store.disk import DISK
from turnwright.tools.core.move import RequiredMoveArgs

_LOOKED_AT = ("log.jsonl", "campaign.json", f"characters/{WALKER}.json", "maps/root.json")
_KEPT = 500
"""How many of the newest results of a batch become files, as by `results.keep`."""


class BareTurns:
    """Takes turns of which the record is known already, and does no more for each than nobody could leave out."""

    def __init__(self, folder: Path, campaign: Path) -> None:
        self._looked_at = [str(campaign / path) for path in _LOOKED_AT]
        self._results = folder / "results"
        self._results.mkdir()
        self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT)
        self._log = os.open(folder / "lines", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._turns = sqlite3.connect(folder / "turns.sqlite3")
        self._turns.execute("CREATE TABLE turns (id TEXT PRIMARY KEY, place INTEGER) WITHOUT ROWID")

    def take(self, batch: Batch) -> None:
        """Take the turns of a batch: each is parsed, typed, known again, locked, looked up, chained and appended."""
        for turn, record in zip(batch.turns, batch.records, strict=True):
            platform.try_lock(self._lock)
            for place in self._looked_at:
                os.lstat(place)
            value = json.loads(turn)
            Turn.model_validate(value)
            RequiredMoveArgs.model_validate(value["tool_calls"][0]["args"])
            sha256(canonical(value).encode()).hexdigest()
            self._turns.execute("SELECT place FROM turns WHERE id = ?", (value["turn_id"],)).fetchone()
            line = to_json(record)
            sha256(line).hexdigest()
            os.write(self._log, line + b"\n")
            platform.unlock(self._lock)
        self._keep(batch)

    def _keep(self, batch: Batch) -> None:
        for record in batch.records[-_KEPT:]:
            place = self._results / f"{record['turn_id']}.json"
            beside = f"{place}.tmp"
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT)
            os.write(descriptor, to_json(reply_of(record), indent=2))
            os.close(descriptor)
            DISK.rename(beside, str(place))

    def close(self) -> None:
        """Close what is open."""
        os.close(self._lock)
        os.close(self._log)
        self._turns.close()


@contextmanager
def bare_turns(folder: Path, campaign: Path) -> Iterator[BareTurns]:
    """Give somebody who takes turns bare, beside a campaign that they could be of."""
    bare = BareTurns(folder, campaign)
    try:
        yield bare
    finally:
        bare.close()
