"""What was said in a turn, as one viewer heard it.

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
    """What a player said in a turn and what the game master told; each empty where there was none or it was not heard.

    What the events of a scene game tell is in the events, and not here.
    """

    said: str = ""
    narrated: str = ""


def listeners_of(viewer: Viewer, world: World) -> frozenset[str]:
    """Return whose ears a viewer has: a member of the party its own, the party those of every player.

    For the game master the set is empty. Somebody outside the party hears public words only.
    """
    if viewer.is_game_master:
        return frozenset()
    if viewer.kind == "party":
        return frozenset(one.id for one in world.party() if one.character_type == "pc")
    is_member = viewer.character_id in world.campaign.selected.party_character_ids
    return frozenset({viewer.character_id if is_member else ""})


def hears(record: Record, listeners: Collection[str]) -> bool:
    """Return whether each of some players heard what a record tells. Who acts did where a player said something."""
    said_by = record.get("actor_id") if "user_input" in record else None
    had_part = {said_by, record.get("speaker_id"), *record.get("addressees", ())}
    return record.get("private") is not True or had_part.issuperset(listeners)


def texts_heard(record: Record, viewer: Viewer, listeners: Collection[str], *, tells_events: bool = False) -> Texts:
    """Return what was said in a turn, as one viewer heard it.

    Summaries of fights are the game master's: they tell of whispers and of fights elsewhere. What a character heard
    that a model plays, the game master's prompts decide (`game_master/knowledge/visibility.py`); here it is nothing.

    Args:
        record: the record of a closed turn.
        viewer: the reader.
        listeners: whose ears the viewer has, by `listeners_of`.
        tells_events: whether to give what the events of a scene game tell the viewer, too.
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
