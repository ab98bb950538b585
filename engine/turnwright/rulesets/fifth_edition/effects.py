"""The effects of the fifth edition tools' calls.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.model.json_types import JsonObject
from turnwright.narration.facts import CallOutcome, Effect, EffectKind
from turnwright.narration.result_shapes import number_of, text_of
from turnwright.rulesets.effects import (
    ASKED,
    ROLLER,
    EffectReader,
    arrivals,
    effect,
    hp_change,
    hp_changes,
    moved,
    numbers_in,
    operation_of,
    owner_of,
    read_result,
    refusal,
    roll,
    rolls,
    subject_of,
    words_of_roll,
)

_CHECKS = {"save": EffectKind.SAVE, "saving_throw": EffectKind.SAVE, "attack": EffectKind.ATTACK}
_ROLLING_ACTIONS = {
    "attack": EffectKind.ATTACK,
    "grapple": EffectKind.CHECK,
    "shove": EffectKind.CHECK,
    "hide": EffectKind.CHECK,
}
"""The actions of a fight that roll a die for the actor."""
_SAVED = frozenset({"success", "stabilized", "revived"})
_UNTHROWN = frozenset({"already_stable", "already_dead"})
_LOOKS = (
    "get_encounter",
    "get_character",
    "get_session_context",
    "render_battlefield",
    "calculate_aoe",
    "calculate_movement",
    "check_cover",
    "check_line_of_sight",
    "measure_distance",
)
"""Tools that show hit points without changing any."""


def _look(call: CallOutcome) -> Iterator[Effect]:
    yield from rolls(call)
    yield from arrivals(call, text_of(call.result, "location_id"))


def _harm(call: CallOutcome) -> Iterator[Effect]:
    """Read a tool that can hurt a creature; for a refused call, yield that it did not."""
    yield from _refused_harm(call)
    yield from read_result(call)


def _refused_harm(call: CallOutcome) -> Iterator[Effect]:
    who = None if call.applied else text_of(call.args, *ASKED[1:])
    if who is not None:
        shown = {"target_character_id": who, "delta": None, "reason": call.reason}
        yield effect(call, EffectKind.HP, who=who, shown=shown)


def _refused_roll(call: CallOutcome, kind: EffectKind | None) -> Iterator[Effect]:
    """Yield the roll that a refused call requested."""
    if kind is not None and not call.applied:
        who, other = text_of(call.args, *ROLLER), text_of(call.args, "target_id", "target_name")
        shown = {"character_id": who, "reason": call.reason}
        yield effect(call, kind, who=who, other=other, what=words_of_roll(call.args), shown=shown)


def _execute_action(call: CallOutcome) -> Iterator[Effect]:
    yield from _harm(call)
    yield from _refused_roll(call, _ROLLING_ACTIONS.get(text_of(call.args, "action_type") or ""))
    used = call.result.get("used")
    name = text_of(call.result, "item") or text_of(call.args, "item_name")
    if isinstance(used, Mapping) or (name and not call.applied):
        actor = text_of(call.result, "actor") or text_of(call.args, "actor_id", "actor_name")
        yield moved(call, name or "", 1, other=actor)


def _roll_check(call: CallOutcome) -> Iterator[Effect]:
    yield from hp_changes(call)
    if not call.applied:
        yield from _refused_roll(call, _CHECKS.get(text_of(call.args, "check_type") or "", EffectKind.CHECK))
        return
    kind = _CHECKS.get(text_of(call.result, "check_type") or "", EffectKind.CHECK)
    contest = call.result.get("contest")
    other = text_of(contest, "opponent") if isinstance(contest, Mapping) else None
    yield roll(call, kind, call.result, text_of(call.args, *ROLLER), other, more=numbers_in(contest))


def _roll_death_save(call: CallOutcome) -> Iterator[Effect]:
    yield from _refused_harm(call)
    yield from hp_changes(call, _revived)
    yield from _refused_roll(call, EffectKind.DEATH_SAVE)
    outcome = text_of(call.result, "outcome")
    if outcome is not None and outcome not in _UNTHROWN:
        who = text_of(call.result, "character") or text_of(call.args, *ROLLER)
        told = {**call.result, "success": outcome in _SAVED}
        is_critical = number_of(call.result, "natural") in (1, 20)
        yield roll(call, EffectKind.DEATH_SAVE, told, who, None, is_critical=is_critical, also=("outcome",))


def _revived(call: CallOutcome, part: JsonObject, asked: str | None) -> Iterator[Effect]:
    if number_of(part, "hp"):
        yield hp_change(call, subject_of(part, asked), 1, number_of(part, "hp"))


def _manage_inventory(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    operation, owner = operation_of(call), owner_of(call)
    item = call.result.get("item", call.args.get("item"))
    name = (text_of(item, "name") if isinstance(item, Mapping) else None) or text_of(call.args, "item_name") or ""
    given = item.get("quantity") if isinstance(item, Mapping) and not call.applied else None
    quantity = number_of(call.result, "quantity") or number_of(call.args, "quantity")
    pieces = quantity or (given if type(given) is int else None) or 1
    coin = "coin" if isinstance(item, Mapping) and item.get("type") == "currency" else None
    if operation == "give":
        yield moved(call, name, pieces, who=owner, coin=coin)
    elif operation in ("take", "use"):
        yield moved(call, name, pieces, other=owner, coin=coin)
    elif operation == "transfer":
        taker = text_of(call.result, "to") or text_of(call.args, "to_character_id", "to_character_name")
        yield moved(call, name, pieces, who=taker, other=owner, coin=coin)


def _use_scroll(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    names = [text_of(call.args, "scroll_name") or "scroll", text_of(call.result, "spell_name") or ""]
    yield moved(call, " ".join(names), 1, other=owner_of(call))


def _take_rest(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    shown: dict[str, Any] = refusal(call)
    kind = text_of(call.result, "rest_type") or text_of(call.args, "rest_type") or ""
    if call.result.get("interrupted") is True:
        kind, shown = "interrupted", {**shown, "interrupted": True}
    shown = {"rest_type": kind, **shown}
    yield effect(call, EffectKind.REST, who=owner_of(call), what=frozenset({kind}), shown=shown)


def _advance_turn(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    current = call.result.get("current")
    who = text_of(current, "id") if isinstance(current, Mapping) else None
    shown = {"current": who, **refusal(call)}
    yield effect(call, EffectKind.TURN, who=who, total=number_of(call.result, "round"), shown=shown)


def _end_encounter(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    yield effect(call, EffectKind.FIGHT_OVER, shown=refusal(call))


def _manage_encounter(call: CallOutcome) -> Iterator[Effect]:
    yield from _end_encounter(call) if operation_of(call) == "end" else read_result(call)


EFFECTS: Mapping[str, EffectReader] = {
    "execute_action": _execute_action,
    "advance_turn": _advance_turn,
    "end_encounter": _end_encounter,
    "manage_encounter": _manage_encounter,
    "roll_check": _roll_check,
    "roll_death_save": _roll_death_save,
    "take_rest": _take_rest,
    "manage_inventory": _manage_inventory,
    "use_scroll": _use_scroll,
    **dict.fromkeys(("update_character", "manage_aura", "synthesize_spell", "cast_spell"), _harm),
    **dict.fromkeys(_LOOKS, _look),
}
