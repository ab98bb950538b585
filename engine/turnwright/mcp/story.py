"""What a role may read of the log: what was said and told, and page by page what was done.

Source: docs/mcp.md, "Resources".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from turnwright.game_master.knowledge.utterances import standing
from turnwright.mcp.door import Door
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.protocol.stage6_publish.publish import project
from turnwright.protocol.stage6_publish.texts import listeners_of, texts_heard
from turnwright.render.scene_story import happened
from turnwright.rulesets.scenes.projection import place_names
from turnwright.rulesets.story import describe_action, describe_failed_call

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, RecordedEvent

PAGE = 50
"""Records of one page of the log."""
_MAX_TEXTS = 12
_LOOKED_AT = 200
"""How many records a recap looks back, from the last turn that stands."""


def recap(door: Door) -> str:
    """Return the last of what was said and told, oldest first, as a role heard it."""
    with door.campaign.moment() as (_, last_turn):
        last = last_turn()
    if last is None:
        return "Nothing was said yet."
    records = list(door.campaign.records(after=last["seq"] - _LOOKED_AT))
    with door.reading() as world:
        lines = [line for record in standing(records) for line in said_in(record, door.viewer, world)]
    return "\n\n".join(lines[-_MAX_TEXTS:]) or "Nothing was said yet."


def said_in(record: Record, viewer: Viewer, world: World) -> Iterator[str]:
    """Yield what was said and told in a turn that the viewer heard, after the names of speakers that it sees."""
    knowledge = WorldKnowledge(world, viewer)
    texts = texts_heard(record, viewer, listeners_of(viewer, world))
    if texts.said:
        yield f"{knowledge.speaker(record.get('actor_id')) or 'player'}: {texts.said}"
    yield from (event["data"]["text"] for event in project(record, viewer, world=world)["events"] if _is_prose(event))
    if texts.narrated:
        speaker = knowledge.speaker(record.get("speaker_id"))
        yield f"{speaker}: {texts.narrated}" if speaker else texts.narrated


def _is_prose(event: RecordedEvent) -> bool:
    return bool(event["type"] == "NarrativeAdded" and event["audience"] != "log")


def last_page(door: Door) -> int:
    """Return the number of the newest page of the log, from 0."""
    with door.campaign.moment() as (_, last_turn):
        last = last_turn()
    seq = last["seq"] if last else 0
    for record in door.campaign.records(after=seq - 1):
        seq = record["seq"]
    return int(seq) // PAGE


def log_page(door: Door, page: int) -> str:
    """Return one page of the log in words, a paragraph for each record that the role may read of."""
    records = list(islice(door.campaign.records(after=page * PAGE - 1), PAGE))
    with door.reading() as world:
        told = ["\n".join(lines) for record in records if (lines := list(_lines(record, door, world)))]
    return "\n\n".join(told) or "Nothing is recorded here."


def _lines(record: Record, door: Door, world: World) -> Iterator[str]:
    head = f"#{record['seq']} {record['timestamp']}"
    if record["kind"] not in ("turn", "attempt"):
        if door.is_game_master or record["kind"] in ("undo", "session"):
            after = f" from record {record['undone_from']}" if record["kind"] == "undo" else ""
            yield f"{head} {record['kind']}{after}"
        return
    if not door.is_game_master and record["kind"] == "attempt":
        return
    seen = project(record, door.viewer, world=world)
    yield f"{head} {record['turn_id']} {record['status']}"
    yield from (f"  {line}" for text in said_in(record, door.viewer, world) for line in text.splitlines())
    knowledge = door.knowledge(world)
    for action in seen["applied_actions"]:
        words = describe_action(action, knowledge, record if door.is_game_master else None)
        yield f"  {action['tool']}: {words or 'done'}"
    for call in seen["tool_feedback"]["failed_calls"]:
        yield f"  {call['tool']}: not done: {describe_failed_call(call, knowledge)}"
    events = [event for event in seen["events"] if event["audience"] != "log"]
    ids = [event["data"]["location"] for event in events if event["type"] == "SceneStarted"]
    yield from (f"  {line.text}" for line in happened(events, place_names(world, ids)) if not line.is_prose)
