"""The turns of P4 once more, written down for them alone: how low P4 could go at all.

Nothing here is general: one call, of one tool, by one character, in a campaign whose documents are known. Left is
what a record promises and what keeps it true: strict parsing, both models, the lock, a look at each file, the rules of
a move, the patch, the chain, the index, the newest results. Its lines are the engine's to the byte, which is checked.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic_core import to_json
from scripts.bench.campaigns import WALKER, clock
from scripts.bench.walk import Batch

from turnwright.model.area import Layer
from turnwright.model.campaign import CampaignDocument
from turnwright.model.character import Character
from turnwright.model.strict_json import canonical, parse_json
from turnwright.model.wire.record import reply_of
from turnwright.model.wire.turn import Turn
from turnwright.rulesets.core.actions.move import RequiredMoveArgs
from turnwright.store import platform
from turnwright.store.disk import DISK

_CAMPAIGN, _LAYER, _PEOPLE = "campaign.json", "maps/root.json", "characters"
_KEPT = 500
"""How many of the newest results of a batch become files, as by `results.keep`."""
Json = Any


class BareMoves:
    """Takes the moves of a batch that was taken before, from where they began, beside the campaign they are of.

    Attributes:
        lines: what was appended for the last batch.
    """

    def __init__(self, folder: Path, campaign: Path) -> None:
        self._results = folder / "results"
        self._results.mkdir()
        self._campaign = CampaignDocument.model_validate(parse_json((campaign / _CAMPAIGN).read_bytes()))
        self._areas = Layer.model_validate(parse_json((campaign / _LAYER).read_bytes())).areas
        party = {name: f"{_PEOPLE}/{name}.json" for name in self._campaign.selected.party_character_ids}
        self._party = {
            name: Character.model_validate(parse_json((campaign / path).read_bytes())) for name, path in party.items()
        }
        self._left = {str(campaign / path): _look(campaign / path) for path in (_CAMPAIGN, _LAYER, *party.values())}
        self._crew = str(campaign / "crew.json")
        self._lock_place, self._log_place = str(folder / "lock"), str(folder / "lines")
        self._lock = os.open(self._lock_place, os.O_RDWR | os.O_CREAT)
        self._log = os.open(self._log_place, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        self._index = sqlite3.connect(folder / "turns.sqlite3")
        self._index.execute("CREATE TABLE turns (id TEXT PRIMARY KEY, place INTEGER) WITHOUT ROWID")

    def begin(self, batch: Batch) -> None:
        """Go back to where a batch began."""
        first = batch.records[0]
        start = first["tool_calls"][0]["args"]["from_area_id"]
        self._party[WALKER] = self._party[WALKER].replace(position=start)
        self._seq, self._head = first["seq"], first["prev"]
        self._end = self._first = os.fstat(self._log).st_size
        self._places: dict[str, int] = {}
        self._replies: dict[str, Json] = {}
        self._index.execute("DELETE FROM turns")
        self._index.commit()

    def take(self, batch: Batch) -> None:
        """Take all turns of the batch, and bring the files up to them."""
        for turn in batch.turns:
            platform.try_lock(self._lock)
            os.lstat(self._lock_place)
            _require(os.lstat(self._log_place).st_size == self._end)
            self._take_one(turn)
            platform.unlock(self._lock)
        self._keep()

    def _take_one(self, data: bytes) -> None:
        value = parse_json(data)
        turn = Turn.model_validate(value)
        content = sha256(canonical(value).encode()).hexdigest()
        _require(turn.turn_id not in self._places)
        known = self._index.execute("SELECT place FROM turns WHERE id = ?", (turn.turn_id,))
        _require(known.fetchone() is None and turn.turn_id is not None)
        self._require_unedited()
        (call,) = value["tool_calls"]
        before, after = self._moved(call)
        now = clock().isoformat(timespec="seconds")
        result = {"to_area_id": after.position}
        action = {"id": call["id"], "tool": call["tool"], "args": call["args"], "result": result, "timestamp": now}
        record = {
            "seq": self._seq,
            "kind": "turn",
            "prev": self._head,
            "turn_id": turn.turn_id,
            "timestamp": now,
            "authority": "gm",
            "actor_id": WALKER,
            "dialog_type": "scene_description",
            "dialog_type_source": "fallback",
            "settings_revision": self._campaign.settings_revision,
            "tool_calls": value["tool_calls"],
            "content": content,
            "status": "applied",
            "applied_actions": [action],
            "tool_feedback": {"failed_calls": []},
            "events": [],
            "findings": [],
            "request": None,
            "state_summary": self._summary(),
            "changes": {after.path: _changes(before.as_written, after.as_written)},
            "draws": [],
        }
        self._append(str(turn.turn_id), record)

    def _moved(self, call: Json) -> tuple[Character, Character]:
        """Return who walks as they were and as they are by now, once the call was found to be allowed."""
        walker = self._party[WALKER]
        _require(isinstance(call["id"], str) and call["tool"] in self._campaign.allowlist)
        _require(walker.character_state == "alive")
        args = RequiredMoveArgs.model_validate(call["args"])
        _require(args.actor_id == WALKER and args.from_area_id == walker.position)
        _require(args.to_area_id in self._areas[args.from_area_id].reachable_area_ids)
        self._party[WALKER] = after = walker.replace(position=args.to_area_id)
        return walker, after

    def _require_unedited(self) -> None:
        for place, left in self._left.items():
            _require(_look(place) == left)
        with suppress(FileNotFoundError):
            os.lstat(self._crew)
            raise RuntimeError("somebody else plays another game here")

    def _summary(self) -> Json:
        people = self._party.values()
        positions = {person.id: person.position for person in people}
        return {
            "active_actor_id": WALKER,
            "positions": positions,
            "positions_parent": dict(positions),
            "positions_child": dict.fromkeys(sorted(self._campaign.selected.party_character_ids)),
            "hp": {person.id: person.hp for person in people},
            "character_states": {person.id: person.character_state for person in people},
        }

    def _append(self, turn_id: str, record: Json) -> None:
        line = to_json(record)
        _require(os.lstat(self._log_place).st_size == self._end)
        os.write(self._log, line + b"\n")
        self._head = sha256(line).hexdigest()
        self._places[turn_id] = self._end
        self._replies[turn_id] = reply_of(record)
        self._seq += 1
        self._end += len(line) + 1

    def _keep(self) -> None:
        self._index.executemany("INSERT INTO turns VALUES (?, ?)", self._places.items())
        self._index.commit()
        for turn_id in list(self._replies)[-_KEPT:]:
            place = self._results / f"{turn_id}.json"
            beside = f"{place}.tmp"
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT)
            os.write(descriptor, to_json(self._replies[turn_id], indent=2) + b"\n")
            os.close(descriptor)
            DISK.rename(beside, str(place))

    @property
    def lines(self) -> list[bytes]:
        """What was appended since `begin`."""
        return os.pread(self._log, self._end - self._first, self._first).splitlines(keepends=True)

    def close(self) -> None:
        """Close what is open."""
        os.close(self._lock)
        os.close(self._log)
        self._index.close()


def _look(place: str | Path) -> tuple[int, int]:
    status = os.lstat(place)
    return status.st_size, status.st_mtime_ns


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Json]:
    """Return the patch from one value of a document to another with the same keys, none of which is nested."""
    changed = [key for key in sorted(after) if after[key] != before[key]]
    return [{"op": "replace", "path": f"/{key}", "value": after[key]} for key in changed]


def _require(is_so: bool) -> None:
    if not is_so:
        raise RuntimeError("this is no turn that can be taken bare")


@contextmanager
def bare_moves(folder: Path, campaign: Path) -> Iterator[BareMoves]:
    """Give somebody who takes moves bare, beside a campaign that they are of."""
    bare = BareMoves(folder, campaign)
    try:
        yield bare
    finally:
        bare.close()
