"""A scene game in memory: turns go through the same stages as on disk, and their records into a list.

Every record is read back from its line, and what the lines fold to is held against the documents after each of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from typing import Any

from tests.builders import STAMP, Json, spelt, untyped

from turnwright.campaign.bootstrap import open_documents, secret_of
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH
from turnwright.model.dice.draws import Dice
from turnwright.model.state.fold import apply_changes
from turnwright.model.state.log_state import LogState
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol import pipeline
from turnwright.protocol import stage1_intake as intake
from turnwright.protocol.attempt import HandedIn, TurnInputs
from turnwright.protocol.stage5_commit import changes_of, head_of
from turnwright.protocol.stage6_publish import publish
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.scenes.session import ask_again, resumed
from turnwright.store.documents import document_from
from turnwright.store.log import encode


class Table:
    """A campaign in memory.

    Attributes:
        state: every document as plain JSON, by path: what the records so far fold to.
        before: the same before the last record.
        record: the last record, as its line says.
        records: all of them.
    """

    def __init__(self, values: Mapping[str, Json], seed: str = "fixed") -> None:
        begun = parsed(values)
        self._history = LogState()
        self._secret = secret_of(seed)
        self._snapshots: list[dict[str, Document]] = []
        self.state: dict[str, Any] = {}
        self.before: dict[str, Any] = {}
        self.records: list[Json] = []
        world = World(InMemorySource(begun))
        drawn = open_documents(world, begun, self._secret, "0")
        documents = {**begun, **{path: document for path, document in world.touched.items() if document}}
        self._documents: dict[str, Document] = {}
        head = head_of(self._history, "new") | {"timestamp": STAMP, "campaign_id": "c", "secret_sha256": "0" * 64}
        changes = changes_of(InMemorySource({}), documents)
        self._append(untyped({**head, "changes": changes, "events": [], **drawn}), documents)

    @property
    def record(self) -> Json:
        return self.records[-1]

    @property
    def crew(self) -> Json:
        crew: Json = self.state[CREW_PATH]
        return crew

    @property
    def mood(self) -> Json | None:
        mood: Json | None = self.crew["phase"].get("mood")
        return mood

    @property
    def request_id(self) -> str | None:
        request = self.crew["request"]
        return request["id"] if request else None

    @property
    def world(self) -> World:
        return World(InMemorySource(self._documents))

    def scene(self) -> Json:
        scene: Json = self.state[f"scenes/{self.crew['phase']['scene_id']}.json"]
        return scene

    def twin(self) -> Table:
        """Return a table that begins where this one is, and goes its own way."""
        other = copy(self)
        other._history = deepcopy(self._history)
        other._documents, other.state = dict(self._documents), dict(self.state)
        other.records, other._snapshots = list(self.records), list(self._snapshots)
        return other

    def process(self, turn: Any, *, authority: str = "gm", dice: Sequence[int] = ()) -> Json:
        """Take a turn that was not taken before, and return the reply."""
        inputs = TurnInputs(self.world, self._history, self._record_of, lambda _: self._secret, STAMP)
        try:
            processed = pipeline.process(inputs, HandedIn(turn, authority, dice))
        except intake.TurnRefused as refused:
            return publish.refused(refused, STAMP)
        for prepared in processed.commits:
            self._append(prepared.record, prepared.documents)
        return publish.reply_of(self.record)

    def resume(self) -> None:
        """Go on with a session that a player ended."""
        seq = self._history.seq + 1
        session = resumed(self.world, Dice(self._secret, str(seq)).part(0), seq)
        self._commit("session", session.record, session.documents)

    def undo(self, seq: int) -> None:
        """Return to what was before a record."""
        then = self._snapshots[seq - 1]
        touched = {path for record in self.records[seq:] for path in record.get("changes", {})}
        documents = {path: then.get(path) for path in sorted(touched)}
        if (campaign := documents.get(CAMPAIGN_PATH)) is not None:
            counters = self.world.campaign.counters
            documents[CAMPAIGN_PATH] = campaign.replace(counters=counters)
        if documents.get(CREW_PATH) is not None:
            documents |= ask_again(self.world, documents)
        self._commit("undo", {"undone_from": seq, "undone": []}, documents)

    def close(self) -> None:
        """Clear the table; in memory there is nothing to be done."""

    def _record_of(self, turn_id: str) -> Json | None:
        return next((record for record in reversed(self.records) if record.get("turn_id") == turn_id), None)

    def _commit(self, kind: str, record: Json, documents: Mapping[str, Document | None]) -> None:
        head = head_of(self._history, kind) | {"timestamp": STAMP, "events": []}
        changes = changes_of(InMemorySource(self._documents), documents)
        self._append(head | record | {"changes": changes}, {path: documents[path] for path in changes})

    def _append(self, record: Json, documents: Mapping[str, Document | None]) -> None:
        line = encode(record)
        self._history.take(record, line)
        self.records.append(json.loads(line))
        merged = {**self._documents, **documents}
        self._documents = {path: document for path, document in merged.items() if document is not None}
        self._snapshots.append(self._documents)
        self.before, self.state = self.state, dict(self.state)
        apply_changes(self.state, self.record.get("changes", {}))
        self._compare(documents)

    def _compare(self, touched: Mapping[str, Document | None]) -> None:
        """Hold what the log folds to against the documents (all of them were compared when they were touched)."""
        assert self.state.keys() == self._documents.keys()
        for path, document in touched.items():
            assert spelt(self.state.get(path)) == spelt(document.value() if document else None), path


def parsed(values: Mapping[str, Json]) -> dict[str, Document]:
    """Return plain documents as the engine knows them."""
    found = {}
    for path, value in values.items():
        document, problems = document_from(path, value, BUILT_IN.documents)
        assert document is not None, problems
        found[path] = document
    return found


def started(**crew: Any) -> dict[str, Json]:
    """Return a game in the middle of its first scene; keys are fields of the crew, or paths of documents.

    `mood` is the mood of the phase, and `pc` fields of the acting character.
    """
    mood = crew.pop("mood", {"mood": "scene", "variant": "encounter", "source": "somebody on the roof"})
    given = {path: crew.pop(path) for path in list(crew) if "/" in path or path == CAMPAIGN_PATH}
    person = {"id": "pc", "name": "Arden", "hp": 10, **crew.pop("pc", {})}
    selected = {"party_character_ids": ["pc"], "active_actor_id": "pc"}
    base = {
        CAMPAIGN_PATH: {"format": 2, "id": "c", "allowlist": list(TOOLS), "selected": selected},
        "characters/pc.json": person,
        "locations/roof.json": {"id": "roof", "name": "The roof"},
        "scenes/s.json": {"id": "s", "location": "roof"},
        CREW_PATH: {
            "phase": {"tag": "playing", "scene_id": "s", "mood": mood},
            "dice_pool": [2, 6],
            "awaiting": {"stage": "player_text", "mood": mood["mood"]},
            "request": {"id": "asked", "kind": "text", "for": "pc", "payload": {}},
        },
    }
    base[CREW_PATH] = {**base[CREW_PATH], **crew}
    for path, value in given.items():
        base[path] = {**base.get(path, {}), **value}
    return base


TOOLS = (
    "set_scene_style",
    "choose",
    "engage",
    "spend_die",
    "resolve",
    "accept",
    "accept_bargain",
    "retreat",
    "pass_out",
)


def clock(identifier: str, filled: int = 0, segments: int = 4, **fields: Any) -> dict[str, Json]:
    """Return a threat clock at its path."""
    value = {"id": identifier, "name": f"The {identifier}", "segments": segments, "filled": filled, "type": "threat"}
    return {f"clocks/{identifier}.json": {**value, "consequence": f"{identifier} comes", **fields}}
