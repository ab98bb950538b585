"""Redact the results of an NPC's tool calls to what that NPC may know.

The reply and the record tell the game master everything; a person learns what they did, and what they could have meant.
Source: docs/agents.md, "What a played character learns of its calls".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.game_master.knowledge.known_world import KnownWorld
from turnwright.model.base import name_tag
from turnwright.model.fuzzy_match import MAX_COUNT, nearest
from turnwright.model.json_types import JsonObject
from turnwright.model.wire.hint import NONE as NO_HINT
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.record import as_hint, as_reply, hints_of
from turnwright.protocol.stage3_tools.checks import tool_called
from turnwright.protocol.stage3_tools.normalize import snake, snake_keys
from turnwright.protocol.stage6_publish.publish import redact_failure

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import BatchItem, FailedCall, Hint, Reply

Json = Mapping[str, Any]
F = TypeVar("F", "FailedCall", "BatchItem")
_KEPT_OF_HINTS = ("field", "got", "add", "use", "first_reason")
_OF_THE_SCHEMA = (Reason.INVALID_CALL, Reason.INVALID_ARGS, Reason.AMBIGUOUS)
"""Reasons whose hints hold words and bounds of the schema, where no argument says otherwise."""
_OF_STATE = ("item_id", "item_name", "slot", "from_container", "objective_id")
"""Arguments whose hints derive from a character's belongings, or from a quest."""


def redact_reply(reply: Reply, horizon: KnownWorld, calls: Iterable[Any]) -> Reply:
    """Return a reply, or a record of calls, redacted for the agent that made the calls.

    Args:
        reply: the game master's view of it.
        horizon: the character's knowledge after the turn.
        calls: the original calls.
    """
    if reply["status"] == "refused":
        is_own = reply["reason"] == Reason.INVALID_TURN
        told = reply["detail"] if is_own else "the turn could not be taken"
        return as_reply({"status": "refused", "reason": reply["reason"], "detail": told})
    asked = list(calls)
    applied = [
        {
            "id": done["id"],
            "tool": done["tool"],
            "result": _result(done["tool"], done["args"], done["result"], horizon),
        }
        for done in reply["applied_actions"]
    ]
    failures = reply["tool_feedback"]["failed_calls"]
    failed = [_failed(one, one["tool"], _args_of(one["id"], asked), horizon) for one in failures]
    return as_reply({**reply, "applied_actions": applied, "tool_feedback": {"failed_calls": failed}})


def _args_of(call_id: str, asked: Sequence[Any]) -> JsonObject:
    """Return the arguments of the one call of an id; none where several share it."""
    found = [one.get("args") for one in asked if isinstance(one, Mapping) and one.get("id") == call_id]
    return found[0] if len(found) == 1 and isinstance(found[0], Mapping) else {}


# what was done


def _result(tool: str, args: JsonObject, result: JsonObject, horizon: KnownWorld) -> JsonObject:
    if not isinstance(items := result.get("results"), list):
        return OUTCOMES[tool](result, horizon) if tool in OUTCOMES else {}
    told = [
        {"index": one["index"], "ok": True, "result": _result(tool, {}, one["result"], horizon)}
        if one["ok"]
        else _failed(one, tool, args, horizon)
        for one in items
    ]
    return {**result, "results": told}


_OF_WHO_HAD_IT = ("remaining", "slot", "unequipped", "equipped", "total_weight", "capacity", "encumbered")


def _of_inventory(result: Json, horizon: KnownWorld) -> JsonObject:
    """Return the transferred items; remaining amounts and other items only for owners whose belongings are known."""
    is_known = result["character_id"] in horizon.owners
    is_between = result["operation"] == "transfer"
    keys = ("operation", "character_id", "quantity", *(_OF_WHO_HAD_IT if is_known else ()))
    told = {key: result[key] for key in (*keys, *(("from", "to") if is_known or is_between else ())) if key in result}
    if item := result.get("item"):
        has_it = result["to"] if is_between else result["character_id"]
        told["item"] = item if has_it in horizon.owners else {"name": item["name"]}
    if healing := result.get("healing"):
        is_own = healing["target_id"] in horizon.owners
        told["healing"] = healing if is_own else _without(healing, ("hp", "max_hp"))
    return told


def _of_notes(result: JsonObject, horizon: KnownWorld) -> JsonObject:
    del horizon
    return {"note": result["note"]} if "note" in result else {}


def _of_quests(result: Json, horizon: KnownWorld) -> JsonObject:
    if not (quest := result.get("quest")):
        return {}
    is_own = quest["quest_id"] in horizon.quests
    return {"quest": quest if is_own else {key: quest[key] for key in ("quest_id", "status")}}


def _of_places(result: Json, horizon: KnownWorld) -> JsonObject:
    if edge := result.get("edge"):
        return {"edge": {key: edge[key] for key in ("from_location_id", "to_location_id", "connection_type")}}
    place = result.get("location", {})
    keys = ("location_id", "name", "discovered") if place.get("location_id") in horizon.places else ("location_id",)
    return {"location": {key: place[key] for key in keys if key in place}}


def _of_steps(result: JsonObject, horizon: KnownWorld) -> JsonObject:
    del horizon
    return dict(result)


def _of_ways(result: Json, horizon: KnownWorld) -> JsonObject:
    return {"options": [one for one in result["options"] if one["to_area_id"] in horizon.areas]}


OUTCOMES: Mapping[str, Callable[[Json, KnownWorld], JsonObject]] = {
    "manage_inventory": _of_inventory,
    "manage_notes": _of_notes,
    "manage_quest": _of_quests,
    "manage_location": _of_places,
    "move": _of_steps,
    "move_options": _of_ways,
}
"""The keys of a result that are shown, by tool; results of other tools are not shown."""


def _without(value: JsonObject, keys: Collection[str]) -> JsonObject:
    return {key: each for key, each in value.items() if key not in keys}


# what failed


def _failed(failure: F, tool: str, args: JsonObject, horizon: KnownWorld) -> F:
    """Return a failed call or item with what of its hint may be told."""
    left = [told for each in hints_of(failure) if (told := _hint(failure, each, tool, args, horizon))]
    hint = failure.get("hint")
    if hint and isinstance(items := hint.get("items"), list):
        first, *more = left or [NO_HINT]
        of_items = [_failed(one, tool, args, horizon) for one in items if not one["ok"]]
        left = [{**first, "items": of_items}, *more]
    seen = redact_failure(failure)
    if left:
        seen["hint"] = left[0]
    if len(left) > 1:
        seen["hints"] = left
    return seen


def _hint(failure: FailedCall | BatchItem, repair: Hint, tool: str, args: JsonObject, horizon: KnownWorld) -> Hint:
    held: Mapping[str, object] = repair
    if repair.get("remove"):
        return as_hint({key: held[key] for key in ("field", "remove") if key in held})
    told = as_hint({key: held[key] for key in _KEPT_OF_HINTS if key in held})
    if "allowed" in repair and (allowed := _offered(failure, repair, repair["allowed"], tool, args, horizon)):
        told["allowed"] = allowed
    if "choices" in repair and (choices := _offered(failure, repair, repair["choices"], tool, args, horizon)):
        told["choices"] = choices
    return told


def _offered(
    failure: FailedCall | BatchItem,
    repair: Hint,
    values: Sequence[Any],
    tool: str,
    args: JsonObject,
    horizon: KnownWorld,
) -> Sequence[Any]:
    """Return what a hint may offer: of ids and names those that are known, of the rest what no state tells."""
    field, got = repair.get("field", ""), repair.get("got")
    if field == "tool":
        return nearest(got, horizon.tools)
    called = tool_called(tool)
    canonical = called.name if called else ""
    given, name = _place_of(field, args)
    known = _known(name, canonical, horizon)
    if known is not None:
        return _of_these(values, known, got)
    is_own = _is_of_owner(given, horizon) if canonical == "manage_inventory" else _is_of_giver(given, horizon)
    is_of_schema = repair.get("first_reason", failure["reason"]) in _OF_THE_SCHEMA and name not in _OF_STATE
    return values if is_own or is_of_schema else []


def _place_of(field: str, args: JsonObject) -> tuple[JsonObject, str]:
    """Return the arguments, or the item of a batch, that a hint is about, in plain spelling, and which of them."""
    steps, given = field.split(".")[1:], _plain(args)
    items = given.get(snake(steps[0])) if len(steps) > 2 and steps[1].isdecimal() else None
    if isinstance(items, list) and int(steps[1]) < len(items):
        given, steps = _plain(items[int(steps[1])]), steps[2:]
    return given, snake(steps[0]) if steps else ""


def _plain(args: Any) -> JsonObject:
    return snake_keys(args) if isinstance(args, Mapping) else {}


def _known(name: str, tool: str, horizon: KnownWorld) -> Collection[str] | None:
    """Return what an argument may be of the ids and names that are known; None where it is neither id nor name."""
    if name in _OF_STATE:
        return None
    if name == "operation":
        return horizon.operations.get(tool)
    if name.endswith("location_id"):
        return {*horizon.places.keys(), *horizon.places.values()}
    if name.endswith("area_id"):
        return horizon.areas
    if name == "quest_id":
        return {*horizon.quests.keys(), *horizon.quests.values()}
    if name == "note_id":
        return ()
    if name.endswith("_name"):
        return set(horizon.people.values())
    return horizon.people.keys() if name.endswith("_id") else None


def _of_these(values: Sequence[Any], known: Collection[str], got: Any) -> list[str]:
    """Return the known values; if the list was cut, further known ones, nearest first."""
    kept = [value for value in values if isinstance(value, str) and value in known]
    more = nearest(got, known) if len(values) >= MAX_COUNT else []
    return [*kept, *(value for value in more if value not in kept)][:MAX_COUNT]


def _is_of_owner(given: JsonObject, horizon: KnownWorld) -> bool:
    """Return whether a call concerns a character whose belongings are known."""
    owner, name = given.get("character_id"), given.get("character_name")
    if owner is None and isinstance(name, str):
        return name_tag(name) in {name_tag(horizon.people.get(one, one)) for one in horizon.owners}
    return isinstance(owner, str) and owner in horizon.owners


def _is_of_giver(given: JsonObject, horizon: KnownWorld) -> bool:
    """Return whether a call is about a quest of the person's own."""
    quest = given.get("quest_id")
    titles = map(name_tag, horizon.quests.values())
    return isinstance(quest, str) and (quest in horizon.quests or name_tag(quest) in titles)
