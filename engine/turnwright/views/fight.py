"""From a fight in the world to what a picture of it shows, to the game master and to players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwright.model.encounter import RUNNING_TAG, Encounter, Participant
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.state.overlay import World
from turnwright.render.battlefield_view import AuraView, FightView
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, ground_for
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.fights._economy import movement_left
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Battlefield, Figure, Window, battlefield
from turnwright.rulesets.fifth_edition.fights.running import fight_now
from turnwright.rulesets.fifth_edition.fights.seen_fight import FightSeen, fight_seen
from turnwright.rulesets.fifth_edition.magic._auras import auras_of, participant_behind
from turnwright.rulesets.fifth_edition.sight import known_fights
from turnwright.rulesets.fifth_edition.space.grid.ground import Gait
from turnwright.rulesets.fifth_edition.space.grid.paths import reach
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.views.shapes import FightStanding, NamedThing


def fight_view(
    world: World,
    encounter_id: str,
    *,
    focus_on: str | None = None,
    with_reach: bool = False,
    with_auras: bool = False,
    ascii: bool = False,
) -> FightView:
    """Return the game master's view of a fight.

    Raises:
        BadRequest: when there is no such fight, or it has no participant of that id.
    """
    encounter = _require(encounter_id, world.all(Encounter))
    people = [person.id for person in encounter.participants]
    if focus_on is not None and focus_on not in people:
        raise BadRequest(f"{focus_on!r} takes no part in {encounter_id}{did_you_mean(focus_on, people)}")
    bodies = {person.id: body_of(world, person) for person in encounter.participants}
    drawn = battlefield(encounter, bodies, focus_on=focus_on, ascii=ascii)
    return replace(
        _view(world, encounter, FightSeen(drawn, encounter.terrain, encounter.props)),
        auras=_auras(world, encounter, drawn) if with_auras else (),
        reach=_reach(world, encounter, encounter.current) if with_reach and encounter.is_running else None,
    )


def fight_of_players(world: World, encounter_id: str) -> FightView:
    """Return a fight as players may see it.

    Raises:
        BadRequest: when they know of no such fight.
    """
    encounter = _require(encounter_id, known_fights(world))
    return _view(world, encounter, fight_seen(world, encounter))


def running_fights(world: World) -> list[FightStanding]:
    """Return where each running fight stands."""
    return [_standing(fight, fight.current) for fight in world.all_tagged(Encounter, RUNNING_TAG)]


def fight_known_now(world: World, actor_id: str | None) -> Encounter | None:
    """Return the running fight that counts for players: of those they know of the actor's own, else the first."""
    known = [fight for fight in known_fights(world) if fight.is_running]
    now = fight_now(world, actor_id)
    return next((fight for fight in known if now is not None and fight.id == now.id), known[0] if known else None)


def fights_of_players(world: World) -> list[FightStanding]:
    """Return the state of the running fights that players know; the turn of a hidden participant is not shown."""
    fights = (fight for fight in known_fights(world) if fight.is_running)
    seen = ((fight, fight_seen(world, fight).field.legend) for fight in fights)
    return [_standing(fight, next((one for one in legend if one.current), None)) for fight, legend in seen]


def _standing(fight: Encounter, current: Participant | Figure | None) -> FightStanding:
    told: NamedThing | None = {"id": current.id, "name": current.name} if current else None
    return {"id": fight.id, "round": fight.round, "current": told}


def _view(world: World, encounter: Encounter, seen: FightSeen) -> FightView:
    return FightView(
        title=world.campaign.title or world.campaign.id,
        encounter_id=encounter.id,
        round=encounter.round,
        outcome=None if encounter.is_running else (encounter.outcome or "other"),
        lighting=encounter.lighting,
        field=seen.field,
        terrain=seen.terrain,
        props=seen.props,
    )


def _require(encounter_id: str, fights: Iterable[Encounter]) -> Encounter:
    known = {fight.id: fight for fight in fights}
    if encounter_id not in known:
        raise BadRequest(f"there is no encounter {encounter_id!r}{did_you_mean(encounter_id, known)}")
    return known[encounter_id]


def _reach(world: World, encounter: Encounter, person: Participant) -> frozenset[XY]:
    """Return the squares a participant can reach with the remaining movement; prone participants crawl."""
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
