"""The texts of a turn, as one viewer heard them.

Source: docs/stages/6-publish.md, "Texts".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.model.wire.agent import AgentKind

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

Json = Mapping[str, Any]


class Texts(NamedTuple):
    """A turn's player message and narration; each is empty if there was none or the viewer did not hear it.

    The texts of a scene game's events are in the events, not here.
    """

    said: str = ""
    narrated: str = ""


def listeners_of(viewer: Viewer, world: World) -> frozenset[str]:
    """Return the characters a viewer hears through: for a party member itself, for the party all players' characters.

    For the game master the set is empty. A character outside the party hears only public words.
    """
    if viewer.is_game_master:
        return frozenset()
    if viewer.kind == "party":
        return frozenset(one.id for one in world.party() if one.character_type == "pc")
    is_member = viewer.character_id in world.campaign.selected.party_character_ids
    return frozenset({viewer.character_id if is_member else ""})


def hears(record: Record, listeners: Collection[str]) -> bool:
    """Return whether each of some players heard a record's text. The actor of a player's message always did."""
    said_by = record.get("actor_id") if "user_input" in record else None
    had_part = {said_by, record.get("speaker_id"), *record.get("addressees", ())}
    return record.get("private") is not True or had_part.issuperset(listeners)


def texts_heard(record: Record, viewer: Viewer, listeners: Collection[str], *, tells_events: bool = False) -> Texts:
    """Return the texts of a turn, as one viewer heard them.

    Summaries of fights are for the game master only: they mention whispers and fights elsewhere. The game master's
    prompts decide what a model-played character heard (`game_master/knowledge/visibility.py`); here it hears nothing.

    Args:
        record: the record of a closed turn.
        viewer: the reader.
        listeners: the characters the viewer hears through, from `listeners_of`.
        tells_events: whether to include the texts of a scene game's events.
    """
    if viewer.kind == "character" or not hears(record, listeners):
        return Texts()
    told = [event["data"] for event in record["events"] if event["type"] == "NarrativeAdded"]
    said, narrated = record.get("user_input", "").strip(), record.get("assistant_text", "").strip()
    if tells_events and told:
        events = (event for event in record["events"] if event["type"] == "NarrativeAdded")
        heard = [event["data"] for event in events if viewer.is_game_master or event["audience"] == "player"]
        said = "\n".join(text["text"].removeprefix("> ") for text in heard if text["source"] == "player")
        return Texts(said, "\n".join(text["text"] for text in heard if text["source"] != "player"))
    if any(text["source"] == "player" for text in told):
        said = ""
    is_summary = record.get("agent") == AgentKind.SUMMARIZER and not viewer.is_game_master
    if is_summary or any(text["text"].strip() == narrated for text in told):
        narrated = ""
    return Texts(said, narrated)
