"""What a narration is compared with, gathered from the campaign: who was there, what was done, what it left.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from turnwright.model.area import Layer
from turnwright.model.base import Document
from turnwright.model.campaign import CREW_PATH
from turnwright.model.dice.draws import Dice
from turnwright.model.party import PARTY_PATH, PartyDocument
from turnwright.model.state.overlay import World
from turnwright.narration.facts import CallOutcome, Facts, Fight, Quest
from turnwright.protocol.parts import PartResult
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage4_conflicts.evidence_diff import FIGHTS, state_changes
from turnwright.protocol.stage4_conflicts.evidence_people import cast_of, position_of
from turnwright.protocol.stage4_conflicts.evidence_records import Earlier, call_outcome
from turnwright.rulesets.core.summary import FULL_UP_TO

if TYPE_CHECKING:  # what most campaigns have none of is imported where there is some
    from turnwright.model.encounter import Encounter
    from turnwright.model.location import Location

_MAX_PARENTS = 50
_QUESTS = "quests/"
_PLACES = "locations/"


def collect_evidence(
    world: World,
    before: World,
    policy: TurnPolicy,
    outcomes: Sequence[PartResult],
    dice: Dice,
    speaker: str | None,
    earlier: Earlier,
) -> Facts:
    """Return what a narration of the turn is compared with.

    Args:
        world: the campaign after the calls.
        before: the campaign before them.
        policy: what holds for the turn.
        outcomes: the results of its parts.
        dice: what was drawn.
        speaker: the character who speaks the text, if it is no narrator's.
        earlier: what the turns before did, for a text that was handed in by itself.
    """
    crew = world.get(CREW_PATH)
    calls = (*earlier.outcomes, *(_seen(outcome, world) for outcome in outcomes))
    fights = _fights(world)
    areas, here = _areas(world, before, policy, calls), _here(world, policy)
    return Facts(
        acting=policy.acting_id,
        people=cast_of(world, before, policy, calls, fights),
        areas=areas,
        outcomes=calls,
        faces=(*earlier.faces, *_faces(dice, crew)),
        dialog_type=policy.dialog_type,
        changed=tuple(state_changes(world, before)),
        here=here,
        party=frozenset(world.campaign.selected.party_character_ids),
        fight=_fight(fights),
        quests=tuple(_quests(world)),
        aliases={p.id: p.character_id for fight in fights for p in fight.participants if p.character_id is not None},
        permitted=frozenset(world.campaign.allowlist),
        speaker=speaker,
        is_scene_game=crew is not None,
        far=_far(world, {*areas, *here}) if crew is None else {},
    )


def _faces(dice: Dice, crew: Document | None) -> Iterator[int]:
    yield from (int(draw["value"]) for draw in dice.drawn if draw["sides"])
    if crew is not None:
        yield from crew.as_written["dice_pool"]


def _seen(outcome: PartResult, world: World) -> CallOutcome:
    reason = outcome.failure.reason.value if outcome.failure else None
    result = outcome.applied.result if outcome.applied else {}
    return call_outcome(outcome.tool, outcome.args, result, reason, world)


# places


def _here(world: World, policy: TurnPolicy) -> frozenset[str]:
    """Return the areas in which the acting character is, from the innermost out, and the party's place."""
    at, found = position_of(world, policy), set[str]()
    while at is not None and at not in found and len(found) < _MAX_PARENTS:
        found.add(at)
        area = world.area(at)
        at = area.parent_area_id if area else None
    places = [place for place in _places(world, [_place_of(world)])[:1] if place.area_id in found | {None}]
    is_known = found or policy.acting_id in (None, *world.campaign.selected.party_character_ids)
    return frozenset(found | {place.id for place in places}) if is_known else frozenset()


def _place_of(world: World) -> str | None:
    """Return the place of the party; none in a scene game."""
    party = world.get(PARTY_PATH)
    return party.location_id if isinstance(party, PartyDocument) and world.get(CREW_PATH) is None else None


def _places(world: World, ids: Iterable[str | None]) -> list[Location]:
    """Return these places, and those that can be gone to from there."""
    stood = list(filter(None, ids))
    if not stood:
        return []
    from turnwright.model.location import Location

    found = [place for identifier in stood if (place := world.find(Location, identifier))]
    beyond = [edge.to_location_id for place in found for edge in place.edges if not edge.hidden or edge.discovered]
    return [*found, *(place for identifier in beyond if (place := world.find(Location, identifier)))]


def _areas(world: World, before: World, policy: TurnPolicy, calls: Sequence[CallOutcome]) -> dict[str, str]:
    """Return the names of the areas and places that the calls named or made, and of those around the acting character.

    Those around where the turn began count too: who left by one exit may be told to have taken another.
    """
    stood = {position_of(world, policy), position_of(before, policy)}
    places, wanted, meant = [_place_of(before), _place_of(world)], set[str](), set[str]()
    for call in calls:
        stood.add(call.text("from_area_id"))
        left = call.result.get("from")
        places.append(left.get("location_id") if isinstance(left, Mapping) else None)
        wanted |= _args(call, "area_id")
        meant |= _args(call, "location_id", "location_name")
        made = call.result.get("created_area_ids", ()) if call.applied else ()
        wanted |= {area_id for area_id in made if isinstance(area_id, str)}
    around = [area for area in map(world.area, filter(None, stood)) if area]
    wanted |= {area.id for area in around}.union(*(area.reachable_area_ids for area in around))
    found = (world.area(area_id) for area_id in sorted(wanted))
    named = {area.id: area.name for area in found if area}
    near = (*_places_meant(world, meant), *_places(world, dict.fromkeys(places)))
    return named | {place.id: place.name for place in near}


def _args(call: CallOutcome, *endings: str) -> set[str]:
    """Return the texts among a call's arguments whose names end so."""
    return {value for key, value in call.args.items() if key.endswith(endings) and isinstance(value, str)}


def _places_meant(world: World, called: Collection[str]) -> list[Location]:
    """Return the places that calls gave by id or name."""
    if not called:
        return []
    from turnwright.rulesets.core.places.lookup import find_location

    found = (find_location(world, name) for name in sorted(called))
    return [place for place in found if place]


def _far(world: World, near: Collection[str]) -> dict[str, str]:
    """Return the names of all other areas and places; none where nobody is anywhere, or there are too many to look at.

    A place that is an area near by another name is none of them.
    """
    layers, places = world.paths(Layer.collection), world.paths(_PLACES)
    if not near or len(layers) + len(places) > FULL_UP_TO:
        return {}
    areas = (area for path in layers if isinstance(layer := world.get(path), Layer) for area in layer.areas.values())
    named = {area.id: area.name for area in islice(areas, FULL_UP_TO + 1)}
    if len(named) + len(places) > FULL_UP_TO:
        return {}
    if places:
        from turnwright.model.location import Location

        named |= {place.id: place.name for place in world.all(Location) if place.area_id not in near}
    return {identifier: name for identifier, name in named.items() if identifier not in near}


# fights and quests


def _fights(world: World) -> list[Encounter]:
    if not world.paths(FIGHTS):
        return []
    from turnwright.model.encounter import RUNNING_TAG, Encounter

    return world.all_tagged(Encounter, RUNNING_TAG)


def _fight(fights: Sequence[Encounter]) -> Fight | None:
    """Return the fight a text means: the only one."""
    if len(fights) != 1:
        return None
    (fight,) = fights
    current = fight.current
    initiatives = tuple(participant.initiative for participant in fight.participants)
    return Fight(frozenset(filter(None, (current.id, current.character_id))), fight.round, initiatives)


def _quests(world: World) -> Iterator[Quest]:
    for path in world.paths(_QUESTS)[:FULL_UP_TO]:
        document = world.get(path)
        said = document.as_written if document else {}
        if all(isinstance(said.get(key), str) for key in ("id", "title", "status")):
            yield Quest(said["id"], said["title"], said["status"])
