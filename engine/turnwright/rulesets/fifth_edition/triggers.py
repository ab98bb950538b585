"""Effects that act at certain moments: the game master plays out what they do in words.

Source: docs/toolkit.md, "Effects".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from turnwright.model.base import Id, Model, Text
from turnwright.model.creature import Moment
from turnwright.rulesets.fifth_edition.targets import Creature

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import TriggerReport


class EffectRow(Model):
    """An effect on a creature."""

    target_id: Id
    effect_id: Id
    name: Text


class TriggerRow(EffectRow):
    """An effect that does something at this moment, in words."""

    trigger: Text
    trigger_effect: Text | None


def triggers(creature: Creature, *moments: Moment) -> tuple[TriggerReport, ...]:
    """Return a creature's effects that act at these moments, as results hold them."""
    return tuple(
        {
            "target_id": creature.id,
            "effect_id": effect.effect_id,
            "name": effect.name,
            "trigger": moment,
            "trigger_effect": effect.trigger_effect,
        }
        for moment in moments
        for effect in creature.character.effects
        if effect.trigger == moment
    )


def told(rows: Iterable[TriggerReport]) -> tuple[str, ...]:
    """Return triggered effects in words."""
    return tuple(
        f"{row['name']} on {row['target_id']}, {row['trigger']}: {row['trigger_effect'] or 'see the effect'}"
        for row in rows
    )
