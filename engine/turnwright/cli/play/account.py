"""The engine's own account of an exchange, where the game master told nothing that is so.

Source: docs/agents.md, "What stands under a text".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.cli._output import safe
from turnwright.model.dice.draws import Draw
from turnwright.model.viewer import Viewer
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.story import describe_action, describe_draw

if TYPE_CHECKING:
    from turnwright.cli.play.session import Session
    from turnwright.model.wire.shapes import Record

Json = Mapping[str, Any]
_SPOKEN = ("user_input", "answer")


def is_withheld(turn: Record) -> bool:
    """Return whether the text of a turn was not told for good: it contradicted what was applied too often.

    Args:
        turn: its record, or the reply to it.
    """
    is_closed = turn["status"] == "failed" and "conflict_report" in turn and "assistant_text" not in turn
    return is_closed and turn.get("agent") != AgentKind.SUMMARIZER


def account_of(session: Session, last: int) -> str:
    """Return the actions since the last message that a session's seat may see.

    Args:
        session: the session.
        last: the number of the last record to include.
    """
    turns = [turn for turn in session.master.chronicle.turns() if turn["seq"] <= last]
    began = max((place for place, turn in enumerate(turns) if any(key in turn for key in _SPOKEN)), default=0)
    told = [line for turn in session.heard(turns[began:]) for line in _done(session, turn)]
    return f"What was done: {'; '.join(told)}." if told else "Nothing was done: all is as it was."


def deeds_of(session: Session, record: Record) -> list[str]:
    """Return what the calls of a turn did, one line each, as far as the seat of a session is shown it."""
    with session.campaign.reading() as world:
        shown = session.shown(world, record)
        knowledge = shown.knowledge(world)
        return [safe(describe_action(deed, knowledge, record)) for deed in shown.actions(record)]


def dice_of(session: Session, record: Record) -> list[Draw]:
    """Return the dice of a turn that the seat of a session is shown, each with names in what it was rolled for."""
    with session.campaign.reading() as world:
        shown = session.shown(world, record)
        knowledge = shown.knowledge(world)
        return [{**draw, "why": describe_draw(draw, knowledge)} for draw in shown.draws(record)]


def _done(session: Session, record: Record) -> Iterator[str]:
    if not session.is_scene_game:
        yield from deeds_of(session, record)
        return
    from turnwright.protocol.stage6_publish.publish import project
    from turnwright.render.scene_story import happened  # free play does without it
    from turnwright.rulesets.scenes.events import PROSE
    from turnwright.rulesets.scenes.projection import place_names

    events = project(record, Viewer.of(session.eyes()))["events"]
    bare = [event for event in events if event["type"] not in PROSE and event["audience"] != "log"]
    ids = [event["data"]["location"] for event in bare if event["type"] == "SceneStarted"]
    with session.campaign.reading() as world:
        yield from (line.text for line in happened(bare, place_names(world, ids)))
