"""Summoning spells: the creatures a caster may name, their number, their positions, and adding them to the fight.

Source: SRD 5.1, "Spell Descriptions"; docs/content.md, "Summons".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from turnwright.content.kinds.spells import Spell, Summoned, Summons
from turnwright.content.pack import Found
from turnwright.model.creature import Effect, SummonedGroup
from turnwright.model.encounter import Encounter, Participant, Position, Summoning
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import packs_of, require_entry
from turnwright.rulesets.fifth_edition.battlefield import (
    living,
    position_of,
    solid_squares,
    square_of,
    values_of,
)
from turnwright.rulesets.fifth_edition.fights._adding import apart, with_newcomers
from turnwright.rulesets.fifth_edition.fights._joining import Entrant
from turnwright.rulesets.fifth_edition.fights._monsters import MonsterRow, MonstersArgs, Recruited, recruit
from turnwright.rulesets.fifth_edition.fights.create_encounter import MAX_PARTICIPANTS, brought_in
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting
from turnwright.rulesets.fifth_edition.magic.spells.figures import rounds_in
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Grid, Square
from turnwright.rulesets.fifth_edition.targets import put_creature

_CHOICE = "args.choice"
_POINT = "args.target_position"


class Plan(NamedTuple):
    """The summoned creatures.

    Attributes:
        found: the entry of the creature.
        packs: the packs it is from.
        number: the number of creatures.
        recruited: their places in the fight; None outside of fights.
        positions: their squares.
    """

    found: Found
    packs: dict[str, str]
    number: int
    recruited: Recruited | None = None
    positions: tuple[Position, ...] = ()


def brings(spell: Spell) -> bool:
    """Return whether a spell brings creatures that have stat blocks."""
    said = spell.summons
    return said is not None and bool(said.choices or said.options or said.by_slot)


def planned(casting: Casting) -> Plan | None:
    """Return the creatures to summon; None for a spell that summons none. No dice are rolled and no state changes.

    Raises:
        CallFailed: `invalid_args` where the call names no creature or a square off the grid, `rule_violation` for one
            that the spell does not summon and for a point out of range, `limit_exceeded` where too many would fight.
    """
    spell = casting.spell
    if not brings(spell) or casting.args.again:
        return None
    said = spell.summons
    assert said is not None
    named = _named(said, casting)
    if casting.args.choice is None:
        detail = f"{_CHOICE}: is required: which creature {spell.name} brings"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(_CHOICE, named))
    match = require_entry(casting.world, casting.ctx, casting.args.choice, "monsters", _CHOICE)
    count = _count(casting, said, match.found)
    if count is None:
        detail = f"{_CHOICE}: {spell.name} does not bring {match.found.name} at level {casting.level.slot}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_CHOICE, casting.args.choice, named))
    packs = packs_of(match, casting.ctx)
    encounter, caster = casting.encounter, casting.person(casting.caster_id)
    if encounter is None or caster is None:
        return Plan(match.found, packs, count)
    if len(encounter.participants) + count > MAX_PARTICIPANTS:
        detail = f"{len(encounter.participants) + count} would fight, of at most {MAX_PARTICIPANTS}"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask(_CHOICE, casting.args.choice))
    recruited = _recruited(casting, encounter, match.found, count, is_enemy=caster.is_enemy)
    positions = _places(casting, encounter, caster, recruited)
    return Plan(match.found, packs | recruited.packs, count, recruited, positions)


def _named(said: Summons, casting: Casting) -> list[str]:
    """Return the creatures that the entry itself names."""
    return [*said.choices, *(each.id for each in _options(said, casting.level.slot) if each.id is not None)]


def _options(said: Summons, slot: int) -> tuple[Summoned, ...]:
    reached = [int(each) for each in said.by_slot if int(each) <= slot]
    return tuple(said.by_slot[str(max(reached))]) if reached else tuple(said.options)


def _count(casting: Casting, said: Summons, found: Found) -> int | None:
    """Return how many of a creature come: the most that an option gives; None where none gives it."""
    slot = casting.level.slot
    steps = slot - casting.spell.level
    if found.id in said.choices:
        return (said.count or 1) + (said.per_slot or 0) * steps
    kinds = {said.type, *said.more_types} - {None}
    if kinds and found.value["type"] not in kinds:
        return None
    fitting = [int(each.count) for each in _options(said, slot) if _fits(each, said, found, slot, steps)]
    if not fitting:
        return None
    times = max((n for at, n in said.multiplier_by_slot.items() if int(at) <= slot), default=1)
    return max(fitting) * times


def _fits(option: Summoned, said: Summons, found: Found, slot: int, steps: int) -> bool:
    if option.id is not None:
        return option.id == found.id
    most = option.max_cr
    if most is None:
        return False
    raised = [cr for at, cr in said.max_cr_by_slot.items() if int(at) <= slot]
    limit = max([most, *raised]) + (said.max_cr_per_slot or 0) * steps
    return bool(found.value["cr"] <= limit)


def _recruited(casting: Casting, encounter: Encounter, found: Found, count: int, *, is_enemy: bool) -> Recruited:
    taken = [each for person in encounter.participants for each in (*person.ids, person.name)]
    group = MonstersArgs(monster=found.id, count=count, is_enemy=is_enemy)
    made = apart(encounter, recruit(casting.world, [group], [], casting.ctx, taken))
    said = casting.spell.summons
    if said is None or said.speed is None:
        return made
    return made._replace(entrants=[with_speed(each, said.speed) for each in made.entrants])


def with_speed(entrant: Entrant, feet: int) -> Entrant:
    """Return a creature with another walking speed."""
    sheet = entrant.character.sheet
    assert sheet is not None
    return entrant._replace(character=entrant.character.replace(sheet=sheet.replace(speed=feet)))


def _places(casting: Casting, encounter: Encounter, caster: Participant, made: Recruited) -> tuple[Position, ...]:
    """Return the free squares nearest to the point that the call names, or to the caster, one for each."""
    point, farthest = casting.args.target_position, casting.spell.range
    if point is not None and isinstance(farthest, int):
        distance = between(Body(square_of(caster.position)), Body(square_of(point)))
        if distance > farthest:
            detail = f"the point is {distance} feet away, and {casting.spell.name} reaches {farthest} feet"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_POINT, point.as_written))
    at = square_of(point if point is not None else caster.position)
    return tuple(free_places(casting.world, encounter, at, made))


def free_places(world: Any, encounter: Encounter, at: Square, made: Recruited) -> Iterator[Position]:
    """Yield the nearest free place to a square for each summoned creature.

    Raises:
        CallFailed: `conflict` where no square is free.
    """
    terrain = encounter.terrain
    grid, solid = Grid(terrain.width, terrain.height), solid_squares(encounter)
    taken = {
        square
        for person in living(world, encounter)
        for square in Body(square_of(person.position), values_of(world, person).size).squares
    }
    around = sorted(
        ((x, y) for x in range(terrain.width) for y in range(terrain.height)),
        key=lambda xy: (max(abs(xy[0] - at.x), abs(xy[1] - at.y)), xy[1], xy[0]),
    )
    for entrant in made.entrants:
        bodies = (Body(Square(x, y, at.z), entrant.size) for x, y in around)
        body = next((each for each in bodies if grid.has(each) and _is_free(each, solid, taken)), None)
        if body is None:
            raise CallFailed(Reason.CONFLICT, f"no square is free for {entrant.id}")
        taken.update(body.squares)
        yield position_of(body.at)


def _is_free(body: Body, solid: set[tuple[int, int]], taken: set[Square]) -> bool:
    return not any((square.x, square.y) in solid or square in taken for square in body.squares)


# carried out


def bring(casting: Casting, plan: Plan) -> list[MonsterRow]:
    """Add the summoned creatures: to the fight, and with their summoner to later ones; it cannot fail."""
    _note(casting, plan)
    encounter, made = casting.encounter, plan.recruited
    if encounter is None or made is None:
        return []
    ends = None if casting.rounds is None else encounter.round + casting.rounds
    said = casting.spell.summons
    assert said is not None
    summoning = Summoning(
        spell=casting.spell.name,
        source=casting.source_id,
        monster=plan.found.id,
        until_round=ends,
        then=said.then,
        ends_on=said.ends_on,
    )
    _, people = brought_in([], made, plan.positions, (), casting.ctx)
    people = [person.replace(summoned=summoning) for person in people]
    casting.world.put(with_newcomers(encounter, people, made.stat_blocks))
    return made.rows


def _note(casting: Casting, plan: Plan) -> None:
    """Record on the summoner which creatures fight beside it; those of earlier castings stay if the entry says so."""
    creature, spell, said = casting.caster, casting.spell, casting.spell.summons
    assert said is not None
    before = effect_named(creature.character, spell.name)
    earlier = before.summons if said.adds_up and before is not None else ()
    more = sum(each.count for each in earlier if each.monster == plan.found.id)
    own = SummonedGroup(monster=plan.found.id, count=plan.number + more, then=said.then, ends_on=said.ends_on)
    groups = (*(each for each in earlier if each.monster != plan.found.id), own)
    rounds = rounds_in(said.duration) if said.duration is not None else casting.rounds
    timing: Mapping[str, Any] = {"duration": rounds, "rounds_remaining": rounds}
    if spell.concentration:
        timing = {"duration": "concentration"}
    effect = Effect(
        effect_id=casting.world.new_id("effect", held=[each.effect_id for each in creature.character.effects]),
        name=spell.name,
        type="neutral",
        source=casting.source_id,
        slot_level=casting.level.slot,
        summons=groups,
        **timing,
    )
    put_creature(casting.world, creature, with_effect(creature.character, effect).character)
