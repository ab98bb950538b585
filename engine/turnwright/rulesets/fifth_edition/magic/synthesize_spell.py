"""synthesize_spell: improvised magic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.character import Character
from turnwright.model.creature import Concentration
from turnwright.model.dice.expression import parse
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.damage import check_concentration, damage
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.magic._caster import caster_check, require_able
from turnwright.rulesets.fifth_edition.magic._improvised_args import (
    ProposedSpell,
    SynthesizeSpellArgs,
    SynthesizeSpellResult,
)
from turnwright.rulesets.fifth_edition.magic.improvised import SUCCESSES, Outcome, maximum, numbers
from turnwright.rulesets.fifth_edition.maintained_effects import end_concentration
from turnwright.rulesets.fifth_edition.rolls import mode_sources, throw_dice
from turnwright.rulesets.fifth_edition.sheets.checks import skill_check, spell_save_dc
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    is_ephemeral,
    now,
    put_creature,
    reload,
    require_creature,
)
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import AskedSave, ImprovisedSpell

_RECKLESS = Sources(("reckless",))


@toolkit(
    SynthesizeSpellArgs,
    SynthesizeSpellResult,
    example={
        "caster_id": "cyra",
        "intent": "Make the wet floor freeze under the ogre's feet",
        "proposed_spell": {
            "name": "Sudden Ice",
            "level": 1,
            "school": "evocation",
            "effect": {"type": "control", "damage": "1d6", "damage_type": "cold", "condition": "prone"},
            "range": 60,
            "saving_throw": {"ability": "dex"},
        },
    },
)
def synthesize_spell(world: World, args: SynthesizeSpellArgs, ctx: Context) -> Applied:
    """Improvise a spell, by an Intelligence (Arcana) check.

    Use it when a player wants magic that is on no list; known spells are cast with `execute_action`. The DC rises with
    the level. A strong success rolls the dice twice and keeps the better, a natural 20 takes the most they can give; a
    mishap hurts the caster. The slot is spent whatever the outcome. On a success `spell` tells what to do to the
    targets: this tool does not change them, so apply it with `update_character`, `manage_condition` and the like.
    """
    caster = require_creature(world, args.caster_id, args.caster_name, args.encounter_id, "caster")
    spell = args.proposed_spell
    _require_whole(spell)
    require_able(caster, "cast a spell")
    slot = _slot_for(caster, spell.level, args) if args.expend_slot and _pays_in_slots(world, caster) else None

    table = numbers(ctx.settings)
    dc = table.dc(spell.level, sum(each.modifier for each in args.circumstances))
    thrown = caster_check(
        world,
        caster,
        "int",
        "arcana",
        ctx,
        why=f"{caster.id} improvised magic",
        extra=mode_sources(args.roll_mode) + (_RECKLESS if args.reckless else Sources()),
        manual=args.manual_roll,
        manuals=args.manual_rolls,
    )
    values = now(world, caster)
    bonus = skill_check(values, "arcana").total
    margin = thrown.natural + bonus - dc
    outcome = table.outcome(thrown.natural, margin, reckless=args.reckless)
    shown = _shown(spell, outcome, ctx, caster, spell_save_dc(values))
    if slot is not None:
        caster = put_creature(world, reload(world, caster), slot.character)
    previous = None
    if outcome in SUCCESSES and spell.concentration:
        previous = _concentrate(world, caster, spell)
    mishap = _mishap(world, caster, table.mishap(spell.level), ctx) if outcome == "mishap" else _NO_MISHAP
    return Applied(
        {
            "caster": caster.id,
            "dc": dc,
            "circumstances": [each.as_written for each in args.circumstances],
            "natural": thrown.natural,
            "rolls": list(thrown.rolls),
            "mode": thrown.mode,
            "bonus": bonus,
            "total": thrown.natural + bonus,
            "margin": margin,
            "outcome": outcome,
            "spell": shown,
            "slot": slot.shown if slot else None,
            "previous_spell": previous,
            **mishap.result,
        },
        mishap.warnings,
    )


def _require_whole(spell: ProposedSpell) -> None:
    """Refuse a spell of damage or healing that does not say how much."""
    for kind in ("damage", "healing"):
        if spell.effect.type == kind and getattr(spell.effect, kind) is None:
            field = f"args.proposed_spell.effect.{kind}"
            raise CallFailed(Reason.INVALID_ARGS, f"{field}: is required for {kind}", hint.ask_for(field))


class _Slot(NamedTuple):
    """A caster with one slot less, and the slot."""

    character: Character
    shown: dict[str, Any]


def _pays_in_slots(world: World, caster: Creature) -> bool:
    """Return whether magic costs a caster slots: a participant made for a fight without slots was never given any."""
    sheet = sheet_of(caster.character)
    has_some = bool(sheet.spell_slots) or sheet.pact_slots is not None
    return caster.character.max_hp is not None and (has_some or not is_ephemeral(world, caster))


def _slot_for(caster: Creature, level: int, args: SynthesizeSpellArgs) -> _Slot:
    """Return the caster without a slot of this level, or without one of a pact that reaches it.

    Raises:
        CallFailed: `rule_violation`, when there is none left.
    """
    character = caster.character
    sheet = sheet_of(character)
    pool, pact = sheet.spell_slots.get(str(level)), sheet.pact_slots
    if pool is not None and pool.current > 0:
        spent = character.replace(sheet=slots.spend(sheet, level))
        return _Slot(spent, {"level": level, "remaining": pool.current - 1, "pact": False})
    if pact is not None and pact.current > 0 and pact.slot_level >= level:
        shown = {"level": pact.slot_level, "remaining": pact.current - 1, "pact": True}
        return _Slot(character.replace(sheet=slots.spend_pact(sheet)), shown)
    detail = f"{caster.id} has no slot of level {level} left"
    field = "args.expend_slot"
    is_said = "expend_slot" in args.model_fields_set
    raise CallFailed(
        Reason.RULE_VIOLATION, detail, hint.ask(field, True, [False]) if is_said else hint.ask_for(field, [False])
    )


def _shown(spell: ProposedSpell, outcome: Outcome, ctx: Context, caster: Creature, save_dc: int) -> ImprovisedSpell:
    """Return the spell as results hold it; dice are rolled if it succeeded."""
    effect: dict[str, Any] = {name: getattr(spell.effect, name) for name in type(spell.effect).model_fields}
    for kind in ("damage", "healing"):
        rolls, total = _rolled(effect[kind], outcome, ctx, f"{caster.id} {spell.name} {kind}")
        effect |= {f"{kind}_rolls": rolls, f"{kind}_total": total}
    asked = spell.saving_throw
    saving_throw: AskedSave | None = None
    if asked:
        saving_throw = {"ability": asked.ability, "dc": save_dc if asked.dc is None else asked.dc}
    return {
        "name": spell.name,
        "level": spell.level,
        "school": spell.school,
        "effect": effect,
        "range": spell.range,
        "area": spell.area.as_written if spell.area else None,
        "saving_throw": saving_throw,
        "concentration": spell.concentration,
        "duration": spell.duration,
    }


def _rolled(dice: str | None, outcome: Outcome, ctx: Context, why: str) -> tuple[list[list[int]], int | None]:
    """Return every roll that the outcome gives, and the total that counts; never less than 0."""
    if dice is None or outcome not in SUCCESSES:
        return [], None
    if outcome == "critical_success":
        return [], max(0, maximum(parse(dice)))
    throws = [throw_dice(ctx, dice, why) for _ in range(2 if outcome == "strong_success" else 1)]
    rolls = [[face for term in thrown.terms for face in term.rolls] for thrown in throws]
    return rolls, max(0, *(thrown.total for thrown in throws))


def _concentrate(world: World, caster: Creature, spell: ProposedSpell) -> str | None:
    """Make the caster concentrate on the spell; return the earlier concentration."""
    previous = end_concentration(world, caster)
    caster = reload(world, caster)
    encounter = world.find(Encounter, caster.encounter_id) if caster.encounter_id else None
    rounds = spell.duration if isinstance(spell.duration, int) else None
    held = Concentration(
        spell_name=spell.name,
        duration=rounds,
        rounds_remaining=rounds,
        started_round=encounter.round if encounter else None,
        encounter_id=caster.encounter_id,
    )
    put_creature(world, caster, caster.character.replace(concentration=held))
    return previous


_NO_MISHAP = Applied({"mishap_damage": None})


def _mishap(world: World, caster: Creature, dice: str, ctx: Context) -> Applied:
    """Hurt the caster by the mishap; return its part of the result."""
    amount = throw_dice(ctx, dice, f"{caster.id} mishap").total
    caster = reload(world, caster)
    if caster.character.hp is None:
        return Applied({"mishap_damage": amount})
    harm = damage(world, caster, amount, "force", ctx)
    check = check_concentration(world, harm, ctx)
    return Applied({"mishap_damage": harm.taken} | ({"concentration_check": check} if check else {}), harm.warnings)
