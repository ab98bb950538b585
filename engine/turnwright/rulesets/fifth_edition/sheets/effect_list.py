"""The effects on somebody as a list: what comes, goes and runs out.

Source: docs/toolkit.md, "Effects".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Effect


class Added(NamedTuple):
    """Somebody with a new effect, and whether one of the same name made way for it."""

    character: Character
    replaced: bool


class Removed(NamedTuple):
    """Somebody without an effect, and the effect; None when they had none such."""

    character: Character
    effect: Effect | None


class Ticked(NamedTuple):
    """Somebody a round later: which effects ran out, and which have rounds left."""

    character: Character
    expired: tuple[Effect, ...]
    ticked: tuple[Effect, ...]


def effect_found(character: Character, effect_id: str) -> Effect | None:
    """Return the effect of this id, or None."""
    return next((effect for effect in character.effects if effect.effect_id == effect_id), None)


def effect_named(character: Character, name: str) -> Effect | None:
    """Return the effect of this name in any case, or None; there is never more than one that a tool put there."""
    return next((effect for effect in character.effects if name_tag(effect.name) == name_tag(name)), None)


def with_effect(character: Character, effect: Effect) -> Added:
    """Return somebody with an effect; those of one name never add up, the newer takes the place of the older."""
    kept = tuple(other for other in character.effects if name_tag(other.name) != name_tag(effect.name))
    return Added(character.replace(effects=(*kept, effect)), len(kept) < len(character.effects))


def without_effect(character: Character, effect_id: str) -> Removed:
    """Return somebody without the effect of this id."""
    gone = effect_found(character, effect_id)
    if gone is None:
        return Removed(character, None)
    kept = tuple(effect for effect in character.effects if effect is not gone)
    return Removed(character.replace(effects=kept), gone)


def with_effects_ticked(character: Character) -> Ticked:
    """Return somebody one round later: effects that are counted in rounds have one less, or end."""
    counted = [effect for effect in character.effects if effect.rounds_remaining is not None]
    if not counted:
        return Ticked(character, (), ())
    after = [_one_less(effect) for effect in character.effects]
    kept = tuple(effect for effect in after if effect.rounds_remaining != 0)
    return Ticked(
        character.replace(effects=kept),
        tuple(effect for effect in counted if (effect.rounds_remaining or 0) <= 1),
        tuple(effect for effect in kept if effect.rounds_remaining is not None),
    )


def without_lasting(character: Character, duration: str) -> tuple[Character, tuple[Effect, ...]]:
    """Return somebody without the effects that last until something that has now happened, and those effects."""
    gone = tuple(effect for effect in character.effects if effect.duration == duration)
    if not gone:
        return character, ()
    return character.replace(effects=tuple(effect for effect in character.effects if effect not in gone)), gone


def _one_less(effect: Effect) -> Effect:
    left = effect.rounds_remaining
    return effect if left is None else effect.replace(rounds_remaining=max(0, left - 1))
