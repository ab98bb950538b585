"""The reply to a turn in words, with the names that its reader knows: complete for a client that shows no data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.model.knowledge import Knowledge
from turnwright.model.state.log_state import outcomes_of_calls
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import compact
from turnwright.model.wire.record import as_action, as_record
from turnwright.protocol.stage1_intake import reported_parts
from turnwright.render.finding import Reading, describe_claim, describe_finding
from turnwright.render.scene_story import happened
from turnwright.rulesets.scenes.projection import place_names
from turnwright.rulesets.story import describe_action, describe_draw, describe_failed_call
from turnwright.rulesets.toolbox import tools_of

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import Record, Reply

Json = Mapping[str, Any]
_STATUS = {
    "partial": "part of the turn was done",
    "failed": "nothing of the turn was done",
    "empty": "recorded",
    "waiting": "the turn waits for dice that people throw",
    "retry_needed": "withheld: the text contradicts what happened. Hand the turn in again under the same turn_id, with "
    "the missing calls or without what did not happen",
}


def describe_reply(
    turn: JsonObject | Record, seen: Reply, world: World, knowledge: Knowledge, record: Record | None
) -> str:
    """Return the result of a turn, a line for each part.

    Args:
        turn: as submitted, or its record.
        seen: the reader's view of the reply.
        world: the campaign after the turn.
        knowledge: what the reader knows.
        record: the record of the turn, for the game master's dice; None if there is none.
    """
    if seen["status"] == "refused":
        return f"refused: {describe_failed_call(seen, knowledge)}"
    lines = [*_heads(turn, seen), *_parts(turn, seen, world, knowledge, record)]
    if knowledge.is_game_master:
        lines += _made(record, lines)
    lines += _findings(seen, knowledge)
    lines += _events(seen, world)
    if request := seen.get("request"):
        lines += describe_request(request, knowledge)
    return "\n".join(lines) or "done"


def _heads(turn: JsonObject | Record, seen: Reply) -> Iterator[str]:
    has_more = len(seen["applied_actions"]) + len(seen["tool_feedback"]["failed_calls"]) != 1
    told = _STATUS.get(seen["status"])
    if told and (has_more or seen["status"] in ("waiting", "retry_needed")):
        yield f"{seen['turn_id']}: {told}"
    elif has_more and seen["status"] == "applied" and turn.get("assistant_text"):
        yield f"{seen['turn_id']}: the turn was done and its text recorded"
    if "undone_by" in seen:
        yield f"this turn was taken before; record {seen['undone_by']} has undone it"


def _parts(
    turn: JsonObject | Record, seen: Reply, world: World, knowledge: Knowledge, record: Record | None
) -> Iterator[str]:
    """Yield a line for each part. A caller knows the arguments of its own calls, which a projection leaves out."""
    args_of = {} if knowledge.is_game_master else _args_of_own(turn, seen)
    shows_labels = len(seen["applied_actions"]) + len(seen["tool_feedback"]["failed_calls"]) > 1
    tools = tools_of(world.campaign)
    for action in seen["applied_actions"]:
        whole = as_action({"args": args_of.get(id(action)) or {}, **action})
        words = describe_action(whole, knowledge, record if knowledge.is_game_master else None)
        tool = tools.get(str(action["tool"]))
        if tool is not None and tool.reads:
            words = f"{words}\n{compact(action['result']).decode()}"
        if words:
            yield f"{action['id']} {action['tool']}: {words}" if shows_labels else words
        yield from (f"note: {warning}" for warning in action.get("warnings", ()))
        yield from (f"taken as: {compact(one).decode()}" for one in action.get("corrections", ()))
    for call in seen["tool_feedback"]["failed_calls"]:
        label = f"{call['id']} {call['tool']}: " if shows_labels and call["id"] != call["tool"] else ""
        yield f"{label}not done: {describe_failed_call(call, knowledge)}"


def _args_of_own(turn: JsonObject | Record, seen: Reply) -> Mapping[int, JsonValue]:
    """Return the arguments of a caller's own calls, by the identity of what the projection has of each."""
    if seen["status"] == "waiting":
        return {}
    own = outcomes_of_calls(as_record({**reported_parts(dict(turn)), **seen}))
    return {id(entry): call.get("args") for call, entry in own if entry is not None}


def _made(record: Record | None, lines: Sequence[str]) -> Iterator[str]:
    """Yield the ids of documents that a turn made and that no line names: the next call may need them."""
    told = " ".join(lines)
    changes = record.get("changes", {}) if record else {}
    added = (
        patch[0]["value"] for patch in changes.values() if patch and patch[0]["op"] == "add" and patch[0]["path"] == ""
    )
    ids = [made["id"] for made in added if isinstance(made, Mapping) and isinstance(made.get("id"), str)]
    if untold := [identifier for identifier in ids if identifier not in told]:
        yield f"new ids: {', '.join(untold)}"


def _findings(seen: Reply, knowledge: Knowledge) -> Iterator[str]:
    findings = seen.get("findings") or ()
    if findings:
        reading = Reading.of(seen, knowledge, is_now=True, has_read=True)
        for finding in findings:
            claim, fact = describe_claim(finding, reading), describe_finding(finding, reading)
            yield f"{finding['severity']}: the text says {claim}: {fact}"


def _events(seen: Reply, world: World) -> Iterator[str]:
    events = [event for event in seen.get("events") or () if event["audience"] != "log"]
    if events:
        ids = [event["data"]["location"] for event in events if event["type"] == "SceneStarted"]
        yield from (line.text for line in happened(events, place_names(world, ids)) if not line.is_prose)


def describe_request(request: Mapping[str, Any], knowledge: Knowledge) -> list[str]:
    """Return the request to the players, and the possible answers.

    Args:
        request: the open request of a scene game, or one for table dice.
        knowledge: what the reader knows.
    """
    if "request_id" in request:
        head = f"waiting for dice ({request['request_id']}); answer_request takes the faces in this order, or cancel:"
        return [head, *(f"  d{die['sides']}: {describe_draw(die, knowledge)}" for die in request["dice"])]
    head = f"asked of the players ({request['kind']}, {request['id']}): {request['prompt'] or request['kind']}"
    return [head, *(f"  {line}" for line in _choices(request["kind"], request["payload"]))]


def _choices(kind: str, payload: Mapping[str, Any]) -> Iterator[str]:
    if kind == "dice":
        from turnwright.render.scene_story import price_in_words

        for die in payload["dice"]:
            price = price_in_words(die)
            yield f"{die['index']}: a {die['value']}, {die['tier']}: {die['hint']}" + (f" ({price})" if price else "")
    elif kind == "choice":
        for option in payload["options"]:
            closed = " (not available)" if option.get("disabled") else ""
            about = f": {option['hint']}" if option.get("hint") else ""
            yield f"{option['index']} or {option['key']}: {option['label']}{about}{closed}"
    elif kind == "text":
        yield from (f"{place}: {told}" for place, told in enumerate(payload["suggestions"], start=1))
    elif kind == "creation":
        yield "an object with name, pronouns, archetype and background, or cancel"
        yield f"archetypes: {', '.join(one['key'] for one in payload['archetypes'])}"
        yield f"pronouns: {', '.join(one['key'] for one in payload['pronouns'])}"
        yield from (f"{card['position']}: {card['name']}, {card['meaning']}" for card in payload["tarot_spread"])
    else:
        yield compact(dict(payload)).decode()
