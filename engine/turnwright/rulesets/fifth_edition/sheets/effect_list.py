"""The effects on a creature as a list: adding, removing and expiry.

Source: docs/toolkit.md, "Effects".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, TypeVar

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Condition, Effect


class Added(NamedTuple):
    """A character with a new effect, and whether it replaced one of the same name."""

    character: Character
    replaced: bool


class Removed(NamedTuple):
    """A character without an effect, and the effect; None if there was no such effect."""

    character: Character
    effect: Effect | None


class Ticked(NamedTuple):
    """A character a round later: the effects that expired, and those with rounds left."""

    character: Character
    expired: tuple[Effect, ...]
    ticked: tuple[Effect, ...]


def effect_found(character: Character, effect_id: str) -> Effect | None:
    """Return the effect of this id, or None."""
    return next((effect for effect in character.effects if effect.effect_id == effect_id), None)


def effect_named(character: Character, name: str) -> Effect | None:
    """Return the effect of this name in any case, or None; tools never put two of the same name."""
    return next((effect for effect in character.effects if name_tag(effect.name) == name_tag(name)), None)


def with_effect(character: Character, effect: Effect) -> Added:
    """Return a character with an effect; effects of the same name never add up, the newer replaces the older."""
    kept = tuple(other for other in character.effects if name_tag(other.name) != name_tag(effect.name))
    return Added(character.replace(effects=(*kept, effect)), len(kept) < len(character.effects))


def without_effect(character: Character, effect_id: str) -> Removed:
    """Return a character without the effect of this id."""
    gone = effect_found(character, effect_id)
    if gone is None:
        return Removed(character, None)
    return Removed(_without(character, [gone]), gone)


def _without(character: Character, gone: Collection[Effect]) -> Character:
    """Return a character without these effects, and without the conditions that depend on them."""
    names = {effect.name for effect in gone}
    return character.replace(
        effects=tuple(effect for effect in character.effects if effect not in gone),
        conditions=tuple(each for each in character.conditions if each.hangs_on is None or each.hangs_on not in names),
    )


_CURES: Mapping[str, Callable[[Effect], bool]] = {
    "curse": lambda effect: "curse" in effect.cured_as,
    "disease": lambda effect: "disease" in effect.cured_as,
    "ability_reduction": lambda effect: any(bonus < 0 for bonus in effect.ability_bonuses.values()),
    "hp_max_reduction": lambda effect: effect.max_hp_modifier < 0 and effect.daily is None,
}
"""The effects that magic of a kind cures; daily reductions of hit points are cured only as disease or curse."""
CURABLE = frozenset(_CURES)


class Cured(NamedTuple):
    """A character after curing magic, and the names of the effects that it ended."""

    character: Character
    gone: tuple[str, ...]


def cured_of(character: Character, what: str) -> Cured:
    """Return a character without the effects that magic of this kind cures, such as `disease`."""
    ends = _CURES.get(what)
    gone = [effect for effect in character.effects if ends is not None and ends(effect)]
    return Cured(_without(character, gone) if gone else character, tuple(effect.name for effect in gone))


def with_effects_ticked(character: Character, rounds: int = 1) -> Ticked:
    """Return a character some rounds later: effects that are counted in rounds have fewer left, or end."""
    counted = [effect for effect in character.effects if effect.rounds_remaining is not None]
    if not counted:
        return Ticked(character, (), ())
    after = [_aged(effect, rounds) for effect in character.effects]
    kept = tuple(effect for effect in after if effect.rounds_remaining != 0)
    return Ticked(
        character.replace(effects=kept),
        tuple(effect for effect in counted if (effect.rounds_remaining or 0) <= rounds),
        tuple(effect for effect in kept if effect.rounds_remaining is not None),
    )


def undisguised(character: Character) -> Character:
    """Return a character without disguising illusions, and without the conditions that depend on them."""
    gone = [effect for effect in character.effects if effect.disguise is not None]
    return _without(character, gone) if gone else character


class TurnCounted(NamedTuple):
    """A character after the start or the end of a turn, and the conditions and effects that ended."""

    character: Character
    conditions: tuple[Condition, ...]
    effects: tuple[Effect, ...]


def with_turn_counted(character: Character, whose: Collection[str], at: str) -> TurnCounted:
    """Return a character after one end of a turn: effects that last until then have one turn less, or end.

    Args:
        character: the bearer.
        whose: every id of the creature whose turn it is.
        at: `start` or `end`.
    """
    conditions, gone = _counted(character.conditions, whose, at)
    effects, over = _counted(character.effects, whose, at)
    if conditions == character.conditions and effects == character.effects:
        return TurnCounted(character, (), ())
    return TurnCounted(character.replace(conditions=conditions, effects=effects), gone, over)


def without_counted_turns(character: Character) -> Character:
    """Return a character without effects that last until a turn of a fight, as there are no more turns."""
    conditions = tuple(each for each in character.conditions if each.ends is None)
    effects = tuple(each for each in character.effects if each.ends is None)
    if (conditions, effects) == (character.conditions, character.effects):
        return character
    return character.replace(conditions=conditions, effects=effects)


Lasting = TypeVar("Lasting", Condition, Effect)


def _counted(
    rows: Iterable[Lasting], whose: Collection[str], at: str
) -> tuple[tuple[Lasting, ...], tuple[Lasting, ...]]:
    kept: list[Lasting] = []
    gone: list[Lasting] = []
    for row in rows:
        if row.ends is None or row.ends.whose not in whose or row.ends.at != at:
            kept.append(row)
        elif row.ends.turns > 1:
            kept.append(row.replace(ends=row.ends.replace(turns=row.ends.turns - 1)))
        else:
            gone.append(row)
    return tuple(kept), tuple(gone)


def without_lasting(character: Character, duration: str) -> tuple[Character, tuple[Effect, ...]]:
    """Return a character without the effects that last until an event that has now happened, and those effects."""
    gone = tuple(effect for effect in character.effects if effect.duration == duration)
    if not gone:
        return character, ()
    return character.replace(effects=tuple(effect for effect in character.effects if effect not in gone)), gone


def _aged(effect: Effect, rounds: int) -> Effect:
    left = effect.rounds_remaining
    return effect if left is None else effect.replace(rounds_remaining=max(0, left - rounds))
