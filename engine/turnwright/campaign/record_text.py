"""A turn of the log in words, with no more than one viewer may know of it now.

`recall`, a recap and a page of the log are made of the same lines.
Source: docs/stages/6-publish.md, "Recall".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage6_publish import publish
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.protocol.stage6_publish.texts import listeners_of, texts_heard
from turnwright.render.scene_story import Line, happened
from turnwright.rulesets.story import describe_action, is_told_by_events

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, Reply


class Deed(NamedTuple):
    """The effect of one call: its tool, and its result in words; "" if there are none."""

    tool: str
    words: str


class TurnText(NamedTuple):
    """A turn in words for one viewer; anything the viewer did not hear or see is missing.

    Attributes:
        seen: the projection of the record.
        said: the player's message, after the speaker's name.
        events: the events of a scene game.
        deeds: the effects of calls, apart from the events.
        narrated: the narration, after the speaker's name unless that is the game master.
    """

    seen: Reply
    said: str
    events: list[Line]
    deeds: list[Deed]
    narrated: str

    @property
    def spoken(self) -> Iterator[str]:
        """Yield the words that were heard at the table."""
        prose = (line.text for line in self.events if line.is_prose)
        yield from filter(None, (self.said, *prose, self.narrated))


class TurnTeller:
    """Tells one viewer of turns.

    Args:
        world: the campaign as of its last record.
        viewer: the reader.
        shows_ids: whether names come with the ids that calls need.
        unnamed: stands before a text of a player whose name is not shown; "" for nothing.
    """

    def __init__(self, world: World, viewer: Viewer, *, shows_ids: bool = False, unnamed: str = "") -> None:
        self.knowledge = WorldKnowledge(world, viewer, shows_ids=shows_ids)
        self._speakers = WorldKnowledge(world, viewer) if shows_ids else self.knowledge
        self._world = world
        self._viewer = viewer
        self._unnamed = unnamed
        self._listeners = listeners_of(viewer, world)

    def tell(self, record: Record) -> TurnText:
        """Return a turn in words for the viewer."""
        seen = publish.project(record, self._viewer, world=self._world)
        texts = texts_heard(record, self._viewer, self._listeners)
        return TurnText(
            seen,
            self._spoken(record.get("actor_id"), texts.said, self._unnamed),
            self._events(seen),
            list(self._deeds(record, seen)),
            self._spoken(record.get("speaker_id"), texts.narrated),
        )

    def _spoken(self, speaker_id: str | None, text: str, unnamed: str = "") -> str:
        """Return a text after the name of who speaks, unless the viewer may not know that one."""
        name = self._speakers.speaker(speaker_id) or unnamed
        return f"{name}: {text}" if text and name and not text.startswith(f"{name}:") else text

    def _events(self, seen: Reply) -> list[Line]:
        events = [event for event in seen.get("events", ()) if event["audience"] != "log"]
        ids = [event["data"]["location"] for event in events if event["type"] == "SceneStarted"]
        places = {one: name for one in ids if (name := self.knowledge.place_called(one)) is not None}
        return happened(events, places)

    def _deeds(self, record: Record, seen: Reply) -> Iterator[Deed]:
        """Yield the visible effects of calls; for players none of a fight, which does not keep who hid in it."""
        is_master = self._viewer.is_game_master
        if not is_master and _is_of_fight(record):
            return
        facts = record if is_master else as_record({"actor_id": record["actor_id"]})
        for action in seen.get("applied_actions", ()):
            if not is_told_by_events(action["tool"]):
                yield Deed(action["tool"], describe_action(action, self.knowledge, facts) or "")


def _is_of_fight(record: Record) -> bool:
    touched = any(path.startswith(Encounter.collection) for path in record["changes"])
    return touched or any("encounter_id" in action["args"] for action in record["applied_actions"])
