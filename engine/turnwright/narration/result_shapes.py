"""Hit points in results: each tool tells them in one of a few shapes, wherever in the result they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.narration.facts import CallOutcome, Effect, EffectKind

_MAX_PARTS = 2000
"""How many objects of one result are looked at."""
_WHOM = ("target_id", "participant_id", "character_id", "target", "actor", "character")
_ASKED = ("target_character_id", "target_id", "target_name", "character_id", "character_name", "owner_id", "caster_id")
_ONLY_LOOKS = ("get_", "render_", "calculate_", "check_", "measure_")
_HARMING = frozenset({"execute_action", "update_character", "manage_aura", "synthesize_spell", "roll_death_save"})


def rows(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list; nothing for anything else."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, (list, tuple)) else []


def text_of(source: Mapping[str, Any], *keys: str) -> str | None:
    """Return the first of `keys` that holds text."""
    return next((source[key] for key in keys if isinstance(source.get(key), str) and source[key]), None)


def number_of(source: Mapping[str, Any], *keys: str) -> int | None:
    """Return the first of `keys` that holds a whole number."""
    return next((source[key] for key in keys if type(source.get(key)) is int), None)


def walk(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a result and every object in it, outermost first."""
    waiting: list[Any] = [result]
    seen = 0
    while waiting and seen < _MAX_PARTS:
        part = waiting.pop()
        if isinstance(part, Mapping):
            seen += 1
            yield part
            waiting.extend(reversed([value for value in part.values() if isinstance(value, (Mapping, list, tuple))]))
        else:
            waiting.extend(reversed([value for value in part if isinstance(value, (Mapping, list, tuple))]))


def hp_deeds(call: CallOutcome) -> Iterator[Effect]:
    """Yield every change of hit points that a call made, or was asked to make."""
    if call.tool == "hp_delta":
        yield _of_hp_delta(call)
    elif call.tool.startswith(_ONLY_LOOKS):
        return
    elif not call.applied:
        who = text_of(call.args, *_ASKED[1:])
        if call.tool in _HARMING and who is not None:
            shown = {"target_character_id": who, "delta": None, "reason": call.reason}
            yield Effect(EffectKind.HP, False, call.tool, call.reason, who=who, shown=shown)
    else:
        asked = text_of(call.args, *_ASKED)
        found = [deed for part in walk(call.result) for deed in _in_part(call, part, asked)]
        yield from _distinct(found)


def _distinct(found: list[Effect]) -> list[Effect]:
    """Return the deeds without those that are told twice."""
    kept: dict[tuple[str | None, int | None, int | None], Effect] = {}
    for deed in found:
        kept.setdefault((deed.who, deed.delta, deed.total), deed)
    return list(kept.values())


def _of_hp_delta(call: CallOutcome) -> Effect:
    delta, target = number_of(call.args, "delta"), call.target
    shown: dict[str, Any] = {key: plain(call.args.get(key)) for key in ("target_character_id", "delta")}
    shown |= {"new_hp": plain(call.result.get("new_hp"))} if call.applied else {"reason": call.reason}
    spared = number_of(call.result, "temp_hp_lost") or 0
    if spared and delta is not None:
        shown |= {"delta": delta + spared, "temp_hp_lost": spared}
    total = number_of(call.result, "new_hp")
    is_cut = call.is_at_maximum if delta is not None and delta > 0 else total == 0
    amounts = frozenset(() if delta is None else {abs(delta), abs(delta + spared)})
    asked = delta or 0  # what is no number asks for no change
    return Effect(
        EffectKind.HP, call.applied, call.tool, call.reason, target, None, frozenset(), asked, amounts, total, is_cut,
        shown=shown,
    )  # fmt: skip


def _in_part(call: CallOutcome, part: Mapping[str, Any], asked: str | None) -> Iterator[Effect]:
    """Yield what one object of a result tells of somebody's hit points."""
    who = text_of(part, *_WHOM) or asked
    pair = part.get("target_hp", part.get("hp"))
    damage = part.get("damage")
    if isinstance(pair, Mapping):
        taken = number_of(damage, "final") if isinstance(damage, Mapping) else None
        before, after = number_of(pair, "before"), number_of(pair, "after")
        if before is not None and after is not None and (before != after or taken is not None):
            yield _change(call, who, after - before, after, number_of(pair, "max"), taken)
    before, after = number_of(part, "hp_before"), number_of(part, "hp_after")
    if before is not None and after is not None and before != after:
        yield _change(call, who, after - before, after, None, None)
    healed = number_of(part, "healed") or (None if "hp_after" in part else number_of(part, "healing"))
    if healed:
        yield _change(call, who, healed, number_of(part, "hp"), number_of(part, "max_hp"), number_of(part, "total"))
    dealt = number_of(part, "damage_applied", "damage_taken", "damage_dealt")
    if dealt is None and type(damage) is int:
        dealt = damage
    if dealt and "total_damage_dealt" not in part and "attacks_made" not in part:
        victim = text_of(call.result, "actor") if "attacker_id" in part else who
        yield _change(call, victim, -dealt, number_of(part, "hp"), None, None)
    if call.tool == "roll_death_save" and number_of(part, "hp"):
        yield _change(call, who, 1, number_of(part, "hp"), None, None)
    stress = number_of(part, "stress_delta", "stress_applied")
    if stress:
        yield Effect(EffectKind.HP, tool=call.tool, delta=-stress, amounts=frozenset({abs(stress)}))


def _change(
    call: CallOutcome, who: str | None, net: int, after: int | None, most: int | None, rolled: int | None
) -> Effect:
    """Return a change; what was rolled may be told as well as what came of it."""
    is_harm = net < 0 or (net == 0 and rolled is not None)
    told = rolled if rolled is not None else abs(net)
    delta = -told if is_harm else told
    shown = {"target_character_id": who, "delta": net, "new_hp": after}
    is_cut = after == 0 if is_harm else after is not None and after == most
    amounts = frozenset({abs(net), told} - {0})
    return Effect(
        EffectKind.HP, tool=call.tool, who=who, delta=delta, amounts=amounts, total=after, is_cut=is_cut, shown=shown
    )


def plain(value: object) -> str | int | None:
    """Return an argument as a finding shows it: text and whole numbers, else None."""
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None
