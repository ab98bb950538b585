"""Effects that parts of stat blocks leave on their targets: slowed, weakened, cursed, drained of hit points, dead.

Source: SRD 5.1, "Monsters"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from turnwright.model.creature import AbilitySave, Daily, Effect, EndsBy, TurnBlow
from turnwright.model.strict_json import MAX_INT
from turnwright.rulesets.fifth_edition.battlefield import is_down, values_of
from turnwright.rulesets.fifth_edition.damage import heal
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._attaching import attach
from turnwright.rulesets.fifth_edition.fights._corroding import rust
from turnwright.rulesets.fifth_edition.fights._inflicting import dc_of, dice_of, is_one_of
from turnwright.rulesets.fifth_edition.fights._swallowing import swallow
from turnwright.rulesets.fifth_edition.fights.executable import LYCANTHROPY, REDUCED, ROUNDS, TURN_ENDS, TURN_STARTS
from turnwright.rulesets.fifth_edition.fights.traits import ability_of, figures, save_of, sickness_of, type_of
from turnwright.rulesets.fifth_edition.rolls import Save, throw_dice
from turnwright.rulesets.fifth_edition.sheets.effect_list import effect_named, with_effect
from turnwright.rulesets.fifth_edition.sheets.health import killed, with_hp_delta
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, LastingFigures
    from turnwright.rulesets.fifth_edition.shapes import RisesReport

_ROLLS: Mapping[str, str] = {"all_checks": "ability_checks", "str_attack": "str_attack_rolls"}
"""Rolls that the figures of a stat block call otherwise than effects do."""
BURNING = "Burning"
_UNTIL_ENDED: LastingFigures = {"duration": None}
_UNTIL: Mapping[str, str | None] = {"long_rest": "until_long_rest", "greater_restoration": None}


def leave(act: ActionContext, part: BlockPart, target_id: str, made: Save | None, drained: int) -> list[str]:
    """Apply the lasting effects of a part of a stat block, besides damage and conditions, and return their names.

    Args:
        act: the action.
        part: the part of the stat block that was used.
        target_id: the creature that was hit, or that saved against it.
        made: their save, where it asks one.
        drained: the damage by which it may lower their hit point maximum.
    """
    has_failed = made is None or not made.success
    names: list[str] = []
    for effect in _effects(act, part, target_id, has_failed=has_failed, made=made):
        _give(act, target_id, effect)
        names.append(effect.name)
    said = figures(part).get("hp_max_reduction")
    if said is not None and drained > 0 and (has_failed or not _asks_save(part)):
        names.append(_reduce(act, part, target_id, drained))
    if "wound" in figures(part) and (has_failed or _wound(act, part, target_id) is not None):
        names.append(_wounded(act, part, target_id))
    if has_failed and "swallowed" in figures(part).get("on_failed_save", ()):
        names.append(swallow(act, part, target_id))
    if has_failed and made is not None:
        _fell(act, part, target_id)
    if "attach" in figures(part) and not act.creature(target_id).character.is_dead:
        names.append(attach(act, part, target_id))
    if "rusts" in figures(part) and has_failed:
        rust(act, part, target_id)
    if "ability_reduction" in figures(part) and has_failed:
        names.append(_weaken(act, part, target_id))
    return names


def _asks_save(part: BlockPart) -> bool:
    said = figures(part)
    return REDUCED in said.get("on_failed_save", ()) or said.get("hp_max_reduction", {}).get("on") == "failed_save"


def _effects(
    act: ActionContext, part: BlockPart, target_id: str, *, has_failed: bool, made: Save | None
) -> Iterator[Effect]:
    """Yield the effects that figures of a part give; a save at the end of each turn may end them."""
    said = figures(part)
    if not has_failed:
        return
    repeat: dict[str, Any] = {}
    if said.get("repeat_save") == "turn_end" and made is not None:
        repeat["repeat_save"] = AbilitySave(ability=ability_of(save_of(part)), dc=dc_of(act, part))
    if "slowed" in said:
        yield _effect(act, part, target_id, said["slowed"], slowed=True, speed_factor=0.5, **repeat)
    for name in ("weakened", "cursed"):
        if name in said:
            rolls = tuple(_roll(each) for each in said[name]["disadvantage"])
            curse = ("curse",) if name == "cursed" else ()
            yield _effect(act, part, target_id, said[name], disadvantage_on=rolls, cured_as=curse, **repeat)
    if LYCANTHROPY in said.get("on_failed_save", ()):
        yield _effect(act, part, target_id, _UNTIL_ENDED, name=_strain(act), cured_as=("curse",))
    if "ignites" in said:
        yield _burning(act, part, target_id)
    if "sickens" in said and effect_named(act.creature(target_id).character, sickness_of(part)) is None:
        yield _sickness(act, part, target_id)


def _sickness(act: ActionContext, part: BlockPart, target_id: str) -> Effect:
    """Return a disease or a curse that lowers the hit point maximum day by day until it is cured."""
    said = figures(part)["sickens"]
    save: AbilitySave | None = None
    if "repeat_save" in said:
        save = AbilitySave(ability=ability_of(save_of(part)), dc=dc_of(act, part))
    return _effect(
        act,
        part,
        target_id,
        _UNTIL_ENDED,
        name=sickness_of(part),
        cured_as=(said["as"],),
        healing=said.get("healing"),
        daily=Daily(max_hp=said["hp_max_reduction"], save=save, cures=said.get("repeat_save") == "cures"),
    )


def _roll(name: str) -> str:
    return _ROLLS.get(name) or (f"{name}s" if name.endswith(("_save", "_check")) else name)


def _strain(act: ActionContext) -> str:
    """Return the name of a lycanthrope's curse: the same whatever form it bites in."""
    kind = (act.encounter.block_of(act.actor) or {})["name"].split(",")[0]
    return f"{kind} lycanthropy"


def _effect(
    act: ActionContext, part: BlockPart, target_id: str, said: LastingFigures, name: str | None = None, **more: Any
) -> Effect:
    rounds = ROUNDS.get(said["duration"] or "")
    held = [each.effect_id for each in act.creature(target_id).character.effects]
    return Effect(
        effect_id=act.world.new_id("effect", held=held),
        name=name or part["name"],
        type="curse",
        source=act.actor_id,
        duration=rounds,
        rounds_remaining=rounds,
        **more,
    )


def _burning(act: ActionContext, part: BlockPart, target_id: str) -> Effect:
    """Return the fire that a target is on until an action puts it out."""
    blow = next(each for each in part["damage"] if each.get("when") in (TURN_STARTS, TURN_ENDS))
    at: Literal["start", "end"] = "start" if blow["when"] == TURN_STARTS else "end"
    burns = TurnBlow(dice=dice_of(blow), type=type_of(blow), at=at)
    return _effect(act, part, target_id, _UNTIL_ENDED, name=BURNING, turn_damage=burns, ends_by=EndsBy())


def _wound(act: ActionContext, part: BlockPart, target_id: str) -> Effect | None:
    return effect_named(act.creature(target_id).character, f"Wound ({part['name']})")


def _wounded(act: ActionContext, part: BlockPart, target_id: str) -> str:
    """Wound a target, or make its wound worse: it loses hit points turn after turn until it is tended or healed."""
    said = figures(part)["wound"]
    before = _wound(act, part, target_id)
    worse = before.turn_damage.dice if before is not None and before.turn_damage is not None else None
    dice = said["dice"] if worse is None else f"{worse}+{said['stacks']}"
    tended = EndsBy(skill=said["check"]["skill"], dc=said["check"]["dc"])
    wound = _effect(
        act,
        part,
        target_id,
        _UNTIL_ENDED,
        name=f"Wound ({part['name']})",
        turn_damage=TurnBlow(dice=dice),
        ends_by=tended,
        ends_on=("healed",),
    )
    _give(act, target_id, wound)
    return wound.name


def _give(act: ActionContext, target_id: str, effect: Effect) -> None:
    creature = act.creature(target_id)
    put_creature(act.world, creature, with_effect(creature.character, effect).character)


def _reduce(act: ActionContext, part: BlockPart, target_id: str, amount: int) -> str:
    """Lower the hit point maximum of a target, in addition to its earlier reductions; at 0 it dies."""
    said = figures(part)["hp_max_reduction"]
    creature = act.creature(target_id)
    before = effect_named(creature.character, part["name"])
    whole = amount - (before.max_hp_modifier if before is not None else 0)
    lowered = _effect(act, part, target_id, _UNTIL_ENDED, max_hp_modifier=-whole)
    _give(act, target_id, lowered.replace(duration=_UNTIL[said["until"]]))
    creature = act.creature(target_id)
    if said.get("dies_at_0") and (creature.character.max_hp or 0) - _lowered(act, target_id) <= 0:
        _kill(act, target_id)
    return str(part["name"])


def _lowered(act: ActionContext, target_id: str) -> int:
    return -sum(effect.max_hp_modifier for effect in act.creature(target_id).character.effects)


def _weaken(act: ActionContext, part: BlockPart, target_id: str) -> str:
    """Lower an ability score until a rest, in addition to its earlier reductions; at 0 its bearer dies."""
    said = figures(part)["ability_reduction"]
    ability, name = said["ability"], str(part["name"])
    before = effect_named(act.creature(target_id).character, name)
    whole = -before.ability_bonuses.get(ability, 0) if before is not None else 0
    whole += throw_dice(act.ctx, said["dice"], f"{act.actor_id}, {name}").total
    lowered = _effect(act, part, target_id, _UNTIL_ENDED, ability_bonuses={ability: -whole})
    score = values_of(act.world, act.person(target_id)).stats[ability].base
    _give(act, target_id, lowered.replace(duration="until_rest"))
    if said.get("dies_at_0") and score <= whole:
        _kill(act, target_id)
    return name


def raised(act: ActionContext, part: BlockPart, target_id: str) -> RisesReport | None:
    """Return what a creature slain by a part of a stat block rises as, and when; None for one that stays dead."""
    said = figures(part).get("raises")
    target = act.person(target_id)
    body = body_of(act.world, target)
    is_slain = body.is_dead or (is_down(body) and target.has_block)
    if said is None or not is_slain or not is_one_of(act, target, said.get("kind", "creature")):
        return None
    block = act.encounter.block_of(target) or {}
    if said.get("not_alignment", "-") in block.get("alignment", "").split():
        return None
    use, key = act.actor.block_use, f"{part['id']}.raises"
    if use.uses.get(key, 0) >= said.get("most", MAX_INT):
        return None
    act.change(act.actor_id, block_use=use.replace(uses={**use.uses, key: use.uses.get(key, 0) + 1}))
    amount, unit = said["after"].split()
    thrown = throw_dice(act.ctx, amount, f"{target_id} rises").total
    return {"monster": said["monster"], "after": f"{thrown} {unit.removesuffix('s') if thrown == 1 else unit}"}


def _fell(act: ActionContext, part: BlockPart, target_id: str) -> None:
    """Bring a target to 0 hit points, or to its death, where a failed save does that."""
    outcomes = figures(part).get("on_failed_save", ())
    creature = act.creature(target_id)
    if creature.character.is_dead:
        return
    if "dies" in outcomes:
        _kill(act, target_id)
        if "heal" in part:
            thrown = throw_dice(act.ctx, dice_of(part["heal"]), f"{act.actor_id}, {part['name']}").total
            own = act.creature(act.actor_id)
            heal(act.world, own, thrown, act.ctx, by=own)
    elif "hp_0" in outcomes:
        changes = act.ctx.settings["rules.hp_zero_ends_game"]
        after = with_hp_delta(creature.character, -(creature.character.hp or 0), changes_state=changes)
        put_creature(act.world, creature, after)


def _kill(act: ActionContext, target_id: str) -> None:
    creature = act.creature(target_id)
    changes = act.ctx.settings["rules.hp_zero_ends_game"]
    put_creature(act.world, creature, killed(creature.character, changes_state=changes))
    act.warnings.append(f"{target_id} dies")
