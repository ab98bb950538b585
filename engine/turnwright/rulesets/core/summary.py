"""`state_summary`: where each character is and how they fare, cut to a size that does not grow with the campaign.

Source: docs/stages/6-publish.md, "State summary".
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.state.overlay import Source, World

if TYPE_CHECKING:
    from turnwright.model.area import Area
    from turnwright.model.wire.shapes import StateSummary
    from turnwright.rulesets.actors import PartySource

FULL_UP_TO = 200
"""The most characters for which the maps name all of them."""


def state_summary(world: World, acting_id: str | None, touched: Iterable[str] = ()) -> StateSummary:
    """Return the summary after a turn.

    Args:
        world: the campaign after the turn.
        acting_id: the acting character, or None.
        touched: paths of the documents the turn changed.
    """
    paths = world.paths(Character.collection)
    is_partial = len(paths) > FULL_UP_TO
    people = _party_and(world, touched) if is_partial else world.each(Character, paths)
    people.sort(key=attrgetter("id"))
    positions = {person.id: person.position for person in people}
    summary: StateSummary = {
        "active_actor_id": acting_id,
        "positions": positions,
        "positions_parent": dict(positions),
        "positions_child": dict.fromkeys(sorted(world.campaign.selected.party_character_ids)),
        "hp": {person.id: person.hp for person in people if person.hp is not None},
        "character_states": {
            person.id: person.character_state for person in people if person.character_state is not None
        },
    }
    if is_partial:
        summary["partial"] = True
    return summary


def people_at(world: World, area_id: str) -> list[Character]:
    """Return the characters in an area; if there are too many to look at, the party's members there."""
    is_large = len(world.paths(Character.collection)) > FULL_UP_TO
    people = world.party() if is_large else world.characters()
    return [person for person in people if person.position == area_id]


def _party_and(world: World, touched: Iterable[str]) -> list[Character]:
    people = {person.id: person for person in world.party()}
    for path in touched:
        document = world.get(path)
        if isinstance(document, Character):
            people[document.id] = document
    return list(people.values())


class _Actors:
    """Implements `rulesets.actors.Actors` for people in areas and places; most turns need only the summary."""

    state_summary = staticmethod(state_summary)
    people_at = staticmethod(people_at)

    def exits(self, world: World, here: Area, *, only_known: bool = False) -> Iterable[Area]:
        """Return the areas that can be reached from one in one step."""
        from turnwright.rulesets.core.exits import exits_of

        return exits_of(world, here, only_known=only_known)

    def party_view(self, world: World) -> PartySource:
        """Return the campaign without what the party does not know."""
        from turnwright.rulesets.core.party_view import PartyView

        return PartyView(world)

    def same_references(self, world: World, view: PartySource, texts: Iterable[str]) -> Source:
        """Return the whole campaign, with the texts of a call limited to what they name in a view."""
        from turnwright.rulesets.core.party_view import SameReferences

        return SameReferences(world, view, texts)

    def require_place(self, world: World, named: str, field: str) -> object:
        """Return the place that an argument names."""
        from turnwright.rulesets.core.places.lookup import require_location

        return require_location(world, named, field=field)


ACTORS = _Actors()
