"""The effects of a call: readers of a result, for the shapes that several tools use.

A ruleset names a mapping of readers by tool (`Ruleset.effects`); a reader takes a call and yields what it did, or
failed to do. A tool without a reader is read by `read_result`. Source: docs/rulesets.md, "Effects".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from turnwright.model.coin import denomination
from turnwright.model.json_types import JsonObject
from turnwright.model.lazy import load
from turnwright.narration.facts import CallOutcome, Effect, EffectKind
from turnwright.narration.result_shapes import number_of, text_of, walk
from turnwright.rulesets.registry import RulesetTables, read_guarded
from turnwright.rulesets.toolbox import PARTS

EffectReader = Callable[[CallOutcome], Iterable[Effect]]
"""Yields what a call did, or was asked to do and did not do."""
Shape = Callable[[CallOutcome, JsonObject, str | None], Iterator[Effect]]
"""Reads one object of a result; the text is the character that the call named."""
ABILITIES = {
    "str": "strength",
    "dex": "dexterity",
    "con": "constitution",
    "int": "intelligence",
    "wis": "wisdom",
    "cha": "charisma",
}
ROLLER = ("character_id", "character_name", "actor_id", "actor_name")
"""The arguments that name the roller."""
_WHOM = ("target_id", "participant_id", "character_id", "target", "actor", "character")
ASKED = ("target_character_id", "target_id", "target_name", "character_id", "character_name", "owner_id", "caster_id")
"""The arguments that name the character whose hit points change."""
_HIT = frozenset({"hit", "critical_hit"})
_CRITICAL = frozenset({"critical_hit", "critical_miss"})


def reader_of(tables: RulesetTables, name: str) -> EffectReader:
    """Return the reader of a tool's calls, by the name it was called by, or of another part of a turn."""
    tool = name
    if name not in tables.tools and name not in PARTS:
        from turnwright.rulesets.aliases import ALIASES  # most calls use the current name of a tool

        tool = ALIASES[name].tool if name in ALIASES else name
    for ruleset in tables.rulesets:
        if ruleset.effects and (tool in ruleset.tools or (name in PARTS and ruleset.conversation)):
            readers: Mapping[str, EffectReader] = load(ruleset.effects)
            return read_guarded(ruleset, "effects", readers[name], Effect) if name in readers else read_result
    return read_result


def read_result(call: CallOutcome) -> Iterator[Effect]:
    """Yield the effects in a result, for the shapes that several tools use."""
    yield from hp_changes(call)
    yield from rolls(call)
    yield from arrivals(call, text_of(call.result, "location_id"))


def effect(call: CallOutcome, kind: EffectKind, **known: Any) -> Effect:
    """Return an effect of a call, done or refused as the call was."""
    return Effect(kind, call.applied, call.tool, call.reason, **known)


def refusal(call: CallOutcome) -> dict[str, str | None]:
    """Return what a finding shows of a call: the reason if it was refused, otherwise nothing."""
    return {} if call.applied else {"reason": call.reason}


def operation_of(call: CallOutcome) -> str:
    """Return the operation of a tool that has several."""
    return text_of(call.result, "operation") or text_of(call.args, "operation") or ""


def owner_of(call: CallOutcome) -> str | None:
    """Return the character that a call is about."""
    return text_of(call.result, "character_id") or text_of(call.args, "character_id", "character_name")


# places


def arrivals(call: CallOutcome, to: str | None) -> Iterator[Effect]:
    """Yield that a character is now where a result says."""
    if to is not None:
        yield effect(call, EffectKind.TRAVEL, what=places_in(call, to), shown={"to_area_id": to} | refusal(call))


def places_in(call: CallOutcome, to: str | None) -> frozenset[str]:
    """Return the ids and names of the place that a call leads to."""
    found = {to} if to else set()
    for key in ("to", "location"):
        place = call.result.get(key)
        if isinstance(place, Mapping):
            found.update(filter(None, (text_of(place, "location_id"), text_of(place, "area_id"))))
    return frozenset(found)


# belongings


def moved(
    call: CallOutcome,
    name: str,
    pieces: int,
    *,
    who: str | None = None,
    other: str | None = None,
    coin: str | None = None,
) -> Effect:
    """Return that a thing changes owner.

    Args:
        call: the call that did it.
        name: the thing.
        pieces: how many.
        who: the new owner.
        other: the old owner.
        coin: the denomination, if it is money and its name does not include it.
    """
    shown: dict[str, Any] = {"item": name or None, "quantity": pieces, "from": other, "to": who} | refusal(call)
    what = frozenset({name} if name else ())
    coin = denomination(name) or coin
    return effect(call, EffectKind.GOODS, who=who, other=other, what=what, delta=pieces, coin=coin, shown=shown)


# hit points


def hp_changes(call: CallOutcome, *more: Shape) -> Iterator[Effect]:
    """Yield every change of hit points that a call made, each once; `more` reads further shapes."""
    if not call.applied:
        return
    asked = text_of(call.args, *ASKED)
    kept: dict[tuple[str | None, int | None, int | None], Effect] = {}
    for part in walk(call.result):
        for shape in (_hp_in_part, *more):
            for change in shape(call, part, asked):
                kept.setdefault((change.who, change.delta, change.total), change)
    yield from kept.values()


def subject_of(part: JsonObject, asked: str | None) -> str | None:
    """Return the character that one object of a result is about."""
    return text_of(part, *_WHOM) or asked


def _hp_in_part(call: CallOutcome, part: JsonObject, asked: str | None) -> Iterator[Effect]:
    """Yield the change of a character's hit points that one object of a result reports."""
    who = subject_of(part, asked)
    pair = part.get("target_hp", part.get("hp"))
    damage = part.get("damage")
    if isinstance(pair, Mapping):
        taken = number_of(damage, "final") if isinstance(damage, Mapping) else None
        before, after = number_of(pair, "before"), number_of(pair, "after")
        if before is not None and after is not None and (before != after or taken is not None):
            yield hp_change(call, who, after - before, after, number_of(pair, "max"), taken)
    before, after = number_of(part, "hp_before"), number_of(part, "hp_after")
    if before is not None and after is not None and before != after:
        yield hp_change(call, who, after - before, after)
    healed = number_of(part, "healed") or (None if "hp_after" in part else number_of(part, "healing"))
    if healed:
        yield hp_change(call, who, healed, number_of(part, "hp"), number_of(part, "max_hp"), number_of(part, "total"))
    dealt = number_of(part, "damage_applied", "damage_taken", "damage_dealt")
    if dealt is None and type(damage) is int:
        dealt = damage
    if dealt and "total_damage_dealt" not in part and "attacks_made" not in part:
        victim = text_of(call.result, "actor") if "attacker_id" in part else who
        yield hp_change(call, victim, -dealt, number_of(part, "hp"))


def hp_change(
    call: CallOutcome,
    who: str | None,
    net: int,
    after: int | None,
    most: int | None = None,
    rolled: int | None = None,
) -> Effect:
    """Return a change of hit points; a text may state the rolled amount as well as the applied one."""
    is_harm = net < 0 or (net == 0 and rolled is not None)
    told = rolled if rolled is not None else abs(net)
    delta = -told if is_harm else told
    shown = {"target_character_id": who, "delta": net, "new_hp": after}
    is_cut = after == 0 if is_harm else after is not None and after == most
    amounts = frozenset({abs(net), told} - {0})
    return Effect(
        EffectKind.HP, tool=call.tool, who=who, delta=delta, amounts=amounts, total=after, is_cut=is_cut, shown=shown
    )


# rolls


def rolls(call: CallOutcome) -> Iterator[Effect]:
    """Yield every d20 roll that a result reports, with its outcome."""
    if call.applied:
        for part in walk(call.result):
            yield from _rolls_in_part(call, part)


def _rolls_in_part(call: CallOutcome, part: JsonObject) -> Iterator[Effect]:
    actor = text_of(call.result, "actor", "caster", "character_id") or text_of(call.args, *ROLLER)
    target = text_of(part, "target_id", "target") or text_of(call.args, "target_id", "target_name")
    if isinstance(attack := part.get("attack"), Mapping) and "result" in attack:
        yield _attack(call, attack, actor, target)
    elif "attacker_id" in part and "result" in part:
        yield _attack(call, part, text_of(part, "attacker_id"), actor)
    if isinstance(save := part.get("save"), Mapping):
        yield roll(call, EffectKind.SAVE, save, target, None)
    if isinstance(check := part.get("check"), Mapping):
        yield roll(call, EffectKind.CHECK, check, actor, None)
    if isinstance(contest := part.get("contest"), Mapping):
        told = {**contest, "total": contest.get("actor_total"), "skill": contest.get("actor_skill")}
        yield roll(call, EffectKind.CHECK, told, actor, target, more=numbers_in(contest))
    if type(part.get("success")) is bool and number_of(part, "total") is not None and "dc" in part:
        is_own = part is call.result
        who = actor if is_own else text_of(part, "target_id", "participant_id", "character_id")
        if is_own or who is not None:
            yield roll(call, EffectKind.CHECK if is_own else EffectKind.SAVE, part, who, None)


def _attack(call: CallOutcome, attack: JsonObject, who: str | None, target: str | None) -> Effect:
    result = text_of(attack, "result") or ""
    told = {**attack, "success": result in _HIT, "dc": attack.get("target_ac")}
    return roll(call, EffectKind.ATTACK, told, who, target, is_critical=result in _CRITICAL)


def roll(
    call: CallOutcome,
    kind: EffectKind,
    told: JsonObject,
    who: str | None,
    other: str | None,
    *,
    is_critical: bool | None = None,
    more: frozenset[int] = frozenset(),
    also: tuple[str, ...] = (),
) -> Effect:
    """Return a roll.

    Args:
        call: the call that rolled.
        kind: the kind of roll.
        told: what the result reports of it: `success`, `total`, `dc`, `natural`, `rolls`, `skill`, `ability`.
        who: the roller.
        other: the opponent.
        is_critical: whether it was critical; None: a natural 20 or 1 is.
        more: other numbers that a text may state it by.
        also: further keys of `told` that a finding shows.
    """
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
        what=words_of_roll(told),
        total=total,
        amounts=frozenset(faces | more | {value for value in (total, natural) if value is not None}),
        dc=dc,
        success=success if isinstance(success, bool) else None,
        natural=natural,
        is_critical=natural in (1, 20) if is_critical is None else is_critical,
        shown=shown,
    )


def _told_kind(kind: EffectKind, told: JsonObject) -> str:
    """Return the kind of roll: a skill, the save of an ability, or the given kind."""
    ability = text_of(told, "ability") if kind is EffectKind.SAVE else None
    save = f"{ABILITIES.get(ability.lower(), ability.lower())} save" if ability else None
    return text_of(told, "skill") or save or kind.value


def words_of_roll(told: JsonObject) -> frozenset[str]:
    """Return the words by which a text may name a roll: a skill's, and its ability's."""
    skill, ability = text_of(told, "skill"), text_of(told, "ability")
    named = {"initiative"} if text_of(told, "check_type") == "initiative" else set[str]()
    named |= set((skill or "").lower().replace("_", " ").split()) - {"of"}
    if ability:
        named.add(ABILITIES.get(ability.lower(), ability.lower()))
    return frozenset(named)


def numbers_in(part: object) -> frozenset[int]:
    """Return the whole numbers that an object of a result holds."""
    return frozenset(v for v in part.values() if type(v) is int) if isinstance(part, Mapping) else frozenset()
