"""Validate places and the party: references to ways, areas and roles that do not exist.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from turnwright.model.area import Layer, area_tag
from turnwright.model.campaign import CAMPAIGN_PATH, PARTY_PATH, CampaignDocument
from turnwright.model.location import Location
from turnwright.model.party import PartyDocument
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.core.places.lookup import place_with_id
from turnwright.rulesets.validation import Edit, duplicates


def location_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of edited places, given the rest of the campaign."""
    for place in edit.documents(Location):
        yield from _location_problems(edit.world, place)


def party_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems of the edited party document, given the rest of the campaign."""
    for party in edit.documents(PartyDocument):
        yield from _party_problems(edit.world, party)


def bereft_problems(edit: Edit) -> Iterator[Problem]:
    """Yield the problems that edits of other documents cause in places and the party: missing areas and members.

    Problems that existed before the edit are not reported again.
    """
    for was in map(edit.before, edit.paths):
        if isinstance(was, Layer):
            yield from _bereft_places(edit.world, edit.paths, was)
        elif isinstance(was, CampaignDocument) and PARTY_PATH not in edit.paths:
            yield from _lost_roles(edit.world, was)


def _bereft_places(world: World, edited: Collection[str], was: Layer) -> Iterator[Problem]:
    for area_id in was.areas:
        if world.layer_of(area_id) is None:
            bereft = world.all_tagged(Location, area_tag(area_id))
            yield from (_unknown_area(place, area_id) for place in bereft if place.path not in edited)


def _lost_roles(world: World, was: CampaignDocument) -> Iterator[Problem]:
    party, members = world.get(PARTY_PATH), was.selected.party_character_ids
    if isinstance(party, PartyDocument):
        yield from (_stranger(who) for who in _strangers(world, party) if who in members)


def _location_problems(world: World, place: Location) -> Iterator[Problem]:
    yield from _edge_problems(world, place)
    if place.area_id is None:
        return
    if world.layer_of(place.area_id) is None:
        yield _unknown_area(place, place.area_id)
    others = [other.id for other in world.all_tagged(Location, area_tag(place.area_id)) if other.id != place.id]
    if others:
        yield Problem(place.path, "$.area_id", "area_taken", f"{place.area_id} is the area of {others[0]}, too")


def _unknown_area(place: Location, area_id: str) -> Problem:
    return Problem(place.path, "$.area_id", "unknown_area", f"{area_id} is no area of the map")


def _edge_problems(world: World, place: Location) -> Iterator[Problem]:
    yield from duplicates(place.path, "$.edges", "id", [edge.id for edge in place.edges])
    joined = set[str]()
    for index, edge in enumerate(place.edges):
        there, where = edge.to_location_id, f"$.edges[{index}].to_location_id"
        other = world.find(Location, there)
        if there == place.id:
            yield Problem(place.path, where, "leads_back", f"the way leads from {there} to itself")
        elif there in joined or (other is not None and any(back.to_location_id == place.id for back in other.edges)):
            # Written by hand at both ends it plays well enough: the way that was linked first counts.
            message = f"another way joins {place.id} and {there} already, and one will do for both directions"
            yield Problem(place.path, where, "linked_twice", message, warning=True)
        elif other is None:
            yield Problem(place.path, where, "unknown_location", f"there is no place {there}")
        joined.add(there)


def _party_problems(world: World, party: PartyDocument) -> Iterator[Problem]:
    yield from map(_stranger, _strangers(world, party))
    leaders = [who for who, role in party.roles.items() if role == "leader"]
    for who in leaders[1:]:
        yield Problem(party.path, f"$.roles.{who}", "two_leaders", f"{leaders[0]} leads the party, too")
    if party.location_id is not None and place_with_id(world, party.location_id) is None:
        message = f"there is no place {party.location_id}"
        yield Problem(party.path, "$.location_id", "unknown_location", message)


def _strangers(world: World, party: PartyDocument) -> list[str]:
    """Return the ids that have a role without being members."""
    campaign = world.get(CAMPAIGN_PATH)
    members = campaign.selected.party_character_ids if isinstance(campaign, CampaignDocument) else party.roles
    return [who for who in party.roles if who not in members]


def _stranger(who: str) -> Problem:
    return Problem(PARTY_PATH, f"$.roles.{who}", "not_in_party", f"{who} is not in the party")
