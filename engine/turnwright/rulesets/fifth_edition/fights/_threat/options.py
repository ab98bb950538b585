"""Options of a simulated combatant for its turn, the most harmful first: its weapons, its stat block, its spells.

Source: docs/content.md, "How hard a fight is".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from turnwright.content.kinds.spells import Spell
from turnwright.content.library import AmbiguousEntry, Library
from turnwright.model.character import Character
from turnwright.model.dice.expression import bounds, parse
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.fights._deeds import Deed, deeds, ways
from turnwright.rulesets.fifth_edition.fights._weapons import Wish, weapon_of
from turnwright.rulesets.fifth_edition.fights.executable import not_executed
from turnwright.rulesets.fifth_edition.magic.spells.coverage import coverage_of
from turnwright.rulesets.fifth_edition.magic.spells.figures import Level, casting_cost, damage_parts, missiles
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, DiceShape, StatBlock

_CAUGHT = 2
"""How many foes an area is presumed to catch where several stand."""


class Option(NamedTuple):
    """One thing to do.

    Attributes:
        kind: by which tool: with a weapon, by the stat block, by a spell.
        name: of the weapon, the deed or the spell; empty for the weapon in hand.
        harm: its mean damage on a hit: the options are compared by this.
        is_area: whether it spreads, and may catch friends.
        times: how many targets it names; one foe may be all of them.
        slot: the level of the spell's slot; None for a cantrip.
        is_pact: whether that is a warlock's slot.
        cost: its cost.
    """

    kind: Literal["weapon", "deed", "spell"]
    name: str
    harm: float
    is_area: bool = False
    times: int = 1
    slot: int | None = None
    is_pact: bool = False
    cost: Literal["action", "legendary"] = "action"


def options_of(
    world: World, encounter: Encounter, person: Participant, library: Library | None, foes: int
) -> list[Option]:
    """Return a combatant's options for its action, the most harmful first.

    Args:
        world: the campaign.
        encounter: the fight.
        person: the acting combatant.
        library: where spells are looked up; None without content.
        foes: the number of foes still standing.
    """
    caught = _CAUGHT if foes > 1 else 1
    block = encounter.block_of(person)
    if block is not None:
        found = [
            Option("deed", deed.name, _harm_of_deed(block, deed, caught), is_area="area" in deed.part)
            for deed in deeds(block)
            if deed.group in ("action", "multiattack") and not (deed.group == "action" and not_executed(deed.part))
        ]
    else:
        found = [*_weapons(world, person), *_spells(body_of(world, person), library, caught)]
    return sorted((each for each in found if each.harm > 0), key=lambda each: -each.harm)


def legendary_options(encounter: Encounter, person: Participant, foes: int) -> list[Option]:
    """Return a combatant's legendary options, the most harmful first."""
    block = encounter.block_of(person)
    if block is None or "legendary" not in block:
        return []
    caught = _CAUGHT if foes > 1 else 1
    found = [
        Option("deed", deed.name, _harm_of_deed(block, deed, caught), is_area="area" in deed.part, cost="legendary")
        for deed in deeds(block)
        if deed.group == "legendary" and not not_executed(deed.part)
    ]
    return sorted((each for each in found if each.harm > 0), key=lambda each: -each.harm)


def _harm_of_deed(block: StatBlock, deed: Deed, caught: int) -> float:
    if deed.group == "multiattack":
        return max((sum(_harm(blow.part) for blow in way if not blow.is_optional) for way in ways(block)), default=0)
    if deed.part.get("uses_actions"):
        wanted = {use["action"] for use in deed.part["uses_actions"]}
        return max((_harm(part) for part in block.get("actions", ()) if part["id"] in wanted), default=0)
    return _harm(deed.part) * (caught if "area" in deed.part else 1)


def _harm(part: BlockPart) -> float:
    """Return the mean damage of a part, without what takes the place of other damage."""
    return sum(_mean_of(each) for each in part.get("damage", ()) if not each.get("instead") and "type" in each)


def _mean_of(damage: DiceShape) -> float:
    if "flat" in damage:
        return float(damage["flat"])
    return mean(damage["dice"]) + float(damage.get("bonus", 0)) if "dice" in damage else 0


def mean(dice: str) -> float:
    """Return the mean of plain dice."""
    reach = bounds(parse(dice))
    return (reach.min + (reach.max if reach.max is not None else reach.min)) / 2


def _weapons(world: World, person: Participant) -> Iterator[Option]:
    carried = [item for item in body_of(world, person).inventory if item.type == "weapon" and item.quantity]
    for item in (None, *carried):
        reach = bounds(weapon_of(world, person, Wish(item=item)).damage)
        dealt = (reach.min + (reach.max if reach.max is not None else reach.min)) / 2
        yield Option("weapon", item.name if item else "", dealt * person.strike.attacks)


def _spells(caster: Character, library: Library | None, caught: int) -> Iterator[Option]:
    sheet = caster.sheet
    if sheet is None or library is None:
        return
    for name in dict.fromkeys((*sheet.cantrips, *(sheet.prepared_spells or sheet.known_spells))):
        try:
            match = library.look_up_spelled(name, "spells")
        except AmbiguousEntry:
            continue
        if match is not None:
            yield from _castings(Spell.model_validate(match.found.value), sheet, caught)


def _castings(spell: Spell, sheet: Sheet, caught: int) -> Iterator[Option]:
    """Yield a spell that hurts at once, by the strongest slot there is for it."""
    if casting_cost(spell) != "action" or not coverage_of(spell).effects:
        return
    slot, is_pact = _slot_for(spell.level, sheet)
    if slot is None:
        return
    level = Level(slot, sheet.level)
    dealt = sum(mean(part.dice) for part in damage_parts(spell, level))
    times = missiles(spell, level) or 1
    harm = dealt * (caught if spell.area is not None else times)
    yield Option("spell", spell.name, harm, spell.area is not None, times, slot if spell.level else None, is_pact)


def _slot_for(level: int, sheet: Sheet) -> tuple[int | None, bool]:
    """Return the highest slot that a spell can take, and whether it is a warlock's; 0 for a cantrip."""
    if level == 0:
        return 0, False
    left = [int(key) for key, pool in sheet.spell_slots.items() if pool.current and int(key) >= level]
    pact = sheet.pact_slots
    if pact is not None and pact.current and pact.slot_level >= level and pact.slot_level >= max(left, default=0):
        return pact.slot_level, True
    return (max(left), False) if left else (None, False)
