"""Effects of a stat block's action besides damage: saves against it, conditions, grapples, forced moves.

Source: SRD 5.1, "Monsters", "Conditions"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from turnwright.content.names import key_of
from turnwright.model.creature import Condition, Ending, TurnBlow
from turnwright.model.encounter import Participant
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, can_see, cover_between, square_of, values_of
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.conditions import afflict
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._corroding import rusting_of
from turnwright.rulesets.fifth_edition.fights._pushing import pushed_away
from turnwright.rulesets.fifth_edition.fights.executable import (
    DICE_MINUTES,
    LINKED,
    REPEATED,
    ROUNDS,
    TURN_STARTS,
    UNTIL_CURED,
    WHILE_SICK,
)
from turnwright.rulesets.fifth_edition.fights.traits import ability_of, figures, save_of, sickness_of, type_of
from turnwright.rulesets.fifth_edition.rolls import Save, save, throw_dice
from turnwright.rulesets.fifth_edition.sheets.health import stabilized
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, SIZES, Body, Square
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, ConditionShape, DiceShape, OnlyShape
    from turnwright.rulesets.fifth_edition.shapes import FullSaveReport


class ConditionLength(TypedDict, total=False):
    """How long a condition lasts: rounds, until a combatant's turn, or as long as an effect."""

    duration: int
    rounds_remaining: int
    ends: Ending
    hangs_on: str


class ConditionWork(TypedDict, total=False):
    """The effect of a condition on its bearer turn after turn."""

    no_healing: bool
    turn_damage: TurnBlow


_ROUNDS_A_MINUTE = 10
_LOW_TOTAL = 5


# targets


def why_unaffected(act: ActionContext, part: BlockPart, target_id: str) -> str | None:
    """Return why a part of a stat block cannot affect a target, or None where it can."""
    target = act.person(target_id)
    if target_id in act.actor.block_use.proof.get(part["id"], ()):
        return f"{target_id} has withstood {part['name']} already"
    if "rusts" in figures(part) and rusting_of(act, part, target_id) is None:
        return f"{target_id} holds and wears nothing that {part['name']} could corrode"
    only = part.get("only")
    if isinstance(only, Mapping):
        return _why_not_one_of(act, only, target)
    return None


def can_be_affected(act: ActionContext, part: BlockPart, target_id: str) -> bool:
    """Return whether a part of a stat block can affect a target."""
    return why_unaffected(act, part, target_id) is None


def _why_not_one_of(act: ActionContext, only: OnlyShape, target: Participant) -> str | None:
    words = _kinds(act, target)
    if spared := [kind for kind in only.get("other_than", ()) if kind in words]:
        return f"{target.id} is {spared[0]}"
    if only.get("kind", "creature") not in (*words, "creature", "target"):
        return f"{target.id} is not {only['kind'].replace('_', ' ')}"
    values = values_of(act.world, target)
    if "max_size" in only and SIZES.index(values.size) > SIZES.index(only["max_size"]):
        return f"{target.id} is {values.size}, too large"
    if "max_hp" in only and values.hp > only["max_hp"]:
        return f"{target.id} has more than {only['max_hp']} hit points"
    if only.get("sense") == "sight" and not can_see(act.world, act.encounter, target, act.actor):
        return f"{target.id} does not see {act.actor_id}"
    if only.get("sense") == "hearing" and found(body_of(act.world, target), "deafened") is not None:
        return f"{target.id} is deafened"
    return None


def is_one_of(act: ActionContext, target: Participant, kind: str) -> bool:
    """Return whether a creature is of a kind, such as humanoid."""
    return kind == "creature" or kind in _kinds(act, target)


def _kinds(act: ActionContext, target: Participant) -> frozenset[str]:
    """Return a creature's kinds, in words of entries: type, subtype, race."""
    block = act.encounter.block_of(target)
    if block is not None:
        return frozenset(filter(None, (block["type"], block.get("subtype"))))
    sheet = body_of(act.world, target).sheet
    words = set(key_of(sheet.race).split("-")) if sheet else set()
    return frozenset(words | {"humanoid"})


# saves


def save_against(act: ActionContext, part: BlockPart, target_id: str) -> Save:
    """Roll a target's save against a part of a stat block; cover helps against ranged effects."""
    said = save_of(part)
    ability = ability_of(said)
    bonus = 0
    if ability == "dex" and "area" in part and target_id != act.actor_id:
        at = square_of(act.args.target_position) if act.args.target_position and _is_at_point(part) else act.actor
        bonus = cover_between(act.world, act.encounter, at, act.person(target_id), creatures_cover=False).bonus or 0
    why = f"{target_id} saves against {part['name']}"
    creature = act.creature(target_id)
    made = save(act.world, creature, ability, dc_of(act, part), act.ctx, why=why, bonus=bonus, versus=versus(part))
    doomed = set(figures(part).get("auto_fail", ())) & _kinds(act, act.person(target_id))
    return made._replace(success=False, auto_fail=True) if doomed else made


def _is_at_point(part: BlockPart) -> bool:
    area = part["area"]
    return area.get("origin") == "point" or ("range" in part and area["shape"] in ("sphere", "cylinder", "cube"))


def dc_of(act: ActionContext, part: BlockPart) -> int:
    """Return the DC of targets' saves: the call's, else the block's."""
    dc: int = save_of(part)["dc"] if act.args.save_dc is None else act.args.save_dc
    return dc


def versus(part: BlockPart) -> frozenset[str]:
    """Return what a save is against, in the terms of traits."""
    kinds = {each.get("type") for each in part.get("damage", ())}
    poison = {"poison"} if "poison" in kinds else set()
    illness = {"disease"} if figures(part).get("sickens", {}).get("as") == "disease" else set()
    return frozenset(poison | illness | {each["id"] for each in part.get("conditions", ())})


def shown_save(act: ActionContext, part: BlockPart, made: Save) -> FullSaveReport:
    """Return a save as results hold it."""
    told = made.shown_against(ability_of(save_of(part)), dc_of(act, part))
    if made.resisted:
        told["legendary_resistance"] = True
    return told


# conditions


def inflict(act: ActionContext, part: BlockPart, target_id: str, made: Save | None) -> list[str]:
    """Give a target the conditions of a part that a hit or a failed save brings, and return those it got."""
    got: list[str] = []
    lasting: dict[str, ConditionLength] = {}
    dc = dc_of(act, part) if made is not None else 0
    by_far = any(each["on"] == "failed_by_5" and _is_due(each, made, dc) for each in part.get("conditions", ()))
    # Those that last as long as another one come after it.
    for said in sorted(part.get("conditions", ()), key=lambda said: _link(part, said) is not None):
        if by_far and said.get("duration") == REPEATED:
            continue  # the worse comes at once
        if _is_due(said, made, dc):
            got += _afflict(act, part, said, target_id, lasting)
    if made is not None and made.success and "immune_after" in part:
        add_proof(act, part, target_id)
    return got


def _is_due(said: ConditionShape, made: Save | None, dc: int) -> bool:
    match said["on"]:
        case "hit" | "always":
            return True
        case "failed_save":
            return made is not None and not made.success
        case "save_total_5_or_less":
            return made is not None and not made.success and made.total <= _LOW_TOTAL
        case "failed_by_5":
            return made is not None and not made.success and made.total <= dc - 5
    return False


def inflict_at_zero(act: ActionContext, part: BlockPart, target_id: str) -> list[str]:
    """Leave a target that was brought to 0 hit points stable, with the conditions that come with it."""
    said = [each for each in part.get("conditions", ()) if each["on"] == "reduced_to_0"]
    if not said and not figures(part).get("stable_at_0"):
        return []
    if figures(part).get("stable_at_0"):
        creature = act.creature(target_id)
        changes = act.ctx.settings["rules.hp_zero_ends_game"]
        put_creature(act.world, creature, stabilized(creature.character, changes_state=changes))
    lasting: dict[str, ConditionLength] = {}
    return [name for each in said for name in _afflict(act, part, each, target_id, lasting)]


def _afflict(
    act: ActionContext, part: BlockPart, said: ConditionShape, target_id: str, lasting: dict[str, ConditionLength]
) -> Iterator[str]:
    """Give one condition; `lasting` remembers how long those last to which others of the same part are tied."""
    condition = _condition(act, part, said, target_id, lasting)
    done = afflict(act.world, act.creature(target_id), condition, act.ctx)
    act.warnings += done.warnings
    if done.blocked:
        act.warnings.append(f"{target_id} is immune to being {condition.condition}")
    if done.changed:
        yield condition.condition


def _link(part: BlockPart, said: ConditionShape) -> str | None:
    """Return the condition of the same part that one lasts as long as; None for one with a duration of its own.

    What comes of a save that fails by much, and has none, lasts as long as what every failed save brings.
    """
    lasts = said.get("duration")
    if lasts in LINKED:
        return name_of_link(said)
    if lasts is not None or said["on"] not in ("failed_by_5", "save_total_5_or_less"):
        return None
    usual = [each for each in part["conditions"] if each["on"] == "failed_save" and each.get("duration") != REPEATED]
    return usual[0]["id"] if usual else None


def _condition(
    act: ActionContext, part: BlockPart, said: ConditionShape, target_id: str, lasting: dict[str, ConditionLength]
) -> Condition:
    name, lasts, link = said["id"], said.get("duration"), _link(part, said)
    given: dict[str, Any] = {"condition": name, "source": act.actor_id}
    worse = next((each["id"] for each in part.get("conditions", ()) if each["on"] == "second_failed_save"), None)
    if lasts == REPEATED:
        given["worsens_to"] = worse
    elif link is not None:
        given |= lasting.get(link, {})
    else:
        lasting[name] = _length(act, part, said, target_id)
        given |= lasting[name]
    save_said = part.get("save")
    if (said.get("repeat") == "turn_end" or "worsens_to" in given) and isinstance(save_said, Mapping):
        given |= {"duration": "save_ends", "save_ability": save_said["ability"], "save_dc": dc_of(act, part)}
    given |= _while_it_lasts(part, said)
    # Where one condition depends on another, damage ends only the worse one: it wakes a creature that stays poisoned.
    is_ended = link is not None or all(_link(part, each) is None for each in part["conditions"])
    if is_ended and "damage" in figures(part).get("ends_on", ()):
        given["ends_on"] = ("damage",)
    return Condition.model_validate(given)


def _length(act: ActionContext, part: BlockPart, said: ConditionShape, target_id: str) -> ConditionLength:
    """Return how long a condition lasts: rounds, until a combatant's turn, or as long as a disease."""
    lasts = said.get("duration")
    rounds = ROUNDS.get(lasts or "")
    if lasts in DICE_MINUTES:
        minutes = throw_dice(act.ctx, str(lasts).split()[0], f"{target_id} {said['id']}, minutes").total
        rounds = minutes * _ROUNDS_A_MINUTE
    if rounds is not None:
        return {"duration": rounds, "rounds_remaining": rounds}
    if lasts == WHILE_SICK:
        return {"hangs_on": sickness_of(part)}
    return {} if lasts is None or lasts in UNTIL_CURED else {"ends": _ending(act, str(lasts), target_id)}


def _while_it_lasts(part: BlockPart, said: ConditionShape) -> ConditionWork:
    """Return what the first condition of a part does to its bearer turn after turn."""
    if said is not part["conditions"][0]:
        return {}
    blows = [each for each in part.get("damage", ()) if each.get("when") == TURN_STARTS]
    given: ConditionWork = {"no_healing": True} if figures(part).get("no_healing") is True else {}
    if blows and "ignites" not in figures(part):
        given["turn_damage"] = TurnBlow(dice=dice_of(blows[0]), type=type_of(blows[0]))
    return given


def dice_of(damage: DiceShape) -> str:
    """Return the dice of a part of damage, with its bonus."""
    bonus = damage.get("bonus", 0)
    return f"{damage['dice']}{f'{bonus:+d}' if bonus else ''}"


def name_of_link(said: ConditionShape) -> str:
    """Return the condition that another one lasts as long as."""
    return str(said["duration"]).removeprefix("while_")


def _ending(act: ActionContext, lasts: str, target_id: str) -> Ending:
    """Return the turn with which a condition ends; the turn that is going on is not the next one."""
    who = act.actor_id if lasts.startswith("source") else target_id
    is_end = lasts.endswith("end")
    passes = int(is_end and "next" in lasts and act.encounter.current.id == who)
    return Ending(whose=who, at="end" if is_end else "start", turns=1 + passes)


def add_proof(act: ActionContext, part: BlockPart, target_id: str) -> None:
    """Record that a part cannot affect a target any more."""
    use = act.actor.block_use
    known = use.proof.get(part["id"], ())
    if target_id not in known:
        proof = {**use.proof, part["id"]: (*known, target_id)}
        act.change(act.actor_id, block_use=use.replace(proof=proof))


# grapples and forced moves


def grapples_instead(act: ActionContext, part: BlockPart) -> bool | None:
    """Return whether a hit grapples without damage, as the call says; None for a part that leaves no choice."""
    return act.args.action_type == "grapple" if part.get("grapple", {}).get("instead_of_damage") else None


def grip(act: ActionContext, part: BlockPart, target_id: str) -> Iterator[str]:
    """Let a hit grapple its target, and restrain it where the block says so; what frees of one frees of both."""
    said = part.get("grapple")
    if not isinstance(said, Mapping) or grapples_instead(act, part) is False:
        return
    values = values_of(act.world, act.person(target_id))
    if "max_size" in said and SIZES.index(values.size) > SIZES.index(said["max_size"]):
        return
    held = Condition(condition="grappled", source=act.actor_id, escape_dc=said["escape_dc"])
    done = afflict(act.world, act.creature(target_id), held, act.ctx)
    if done.changed:
        yield "grappled"
    if done.blocked:
        act.warnings.append(f"{target_id} cannot be grappled")
    elif said.get("restrained"):
        bound = Condition(condition="restrained", source=act.actor_id, escape_dc=said["escape_dc"])
        if afflict(act.world, act.creature(target_id), bound, act.ctx).changed:
            yield "restrained"


def move_by_force(act: ActionContext, part: BlockPart, target_id: str, made: Save | None) -> None:
    """Push a target away or pull it near, where the block says so."""
    said = part.get("forced_move")
    if not isinstance(said, Mapping) or said["dir"] == "random":
        return
    if said.get("on") == "failed_save" and (made is None or made.success):
        return
    squares = said["ft"] // FEET
    done = 0
    while done < squares and _moved_by_one(act, target_id, toward=said["dir"] == "toward"):
        done += 1
    if done < squares:
        act.warnings.append(f"{target_id} is moved {done * FEET} of {said['ft']} feet; there is no room for more")


def _moved_by_one(act: ActionContext, target_id: str, *, toward: bool) -> bool:
    """Push a target one square away from the actor, or pull it nearer, if there is room; return whether it moves."""
    target, own = act.person(target_id), body_on_grid(act.world, act.actor)
    pusher = _mirrored(own, body_on_grid(act.world, target)) if toward else own
    there = pushed_away(act.world, act.encounter, pusher, target)
    if there is not None:
        act.change(target_id, position=there)
    return there is not None


def _mirrored(body: Body, around: Body) -> Body:
    """Return a body on the other side of another one: what is pushed away from there comes nearer."""
    x = 2 * around.at.x + around.side - body.at.x - body.side
    y = 2 * around.at.y + around.side - body.at.y - body.side
    return body._replace(at=Square(x, y, body.at.z))
