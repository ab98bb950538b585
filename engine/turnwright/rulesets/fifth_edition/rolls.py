"""Rolls of a d20: drawn from the campaign's dice or given in the call, with all that helps and hinders them.

Source: docs/toolkit.md, "Rolls"; SRD 5.1, "Using Ability Scores".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.base import Flag, Model, SafeInt
from turnwright.model.dice.expression import Expression, Roll, critical, dice_ahead, parse, roll
from turnwright.model.encounter import Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability
from turnwright.rulesets.fifth_edition.bonus_dice import throw_bonus_dice
from turnwright.rulesets.fifth_edition.fights.advantage import Mode, Sources, d20_count, pick_d20
from turnwright.rulesets.fifth_edition.fights.traits import resists, save_sources
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.derived_stats import Effective
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.targets import Creature, now, participant_of
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import FullSaveReport, SaveReport

NOTHING = Sources()
"""Neither advantage nor disadvantage."""


class D20(NamedTuple):
    """A rolled d20: the face that counts, every face, and how it was rolled."""

    natural: int
    rolls: tuple[int, ...]
    mode: Mode
    sources: Sources = NOTHING


def mode_sources(roll_mode: str | None = None, *, advantage: bool = False, disadvantage: bool = False) -> Sources:
    """Return the sources of advantage and disadvantage in a call's own arguments."""
    helped = advantage or roll_mode == "advantage"
    hindered = disadvantage or roll_mode == "disadvantage"
    return Sources(("argument",) if helped else (), ("argument",) if hindered else ())


def is_out_of_sight(person: Participant | None) -> bool:
    """Return whether a creature's dice are hidden from the players: an enemy that hides from them."""
    return person is not None and person.is_enemy and person.hidden


def throw(
    ctx: Context,
    why: str,
    sources: Sources = NOTHING,
    manual: int | None = None,
    manuals: Sequence[int] = (),
    *,
    hidden: bool = False,
    lucky: bool = False,
) -> D20:
    """Roll a d20, or two; faces given in the call replace the draw.

    Args:
        ctx: the context of the call, with the dice.
        why: the purpose of each draw, for the log.
        sources: the sources of advantage and disadvantage.
        manual: one face, which counts in any mode.
        manuals: two faces for advantage or disadvantage; the first counts otherwise.
        hidden: whether to hide the roll from the players.
        lucky: whether a 1 is rolled again, for two dice only one of them; given faces are kept.
    """
    mode = sources.mode
    wanted = 1 if manual is not None else d20_count(mode)
    given = [manual] if manual is not None else list(manuals[:wanted])
    rolls = [ctx.dice.take(face, 20, why) for face in given]
    missing = wanted - len(rolls)
    if not hidden:
        ctx.dice.expect([(20, why)] * missing)
    rolls += [ctx.dice.draw(20, why, hidden=hidden) for _ in range(missing)]
    if lucky and missing == wanted and 1 in rolls:
        if not hidden:
            ctx.dice.expect([(20, f"{why}, Lucky")])
        rolls[rolls.index(1)] = ctx.dice.draw(20, f"{why}, Lucky", hidden=hidden)
    return D20(rolls[0] if wanted == 1 else pick_d20(mode, rolls), tuple(rolls), mode, sources)


def is_dodging(person: Participant, values: Effective) -> bool:
    """Return whether a creature really dodges: not while incapacitated or unable to move."""
    return person.dodging and not values.impairment.incapacitated and values.speed.effective > 0


class SaveResult(Model):
    """A saving throw as `Save.shown` returns it."""

    natural: SafeInt
    total: SafeInt
    success: Flag


class Save(NamedTuple):
    """A saving throw: dice and outcome; `resisted` if a trait turned a failure into a success."""

    d20: D20
    modifier: int
    total: int
    success: bool
    auto_fail: bool = False
    resisted: bool = False

    def shown(self) -> SaveReport:
        """Return the save as results show it."""
        return {"natural": self.d20.natural, "total": self.total, "success": self.success}

    def shown_against(self, ability: Ability, dc: int) -> FullSaveReport:
        """Return the save as results show it that say all of it."""
        return {
            "ability": ability,
            "dc": dc,
            "natural": self.d20.natural,
            "rolls": list(self.d20.rolls),
            "modifier": self.modifier,
            "total": self.total,
            "success": self.success,
        }


def save(
    world: World,
    creature: Creature,
    ability: Ability,
    dc: int,
    ctx: Context,
    *,
    why: str,
    extra: Sources = NOTHING,
    bonus: int = 0,
    modifier: int | None = None,
    manual: int | None = None,
    manuals: Sequence[int] = (),
    versus: Collection[str] = (),
) -> Save:
    """Make a saving throw; the die is drawn even if conditions make it fail.

    Args:
        world: the campaign.
        creature: the creature that saves.
        ability: the ability of the save.
        dc: the difficulty.
        ctx: the context of the call, with the dice.
        why: the purpose of the draw, for the log.
        extra: sources of advantage and disadvantage beside the creature's own conditions and effects.
        bonus: a bonus, for example from cover.
        modifier: a modifier in place of the creature's own.
        manual: a face given in the call.
        manuals: two given faces.
        versus: the threat: conditions, `poison`, or `magic` for spells and other magical effects.
    """
    values = now(world, creature)
    person = participant_of(world, creature)
    own = checks.saving_throw(values, ability, person.save_bonuses if person else {}, bonus).total
    added = own if modifier is None else modifier
    sources = _save_sources(values, person, ability) + save_sources(world, creature, ability, versus) + extra
    sources += checks.sources_against(values, versus)
    hidden = is_out_of_sight(person)
    d20 = throw(ctx, why, sources, manual, manuals, hidden=hidden, lucky=is_lucky(creature.character, "save"))
    if modifier is None:
        added += throw_bonus_dice(world, creature, "save", ctx, hidden=hidden)
    fails = ability in values.impairment.auto_fail_saves
    total = d20.natural + added
    if total >= dc and not fails:
        return Save(d20, added, total, True)
    resisted = resists(world, creature)
    return Save(d20, added, total, resisted, fails, resisted)


def save_dice(
    world: World, creature: Creature, ability: Ability, why: str, versus: Collection[str] = ()
) -> list[tuple[int, str] | None]:
    """Return the dice that `save` draws for a creature without other advantages, to anticipate them."""
    person = participant_of(world, creature)
    values = now(world, creature)
    sources = _save_sources(values, person, ability) + save_sources(world, creature, ability, versus)
    sources += checks.sources_against(values, versus)
    return [None if is_out_of_sight(person) else (20, why)] * d20_count(sources.mode)


def _save_sources(values: Effective, person: Participant | None, ability: Ability) -> Sources:
    sources = checks.save_sources(values, ability)
    dodges = ability == "dex" and person is not None and is_dodging(person, values)
    return sources + Sources(("dodging",)) if dodges else sources


def throw_dice(ctx: Context, expression: str | Expression, why: str, *, is_critical: bool = False) -> Roll:
    """Roll an expression that the arguments' checks have parsed already; a critical rolls every die once more."""
    tree = parse(expression) if isinstance(expression, str) else expression
    thrown = critical(tree) if is_critical else tree
    ctx.dice.expect((sides, why) for sides in dice_ahead(thrown))
    return roll(thrown, lambda sides: ctx.dice.draw(sides, why))
