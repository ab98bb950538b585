"""A scene game on disk, to be used like one in memory; its log is folded by another program's JSON Patch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jsonpatch
from tests.builders import Json, begin, log_of, spelt
from tests.scenes.table import Table, parsed

from turnwright.audit.verify import verify
from turnwright.model.state.overlay import InMemorySource, World


class OnDisk(Table):
    """A campaign directory, looked at from outside after each turn."""

    def __init__(self, path: Path, values: Mapping[str, Json]) -> None:
        self.path = path
        self.campaign = begin(path, values)
        self.state, self.before, self.records = {}, {}, []
        self._look()

    @property
    def world(self) -> World:
        return World(InMemorySource(parsed(self.state)))

    def twin(self) -> Table:
        """Return a table in memory whose log begins with the documents as they are here."""
        return Table(self.state)

    def process(self, turn: Any, *, authority: str = "gm", dice: Sequence[int] = ()) -> Json:
        reply: Json = self.campaign.process(turn, authority=authority, dice=dice)
        self._look()
        return reply

    def resume(self) -> None:
        self.campaign.resume()
        self._look()

    def undo(self, seq: int) -> None:
        standing = [record["seq"] for record in self.records[1:] if not self._is_undone(record["seq"])]
        if standing:
            self.campaign.undo(f"#{min(standing, key=lambda other: abs(other - seq))}")
        self._look()

    def close(self) -> None:
        """Have the whole directory checked: chain, documents and dice."""
        self.campaign.close()
        assert verify(self.path).problems == ()

    def _is_undone(self, seq: int) -> bool:
        return self.campaign._store.history.undone_by(seq) is not None

    def _look(self) -> None:
        for record in log_of(self.path)[len(self.records) :]:
            self.records.append(record)
            self.before, self.state = self.state, dict(self.state)
            for path, operations in record.get("changes", {}).items():
                self._apply(path, operations)
        assert spelt(self.state) == spelt(self.campaign.state)

    def _apply(self, path: str, operations: list[Json]) -> None:
        if operations == [{"op": "remove", "path": ""}]:
            del self.state[path]
        elif operations[0]["path"] == "":
            self.state[path] = operations[0]["value"]
        else:
            self.state[path] = jsonpatch.apply_patch(self.state[path], operations)
