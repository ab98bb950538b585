"""The ground of a fight for the rules of the grid: positions, obstacles, cover, and lines of sight.

All functions read the fight as it is now; a participant with another `position` may be passed in place of one of the
fight's, to ask about a hypothetical position. Source: docs/toolkit.md, "Space"; SRD 5.1, "Movement and Position".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from turnwright.model.campaign import CampaignDocument
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant, Position, Terrain
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Cover, ObstacleType, Sense
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective, effective, suppressed
from turnwright.rulesets.fifth_edition.space.grid.corners import screen_from_corners
from turnwright.rulesets.fifth_edition.space.grid.cover import Obstacle, Scenery, Screen, scenery, screen
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.ground import Ground
from turnwright.rulesets.fifth_edition.space.grid.sight import sight
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, SIZES, XY, Body, Square, parse_key
from turnwright.rulesets.fifth_edition.targets import body_of
from turnwright.rulesets.fifth_edition.zones import covering_squares, difficult_squares, veil_between
from turnwright.rulesets.in_use import tables_of

_STANDS_AS: Mapping[Cover, ObstacleType] = MappingProxyType(
    {"half": "half_cover", "three_quarters": "three_quarters_cover", "total": "total_cover"}
)

_BEYOND_SIGHT: frozenset[Sense] = frozenset({"blindsight", "tremorsense"})
_THROUGH: Mapping[str, frozenset[Sense]] = MappingProxyType(
    {"heavily": _BEYOND_SIGHT, "magical_darkness": _BEYOND_SIGHT | {"truesight"}}
)
"""Senses from which an area hides no creature."""


# positions


def square_of(position: Position) -> Square:
    """Return a position of a document as a square of the grid."""
    return Square(position.x, position.y, position.z)


def position_of(square: Square) -> Position:
    """Return a square of the grid in the form of documents."""
    return Position(x=square.x, y=square.y, z=square.z)


def show_square(square: Square) -> dict[str, int]:
    """Return a square in the form of results."""
    return {"x": square.x, "y": square.y, "z": square.z}


def values_of(world: World, person: Participant) -> Effective:
    """Return the effective values of a participant, including those that apply only in the fight."""
    return effective(body_of(world, person), person.overrides)


def body_on_grid(world: World, person: Participant) -> Body:
    """Return the squares that a participant fills."""
    return Body(square_of(person.position), values_of(world, person).size)


def living(world: World, encounter: Encounter, but: Collection[str] = ()) -> list[Participant]:
    """Return all living participants of a fight, in the order of their turns, except for these ids."""
    return [person for person in encounter.participants if person.id not in but and not body_of(world, person).is_dead]


def are_hostile(one: Participant, other: Participant) -> bool:
    """Return whether two participants are on different sides."""
    return one.is_enemy != other.is_enemy


def feet_between(world: World, one: Participant, other: Participant) -> int:
    """Return the feet between two participants as reach, range and auras count them."""
    return between(body_on_grid(world, one), body_on_grid(world, other))


def is_down(character: Character) -> bool:
    """Return whether a participant is at 0 hit points."""
    return (character.hp or 0) == 0


# the way


def ground_for(
    world: World,
    encounter: Encounter,
    mover: Participant | None = None,
    *,
    creatures_block: bool = False,
    ignore: Collection[str] = (),
    end_z: int | None = None,
) -> Ground:
    """Return the ground of a fight for a mover, or without creatures.

    Other creatures count only on the mover's height. Their squares are difficult ground in which a mover cannot end; an
    enemy lets only creatures through that are two sizes larger or smaller, unless it is at 0 hit points. The dead are
    no hindrance.

    Args:
        world: the campaign.
        encounter: the fight.
        mover: the moving creature; None leaves all creatures out, unless they block.
        creatures_block: creatures let no other through.
        ignore: ids of creatures that are not in the way, such as a dragged one.
        end_z: the height at which the mover ends, if not its own.
    """
    taken: set[XY] = set()
    barred: set[XY] = set()
    crowded: set[XY] = set()
    others = living(world, encounter, {*ignore, *([mover.id] if mover else ())})
    if mover is not None:
        others = [other for other in others if not are_apart(world, mover, other)]
        others = [other for other in others if not may_overlap(encounter, mover, other)]
    for other in others if mover or creatures_block else ():
        body = body_on_grid(world, other)
        squares = {(x, y) for x, y, _ in body.squares}
        if mover is None or body.at.z == (mover.position.z if end_z is None else end_z):
            taken |= squares
        if mover is None or body.at.z == mover.position.z:
            crowded |= squares
            if creatures_block or (mover is not None and not _lets_through(world, other, mover)):
                barred |= squares
    terrain = encounter.terrain
    return Ground(
        terrain.width,
        terrain.height,
        frozenset(solid_squares(encounter)),
        _squares(terrain.difficult_terrain) | (difficult_squares(world, encounter) if encounter.zones else frozenset()),
        _squares(terrain.water),
        frozenset(barred),
        frozenset(taken),
        frozenset(crowded),
    )


def may_overlap(encounter: Encounter, one: Participant, other: Participant) -> bool:
    """Return whether two creatures can be in the same space: a swarm and any other."""
    return _is_swarm(encounter, one) or _is_swarm(encounter, other)


def _is_swarm(encounter: Encounter, person: Participant) -> bool:
    traits = (encounter.block_of(person) or {}).get("traits", ())
    return any(trait.get("kind") == "swarm" for trait in traits)


def solid_squares(encounter: Encounter) -> set[XY]:
    """Return the squares that no creature can enter: obstacles of the terrain, and props that block the way."""
    props = (
        (prop.position.x, prop.position.y) for prop in encounter.props if prop.blocks_movement and not prop.is_broken
    )
    return {*_squares(encounter.terrain.obstacles), *props}


def occupant_of(
    world: World, encounter: Encounter, squares: Iterable[Square], but: Collection[str] = ()
) -> Participant | None:
    """Return the first participant, in turn order, that occupies one of these squares at its height, or None."""
    wanted = set(squares)
    people = (person for person in living(world, encounter, but) if not (person.swallowed_by or person.attached_to))
    return next((person for person in people if wanted & set(body_on_grid(world, person).squares)), None)


def is_free(world: World, encounter: Encounter, there: Body) -> bool:
    """Return whether a body would have room at its place: on the grid, without solid things or creatures there."""
    solid = {(x, y) for x, y, _ in there.squares} & solid_squares(encounter)
    standing = occupant_of(world, encounter, there.squares, ())
    return not solid and standing is None and ground_for(world, encounter).grid.has(there)


def free_near(world: World, encounter: Encounter, around: Body, own: Body, feet: int) -> Square | None:
    """Return the free square for a body nearest to another body, within a number of feet; None if there is none."""
    for apart in range(feet // FEET + 1):
        reach = apart + own.side
        ring = (
            own._replace(at=Square(x, y, around.at.z))
            for x in range(around.at.x - reach, around.at.x + around.side + reach)
            for y in range(around.at.y - reach, around.at.y + around.side + reach)
        )
        due = [each for each in ring if between(around, each) == apart * FEET]
        free = [each for each in due if is_free(world, encounter, each)]
        if free:
            return min(free, key=lambda each: each.at).at
        if apart > max(encounter.terrain.width, encounter.terrain.height):
            break
    return None


def _lets_through(world: World, other: Participant, mover: Participant) -> bool:
    if not are_hostile(other, mover) or is_down(body_of(world, other)):
        return True
    theirs, own = (SIZES.index(values_of(world, person).size) for person in (other, mover))
    return abs(theirs - own) >= 2


def _squares(keys: Iterable[str]) -> frozenset[XY]:
    return frozenset(map(parse_key, keys))


# cover and sight


def obstacles(world: World, encounter: Encounter) -> list[Obstacle]:
    """Return the cover in a fight beside creatures: obstacles of the terrain, props, and areas of spells."""
    return [*_walls(encounter.terrain), *_covering(world, encounter)]


def _walls(terrain: Terrain) -> list[Obstacle]:
    return [Obstacle(*parse_key(key)) for key in terrain.obstacles]


def _covering_props(encounter: Encounter) -> list[Obstacle]:
    return [
        Obstacle(prop.position.x, prop.position.y, prop.position.z, _STANDS_AS[prop.cover_type])
        for prop in encounter.props
        if prop.cover_type in _STANDS_AS and not prop.is_broken
    ]


def _covering(world: World, encounter: Encounter) -> list[Obstacle]:
    """Return the cover in a fight beside walls and creatures: props, and areas of spells."""
    if not encounter.zones:
        return _covering_props(encounter)
    zones = (Obstacle(*at, _STANDS_AS[cover], high) for at, cover, high in covering_squares(world, encounter))
    return [*_covering_props(encounter), *zones]


def creatures_in_the_way(
    world: World, encounter: Encounter, observer: Body, target: Body, but: Collection[str] = ()
) -> list[Body]:
    """Return the living creatures that may cover a target: those at a height between the observer's and the target's.

    Args:
        world: the campaign.
        encounter: the fight.
        observer: where the ray begins.
        target: where it ends.
        but: ids of creatures that do not count: the observer and the target.
    """
    low, high = sorted((observer.at.z, target.at.z))
    bodies = (body_on_grid(world, person) for person in living(world, encounter, but))
    return [body for body in bodies if low <= body.at.z <= high]


def cover_between(
    world: World,
    encounter: Encounter,
    observer: Participant | Square,
    target: Participant,
    *,
    creatures_cover: bool = True,
) -> Screen:
    """Return the cover between a creature, or a square, and a target."""
    if are_apart(world, observer, target):
        return Screen("total", ())
    origin = Body(observer) if isinstance(observer, Square) else body_on_grid(world, observer)
    goal = body_on_grid(world, target)
    but = {target.id} if isinstance(observer, Square) else {target.id, observer.id}
    creatures = creatures_in_the_way(world, encounter, origin, goal, but) if creatures_cover else []
    walls = encounter.terrain.once("scenery", lambda terrain: scenery(_walls(terrain)))
    return screen_by_rule(world, origin, goal, scenery(_covering(world, encounter), creatures, walls))


def _cover_rule(campaign: CampaignDocument) -> str:
    rule: str = settings_of(campaign.settings, tables_of(campaign).settings)["rules.cover"]
    return rule


def screen_by_rule(world: World, observer: Body, target: Body, around: Scenery) -> Screen:
    """Return the cover between two bodies, by the campaign's rule for cover (`rules.cover`)."""
    rule = world.campaign.once("cover_rule", _cover_rule)
    return (screen_from_corners if rule == "corners" else screen)(observer, target, around)


def are_apart(world: World, observer: Participant | Square, target: Participant) -> bool:
    """Return whether nothing of one reaches the other: they are on different planes, or one is inside a creature."""
    if is_away(body_of(world, target)):
        return True
    if isinstance(observer, Square):
        return target.swallowed_by is not None or is_ethereal(body_of(world, target))
    if is_away(body_of(world, observer)):
        return True
    if is_ethereal(body_of(world, observer)) != is_ethereal(body_of(world, target)):
        return True
    if target.swallowed_by == observer.id or observer.swallowed_by == target.id:
        return False
    return observer.swallowed_by != target.swallowed_by


def is_away(character: Character) -> bool:
    """Return whether a creature is away from all others: banished, lost in a maze, shut in."""
    return any(effect.away for effect in character.effects)


def is_ethereal(character: Character) -> bool:
    """Return whether a creature is on another plane than the fight."""
    return any(effect.ethereal for effect in character.effects)


def can_see(world: World, encounter: Encounter, observer: Participant, target: Participant) -> bool:
    """Return whether one participant sees another, in the light of the fight and with its own senses.

    The other side does not see a hidden creature.
    """
    if observer.id == target.id:
        return True
    if target.hidden and are_hostile(observer, target):
        return False
    values = values_of(world, observer)
    near = own_senses(values)
    if values.impairment.fails_sight:
        near = {sense: feet for sense, feet in near.items() if sense in ("blindsight", "tremorsense")}
    cover = cover_between(world, encounter, observer, target, creatures_cover=False).cover
    unseen = values.impairment.fails_sight or is_invisible(body_of(world, target))
    here, there = body_on_grid(world, observer), body_on_grid(world, target)
    near, veiled = through_veils(world, encounter, here, there, near)
    unseen = unseen or veiled
    return sight(here, there, cover, encounter.lighting, near, unseen).can_see


def through_veils(
    world: World, encounter: Encounter, here: Body, there: Body, senses: dict[Sense, float]
) -> tuple[dict[Sense, float], bool]:
    """Return the senses that areas of spells between two places leave, and whether they hide one from the other."""
    veil = veil_between(world, encounter, here, there) if encounter.zones else None
    if veil is None:
        return senses, False
    return {sense: feet for sense, feet in senses.items() if sense in _THROUGH[veil]}, True


def own_senses(values: Effective) -> dict[Sense, float]:
    """Return a participant's special senses with their ranges in feet."""
    senses = values.senses
    return {
        "blindsight": senses.blindsight,
        "darkvision": senses.darkvision,
        "tremorsense": senses.tremorsense,
        "truesight": senses.truesight,
    }


def is_invisible(character: Character) -> bool:
    """Return whether a participant cannot be seen without a special sense."""
    return "invisible" in character.condition_names and "invisible" not in suppressed(character)
