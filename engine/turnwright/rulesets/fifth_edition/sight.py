"""The figures in fights, from which `rulesets.sight` decides what the party sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from turnwright.model.state.overlay import World
from turnwright.rulesets.sight import Figure, known_encounters, party_of

if TYPE_CHECKING:
    from turnwright.model.encounter import Encounter, Participant, Prop


class FightSight:
    """Implements `rulesets.sight.Sight` for fights."""

    def figures(self, world: World) -> list[Figure]:
        """Return the participants of the fights that run."""
        return [figure for fight in _running(world) for figure in figures_in(fight)]

    def met(self, world: World) -> Collection[str]:
        """Return the characters in fights that players know of, even in one that is over."""
        return frozenset(
            person.character_id
            for fight in known_fights(world)
            for person in fight.participants
            if person.character_id is not None
        )

    def called(self, world: World, identifier: str, encounter_id: str) -> str | None:
        """Return the name of a participant or a prop of a fight; with "" as the fight, of the last that has it."""
        if not world.paths("encounters/"):
            return None
        from turnwright.model.encounter import Encounter  # campaigns without fights do without it

        fight = world.find(Encounter, encounter_id) if encounter_id else None
        fights = [fight] if fight else reversed(list(world.all(Encounter)))
        there = ((one.id, one.name) for each in fights for one in _all_in(each))
        return next((name for known, name in there if known == identifier), None)

    def names(self, world: World) -> Iterable[tuple[str, str]]:
        """Return id and name of the participants and props of the fights that run."""
        return [(one.id, one.name) for fight in _running(world) for one in _all_in(fight)]


SIGHT = FightSight()


def known_fights(world: World) -> list[Encounter]:
    """Return the fights that players know of: those with a fighter that they play."""
    if not world.paths("encounters/"):
        return []
    from turnwright.model.encounter import Encounter

    party = party_of(world)
    return [fight for fight in world.all(Encounter) if known_encounters(figures_in(fight), party)]


def figures_in(fight: Encounter) -> list[Figure]:
    """Return the participants of a fight."""
    return [
        Figure(
            fight.id, one.id, one.ids, one.name, one.character_id, one.body, one.is_enemy, is_hidden=bool(one.hidden)
        )
        for one in fight.participants
    ]


def _running(world: World) -> list[Encounter]:
    if not world.paths("encounters/"):
        return []
    from turnwright.model.encounter import RUNNING_TAG, Encounter

    return world.all_tagged(Encounter, RUNNING_TAG)


def _all_in(fight: Encounter) -> Iterator[Participant | Prop]:
    yield from fight.participants
    yield from fight.props
