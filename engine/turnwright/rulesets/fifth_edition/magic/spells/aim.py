"""Targets of a spell: by name, or by the squares that its area covers.

Source: SRD 5.1, "Range", "Targets", "Areas of Effect"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.content.kinds.spells import Spell
from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    are_apart,
    body_on_grid,
    cover_between,
    feet_between,
    living,
    square_of,
)
from turnwright.rulesets.fifth_edition.condition_sources import charmer_of
from turnwright.rulesets.fifth_edition.magic.spells.boons import has_globe
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, kind_of
from turnwright.rulesets.fifth_edition.magic.spells.coverage import is_measured, strikes_from_afar
from turnwright.rulesets.fifth_edition.magic.spells.figures import area_size, max_targets, missiles
from turnwright.rulesets.fifth_edition.magic.spells.finding import can_detect, is_undetected
from turnwright.rulesets.fifth_edition.magic.spells.lasting import is_kept_by_name, made_at, needs_nobody
from turnwright.rulesets.fifth_edition.magic.spells.special import executed_specials, why_no_room
from turnwright.rulesets.fifth_edition.magic.spells.zoning import is_walled
from turnwright.rulesets.fifth_edition.magic.zone_acts import is_in
from turnwright.rulesets.fifth_edition.sheets.derived_stats import worn
from turnwright.rulesets.fifth_edition.space.grid import areas
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import SIZES, Body, Square
from turnwright.rulesets.fifth_edition.space.grid.spans import Area
from turnwright.rulesets.fifth_edition.targets import Creature, now, require_creature

_TOUCH = 5
_FLAT = 5
_FIELD = "args.target_ids"


class Aimed(NamedTuple):
    """The targets of a spell.

    Attributes:
        ids: targets in order; those of rays and darts may repeat.
        origin: the square that cover counts from, or None for the caster's own.
    """

    ids: tuple[str, ...]
    origin: Square | None = None


def aim(casting: Casting) -> Aimed:
    """Return the targets of a spell; ask for them where the entry leaves them open.

    Raises:
        CallFailed: `not_found` for an unknown target, `invalid_args` where no target is named, `rule_violation` for too
            many targets and for those out of range, out of its area or behind total cover.
    """
    named = _named(casting)
    encounter = casting.encounter
    area = _area(casting) if encounter is not None else None
    if casting.zone is not None and encounter is not None and is_walled(casting.spell):
        return _in_wall(casting, encounter)
    if area is not None and encounter is not None:
        aimed = _in_area(casting, encounter, area, named)
    else:
        aimed = Aimed(_of_call(casting, named))
    if encounter is not None and not (casting.args.again and has_moved(casting.spell)):
        _require_reachable(casting, encounter, aimed, in_area=area is not None)
    if encounter is not None and strikes_from_afar(casting.spell):
        _require_in_its_way(casting, aimed)
    _require_only(casting, aimed)
    _require_living_target(casting, aimed)
    if "teleport" in executed_specials(casting.spell) and encounter is not None:
        _require_landing(casting, encounter)
    return aimed


def has_moved(spell: Spell) -> bool:
    """Return whether what a spell made may be elsewhere by now than where it was cast."""
    return spell.lasting_area is not None or bool({"move", "moves", "springs"} & spell.figures.keys())


def _require_landing(casting: Casting, encounter: Encounter) -> None:
    """Ask for a free square in sight and in range for a teleporting creature."""
    point, farthest = casting.args.target_position, int(casting.spell.figures["teleport"])
    caster = casting.person(casting.caster_id)
    if point is None or caster is None:
        detail = f"args.target_position: is required: where {casting.spell.name} leads"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.target_position"))
    body = body_on_grid(casting.world, caster.replace(position=point))
    apart = between(body_on_grid(casting.world, caster), body)
    why = (
        f"{casting.spell.name} reaches {farthest} feet, and the square is {apart} feet away"
        if apart > farthest
        else None
    )
    blocked = why_no_room(casting, encounter, caster.replace(position=point))
    if why is None and blocked is not None and _hurts_on_arrival(casting.spell):
        casting.is_landing_taken = True
    elif why is None:
        why = blocked
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask("args.target_position", point.as_written))


def _require_in_its_way(casting: Casting, aimed: Aimed) -> None:
    """Refuse a target out of reach of an object that a spell made; where the object strikes, it stays from now on."""
    made = made_at(casting.caster, casting.spell) if casting.args.again else None
    person = casting.person(aimed.ids[0]) if aimed.ids else None
    if person is None:
        return
    farthest = int(casting.spell.figures["move"]) + _TOUCH
    if made is not None:
        apart = between(Body(Square(*made)), body_on_grid(casting.world, person))
        if apart > farthest:
            why = f"{person.id} is {apart} feet from {casting.spell.name}, which moves {farthest - _TOUCH} feet"
            raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask(_FIELD, list(casting.args.target_ids)))
    casting.made_at = (person.position.x, person.position.y, person.position.z)


def _hurts_on_arrival(spell: Spell) -> bool:
    """Return whether a spell hurts targets that would arrive on an occupied square, instead of being refused."""
    return any(part.when == "arrives_in_occupied_space" for part in spell.damage)


# by name


def _named(casting: Casting) -> list[str]:
    found = []
    for index, identifier in enumerate(casting.args.target_ids):
        try:
            found.append(require_creature(casting.world, identifier, None, casting.encounter_id).id)
        except CallFailed as failure:
            field = f"{_FIELD}.{index}"
            raise CallFailed(failure.reason, failure.detail, {**failure.hint, "field": field}) from None
    return found


def _of_call(casting: Casting, named: list[str]) -> tuple[str, ...]:
    """Return the targets that the call names, one for each ray where it sends out several."""
    spell, level = casting.spell, casting.level
    if "companions_within" in spell.figures:
        return _with_companions(casting, named)
    is_of_caster = has_globe(spell) or _is_for_caster(spell)
    if is_of_caster and (others := [each for each in named if each != casting.caster_id]):
        detail = f"{spell.name} is for {casting.caster_id}, who casts it, and for nobody else"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, others, [casting.caster_id]))
    if is_of_caster or (not named and needs_nobody(spell)):
        return (casting.caster_id,)
    if "passengers" in executed_specials(spell):
        return (casting.caster_id, *_passengers(casting, named))
    if not named:
        detail = f"{_FIELD}: nobody is named for {spell.name}"
        if spell.area is not None and casting.encounter is not None and is_measured(spell):
            detail += "; or give target_position"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(_FIELD, _likely(casting)))
    sent = missiles(spell, level)
    if sent is not None:
        return _shared_out(casting, named, sent)
    several = list(dict.fromkeys(named))
    most = max_targets(spell, level)
    if most is not None and len(several) > most:
        detail = f"{spell.name} has at most {most} target{'s' if most != 1 else ''}, and {len(several)} are named"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, list(casting.args.target_ids)))
    return tuple(several)


def _is_for_caster(spell: Spell) -> bool:
    """Return whether a spell is for its caster alone."""
    if spell.range != "self" or "target_range" in spell.figures:
        return False
    return spell.attack is None and (spell.area is None or is_kept_by_name(spell) or can_detect(spell))


def _with_companions(casting: Casting, named: list[str]) -> tuple[str, ...]:
    """Return the caster, and the creatures near it that a higher slot takes along."""
    within = int(casting.spell.figures["companions_within"])
    others = [each for each in dict.fromkeys(named) if each != casting.caster_id]
    most = (casting.spell.targets_per_slot or 0) * (casting.level.slot - casting.spell.level)
    caster = casting.person(casting.caster_id)
    far = [
        each
        for each in others
        if caster is not None
        and (person := casting.person(each)) is not None
        and feet_between(casting.world, caster, person) > within
    ]
    if len(others) > most or far:
        why = f"{far[0]} is not within {within} feet of {casting.caster_id}" if far else f"it takes {most} along"
        raise CallFailed(Reason.RULE_VIOLATION, f"{casting.spell.name}: {why}", hint.ask(_FIELD, others))
    return (casting.caster_id, *others)


def _passengers(casting: Casting, named: list[str]) -> list[str]:
    """Return the creatures that the caster takes along: those within reach, at most as many as the entry says."""
    others = [each for each in dict.fromkeys(named) if each != casting.caster_id]
    most, caster = int(casting.spell.figures["passengers"]), casting.person(casting.caster_id)
    far = [
        each
        for each in others
        if caster is not None
        and (person := casting.person(each)) is not None
        and feet_between(casting.world, caster, person) > _TOUCH
    ]
    if len(others) > most or far:
        why = f"{far[0]} is not within {_TOUCH} feet of {casting.caster_id}" if far else f"it takes {most} along"
        raise CallFailed(Reason.RULE_VIOLATION, f"{casting.spell.name}: {why}", hint.ask(_FIELD, others))
    return others


def _shared_out(casting: Casting, named: list[str], sent: int) -> tuple[str, ...]:
    """Return a target for each ray: the only one for all, or those that are named one by one."""
    if len(named) == 1:
        return tuple(named * sent)
    if len(named) == sent:
        return tuple(named)
    detail = f"{casting.spell.name} sends out {sent}: name one target for all, or one for each, again and again"
    raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(_FIELD, list(casting.args.target_ids)))


def _likely(casting: Casting) -> list[list[str]]:
    encounter = casting.encounter
    if encounter is None:
        return []
    caster = casting.person(casting.caster_id)
    helps = casting.spell.heal is not None or not (casting.spell.damage or casting.spell.save)
    people = living(casting.world, encounter)
    people.sort(key=lambda other: caster is not None and (other.is_enemy == caster.is_enemy) != helps)
    return [[person.id] for person in people]


# by area


def _area(casting: Casting) -> Area | None:
    """Return the squares that the area covers; None for a spell without one, or where the call names its targets."""
    spell, args = casting.spell, casting.args
    if can_detect(spell):
        return None  # what it finds is around its caster
    is_empty = is_kept_by_name(spell) or (needs_nobody(spell) and not args.again)
    if spell.area is None or not is_measured(spell) or is_empty or has_globe(spell):
        return None
    shape = spell.area.shape
    caster = casting.person(casting.caster_id)
    if caster is None:
        return None
    size, here = area_size(spell, casting.level), square_of(caster.position)
    from_self = spell.range == "self" or spell.area.origin == "self"
    if shape in ("cone", "line") or (shape == "cube" and from_self):
        if args.target_position is None:
            return None
        way = _direction(here, args.target_position)
        if shape == "cone":
            return areas.cone(here, size, way)
        return areas.cube(here, size, way) if shape == "cube" else areas.line(here, size, spell.area.width or 5, way)
    if shape == "emanation" or from_self:
        return areas.sphere(here, size)
    if args.target_position is None:
        return None
    point = square_of(args.target_position)
    match shape:
        case "sphere":
            return areas.sphere(point, size)
        case "cylinder" | "circle":
            return areas.cylinder(point, size, spell.area.height or _FLAT)
        case _:
            return areas.cube(point, size)


def _direction(here: Square, there: Position) -> tuple[float, float]:
    way = (there.x - here.x, there.y - here.y)
    if way == (0, 0):
        detail = "args.target_position: is where the caster stands, so the spell points nowhere"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.target_position", there.as_written))
    return way


def _in_area(casting: Casting, encounter: Encounter, area: Area, named: list[str]) -> Aimed:
    """Return the creatures in the area; where some are named, only those of them."""
    from_self = casting.spell.range == "self"
    origin = area.origin
    covered = [
        person.id
        for person in living(casting.world, encounter)
        if _is_covered(casting, encounter, area, person) and not (from_self and person.id == casting.caster_id)
    ]
    if not named and max_targets(casting.spell, casting.level) is not None:
        detail = f"{_FIELD}: its caster chooses whom in the area {casting.spell.name} affects"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(_FIELD, [[each] for each in covered]))
    if not named:
        return Aimed(tuple(covered), origin)
    outside = [each for each in named if each not in covered]
    if outside:
        detail = f"{outside[0]} is not in the area of {casting.spell.name}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, list(casting.args.target_ids), [covered]))
    several = tuple(dict.fromkeys(named))
    most = max_targets(casting.spell, casting.level)
    if most is not None and len(several) > most:
        detail = f"{casting.spell.name} has at most {most} targets, and {len(several)} are named"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, list(casting.args.target_ids)))
    return Aimed(several, origin)


def _in_wall(casting: Casting, encounter: Encounter) -> Aimed:
    """Return the creatures on the squares where a wall rises."""
    zone = casting.zone
    assert zone is not None
    people = living(casting.world, encounter)
    aimed = Aimed(tuple(each.id for each in people if is_in(casting.world, encounter, zone, each)))
    _require_reachable(casting, encounter, aimed, in_area=True)
    return aimed


def _is_covered(casting: Casting, encounter: Encounter, area: Area, person: Participant) -> bool:
    if not any(area.covers(square) for square in body_on_grid(casting.world, person).squares):
        return False
    return cover_between(casting.world, encounter, area.origin, person, creatures_cover=False).cover != "total"


# what forbids it


def require_point_in_range(casting: Casting) -> None:
    """Refuse a point of the grid that is farther away than the spell reaches."""
    caster, point, farthest = casting.person(casting.caster_id), casting.args.target_position, _range(casting)
    if caster is None or point is None or farthest is None or casting.spell.range == "self":
        return
    apart = between(body_on_grid(casting.world, caster), Body(square_of(point)))
    if apart > farthest:
        detail = f"the point is {apart} feet away, and {casting.spell.name} reaches {farthest} feet"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_position", point.as_written))


def _require_reachable(casting: Casting, encounter: Encounter, aimed: Aimed, *, in_area: bool) -> None:
    caster = casting.person(casting.caster_id)
    if caster is None:
        return
    farthest = _range(casting)
    require_point_in_range(casting)
    charmer = charmer_of(casting.world, encounter, caster)
    for identifier in dict.fromkeys(aimed.ids):
        person = casting.person(identifier)
        if person is None or person.id == caster.id:
            continue
        why = None
        if charmer is not None and charmer.id == person.id and (casting.spell.damage or casting.spell.save):
            why = f"{caster.id} is charmed by {person.id}"
        elif not in_area and not _is_everywhere(casting.spell):
            why = _why_unreachable(casting, encounter, caster, person, farthest)
        if why is not None:
            raise CallFailed(Reason.RULE_VIOLATION, why, hint.ask(_FIELD, list(casting.args.target_ids)))


def _is_everywhere(spell: Spell) -> bool:
    """Return whether a spell reaches its target at any distance."""
    return "unlimited" in (spell.range, spell.figures.get("target_range"))


def _why_unreachable(
    casting: Casting, encounter: Encounter, caster: Participant, person: Participant, farthest: int | None
) -> str | None:
    if are_apart(casting.world, caster, person):
        return f"nothing that {caster.id} does reaches {person.id} where it is"
    apart = feet_between(casting.world, caster, person)
    if farthest is not None and apart > farthest:
        return f"{person.id} is {apart} feet away, and {casting.spell.name} reaches {farthest} feet"
    if cover_between(casting.world, encounter, caster, person).cover == "total":
        return f"{person.id} has total cover"
    return None


def _range(casting: Casting) -> int | None:
    """Return how far it reaches in feet; None where the entry sets no limit in feet."""
    spell = casting.spell
    if isinstance(spell.range, int):
        return spell.range
    if isinstance(spell.figures.get("companions_within"), int):
        return None  # looked at where they are named
    if isinstance(spell.figures.get("target_range"), int):
        return int(spell.figures["target_range"])
    if spell.range == "self" and isinstance(spell.figures.get("throw_range"), int):
        return int(spell.figures["throw_range"])
    if spell.range == "self" and spell.area is not None:
        return area_size(spell, casting.level)
    return _TOUCH if spell.range in ("touch", "self") else None


def _require_only(casting: Casting, aimed: Aimed) -> None:
    """Refuse single targets that the spell cannot affect at all; in an area they are merely not affected."""
    if casting.spell.area is not None:
        return
    for identifier in dict.fromkeys(aimed.ids):
        why = why_unaffected(casting, casting.creature(identifier))
        if why is not None:
            detail = f"{casting.spell.name} does nothing to {identifier}: {why}"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, list(casting.args.target_ids)))


def _require_living_target(casting: Casting, aimed: Aimed) -> None:
    """Refuse healing whose targets are all dead, before a slot is spent."""
    heal = casting.spell.heal
    if heal is None or heal.kind is not None or not aimed.ids:
        return
    if all(casting.creature(identifier).character.is_dead for identifier in aimed.ids):
        verb = "is" if len(set(aimed.ids)) == 1 else "are"
        detail = f"{', '.join(dict.fromkeys(aimed.ids))} {verb} dead, and cannot be healed"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, list(casting.args.target_ids)))


def why_unaffected(casting: Casting, creature: Creature) -> str | None:
    """Return why a spell does not affect a creature; None when it does, or when the creature's kind is unknown."""
    kind, spell = kind_of(casting, creature), casting.spell
    hidden = is_undetected(creature.character) if spell.school == "divination" else None
    if hidden is not None and creature.id != casting.caster_id:
        return f"{hidden} hides it"
    if kind is not None and kind in spell.no_effect_on:
        return f"it is {kind}"
    wanted = spell.only.get("type")
    if wanted is not None and kind is not None and kind != wanted:
        return f"it is {kind}, and no {wanted}"
    if spell.only.get("armor") == "none" and any(item.armor_stats for item in worn(creature.character)):
        return "it wears armor"
    values = now(casting.world, creature)
    most = spell.only.get("max_size")
    if most in SIZES and SIZES.index(values.size) > SIZES.index(most):
        return f"it is {values.size}"
    brightest = spell.only.get("max_int")
    if isinstance(brightest, int) and values.stats["int"].effective > brightest:
        return f"its Intelligence is above {brightest}"
    least = spell.only.get("min_int")
    if not isinstance(least, int) or creature.character.max_hp is None:
        return None
    is_below = now(casting.world, creature).stats["int"].effective < least
    return f"its Intelligence is below {least}" if is_below else None
