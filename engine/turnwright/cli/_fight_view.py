"""From a fight in the world to what a picture of it shows."""

from __future__ import annotations

from turnwright.model.encounter import Encounter, Participant
from turnwright.model.errors import BadRequest
from turnwright.model.nearest import nearest
from turnwright.render.battlefield_view import AuraView, FightView
from turnwright.rules.battlefield_rows import Battlefield, Window, battlefield
from turnwright.rules.condition_list import found
from turnwright.rules.grid.ground import Gait
from turnwright.rules.grid.paths import reach
from turnwright.rules.grid.space import FEET, XY
from turnwright.tools.combat._battlefield import body_on_grid, ground_for
from turnwright.tools.combat._economy import movement_left
from turnwright.tools.creatures import body_of
from turnwright.tools.magic._auras import auras_of, participant_behind
from turnwright.world.overlay import World


def fight_view(
    world: World,
    encounter_id: str,
    *,
    focus_on: str | None = None,
    with_reach: bool = False,
    with_auras: bool = False,
    ascii: bool = False,
) -> FightView:
    """Return a fight as the game master may see it.

    Raises:
        BadRequest: when there is no such fight, or nobody of that id in it.
    """
    encounter = world.find(Encounter, encounter_id)
    if encounter is None:
        known = sorted(fight.id for fight in world.all(Encounter))
        raise BadRequest(f"there is no encounter {encounter_id!r}{_guess(encounter_id, known)}")
    people = [person.id for person in encounter.participants]
    if focus_on is not None and focus_on not in people:
        raise BadRequest(f"{focus_on!r} takes no part in {encounter_id}{_guess(focus_on, people)}")
    bodies = {person.id: body_of(world, person) for person in encounter.participants}
    drawn = battlefield(encounter, bodies, focus_on=focus_on, ascii=ascii)
    return FightView(
        title=world.campaign.title or world.campaign.id,
        encounter_id=encounter.id,
        round=encounter.round,
        outcome=None if encounter.is_running else (encounter.outcome or "other"),
        lighting=encounter.lighting,
        field=drawn,
        terrain=encounter.terrain,
        props=encounter.props,
        auras=_auras(world, encounter, drawn) if with_auras else (),
        reach=_reach(world, encounter, encounter.current) if with_reach and encounter.is_running else None,
    )


def _guess(wanted: str, known: list[str]) -> str:
    return f"; did you mean {nearest(wanted, known, 1)[0]}?" if known else ""


def _reach(world: World, encounter: Encounter, person: Participant) -> frozenset[XY]:
    """Return where somebody can end with the movement they have left; who is prone crawls."""
    is_prone = found(body_of(world, person), "prone") is not None
    ground = ground_for(world, encounter, person)
    there = reach(
        ground, body_on_grid(world, person), movement_left(world, person), Gait(surcharge=FEET if is_prone else 0)
    )
    side = body_on_grid(world, person).side
    return frozenset((x + i, y + j) for x, y, _ in there for j in range(side) for i in range(side))


def _auras(world: World, encounter: Encounter, drawn: Battlefield) -> tuple[AuraView, ...]:
    """Return the auras whose owners are in the fight, as far as they reach on the height of their owners."""
    figures = {figure.id: figure for figure in drawn.legend}
    views = []
    for aura in auras_of(world, encounter.id):
        person = participant_behind(encounter, aura.owner_id)
        if person is None:
            continue
        steps, side = aura.radius // FEET, figures[person.id].side
        x, y, size = person.position.x - steps, person.position.y - steps, side + 2 * steps
        views.append(AuraView(aura.id, aura.spell_name, person.name, aura.radius, Window(x, y, size, size)))
    return tuple(views)
