"""cast_spell: a spell by name, with the figures of its entry and of its caster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from turnwright.content.kinds.spells import Spell
from turnwright.content.pack import Found
from turnwright.model.base import name_tag
from turnwright.model.fuzzy_words import spelling
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import ActionCost, DamageType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import has_content, packs_of, require_entry
from turnwright.rulesets.fifth_edition.condition_list import without_ended_on
from turnwright.rulesets.fifth_edition.condition_sources import release_broken_grapples
from turnwright.rulesets.fifth_edition.damage import check_concentrations
from turnwright.rulesets.fifth_edition.fights._action import ActionContext, Prepared, begin
from turnwright.rulesets.fifth_edition.fights._action_args import ExecuteActionArgs
from turnwright.rulesets.fifth_edition.fights._action_log import with_action
from turnwright.rulesets.fifth_edition.fights._attaching import release_attached
from turnwright.rulesets.fifth_edition.fights._economy import require_affordable, shown_economy, spend
from turnwright.rulesets.fifth_edition.fights._innate import innate_of, require_own, spells_of
from turnwright.rulesets.fifth_edition.fights._spells import required_slot, spell_booking, spend_slot
from turnwright.rulesets.fifth_edition.fights._swallowing import loosen_in_carcasses
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.magic._cast_args import CastSpellArgs
from turnwright.rulesets.fifth_edition.magic._cast_result import CastSpellResult
from turnwright.rulesets.fifth_edition.magic._caster import require_able
from turnwright.rulesets.fifth_edition.magic.concentration import is_same_spell
from turnwright.rulesets.fifth_edition.magic.spells.aim import Aimed, aim, require_point_in_range
from turnwright.rulesets.fifth_edition.magic.spells.boons import needs_weapon, strikes_with, weapon_choices
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting
from turnwright.rulesets.fifth_edition.magic.spells.coverage import (
    NO_STORM,
    STORM,
    Coverage,
    acts_again,
    acts_at_once,
    coverage_of,
    is_harmful,
)
from turnwright.rulesets.fifth_edition.magic.spells.dispelling import countered
from turnwright.rulesets.fifth_edition.magic.spells.figures import Level, casting_cost, damage_parts
from turnwright.rulesets.fifth_edition.magic.spells.lasting import (
    keep_up,
    kept_level,
    note_where,
    spring,
)
from turnwright.rulesets.fifth_edition.magic.spells.resolve import Resolved, resolve
from turnwright.rulesets.fifth_edition.magic.spells.summoning import bring, planned
from turnwright.rulesets.fifth_edition.magic.spells.zoning import (
    laid_zone,
    lay,
    move,
    require_move,
    require_place,
    side_choices,
)
from turnwright.rulesets.fifth_edition.magic.summons import settle_summons
from turnwright.rulesets.fifth_edition.magic.zone_acts import ZoneActs, is_silenced
from turnwright.rulesets.fifth_edition.maintained_effects import begin_concentration, is_unable
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import caster_type, sheet_of
from turnwright.rulesets.fifth_edition.targets import Creature, put_creature, reload, require_creature
from turnwright.rulesets.reference_lookup import legal_ids
from turnwright.rulesets.tool import Applied, Context, Legal
from turnwright.rulesets.toolkit import toolkit

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Correction
    from turnwright.rulesets.fifth_edition.magic.shapes import CounterReport, SpellReport
    from turnwright.rulesets.fifth_edition.shapes import ActionResult, SlotReport

NOBODY = Aimed(())
"""The targets of a spell that only affects creatures entering its area: none."""
Spent: TypeAlias = "SlotReport | None"
"""A slot that was spent: its level, and how many of it remain."""


def _legal(world: World, ctx: Context) -> Legal | None:
    """Return what is legal now: nothing where the campaign uses no content, because then no name has a meaning."""
    del ctx
    return legal_ids(CastSpellArgs, world) if has_content(world) else None


@toolkit(
    CastSpellArgs,
    CastSpellResult,
    example={"caster_id": "cyra", "spell": "fireball", "slot": 3, "target_ids": ["grik"]},
    legal=_legal,
)
def cast_spell(world: World, args: CastSpellArgs, ctx: Context) -> Applied:
    """Cast a spell by name: its entry and the caster's sheet give all figures, and the engine rolls.

    Works in and out of fights, where the campaign uses content. Give targets, or for an area the point
    (`target_position`). Slot, range, attack or saves, damage by slot or level, half damage, healing, conditions and
    concentration are done, and in a fight the action is spent. `not_executed` in the result is yours to decide. What
    the engine does not know of a spell is refused: then use `execute_action` with `spell_name` and your own figures.
    """
    caster = require_creature(world, args.caster_id, args.caster_name, args.encounter_id, "caster")
    match = require_entry(world, ctx, args.spell, "spells", "args.spell")
    spell = Spell.model_validate(match.found.value)
    covered = coverage_of(spell)
    _require_executable(match.found, covered, args)
    variant = _variant(spell, args, caster)
    if variant is not None:
        spell = spell.variant(variant)
        covered = coverage_of(spell)
    casting = _casting(world, ctx, args, spell, caster)
    casting.choice = variant
    if variant is None:
        _require_choice(casting)
    _require_message(casting)
    _require_peaceful(casting)
    _require_weapon(casting)
    _require_amounts(casting)
    plan = planned(casting)
    if plan is not None:
        casting.bring = lambda: bring(casting, plan)
    applied = _in_fight(casting, covered) if casting.encounter_id else _outside(casting, covered)
    packs = packs_of(match, ctx) | (plan.packs if plan is not None else {})
    return applied._replace(packs=packs, corrections=tuple(_overrides(casting)))


# what is asked for


def _require_executable(found: Found, covered: Coverage, args: CastSpellArgs) -> None:
    if covered.effects:
        return
    missing = ", ".join(covered.missing)
    detail = (
        f"args.spell: the engine cannot execute {found.name} ({missing}); spend its slot with manage_spell_slots, or "
        "cast it in a fight with execute_action (cast_spell, spell_name) and your own figures, and decide what it does"
    )
    raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask("args.spell", args.spell))


def _variant(spell: Spell, args: CastSpellArgs, caster: Creature) -> str | None:
    """Return the variant that a spell's caster chooses, or chose when casting it; None for one without variants."""
    if not spell.variants:
        return None
    kept = next((each for each in caster.character.effects if is_same_spell(spell.name, each.name)), None)
    held = kept.chosen if args.again and kept is not None else None
    if held is not None and args.choice is None:
        return held
    meant = _require_one_of(spell, args.choice, list(spell.variants))
    if held not in (None, meant):
        detail = f"args.choice: {spell.name} was cast as {held}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.name("args.choice", args.choice, [held]))
    return meant


def _require_message(casting: Casting) -> None:
    """Ask for the words that a spell carries, and take no more of them than it can."""
    most, said = casting.spell.figures.get("max_words"), casting.args.choice
    if not isinstance(most, int):
        return
    if said is None:
        detail = f"args.choice: {casting.spell.name} carries words: which?"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.choice"))
    count = len(said.split())
    if count > most:
        detail = f"args.choice: {casting.spell.name} carries {most} words, and these are {count}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.choice", said))
    casting.words = said


def _casting(world: World, ctx: Context, args: CastSpellArgs, spell: Spell, caster: Creature) -> Casting:
    sheet = sheet_of(caster.character)
    if args.again:
        return Casting(
            world, ctx, args, spell, Level(_kept(spell, caster), sheet.level), caster.id, caster.encounter_id
        )
    slot = args.slot if args.slot is not None else spell.level
    if args.pact_magic and args.slot is None and sheet.pact_slots is not None:
        slot = sheet.pact_slots.slot_level
    if spell.level == 0 and args.slot is not None:
        detail = f"args.slot: {spell.name} is a cantrip, and takes no slot"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.slot"))
    if slot < spell.level:
        detail = f"args.slot: {spell.name} takes a slot of level {spell.level} or higher"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.slot", slot, range(spell.level, 10)))
    free_from = spell.figures.get("no_concentration_from")
    if isinstance(free_from, int) and slot >= free_from:
        spell = spell.replace(concentration=False)
    return Casting(world, ctx, args, spell, Level(slot, sheet.level), caster.id, caster.encounter_id)


def _kept(spell: Spell, caster: Creature) -> int:
    """Return the level at which a spell that the caster keeps up was cast."""
    level = kept_level(caster, spell)
    if level is None:
        detail = f"args.again: {caster.id} keeps up no {spell.name}; cast it first"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.again", got=True))
    if acts_again(spell) is None:
        detail = f"args.again: {spell.name} does nothing again while it lasts"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.again", got=True))
    return level


def _require_choice(casting: Casting) -> None:
    """Ask for what the entry lets the caster choose, and take it."""
    options = list(_options(casting))
    if not options:
        return
    meant = _require_one_of(casting.spell, casting.args.choice, options)
    casting.choice = meant
    if meant in _damage_types(casting):
        casting.damage_type = cast("DamageType", meant)


def _require_one_of(spell: Spell, choice: str | None, options: list[str]) -> str:
    """Return the option that a call chooses.

    Raises:
        CallFailed: `invalid_args` where it chooses none, or one not offered.
    """
    if choice is None:
        detail = f"args.choice: {spell.name} lets its caster choose"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.choice", options))
    meant = next((each for each in options if spelling(each) == spelling(choice)), None)
    if meant is None:
        detail = f"args.choice: must be one of {', '.join(options)}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.name("args.choice", choice, options))
    return meant


def _require_peaceful(casting: Casting) -> None:
    """Refuse a spell that harms, where an effect keeps its caster from harming others."""
    held = next((each for each in casting.caster.character.effects if each.harmless), None)
    if held is not None and is_harmful(casting.spell):
        detail = f"{held.name} keeps {casting.caster_id} from harming anybody"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.spell", casting.args.spell))


def _require_weapon(casting: Casting) -> None:
    """Ask which weapon a spell enchants, where the target carries several that it can."""
    if not needs_weapon(casting.spell) or not casting.args.target_ids:
        return
    bearer = casting.args.target_ids[0]
    if strikes_with(casting, bearer):
        return
    names = [item.name for item in weapon_choices(casting, bearer)]
    if not names:
        detail = f"{bearer} carries no weapon that {casting.spell.name} can be cast on"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_ids", list(casting.args.target_ids)))
    choice = casting.args.choice
    meant = next((each for each in names if choice is not None and spelling(each) == spelling(choice)), None)
    if meant is None and (choice is not None or len(names) > 1):
        detail = f"args.choice: must say which weapon: {', '.join(names)}"
        told = hint.ask_for("args.choice", names) if choice is None else hint.name("args.choice", choice, names)
        raise CallFailed(Reason.INVALID_ARGS, detail, told)
    casting.choice = meant


def _require_amounts(casting: Casting) -> None:
    """Ask how a pool of healing is shared out among several; one target alone has all of it."""
    pool, given = casting.spell.figures.get("heal_pool"), casting.args.amounts
    named = casting.args.target_ids
    if not isinstance(pool, int):
        if given:
            detail = f"args.amounts: {casting.spell.name} has no pool of healing to share out"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.amounts"))
        return
    if len(given) != len(named) and (given or len(named) > 1):
        detail = f"args.amounts: must say for each target how many of the {pool} hit points it regains"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for("args.amounts"))
    if sum(given) > pool:
        detail = f"{casting.spell.name} restores {pool} hit points in all, and {sum(given)} are shared out"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.amounts", list(given)))


def _options(casting: Casting) -> Iterator[str]:
    yield from _damage_types(casting)
    if casting.spell.figures.get("choose_condition"):
        yield from (each.id for each in casting.spell.conditions)
    yield from casting.spell.figures.get("resistance_choice", ())
    yield from casting.spell.figures.get("options", ())
    yield from casting.spell.figures.get("resistance_options", ())
    if "outdoor_storm_bonus" in casting.spell.figures:
        yield from (STORM, NO_STORM)
    yield from side_choices(casting)
    yield from casting.spell.control.orders if casting.spell.control is not None else ()
    yield from casting.spell.figures.get("removes", ()) if casting.spell.figures.get("choose") else ()


def _damage_types(casting: Casting) -> Sequence[str]:
    parts = damage_parts(casting.spell, casting.level)
    return next((part.types for part in parts if len(part.types) > 1), ())


def _overrides(casting: Casting) -> Iterator[Correction]:
    """Yield figures in the call that replace the caster's own."""
    given = casting.args
    own = Casting(
        casting.world,
        casting.ctx,
        given.replace(save_dc=None, attack_bonus=None),
        casting.spell,
        casting.level,
        casting.caster_id,
        casting.encounter_id,
    )
    for name in ("save_dc", "attack_bonus"):
        value = getattr(given, name)
        if value is not None and value != getattr(own, name):
            yield {"field": f"args.{name}", "from": getattr(own, name), "to": value, "how": "override"}


# in a fight


def _in_fight(casting: Casting, covered: Coverage) -> Applied:
    """Cast as an action of a fight: on one's turn, or as a reaction."""
    args, world = casting.args, casting.world
    if args.again:
        return _again(casting, covered)
    cost = casting_cost(casting.spell)
    if (cost is None or args.ritual) and not args.ignore_economy:
        detail = f"casting {casting.spell.name} takes {_told_time(casting)}, too long for a fight"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.spell", args.spell))
    asked = _action_args(casting, cast("ActionCost", cost or "action"))
    legendary = _legendary(casting) if cost == "action" else None
    if legendary is not None:
        asked = asked.replace(action_type=None, action=legendary, action_cost="legendary")
    act = begin(world, asked, casting.ctx)
    release_broken_grapples(world, act.args.encounter_id)
    _as_ours(casting, lambda: require_affordable(act))
    slot = _as_ours(casting, lambda: required_slot(act, casting.level.slot))
    if slot.innate is not None:
        require_own(slot.innate, act.actor, args.target_ids)
    _require_words(casting)
    require_place(casting)
    require_point_in_range(casting)
    casting.zone = laid_zone(casting)
    aimed = aim(casting) if acts_at_once(casting.spell) and casting.bring is None else NOBODY
    spend(act, Prepared(lambda: {}, spell_booking(act, slot)))
    result = _carried_out(casting, covered, aimed, lambda: spend_slot(act, slot))
    return _logged(casting, act, result)


def _legendary(casting: Casting) -> str | None:
    """Return the legendary action by which a creature casts in another's turn, or None."""
    person, encounter = casting.person(casting.caster_id), casting.encounter
    if person is None or encounter is None or encounter.current.id == person.id or casting.args.ignore_economy:
        return None
    wanted = "prepared_spell_with_slot" if casting.spell.level else "cantrip"
    legendary = (encounter.block_of(person) or {}).get("legendary", {}).get("actions", ())
    return next((each["name"] for each in legendary if each.get("figures", {}).get("cast") == wanted), None)


def _again(casting: Casting, covered: Coverage) -> Applied:
    """Use a spell again that the caster maintains: as an action, or because a creature is in its area."""
    cost = acts_again(casting.spell) or "free"
    act = begin(
        casting.world, _action_args(casting, cast("ActionCost", "action" if cost == "free" else cost)), casting.ctx
    )
    if cost != "free":
        _as_ours(casting, lambda: require_affordable(act))
    goal = require_move(casting)
    aimed = aim(casting) if goal is None or casting.args.target_ids else NOBODY
    if cost != "free":
        spend(act, Prepared(lambda: {}))
    if goal is not None:
        move(casting, goal)
    return _logged(casting, act, _carried_out(casting, covered, aimed, lambda: None))


def _logged(casting: Casting, act: ActionContext, result: SpellReport) -> Applied:
    """Return the result, and record it in the fight."""
    world = casting.world
    release_broken_grapples(world, act.args.encounter_id)
    loosen_in_carcasses(world, act.args.encounter_id)
    release_attached(world, act.args.encounter_id)
    _let_areas_settle(casting, result)
    result["economy"] = shown_economy(world, act.actor)
    logged = {**result, "opportunity_attacks": []}
    first = result["targets"][0] if len(result["targets"]) == 1 else {}
    logged |= {key: first.get(key) for key in ("attack", "damage", "save")}
    world.put(with_action(act.encounter, cast("ActionResult", logged)))
    return Applied(result, tuple(casting.warnings))


def _require_words(casting: Casting) -> None:
    """Refuse a spell with words where none is heard."""
    person, encounter = casting.person(casting.caster_id), casting.encounter
    if "V" not in casting.spell.components or person is None or encounter is None or casting.args.ignore_economy:
        return
    if encounter.zones and is_silenced(casting.world, encounter, person):
        detail = f"{casting.caster_id} is where no word is heard, and {casting.spell.name} needs one"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.spell", casting.args.spell))


def _let_areas_settle(casting: Casting, result: SpellReport) -> None:
    """Apply lasting areas to creatures that the spell moved into them, and end those that no caster maintains."""
    encounter = casting.encounter
    if encounter is None:
        return
    if left := settle_summons(casting.world, encounter.id):
        result["left"] = left
    if not encounter.zones:
        return
    acts = ZoneActs(casting.world, casting.ctx, encounter.id)
    acts.settle()
    casting.warnings += acts.warnings
    checks = check_concentrations(casting.world, acts.harms, casting.ctx)
    if acts.rows:
        result["areas"] = acts.rows
    if checks:
        result["concentration_checks"] = [*result.get("concentration_checks", ()), *checks]
    if acts.triggered:
        result["triggered"] = [*casting.triggered, *acts.triggered]


def _action_args(casting: Casting, cost: ActionCost) -> ExecuteActionArgs:
    """Return the equivalent arguments of `execute_action`, so that turns and slots are counted in one way."""
    args = casting.args
    person, encounter = casting.person(casting.caster_id), casting.encounter
    is_innate = (
        args.slot is None
        and encounter is not None
        and person is not None
        and innate_of(encounter, person, casting.spell.name) is not None
    )
    return ExecuteActionArgs(
        encounter_id=casting.encounter_id,
        actor_id=casting.caster_id,
        action_type="cast_spell",
        action_cost=cost,
        spell_name=casting.spell.name,
        spell_slot=0 if is_innate else casting.level.slot,
        pact_magic=args.pact_magic,
        ignore_economy=args.ignore_economy,
    )


def _as_ours(casting: Casting, check: Callable[[], Any]) -> Any:
    """Make a check of `execute_action`, and name our own arguments where it fails."""
    try:
        return check()
    except CallFailed as failure:
        field = str(failure.hint.get("field", ""))
        told: hint.Hint = {}
        if field == "args.spell_name":
            told = hint.ask("args.spell", casting.args.spell)
        elif field == "args.spell_slot":
            sheet = sheet_of(casting.caster.character)
            left = [int(level) for level, pool in sheet.spell_slots.items() if pool.current]
            better = sorted(level for level in left if level >= casting.spell.level)
            told = hint.ask("args.slot", casting.level.slot, better)
        elif field == "args.pact_magic":
            told = failure.hint
        elif field in ("args.actor_id", "args.actor_name"):
            told = hint.ask("args.caster_id", casting.caster_id)
        raise CallFailed(failure.reason, failure.detail, told) from None


def _told_time(casting: Casting) -> str:
    time = casting.spell.casting_time
    amount = time.amount + (10 if casting.args.ritual and time.unit == "minute" else 0)
    unit = time.unit.replace("_", " ")
    if casting.args.ritual and time.unit not in ("minute", "hour"):
        amount, unit = 10, "minute"
    return f"{amount} {unit}{'s' if amount != 1 else ''}"


# outside of fights


def _outside(casting: Casting, covered: Coverage) -> Applied:
    require_able(casting.caster, "cast a spell")
    if casting.spell.attack is not None:
        detail = f"{casting.spell.name} is an attack: begin a fight first (create_encounter)"
        raise CallFailed(Reason.RULE_VIOLATION, detail)
    for name in ("target_position", "target_end"):
        if getattr(casting.args, name) is not None:
            detail = f"args.{name}: there is no grid outside of a fight; name who is in the area"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{name}"))
    if not casting.args.again:
        _require_slot_outside(casting)
    acts = casting.args.again or acts_at_once(casting.spell) or bool(casting.args.target_ids)
    aimed = aim(casting) if acts and casting.bring is None else NOBODY
    result = _carried_out(casting, covered, aimed, lambda: _spend_outside(casting))
    return Applied(result, tuple(casting.warnings))


def _takes_slot(casting: Casting) -> bool:
    return casting.spell.level > 0 and not casting.args.ignore_economy and not casting.args.ritual


def _require_slot_outside(casting: Casting) -> None:
    if casting.args.ritual and not casting.spell.ritual:
        detail = f"args.ritual: {casting.spell.name} cannot be cast as a ritual"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.remove("args.ritual"))
    if not _takes_slot(casting):
        return
    sheet: Sheet = sheet_of(casting.caster.character)
    level = casting.level.slot
    if casting.args.pact_magic:
        pact = sheet.pact_slots
        if pact is None or pact.current == 0 or pact.slot_level < level:
            detail = f"{casting.caster_id} has no pact slot of level {level} left"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.pact_magic", True))
        return
    pool = sheet.spell_slots.get(str(level))
    if pool is None or pool.current == 0:
        left = [int(each) for each, other in sheet.spell_slots.items() if other.current]
        better = sorted(each for each in left if each >= casting.spell.level)
        detail = f"{casting.caster_id} has no slot of level {level} left"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.slot", level, better))


def _spend_outside(casting: Casting) -> Spent:
    if not _takes_slot(casting) or casting.args.again:
        return None
    caster = casting.caster
    sheet = sheet_of(caster.character)
    if casting.args.pact_magic and sheet.pact_slots is not None:
        put_creature(casting.world, caster, caster.character.replace(sheet=slots.spend_pact(sheet)))
        return {"level": sheet.pact_slots.slot_level, "remaining": sheet.pact_slots.current - 1}
    level = casting.level.slot
    put_creature(casting.world, caster, caster.character.replace(sheet=slots.spend(sheet, level)))
    return {"level": level, "remaining": sheet.spell_slots[str(level)].current - 1}


# carried out


def _carried_out(casting: Casting, covered: Coverage, aimed: Aimed, pay: Callable[[], Spent]) -> SpellReport:
    """Pay for the spell and apply it; it cannot fail any more."""
    spell = casting.spell
    slot = pay()
    _warn_of_unknown(casting)
    counter = None if casting.args.again else countered(casting)
    if counter is not None and counter["success"]:
        return _lost(casting, covered, slot, counter)
    previous = _concentrate(casting, aimed) if spell.concentration and not casting.args.again else None
    if acts_again(spell) is not None and not spell.concentration and not casting.args.again:
        keep_up(casting)
    if casting.made_at is not None:
        note_where(casting)
    if casting.args.again and "springs" in spell.figures:
        spring(casting)
    if casting.zone is not None:
        lay(casting, casting.zone)
    summoned = [row.as_written for row in casting.bring()] if casting.bring is not None else []
    _be_seen(casting)
    done: Resolved = resolve(casting, aimed)
    checks = check_concentrations(casting.world, casting.harms, casting.ctx)
    held = reload(casting.world, casting.caster).character.concentration
    is_held = held is not None and name_tag(held.spell_name) == name_tag(spell.name)
    result: SpellReport = {
        "action_type": "cast_spell",
        "actor": casting.caster_id,
        "spell": spell.name,
        "spell_id": spell.id,
        "tier": "partly" if covered.missing else "full",
        "level": casting.level.slot,
        "slot": slot,
        "cost": _told_time(casting),
        "target": aimed.ids[0] if aimed.ids else None,
        "targets": done.rows,
        "concentration": is_held,
        "rounds": casting.rounds,
    }
    optional = {
        "pool": done.pool,
        "previous_spell": previous,
        "countered": counter,
        "figures": {name: spell.figures[name] for name in covered.told},
        "materials": spell.material_cost.as_written if spell.material_cost and not casting.args.again else None,
        "summoned": summoned,
        "played_out": list(spell.played_out),
        "not_executed": list(covered.missing),
        "triggered": casting.triggered,
        "concentration_checks": checks,
    }
    kept = {key: value for key, value in optional.items() if value not in (None, [], {})}
    return cast("SpellReport", {**result, **kept})


def _lost(casting: Casting, covered: Coverage, slot: Spent, counter: CounterReport) -> SpellReport:
    """Return the result of a spell that was countered: paid for, and without any effect."""
    spell = casting.spell
    return {
        "action_type": "cast_spell",
        "actor": casting.caster_id,
        "spell": spell.name,
        "spell_id": spell.id,
        "tier": "partly" if covered.missing else "full",
        "level": casting.level.slot,
        "slot": slot,
        "cost": _told_time(casting),
        "target": None,
        "targets": [],
        "concentration": False,
        "rounds": None,
        "countered": counter,
    }


def _be_seen(casting: Casting) -> None:
    """End effects that end when their bearer casts a spell, as Invisibility does."""
    caster = casting.caster
    after = without_ended_on(caster.character, "casts_spell")
    if after is not caster.character:
        put_creature(casting.world, caster, after)


def _concentrate(casting: Casting, aimed: Aimed) -> str | None:
    previous = begin_concentration(
        casting.world, casting.caster, casting.spell.name, aimed.ids, casting.rounds, casting.level.slot
    )
    if previous is not None:
        casting.warnings.append(f"{casting.caster_id} no longer concentrates on {previous}")
    if is_unable(casting.caster.character):
        casting.warnings.append(f"{casting.caster_id} cannot concentrate")
    return previous


def _warn_of_unknown(casting: Casting) -> None:
    """Say where the sheet lists other spells, or its class has none: whether one is prepared, the table knows."""
    sheet, person, encounter = casting.caster.character.sheet, casting.person(casting.caster_id), casting.encounter
    if sheet is None:
        return
    if person is not None and encounter is not None and casting.spell.id in spells_of(encounter, person):
        return
    listed = (*sheet.known_spells, *sheet.prepared_spells, *sheet.cantrips)
    if (listed or caster_type(sheet) == "none") and name_tag(casting.spell.name) not in {
        name_tag(each) for each in listed
    }:
        casting.warnings.append(f"{casting.spell.name} is not among the spells of {casting.caster_id}")
