"""Rolls in results: an attack, a check, a save or a death save, in whichever of a few shapes a tool tells it.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwright.model.dice.expression import DiceError, bounds, parse
from turnwright.model.dice.tree import dice_terms
from turnwright.narration.facts import CallOutcome, Effect, EffectKind
from turnwright.narration.result_shapes import number_of, text_of, walk

_ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
_KINDS = {"save": EffectKind.SAVE, "saving_throw": EffectKind.SAVE, "attack": EffectKind.ATTACK}
_ASKED = {
    "attack": EffectKind.ATTACK,
    "grapple": EffectKind.CHECK,
    "shove": EffectKind.CHECK,
    "hide": EffectKind.CHECK,
}
"""The actions of a fight that throw a die for the one who acts."""
_HIT = frozenset({"hit", "critical_hit"})
_CRITICAL = frozenset({"critical_hit", "critical_miss"})
_SAVED = frozenset({"success", "stabilized", "revived"})
_UNTHROWN = frozenset({"already_stable", "already_dead"})
_WHO = ("character_id", "character_name", "actor_id", "actor_name")
_FACES = frozenset(
    {"natural", "rolls", "hit_dice_rolls", "damage_rolls", "healing_rolls", "chosen_die_value", "dice_pool"}
)
"""The keys of results under which faces stand that fell."""
_TOTALS = frozenset(
    {"total", "actor_total", "target_total", "initiative", "damage_rolled", "damage_total", "healing_total"}
)
"""The keys under which stands what dice, and what is added to them, came to."""
_SUMS = frozenset({"value", "raw", "final"})
"""Keys that hold such a sum where faces stand beside them, and anything else otherwise."""
_D20 = 20


def faces_of(outcomes: Iterable[CallOutcome]) -> frozenset[int]:
    """Return every face in the results."""
    return frozenset(face for part in _parts(outcomes) for face in _numbers_under(part, _FACES))


def totals_of(outcomes: Iterable[CallOutcome]) -> frozenset[int]:
    """Return every sum in the results that dice decided: what can come out one way only was not rolled."""
    return frozenset(
        total
        for part in _parts(outcomes)
        if not _is_fixed(part)
        for total in _numbers_under(part, _TOTALS | _SUMS if "rolls" in part else _TOTALS)
    )


def d20_faces_of(outcomes: Iterable[CallOutcome]) -> frozenset[int]:
    """Return every face of a d20 in the results, as far as they tell which die it was."""
    found: set[int] = set()
    for part in _parts(outcomes):
        if number_of(part, "natural") is not None and "terms" not in part:
            found.update(_numbers_under(part, frozenset({"natural", "rolls"})))
        elif _is_of_d20s(text_of(part, "notation")):
            found.update(_numbers_under(part, frozenset({"rolls"})))
    return frozenset(found)


def _parts(outcomes: Iterable[CallOutcome]) -> Iterator[Mapping[str, Any]]:
    for outcome in outcomes:
        yield from walk(outcome.result)


def _numbers_under(part: Mapping[str, Any], keys: frozenset[str]) -> Iterator[int]:
    """Yield the numbers under some keys, and those in lists there."""
    waiting: list[Any] = [part[key] for key in keys.intersection(part)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, (list, tuple)):
            waiting.extend(value)
        elif type(value) is int:
            yield value


def _is_fixed(part: Mapping[str, Any]) -> bool:
    """Whether no die has a part in what an expression comes to: it has none, or they are multiplied by zero."""
    expression = text_of(part, "expression")
    if expression is None:
        return False
    try:
        limits = bounds(parse(expression))
    except DiceError:
        return False
    return limits.min == limits.max


def _is_of_d20s(notation: str | None) -> bool:
    if notation is None:
        return False
    try:
        return any(term.sides == _D20 for term in dice_terms(parse(notation)))
    except DiceError:
        return False


def roll_deeds(call: CallOutcome) -> Iterator[Effect]:
    """Yield every d20 that a call threw, or was asked to throw, with what came of it."""
    if not call.applied:
        yield from _asked(call)
    elif call.tool == "roll_check":
        yield _of_check(call)
    elif call.tool == "roll_death_save":
        yield from _of_death_save(call)
    else:
        for part in walk(call.result):
            yield from _in_part(call, part)


def _asked(call: CallOutcome) -> Iterator[Effect]:
    """Yield the roll that a refused call asked for."""
    who, kind = text_of(call.args, *_WHO), None
    if call.tool == "roll_check":
        kind = _KINDS.get(text_of(call.args, "check_type") or "", EffectKind.CHECK)
    elif call.tool == "roll_death_save":
        kind = EffectKind.DEATH_SAVE
    elif call.tool == "execute_action":
        kind = _ASKED.get(text_of(call.args, "action_type") or "")
    if kind is not None:
        shown = {"character_id": who, "reason": call.reason}
        other = text_of(call.args, "target_id", "target_name")
        named = _words(call.args)
        yield Effect(kind, False, call.tool, call.reason, who=who, other=other, what=named, shown=shown)


def _of_check(call: CallOutcome) -> Effect:
    kind = _KINDS.get(text_of(call.result, "check_type") or "", EffectKind.CHECK)
    contest = call.result.get("contest")
    other = text_of(contest, "opponent") if isinstance(contest, Mapping) else None
    return _roll(call, kind, call.result, text_of(call.args, *_WHO), other, more=_numbers_of(contest))


def _of_death_save(call: CallOutcome) -> Iterator[Effect]:
    outcome = text_of(call.result, "outcome")
    if outcome is not None and outcome not in _UNTHROWN:
        who = text_of(call.result, "character") or text_of(call.args, *_WHO)
        told = {**call.result, "success": outcome in _SAVED}
        is_critical = number_of(call.result, "natural") in (1, 20)
        yield _roll(call, EffectKind.DEATH_SAVE, told, who, None, is_critical=is_critical, also=("outcome",))


def _in_part(call: CallOutcome, part: Mapping[str, Any]) -> Iterator[Effect]:
    """Yield what one object of a result tells of a die."""
    actor = text_of(call.result, "actor", "caster", "character_id") or text_of(call.args, *_WHO)
    target = text_of(part, "target_id", "target") or text_of(call.args, "target_id", "target_name")
    if isinstance(attack := part.get("attack"), Mapping) and "result" in attack:
        yield _attack(call, attack, actor, target)
    elif "attacker_id" in part and "result" in part:
        yield _attack(call, part, text_of(part, "attacker_id"), actor)
    if isinstance(save := part.get("save"), Mapping):
        yield _roll(call, EffectKind.SAVE, save, target, None)
    if isinstance(check := part.get("check"), Mapping):
        yield _roll(call, EffectKind.CHECK, check, actor, None)
    if isinstance(contest := part.get("contest"), Mapping):
        told = {**contest, "total": contest.get("actor_total"), "skill": contest.get("actor_skill")}
        yield _roll(call, EffectKind.CHECK, told, actor, target, more=_numbers_of(contest))
    if type(part.get("success")) is bool and number_of(part, "total") is not None and "dc" in part:
        is_own = part is call.result
        who = actor if is_own else text_of(part, "target_id", "participant_id", "character_id")
        if is_own or who is not None:
            yield _roll(call, EffectKind.CHECK if is_own else EffectKind.SAVE, part, who, None)


def _attack(call: CallOutcome, attack: Mapping[str, Any], who: str | None, target: str | None) -> Effect:
    result = text_of(attack, "result") or ""
    told = {**attack, "success": result in _HIT, "dc": attack.get("target_ac")}
    return _roll(call, EffectKind.ATTACK, told, who, target, is_critical=result in _CRITICAL)


def _roll(
    call: CallOutcome,
    kind: EffectKind,
    told: Mapping[str, Any],
    who: str | None,
    other: str | None,
    *,
    is_critical: bool | None = None,
    more: frozenset[int] = frozenset(),
    also: tuple[str, ...] = (),
) -> Effect:
    """Return a roll. `more` are other numbers that it may be told by, `also` what a finding shows besides."""
    success = told.get("success")
    total, dc, natural = number_of(told, "total"), number_of(told, "dc"), number_of(told, "natural")
    thrown = told.get("rolls")
    faces = {value for value in (thrown if isinstance(thrown, (list, tuple)) else ()) if type(value) is int}
    shown: dict[str, Any] = {"outcome": None if success is None else "success" if success else "failure"}
    shown |= {"check": _told_kind(kind, told), "character_id": who, "natural": natural, "total": total, "dc": dc}
    shown |= {"target_id": other} if other is not None else {}
    shown |= {key: told.get(key) for key in also}
    return Effect(
        kind,
        tool=call.tool,
        who=who,
        other=other,
        what=_words(told),
        total=total,
        amounts=frozenset(faces | more | {value for value in (total, natural) if value is not None}),
        dc=dc,
        success=success if isinstance(success, bool) else None,
        natural=natural,
        is_critical=natural in (1, 20) if is_critical is None else is_critical,
        shown=shown,
    )


def _told_kind(kind: EffectKind, told: Mapping[str, Any]) -> str:
    """Return what was rolled: a skill, the save of an ability, else the kind of roll."""
    ability = text_of(told, "ability") if kind is EffectKind.SAVE else None
    save = f"{_ABILITIES.get(ability.lower(), ability.lower())} save" if ability else None
    return text_of(told, "skill") or save or kind.value


def _words(told: Mapping[str, Any]) -> frozenset[str]:
    """Return the words by which a text may name what is rolled: a skill's, and its ability's."""
    skill, ability = text_of(told, "skill"), text_of(told, "ability")
    named = {"initiative"} if text_of(told, "check_type") == "initiative" else set[str]()
    named |= set((skill or "").lower().replace("_", " ").split()) - {"of"}
    if ability:
        named.add(_ABILITIES.get(ability.lower(), ability.lower()))
    return frozenset(named)


def _numbers_of(part: object) -> frozenset[int]:
    return frozenset(v for v in part.values() if type(v) is int) if isinstance(part, Mapping) else frozenset()
