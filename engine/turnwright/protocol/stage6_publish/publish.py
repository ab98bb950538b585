"""Stage 6: the reply, and what one reader may see of it.

Source: docs/stages/6-publish.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from turnwright.model.authority import GM, player_of
from turnwright.model.errors import CampaignBusy, CampaignError, CampaignInvalid
from turnwright.model.wire.reason import Problem, Reason
from turnwright.model.wire.record import hints_of, reply_of
from turnwright.protocol.stage1_intake import TurnRefused
from turnwright.render.reason import describe_reason
from turnwright.tools.registry import TOOLS

if TYPE_CHECKING:
    from turnwright.protocol.stage6_publish.fight_projection import Onlookers
    from turnwright.protocol.stage6_publish.player_hints import Known

Reply = dict[str, Any]

__all__ = ["Reply", "discreet", "nameless", "problems_as_json", "project", "refused", "reply_of"]


def refused(failure: TurnRefused, timestamp: str) -> Reply:
    """Return the reply to a turn that was not taken; it has no `seq`, because nothing was recorded."""
    reply: Reply = {
        "turn_id": failure.turn_id,
        "seq": None,
        "timestamp": timestamp,
        "status": "refused",
        "reason": failure.reason.value,
        "detail": failure.detail,
    }
    return {**reply, "hint": failure.hint} if failure.hint else reply


def not_taken(error: CampaignBusy | CampaignInvalid, timestamp: str) -> Reply:
    """Return the reply to a turn that the campaign could not take."""
    return {**refused(TurnRefused(error.reason, str(error)), timestamp), **error_as_json(error)}


def error_as_json(error: CampaignError) -> dict[str, Any]:
    """Return why a command stopped as data. It has no `status`: it is no reply, and what was told before it stands."""
    told: dict[str, Any] = {"reason": error.reason.value, "detail": str(error)}
    return {**told, "problems": problems_as_json(error.problems)} if isinstance(error, CampaignInvalid) else told


def problems_as_json(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """Return problems as data."""
    return [
        {"file": p.file, "path": p.path, "rule": p.rule, "message": p.message, "warning": p.warning} for p in problems
    ]


def project(
    reply: Mapping[str, Any],
    reader: str,
    *,
    own: bool = False,
    known: Known | None = None,
    onlookers: Onlookers | None = None,
) -> Reply:
    """Return what one reader may see of a reply, or of the record that it was read from.

    The game master sees all of it. A player (`player:<character id>`) sees what is meant for players: events, a request
    to it or to the table, and, when the turn was its own, what became of it, without arguments, and with hints that
    name nothing but what the player may see. Who acted does not make a turn somebody's own: the game master acts as
    characters, too.

    Args:
        reply: the reply, or the record.
        reader: who looks at it.
        own: the turn came through this reader's door. A record knows that by itself.
        known: what hints may name to this player, from `player_hints.known_to`; default: nothing.
        onlookers: the party, by whose eyes it is judged what results may tell of others; default: they tell nothing
            where that is to be judged.
    """
    if reader == GM:
        return dict(reply)
    seen = {key: reply[key] for key in ("turn_id", "seq", "timestamp", "status", "reason", "detail") if key in reply}
    if reply["status"] == "refused":
        return _with_hint(seen, hints_of(reply), known, None)
    from turnwright.scenes.projection import request_to  # campaigns without players and scenes do without it

    is_own = own or reply.get("authority") == reader
    hidden = _hidden_clocks(reply["events"])
    applied = reply["applied_actions"] if is_own else []
    failed = reply["tool_feedback"]["failed_calls"] if is_own else []
    is_for_dice = reply["status"] == "waiting"  # the game master's to answer
    request = None if is_for_dice else request_to(reply["request"], player_of(reader) or "")

    def told(call: Mapping[str, Any]) -> dict[str, Any]:
        return hinted(call, known, request)

    seen["applied_actions"] = [_cleared(own_action(action, onlookers, told), hidden) for action in applied]
    seen["tool_feedback"] = {"failed_calls": list(map(told, failed))}
    seen["events"] = [_event(event, hidden) for event in reply["events"] if event["audience"] == "player"]
    seen["request"] = request
    return seen


_SAFE_DETAILS = frozenset(
    {
        Reason.INVALID_CALL,
        Reason.TOOL_NOT_ALLOWED,
        Reason.NOT_PERMITTED,
        Reason.ACTOR_CONTEXT_MISMATCH,
        Reason.INVALID_ACTOR_STATE,
        Reason.ACTOR_STATE_RESTRICTED,
        Reason.INVALID_ARGS,
        Reason.TURN_ABORTED,
        Reason.STAGE_MISMATCH,
        Reason.SESSION_ENDED,
        Reason.AWAITING_PLAYER,
        Reason.REQUEST_STALE,
        Reason.REQUEST_MISMATCH,
        Reason.ANSWER_INVALID,
        Reason.OPTION_UNAVAILABLE,
    }
)
"""Reasons whose details speak of nothing but what the player handed in, and of the player's own state."""
_NAMES_OF_CLOCKS = ("target", "clock_id", "clocks_advanced")


def own_action(
    action: Mapping[str, Any], onlookers: Onlookers | None, told: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    """Return a player's own action without arguments, and of a batch the items that failed as failed calls are told.

    Args:
        action: the action.
        onlookers: as for `project`.
        told: how failed calls are told.
    """
    result = _result(action, onlookers)
    seen = _as_far_as_told({**_without(action, "args"), "result": result})
    if isinstance(result, Mapping) and isinstance(items := result.get("results"), list):
        rows = [told(item) if isinstance(item, Mapping) and item.get("ok") is False else item for item in items]
        seen["result"] = {**result, "results": [_as_far_as_told(row) for row in rows]}
    return seen


def _as_far_as_told(done: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action, or an item of a batch, without warnings where its result is not told: they may tell as much."""
    return _without(done, "warnings") if done.get("result") == {} else dict(done)


def _result(action: Mapping[str, Any], onlookers: Onlookers | None) -> Any:
    """Return what a player may know of the result of their own part; those of a scene game are made for players."""
    if TOOLS.folders.get(action["tool"], "scenes") == "scenes":
        return action["result"]
    from turnwright.protocol.stage6_publish.fight_projection import OF_ANYBODY  # only what players did needs it

    if onlookers is None:
        return action["result"] if action["tool"] in OF_ANYBODY else {}
    return onlookers.own_result(action)


def discreet(call: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failed call or item of a batch without hint, its detail naming nothing that a player has not met."""
    return _unhinted(call) if _is_safe(call) else nameless(call)


def hinted(
    call: Mapping[str, Any], known: Known | None = None, request: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what a player may know of their own call or item of a batch that failed, with what is left of its hint.

    Args:
        call: what failed.
        known: what hints may name to this player; default: nothing.
        request: the one that is open for the player.
    """
    return _with_hint(discreet(call), hints_of(call) if _is_safe(call) else (), known, request)


def nameless(call: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failed call or item of a batch without hint, its detail saying its reason and naming nothing."""
    return {**_unhinted(call), "detail": describe_reason(call.get("hint", {}).get("first_reason", call["reason"]))}


def _unhinted(call: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in call.items() if name not in ("hint", "hints")}


def _is_safe(call: Mapping[str, Any]) -> bool:
    return call.get("hint", {}).get("first_reason", call["reason"]) in _SAFE_DETAILS


def _with_hint(
    seen: Reply, hints: Sequence[Mapping[str, Any]], known: Known | None, request: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return what failed with what a player may see of its hint."""
    from turnwright.protocol.stage6_publish.player_hints import NOTHING, shown  # only players are given it

    left = [told for hint in hints if (told := shown(hint, known or NOTHING, request))]
    return {**seen, **({"hint": left[0]} if left else {}), **({"hints": left} if len(left) > 1 else {})}


def _event(event: Mapping[str, Any], hidden: Set[str]) -> dict[str, Any]:
    """Return an event for players. Which clock it was that breaks in, those who saw it fill know."""
    data = _without(event["data"], "clock_id") if event["type"] == "InterruptFired" else event["data"]
    return {**event, "data": _cleared(data, hidden)}


def _hidden_clocks(events: Sequence[Mapping[str, Any]]) -> Set[str]:
    """Return the ids of the hidden clocks that a turn moved: their events are not for players."""
    moved = (event for event in events if event["type"] == "ClockAdvanced" and event["audience"] != "player")
    return {event["data"]["id"] for event in moved}


def _cleared(value: Any, hidden: Set[str]) -> Any:
    """Return a value without these clocks, wherever it names clocks."""
    if isinstance(value, list):
        return [_cleared(item, hidden) for item in value]
    if not isinstance(value, Mapping):
        return value
    cleared = {key: _cleared(item, hidden) for key, item in value.items()}
    for key in _NAMES_OF_CLOCKS:
        named = cleared.get(key)
        if isinstance(named, list):
            cleared[key] = [item for item in named if not (isinstance(item, str) and item in hidden)]
        elif isinstance(named, str) and named in hidden:
            cleared[key] = None
    return cleared


def _without(entry: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != key}
