"""The rules of a valid campaign: its characters, map, places, party and quests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model.area import Layer
from turnwright.model.campaign import PARTY_PATH, CampaignDocument
from turnwright.model.character import Character
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.core.map_rules import layer_problems
from turnwright.rulesets.validation import Edit


def campaign_problems(edit: Edit) -> Iterator[Problem]:
    """Yield each party member who is not a character of the campaign."""
    for campaign in edit.documents(CampaignDocument):
        for place, member in enumerate(campaign.selected.party_character_ids):
            if edit.world.character(member) is None:
                where = f"$.selected.party_character_ids[{place}]"
                yield Problem(campaign.path, where, "unknown_character", f"there is no character {member}")


def map_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of the map. An edit may remove what another layer links to, so every layer is checked."""
    world = edit.world
    for path in world.paths(Layer.collection):
        layer = world.get(path)
        if isinstance(layer, Layer):
            yield from layer_problems(layer, world)


def character_problems(edit: Edit) -> Iterator[Problem]:
    """Yield edited characters whose position or state does not exist."""
    for person in edit.documents(Character):
        if person.position is not None and edit.world.layer_of(person.position) is None:
            message = f"{person.position} is no area of the map; {person.id} can go nowhere"
            yield Problem(person.path, "$.position", "unknown_area", message, warning=True)
        if person.state is None:
            message = f"{person.character_state!r} is none of the five states; calls of {person.id} fail"
            yield Problem(person.path, "$.character_state", "unknown_state", message, warning=True)


def bereft_problems(edit: Edit) -> Iterable[Problem]:
    """Return the problems that edits of other documents cause in places and the party; nothing if there are none."""
    if edit.world.get(PARTY_PATH) is None and not edit.world.paths("locations/"):
        return ()
    from turnwright.rulesets.core.validation import places  # most campaigns have none

    return places.bereft_problems(edit)
