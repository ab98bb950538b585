"""Saves against a creature's conditions and effects: at the end of a turn, and on taking damage.

Conditions that one spell brought together end together. Source: SRD 5.1, "Saving Throws"; docs/content.md, "Spells by
name".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.creature import Condition
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.condition_list import without_condition
from turnwright.rulesets.fifth_edition.condition_rules import MAX_EXHAUSTION
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.rolls import Save, save
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, reload
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ConditionSaveReport

_ADVANTAGE = Sources(("hurt",))


class Tallied(NamedTuple):
    """A condition after a save that is counted, and whether the save has decided it."""

    condition: Condition
    is_decided: bool


def tallied(condition: Condition, *, success: bool) -> Tallied:
    """Return a condition after a save; if its saves are not counted, one save decides."""
    tally = condition.tally
    if tally is None:
        return Tallied(condition, True)
    name = "successes" if success else "failures"
    counted = tally.replace(**{name: getattr(tally, name) + 1})
    return Tallied(condition.replace(tally=counted), getattr(counted, name) >= tally.needed)


def together(creature: Creature, condition: Condition) -> list[Condition]:
    """Return the conditions that end with this one, including itself: those that one spell brought with one save."""
    if condition.spell is None or condition.saves_when_damaged is None:
        return [condition]
    mark = (condition.source, condition.spell, condition.save_dc, condition.save_ability)
    return [
        each
        for each in creature.character.conditions
        if (each.source, each.spell, each.save_dc, each.save_ability) == mark
    ]


def shake_off(world: World, creature: Creature, condition: Condition) -> list[str]:
    """End a condition with all that end together with it, and return their names."""
    gone = [each.condition for each in together(reload(world, creature), condition)]
    for name in gone:
        creature = reload(world, creature)
        put_creature(world, creature, without_condition(creature.character, name, MAX_EXHAUSTION).character)
    return gone


def save_when_damaged(world: World, creature: Creature, ctx: Context) -> tuple[str, ...]:
    """Let a damaged creature save against conditions that damage lets it shake off; return the outcomes."""
    told = []
    for condition in _shaken(reload(world, creature)):
        if condition.save_ability is None or condition.save_dc is None:
            continue
        extra = _ADVANTAGE if condition.saves_when_damaged == "advantage" else Sources()
        name = condition.condition
        why = f"{creature.id} save against {name}, hurt"
        made = save(
            world,
            reload(world, creature),
            condition.save_ability,
            condition.save_dc,
            ctx,
            why=why,
            extra=extra,
            versus=(name,),
        )
        gone = shake_off(world, creature, condition) if made.success else []
        ended = f", no longer {' and '.join(gone)}" if gone else ""
        told.append(f"{creature.id} saves against {name}: {made.total} against DC {condition.save_dc}{ended}")
    return tuple(told)


def _shaken(creature: Creature) -> Iterator[Condition]:
    """Yield one condition of each group that damage allows a save against."""
    seen: list[Condition] = []
    if creature.character.is_dead:
        return
    for condition in creature.character.conditions:
        if condition.saves_when_damaged is not None and condition not in seen:
            seen += together(creature, condition)
            yield condition


def shown_save(creature: Creature, name: str, ability: str, dc: int, made: Save) -> ConditionSaveReport:
    """Return a save at the end of a turn as results hold it."""
    return {
        "target_id": creature.id,
        "condition": name,
        "ability": ability,
        "dc": dc,
        "natural": made.d20.natural,
        "modifier": made.modifier,
        **made.shown(),
    }
