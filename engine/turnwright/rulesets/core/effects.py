"""The effects of the core tools' calls.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnwright.narration.facts import CallOutcome, Effect, EffectKind
from turnwright.narration.result_shapes import number_of, plain, text_of
from turnwright.rulesets.effects import (
    EffectReader,
    effect,
    operation_of,
    places_in,
    read_result,
    refusal,
    rolls,
)

_QUEST_STEPS = {"start_quest": "start", "complete_objective": "complete_objective", "complete_quest": "complete"}
"""The older names of tools, each for one operation."""
_TITLES = ("quest_id", "id", "title", "quest_title")
_MAKES_PLACES = ("", "create", "update", "link")
_CHANGES_PARTY = ("add", "remove", "clear")


def _hp_delta(call: CallOutcome) -> Iterator[Effect]:
    delta, target = number_of(call.args, "delta"), call.target
    shown: dict[str, Any] = {key: plain(call.args.get(key)) for key in ("target_character_id", "delta")}
    shown |= {"new_hp": plain(call.result.get("new_hp"))} if call.applied else {"reason": call.reason}
    spared = number_of(call.result, "temp_hp_lost") or 0
    if spared and delta is not None:
        shown |= {"delta": delta + spared, "temp_hp_lost": spared}
    total = number_of(call.result, "new_hp")
    yield effect(
        call,
        EffectKind.HP,
        who=target,
        delta=delta or 0,  # a value that is not a number requests no change
        amounts=frozenset(() if delta is None else {abs(delta), abs(delta + spared)}),
        total=total,
        is_cut=call.is_at_maximum if delta is not None and delta > 0 else total == 0,
        shown=shown,
    )
    yield from rolls(call)


def _move(call: CallOutcome) -> Iterator[Effect]:
    yield _way(call, call.text("to_area_id"))


def _move_party(call: CallOutcome) -> Iterator[Effect]:
    if call.result.get("moved") or not call.applied:
        to = text_of(call.args, "to_location_id", "to_location_name", "location_id")
    else:
        to = text_of(call.result, "location_id")
    if places_in(call, to):
        yield _way(call, to)


def _way(call: CallOutcome, to: str | None) -> Effect:
    place = call.result.get("from")
    left = text_of(place, "location_id") if isinstance(place, Mapping) else call.text("from_area_id")
    who, shown = text_of(call.args, "actor_id"), {"to_area_id": to} | refusal(call)
    return effect(call, EffectKind.TRAVEL, who=who, left=left, what=places_in(call, to), shown=shown)


def _map_generate(call: CallOutcome) -> Iterator[Effect]:
    yield effect(call, EffectKind.PLACE, shown=refusal(call))


def _manage_location(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    if operation_of(call) in _MAKES_PLACES:
        yield effect(call, EffectKind.PLACE, shown=refusal(call))


def _quest(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    yield from _quest_step(call, _QUEST_STEPS.get(call.tool) or operation_of(call))


def _note(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    if operation_of(call) in ("", "add"):
        note = call.result.get("note", call.args)
        tags = note.get("tags") if isinstance(note, Mapping) else None
        some = tags if isinstance(tags, (list, tuple)) else ()
        if any("quest" in tag.lower() for tag in some if isinstance(tag, str)):
            yield from _quest_step(call, "any")


def _quest_step(call: CallOutcome, step: str) -> Iterator[Effect]:
    if not step or step in ("list", "get"):
        return
    quest = call.result.get("quest")
    names = [text_of(source, key) for source in (call.args, quest) if isinstance(source, Mapping) for key in _TITLES]
    shown = {"operation": step} | refusal(call)
    yield effect(call, EffectKind.QUEST, what=frozenset([step, *filter(None, names)]), shown=shown)


def _manage_party(call: CallOutcome) -> Iterator[Effect]:
    yield from read_result(call)
    step = operation_of(call)
    if step in _CHANGES_PARTY:
        who = text_of(call.args, "character_id", "character_name")
        shown = {"operation": step, "character_id": who} | refusal(call)
        yield effect(call, EffectKind.PARTY, who=who, what=frozenset({step}), shown=shown)


EFFECTS: Mapping[str, EffectReader] = {
    "move": _move,
    "move_party": _move_party,
    "hp_delta": _hp_delta,
    "map_generate": _map_generate,
    "manage_location": _manage_location,
    "manage_notes": _note,
    "manage_party": _manage_party,
    "manage_quest": _quest,
    **dict.fromkeys(_QUEST_STEPS, _quest),
}
