"""Creation of a spell's lasting area in a fight: its place, and its figures.

Source: SRD 5.1, "Areas of Effect", "Spell Descriptions"; docs/content.md, "Lasting areas".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

from turnwright.content.kinds.shapes import Damage
from turnwright.content.kinds.spells import LastingArea, Spell
from turnwright.model.creature import Blow, Ending
from turnwright.model.vocabulary import Ability
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.model.zone import Zone, ZoneCondition, ZoneSave, ZoneShape
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, living, square_of
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting
from turnwright.rulesets.fifth_edition.magic.spells.figures import STRUCK, area_size, damage_dice
from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs, is_in
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square
from turnwright.rulesets.fifth_edition.zones import between_squares, spot, square_at

Fields: TypeAlias = dict[str, Any]
_POINT = "args.target_position"
_SHAPES: dict[str, ZoneShape] = {
    "sphere": "sphere",
    "cylinder": "cylinder",
    "circle": "cylinder",
    "cube": "cube",
    "square": "cube",
    "line": "line",
    "emanation": "emanation",
    "wall": "wall",
}
"""The grid shape of an area, by the shape of its entry; others have none."""
BOUND, STEPS = "starts_turn_restrained", "per_5_ft_moved"
"""When an area deals further damage: to creatures it already holds, and for each step in it."""
WALL_SIDES = ("left", "right")
RING_SIDES = ("inside", "outside")
_HELD_UNTIL = {"source_next_turn_end": ("end", 2), "source_next_turn_start": ("start", 1)}


def lays_zone(spell: Spell) -> bool:
    """Return whether a spell's area persists, in place or moving with its caster."""
    return spell.lasting_area is not None and spell.area is not None and spell.area.shape in _SHAPES


def zone_damage(spell: Spell) -> frozenset[str]:
    """Return when a lasting area deals damage, as the parts of its damage say it."""
    area = spell.lasting_area
    if area is None:
        return frozenset()
    return frozenset({BOUND, STEPS, *([area.deals] if area.deals is not None else [])})


def is_walled(spell: Spell) -> bool:
    """Return whether a spell raises a wall, between two points or as a ring."""
    return lays_zone(spell) and spell.area is not None and spell.area.shape == "wall"


def side_choices(casting: Casting) -> tuple[str, ...]:
    """Return the sides of a wall of which one acts, as far as the call says what wall it is."""
    area = casting.spell.lasting_area
    if area is None or area.within is None or not is_walled(casting.spell) or casting.encounter is None:
        return ()
    return RING_SIDES if casting.args.target_end is None else WALL_SIDES


def require_place(casting: Casting) -> None:
    """Ask for the place of the area, where its caster does not carry it along.

    Raises:
        CallFailed: `invalid_args` without a point, `rule_violation` for a wall that is too long.
    """
    spell, args = casting.spell, casting.args
    if not lays_zone(spell) or casting.encounter is None or args.again or spell.area is None:
        return
    if _shape(casting) == "emanation":
        return
    if args.target_position is None:
        detail = f"{_POINT}: is required: where {spell.name} lies"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(_POINT))
    if not is_walled(spell) and args.target_end is not None:
        detail = f"args.target_end: {spell.name} is no wall"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.target_end"))
    if is_walled(spell) and args.target_end is not None:
        if args.target_end == args.target_position:
            detail = (
                f"args.target_end: {spell.name} begins there; a wall ends elsewhere, and without an end it is a ring"
            )
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.remove("args.target_end"))
        long = between(Body(square_of(args.target_position)), Body(square_of(args.target_end))) + 5
        most = area_size(spell, casting.level)
        if long > most:
            detail = f"the wall would be {long} feet long, and {spell.name} is {most} feet long at the most"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_end", args.target_end.as_written))


def _shape(casting: Casting) -> ZoneShape:
    area = casting.spell.area
    assert area is not None
    if area.shape == "wall" and casting.args.target_end is None:
        return "ring"
    return _SHAPES[area.shape]


def laid_zone(casting: Casting) -> Zone | None:
    """Return the area that a casting lays; None outside of fights, and for a spell without one."""
    spell, encounter = casting.spell, casting.encounter
    caster = casting.person(casting.caster_id)
    if not lays_zone(spell) or encounter is None or caster is None:
        return None
    said, area, args = spell.lasting_area, spell.area, casting.args
    assert said is not None
    assert area is not None
    shape, here = _shape(casting), square_of(caster.position)
    point = square_of(args.target_position) if args.target_position is not None else here
    fields: Fields = {"at": spot(point), "size": area_size(spell, casting.level), "height": int(area.height or 0)}
    if shape == "line":
        fields |= {"at": spot(here), "toward": spot(point), "width": int(area.width or 5)}
    elif shape == "wall" and args.target_end is not None:
        fields["toward"] = spot(square_of(args.target_end))
    elif shape == "ring":
        fields["size"] = int(area.figures.get("ring_diameter", 0)) // 2
    elif shape == "emanation":
        fields["at"] = spot(here)
    if casting.choice in (*WALL_SIDES, *RING_SIDES):
        fields["side"] = casting.choice
    ids = [each.id for each in encounter.zones]
    zone = Zone(
        id=casting.world.new_id("zone", held=ids),
        spell=spell.name,
        source=casting.source_id,
        level=casting.level.slot,
        shape=shape,
        **fields,
    )
    return _as_it_is(casting, said, _as_it_acts(casting, said, _for_its_targets(casting, said, zone)))


def _for_its_targets(casting: Casting, said: LastingArea, zone: Zone) -> Zone:
    """Return the area with the creatures that it affects and spares."""
    fields: Fields = {"foes_only": said.affects == "foes"}
    fields["spares_source"] = said.affects in ("others", "foes") or (zone.shape == "line" and said.affects != "chosen")
    fields["spares"] = tuple(casting.creature(each).id for each in casting.args.spared_ids)
    if said.affects == "chosen":
        fields["only"] = tuple(
            dict.fromkeys((casting.caster_id, *(casting.creature(each).id for each in casting.args.target_ids)))
        )
    return zone.replace(**fields)


def _as_it_acts(casting: Casting, said: LastingArea, zone: Zone) -> Zone:
    """Return the effects of the area at its moments."""
    spell = casting.spell
    deals = (said.deals,) if said.deals is not None else STRUCK
    fields: Fields = {"acts": said.acts, "once_a_turn": said.once_a_turn, "within": said.within or 0}
    if spell.save is not None and (said.saves or said.takes_action):
        ability: Ability = spell.save.ability[0] if isinstance(spell.save.ability, tuple) else spell.save.ability
        hard = spell.figures.get("save_disadvantage", ())
        fields["save"] = ZoneSave(
            ability=ability,
            dc=casting.save_dc,
            half=spell.save.success == "half",
            hard_for=tuple(hard) if isinstance(hard, (list, tuple)) else (hard,),
        )
    if any(moment in said.acts for moment in ("enters", "turn_start", "turn_end")):
        fields["damage"] = tuple(_blows(casting, [part for part in spell.damage if part.when in deals]))
        fields["condition"] = _condition(spell)
    fields["bound_damage"] = tuple(_blows(casting, [part for part in spell.damage if part.when == BOUND]))
    fields["step_damage"] = next(_blows(casting, [part for part in spell.damage if part.when == STEPS]), None)
    fields |= {"concentration_save": said.concentration_save, "takes_action": said.takes_action}
    return zone.replace(**fields, damage_left=said.damage_limit)


def _blows(casting: Casting, parts: Iterable[Damage]) -> Iterator[Blow]:
    for part in parts:
        kind = casting.damage_type if isinstance(part.type, tuple) else part.type
        yield Blow(dice=damage_dice(casting.spell, part, casting.level), type=None if kind == "weapon" else kind)


def _condition(spell: Spell) -> ZoneCondition | None:
    given = next((each for each in spell.conditions if each.on == "failed_save"), None)
    if given is None:
        return None
    return ZoneCondition(condition=given.id, lasts=given.duration == "duration", escape=escape_abilities(spell))


def escape_abilities(spell: Spell) -> tuple[Ability, ...]:
    """Return the abilities whose check, as an action, ends a condition of the spell."""
    given = next((each.escape for each in spell.conditions if each.escape is not None), None)
    if given is None or given.dc != "spell_save":
        return ()
    checks: Any = given.check if isinstance(given.check, tuple) else (given.check,)
    return tuple(checks)


def _as_it_is(casting: Casting, said: LastingArea, zone: Zone) -> Zone:
    """Return the area's terrain, and what applies to creatures in it."""
    spell = casting.spell
    inside = next((each.id for each in spell.conditions if each.on == "inside"), None)
    fields: Fields = {
        "difficult": said.difficult_terrain,
        "obscured": said.obscured,
        "around_corners": said.around_corners,
        "cover": said.cover,
        "silent": said.silent,
        "move": said.move or 0,
        "drift": said.drift or 0,
        "speed_factor": said.speed_factor,
        "inside_condition": inside,
        "immunities": ("thunder",) if said.silent else (),
    }
    if said.affects == "chosen" and "bonus" in spell.figures:
        fields["roll_bonuses"] = dict(spell.figures["bonus"])
    if said.until in _HELD_UNTIL:
        at, turns = _HELD_UNTIL[said.until]
        encounter = casting.encounter
        runs_now = encounter is not None and encounter.current.id == casting.caster_id
        side: Literal["start", "end"] = "start" if at == "start" else "end"
        fields["ends"] = Ending(whose=casting.caster_id, at=side, turns=turns if runs_now else 1)
    return zone.replace(**fields)


def lay(casting: Casting, zone: Zone) -> None:
    """Put the area into the fight, replacing an earlier one of the same spell by its caster."""
    encounter = casting.encounter
    assert encounter is not None
    before = [each for each in encounter.zones if not _is_same(each, zone)]
    inside = [each.id for each in living(casting.world, encounter) if is_in(casting.world, encounter, zone, each)]
    casting.world.put(encounter.replace(zones=(*before, zone.replace(inside=tuple(inside)))))


def _is_same(one: Zone, other: Zone) -> bool:
    return one.source == other.source and is_same_spell(one.spell, other.spell) and one.ends is None


def zone_of(casting: Casting) -> Zone | None:
    """Return the area of the spell that the caster keeps up, or None."""
    encounter = casting.encounter
    if encounter is None:
        return None
    own = (each for each in encounter.zones if each.source in (casting.source_id, casting.caster_id))
    return next((each for each in own if is_same_spell(each.spell, casting.spell.name)), None)


def require_move(casting: Casting) -> Square | None:
    """Return where the area goes that the caster moves; None where the spell has none in this fight.

    Raises:
        CallFailed: `rule_violation` for an area that stays, or that does not go so far; `invalid_args` where the call
            does not say where to.
    """
    zone, args = zone_of(casting), casting.args
    if zone is None or not args.again:
        return None
    if not zone.move:
        detail = f"args.again: {zone.spell} stays where it is, and acts by itself"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.again", got=True))
    goal = _rammed(casting, zone)
    if goal is None and args.target_position is not None:
        goal = square_of(args.target_position)
    if goal is None:
        detail = f"{_POINT}: is required: where {zone.spell} goes"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(_POINT))
    apart = between(Body(square_at(zone.at)), Body(goal))
    if apart > zone.move:
        detail = f"the square is {apart} feet away, and {zone.spell} moves {zone.move} feet"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_POINT, {"x": goal.x, "y": goal.y, "z": goal.z}))
    return goal


def _rammed(casting: Casting, zone: Zone) -> Square | None:
    """Return the last square before the creature that the area is moved at, or None where the call names none."""
    if not casting.args.target_ids or "rammed" not in zone.acts:
        return None
    person = casting.person(casting.args.target_ids[0])
    if person is None:
        return None
    body, start = body_on_grid(casting.world, person), square_at(zone.at)
    way = [each for each in between_squares(start, body.at) if each not in body.squares]
    return way[-1] if way else start


def move(casting: Casting, goal: Square) -> None:
    """Move the area; a creature that it moves onto has not entered it."""
    zone, encounter_id = zone_of(casting), casting.encounter_id
    if zone is not None and encounter_id is not None:
        ZoneActs(casting.world, casting.ctx, encounter_id).move(zone, goal)
