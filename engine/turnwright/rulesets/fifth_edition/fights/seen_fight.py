"""A fight as the party sees it: its members in full, all others by what can be seen of them.

Participants that hide from the party and props that have to be found first are left out.
Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.model.encounter import Encounter, Hazard, Prop, Terrain
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Battlefield, Figure, battlefield
from turnwright.rulesets.fifth_edition.fights.visible_health import VISIBLE_CONDITIONS
from turnwright.rulesets.fifth_edition.sight import figures_in
from turnwright.rulesets.fifth_edition.targets import body_of
from turnwright.rulesets.sight import hiding, party_of


class FightSeen(NamedTuple):
    """A fight as the party sees it; the figures of others have no hit points."""

    field: Battlefield
    terrain: Terrain
    props: tuple[Prop, ...]


def fight_seen(world: World, encounter: Encounter, *, ascii: bool = False) -> FightSeen:
    """Return a fight as the party sees it.

    Args:
        world: the campaign.
        encounter: the fight, running or ended.
        ascii: draw with plain ASCII characters only.
    """
    party, people = party_of(world), figures_in(encounter)
    own = {person.id for person in people if person.is_own(party)}
    unseen = {person.id for person in hiding(people, own)} | {prop.id for prop in encounter.props if prop.hidden}
    bodies = {person.id: body_of(world, person) for person in encounter.participants}
    field = battlefield(encounter, bodies, ascii=ascii, unseen=unseen)
    legend = tuple(figure if figure.id in own else _from_outside(figure) for figure in field.legend)
    hazards = tuple(Hazard(position=hazard.position, type=hazard.type) for hazard in encounter.terrain.hazards)
    return FightSeen(
        field._replace(legend=legend),
        encounter.terrain.replace(hazards=hazards, timed=()),
        tuple(_prop(prop) for prop in encounter.props if prop.id not in unseen),
    )


def _from_outside(figure: Figure) -> Figure:
    conditions = tuple(name for name in figure.conditions if name in VISIBLE_CONDITIONS)
    return figure._replace(hp=None, max_hp=None, temp_hp=0, bloodied=False, conditions=conditions)


def _prop(prop: Prop) -> Prop:
    """Return a thing as it can be seen: not whether it is locked, and how much it withstands only once it is broken."""
    return Prop(
        id=prop.id,
        name=prop.name,
        type=prop.type,
        position=prop.position,
        state=prop.state,
        cover_type=prop.cover_type,
        blocks_movement=prop.blocks_movement,
        destructible=prop.is_broken,
        hp=0 if prop.is_broken else None,
    )
