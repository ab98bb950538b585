"""Spells that find what is near or far: magic, kinds of creature, ailments, a creature, an object.

Source: SRD 5.1, "Detect Magic", "Locate Creature" and the like; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from turnwright.content.kinds.spells import Spell
from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, feet_between, living
from turnwright.rulesets.fifth_edition.fights._weapons import materials_of
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting, Row, kind_of
from turnwright.rulesets.fifth_edition.targets import Creature, combatant

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import DetectionFigures, LocatedReport

_AILMENTS = frozenset({"poisoned", "disease"})


def can_detect(spell: Spell) -> bool:
    """Return whether a spell finds what is around its caster, in a way that the engine knows."""
    said = spell.figures.get("detects")
    if not isinstance(said, Mapping) or not isinstance(said.get("within"), int):
        return False
    return said.keys() <= {"within", "kinds", "magic", "ailments"} and set(said.get("ailments", ())) <= _AILMENTS


def can_locate(spell: Spell) -> bool:
    """Return whether a spell locates a creature or an object."""
    said = spell.figures.get("locates")
    return isinstance(said, Mapping) and said.get("what") in ("creature", "object") and isinstance(said["within"], int)


def is_undetected(character: Character) -> str | None:
    """Return the effect that hides a creature from divinations; None where none does."""
    return next((each.name for each in character.effects if each.undetected), None)


def detect(casting: Casting, row: Row) -> None:
    """Report the things of the entry's kind around the caster in a fight."""
    said = casting.spell.figures["detects"]
    row["detected"] = [
        {"id": creature.id, "signs": found}
        for creature, feet in _around(casting)
        if feet <= said["within"]
        and is_undetected(creature.character) is None
        and (found := list(dict.fromkeys(_signs(casting, creature, said))))
    ]


def _around(casting: Casting) -> Iterator[tuple[Creature, int]]:
    """Yield all participants in the caster's fight with the distance in feet, the caster first."""
    encounter, caster = casting.encounter, casting.person(casting.caster_id)
    if encounter is None or caster is None:
        yield casting.caster, 0
        return
    for person in living(casting.world, encounter):
        yield combatant(casting.world, encounter, person), feet_between(casting.world, caster, person)


def _signs(casting: Casting, creature: Creature, said: DetectionFigures) -> Iterator[str]:
    character = creature.character
    kind = kind_of(casting, creature)
    if kind is not None and kind in said.get("kinds", ()):
        yield kind
    if "poisoned" in said.get("ailments", ()) and "poisoned" in character.condition_names:
        yield "poisoned"
    if "disease" in said.get("ailments", ()) and any("disease" in each.cured_as for each in character.effects):
        yield "disease"
    if said.get("magic"):
        yield from _magic_of(casting, creature)


def _magic_of(casting: Casting, creature: Creature) -> Iterator[str]:
    """Yield the auras of magic on a creature: those that a spell feigns, the spells that last, magic items."""
    character = creature.character
    feigned = next((each.false_aura for each in character.effects if each.false_aura is not None), None)
    if feigned is not None:
        yield from () if feigned == "none" else (feigned,)
        return
    own = casting.spell.name if creature.id == casting.caster_id else None
    yield from (each.name for each in character.effects if each.slot_level is not None and each.name != own)
    yield from (each.spell for each in character.conditions if each.spell is not None)
    yield from (item.name for item in character.inventory if "magical" in materials_of(item))


def locate(casting: Casting, identifier: str, row: Row) -> None:
    """Tell the direction of a creature, or the nearest thing of a name."""
    said = casting.spell.figures["locates"]
    if said["what"] == "creature":
        row["located"] = _way_to(casting, casting.creature(identifier), said["within"])
        return
    wanted = name_tag(casting.words or "")
    bearers = [
        (feet, creature)
        for creature, feet in _around(casting)
        if any(name_tag(item.name) == wanted for item in creature.character.inventory)
        and is_undetected(creature.character) is None
    ]
    nearest = min(bearers, key=lambda found: found[0], default=None)
    row["located"] = {"found": False} if nearest is None else _way_to(casting, nearest[1], said["within"])


def _way_to(casting: Casting, creature: Creature, within: int) -> LocatedReport:
    """Return whether a creature is in range, and its direction; outside of a fight, the place where it is."""
    caster, person = casting.person(casting.caster_id), casting.person(creature.id)
    if caster is None or person is None:
        place = creature.character.position or creature.character.location
        return {"found": False} if place is None else {"found": True, "location": place}
    feet = feet_between(casting.world, caster, person)
    if feet > within:
        return {"found": False}
    here, there = (body_on_grid(casting.world, one).at for one in (caster, person))
    wind = _wind(there.x - here.x, there.y - here.y)
    told: LocatedReport = {"found": True, "feet": feet}
    return {**told, "direction": wind} if wind else told


def _wind(dx: int, dy: int) -> str:
    """Return the direction of a square: x grows to the east, y to the south; "" for the same square."""
    if (dx, dy) == (0, 0):
        return ""
    steep, flat = abs(dy) > 2 * abs(dx), abs(dx) > 2 * abs(dy)
    east = "" if steep else "east" if dx > 0 else "west"
    south = "" if flat else "south" if dy > 0 else "north"
    return f"{south}{east}"
