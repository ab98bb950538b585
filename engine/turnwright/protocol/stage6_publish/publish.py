"""Stage 6: the reply, and what one reader may see of it.

Source: docs/stages/6-publish.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.model.errors import CampaignBusy, CampaignError, CampaignInvalid
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer, request_for
from turnwright.model.wire.reason import Problem, Reason
from turnwright.model.wire.record import as_action, as_event, as_reply, hints_of, reply_of
from turnwright.protocol.stage1_intake import TurnRefused
from turnwright.render.reason import describe_reason
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.toolbox import TOOLS

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import (
        AppliedAction,
        BatchItem,
        CommandFailure,
        ConversationRequest,
        Data,
        FailedCall,
        Hint,
        ProblemEntry,
        Record,
        RecordedEvent,
        Reply,
    )
    from turnwright.protocol.stage6_publish.onlookers import Onlookers
    from turnwright.protocol.stage6_publish.player_hints import Known
    from turnwright.rulesets.events import EventType


T = TypeVar("T")
F = TypeVar("F", "FailedCall", "BatchItem")
G = TypeVar("G", "FailedCall", "BatchItem", "Reply")

__all__ = ["problems_as_json", "project", "redact_detail", "redact_failure", "refused", "reply_of"]


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
    if failure.hint:
        reply["hint"] = failure.hint
    return reply


def not_taken(error: CampaignBusy | CampaignInvalid, timestamp: str) -> Reply:
    """Return the reply to a turn that the campaign could not take."""
    return {**refused(TurnRefused(error.reason, str(error)), timestamp), **error_as_json(error)}


def error_as_json(error: CampaignError) -> CommandFailure:
    """Return why a command stopped, as data. It has no `status`: it is not a reply, and earlier output stays valid."""
    failure: CommandFailure = {"reason": error.reason.value, "detail": str(error)}
    if isinstance(error, CampaignInvalid):
        failure["problems"] = problems_as_json(error.problems)
    return failure


def problems_as_json(problems: Sequence[Problem]) -> list[ProblemEntry]:
    """Return problems as data."""
    return [
        {"file": p.file, "path": p.path, "rule": p.rule, "message": p.message, "warning": p.warning} for p in problems
    ]


_HEAD = ("turn_id", "seq", "timestamp", "status", "reason", "detail", "dry_run")
_OF_ACTIONS = ("id", "tool", "alias_of", "result", "timestamp", "corrections", "warnings")
_OF_ITEMS = ("index", "ok", "result", "warnings")
_OF_FAILURES = ("id", "tool", "index", "ok", "status", "reason", "detail")
_OF_EVENTS = ("type", "part", "segment", "audience", "data", "cause")
"""The keys that players may see, of each kind of entry; any other key is hidden."""
_SPELLINGS = ("case", "alias", "fuzzy")
"""Corrections that players may see: of words that they wrote themselves, and not of figures or squares."""


def project(reply: Reply | Record, viewer: Viewer, *, own: bool = False, world: World | None = None) -> Reply:
    """Return what one viewer may see of a reply, or of the record that it was read from.

    The game master sees all of it. A player sees the events for players, a request to that player or to the table, and
    the results of their own turn, without arguments, and with hints that name only what the player may see. A turn is
    not a player's own because their character acted in it: the game master acts as characters, too. The party sees what
    each of its players sees of another player's turn, and requests to any of them. A character that a model plays sees
    how the turn ended; `game_master.knowledge.redaction` shows it the results of its calls.

    Everything that is on no list is hidden: an event that no ruleset of the campaign declares, or a key of its
    data that the row lacks; a tool, or a key of its result, without a row of `rulesets.visibility`; any other key of a
    reply.

    Args:
        reply: the reply, or the record.
        viewer: the reader.
        own: whether the turn came through this viewer's door. A record says that by itself.
        world: the campaign, for the names that hints may contain and the results that concern others; default: hints
            name nothing, and results that would have to be judged are `{}`.

    Source: docs/stages/6-publish.md, "Projections".
    """
    if viewer.is_game_master:
        return as_reply(dict(reply))
    held: Mapping[str, object] = reply
    seen = as_reply({key: held[key] for key in _HEAD if key in held})
    if viewer.kind == "character":
        return seen
    sight = _Sight(world, viewer)
    if reply["status"] == "refused":
        return sight.with_hint(seen, hints_of(as_reply(reply)))
    is_own = own or (viewer.kind == "player" and reply.get("authority") == viewer.authority)
    kinds = event_types(world) if reply["events"] else {}
    hidden = _unnamed(reply["events"], kinds)
    applied = reply["applied_actions"] if is_own else []
    failed = reply["tool_feedback"]["failed_calls"] if is_own else []
    asked = None if reply["status"] == "waiting" else reply["request"]  # dice are the game master's to answer
    sight.request = request_for(viewer, asked)
    seen["applied_actions"] = [
        _cleared(own_action(action, sight.onlookers, sight.failure), hidden) for action in applied
    ]
    seen["tool_feedback"] = {"failed_calls": list(map(sight.failure, failed))}
    seen["events"] = [_event(event, kinds, hidden) for event in reply["events"] if _is_for_players(event, kinds)]
    seen["request"] = sight.request
    return seen


class _Sight:
    """What a player may see of the campaign, computed on first use: most replies do not need it."""

    def __init__(self, world: World | None, viewer: Viewer) -> None:
        self._world = world
        self._viewer = viewer
        self.request: ConversationRequest | None = None

    @cached_property
    def onlookers(self) -> Onlookers | None:
        if self._world is None:
            return None
        from turnwright.protocol.stage6_publish.onlookers import Onlookers  # only the calls of players need it

        return Onlookers(self._world)

    @cached_property
    def _known(self) -> Known | None:
        if self._world is None:
            return None
        from turnwright.protocol.stage6_publish.player_hints import known_to

        return known_to(self._world, self._viewer.character_id)

    def failure(self, call: F) -> F:
        return redact_own_failure(call, self._known if hints_of(call) else None, self.request)

    def with_hint(self, seen: Reply, hints: Sequence[Hint]) -> Reply:
        return _with_hint(seen, hints, self._known if hints else None, None)


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


def own_action(
    action: AppliedAction, onlookers: Onlookers | None, told: Callable[[BatchItem], BatchItem]
) -> AppliedAction:
    """Return a player's own action without arguments; failed items of a batch are shown like failed calls.

    Args:
        action: the action.
        onlookers: as for `project`.
        told: formats failed calls.
    """
    result = _result(action, onlookers)
    seen = _without_hidden_warnings({**_only(action, _OF_ACTIONS), "result": result})
    corrections = action.get("corrections", ())
    spelled = [each for each in corrections if each["how"] in _SPELLINGS]
    if len(spelled) < len(corrections):
        seen = {**seen, "corrections": spelled} if spelled else _without(seen, "corrections")
    if _is_batch(action):
        rows = [_only(item, _OF_ITEMS) if item["ok"] else told(item) for item in result.get("results", ())]
        seen["result"] = {**result, "results": [_without_hidden_warnings(row) for row in rows]} if rows else result
    return as_action(seen)


def _is_batch(action: AppliedAction) -> bool:
    return "batch" in action["args"] and "results" in action["result"]


def _without_hidden_warnings(done: Mapping[str, T]) -> dict[str, T]:
    """Return an action, or an item of a batch, without warnings where its result is not told: they may tell as much."""
    return _without(done, "warnings") if done.get("result") == {} else dict(done)


def _result(action: AppliedAction, onlookers: Onlookers | None) -> Data:
    """Return what a player may know of the result of their own part."""
    if onlookers is not None:
        return onlookers.own_result(action)
    row = TOOLS.visibility_of(action["tool"])
    if row.subject != "caller":
        return {}
    result = action["result"]
    if not _is_batch(action):
        return row.cut(result)
    rows = [{**item, "result": row.cut(item["result"])} if item["ok"] else item for item in result["results"]]
    return {"results": rows, "succeeded": result["succeeded"], "failed": result["failed"]}


def redact_failure(call: F) -> F:
    """Return a failed call or item of a batch without hint, its detail naming nothing that a player has not met."""
    return _without_hints(call) if _is_safe(call) else redact_detail(call)


def redact_own_failure(call: F, known: Known | None = None, request: ConversationRequest | None = None) -> F:
    """Return what a player may know of their own failed call or batch item, with the visible part of its hint.

    Args:
        call: the failed call or item.
        known: the names that hints may show to this player; default: none.
        request: the one that is open for the player.
    """
    return _with_hint(redact_failure(call), hints_of(call) if _is_safe(call) else (), known, request)


def redact_detail(call: F) -> F:
    """Return a failed call or item of a batch without hint, its detail saying its reason and naming nothing."""
    seen = _without_hints(call)
    seen["detail"] = describe_reason(_first_reason(call))
    return seen


def _without_hints(call: F) -> F:
    kept: Any = _only(call, _OF_FAILURES)
    seen: F = kept
    return seen


def _first_reason(call: FailedCall | BatchItem) -> str:
    hint = call.get("hint")
    return hint.get("first_reason", call["reason"]) if hint else call["reason"]


def _is_safe(call: FailedCall | BatchItem) -> bool:
    return _first_reason(call) in _SAFE_DETAILS


def _with_hint(seen: G, hints: Sequence[Hint], known: Known | None, request: ConversationRequest | None) -> G:
    """Return what failed with what a player may see of its hint."""
    from turnwright.protocol.stage6_publish.player_hints import NOTHING, redact_hint  # only players are given it

    left = [told for hint in hints if (told := redact_hint(hint, known or NOTHING, request))]
    whole = seen.copy()
    if left:
        whole["hint"] = left[0]
    if len(left) > 1:
        whole["hints"] = left
    return whole


Hidden = Mapping[str, Set[str]]
"""Ids that players may not know of, by the key of results and of data of events that may name them."""


def event_types(world: World | None) -> Mapping[str, EventType]:
    """Return the events that the rulesets of a campaign declare; by default those that come with turnwright."""
    return (BUILT_IN if world is None else tables_of(world.campaign)).events


def _event(event: RecordedEvent, kinds: Mapping[str, EventType], hidden: Hidden) -> RecordedEvent:
    """Return an event for players. It omits which clock breaks in: players who saw it fill know."""
    kind = kinds[event["type"]]
    data = _only(event["data"], [key for key in kind.data if key not in kind.private])
    return as_event({**_only(event, _OF_EVENTS), "data": _cleared(data, hidden)})


def _is_for_players(event: RecordedEvent, kinds: Mapping[str, EventType]) -> bool:
    """Return whether an event is of a kind for players, and was for players when it happened."""
    return event["audience"] == "player" and event["type"] in kinds


def _unnamed(events: Sequence[RecordedEvent], kinds: Mapping[str, EventType]) -> Hidden:
    """Return the ids of what a turn moved unseen, such as hidden clocks: the events about them are not for players."""
    hidden: dict[str, set[str]] = {}
    for event in events:
        kind = kinds.get(event["type"])
        if kind is not None and kind.hides is not None and event["audience"] != "player":
            for key in kind.hides.keys:
                hidden.setdefault(key, set()).add(event["data"][kind.hides.id])
    return hidden


def _cleared(value: Any, hidden: Hidden) -> Any:
    """Return a value without these ids, wherever it names them."""
    if isinstance(value, list):
        return [_cleared(item, hidden) for item in value]
    if not isinstance(value, Mapping):
        return value
    cleared = {key: _cleared(item, hidden) for key, item in value.items()}
    for key, ids in hidden.items():
        named = cleared.get(key)
        if isinstance(named, list):
            cleared[key] = [item for item in named if not (isinstance(item, str) and item in ids)]
        elif isinstance(named, str) and named in ids:
            cleared[key] = None
    return cleared


def _only(entry: Mapping[str, T], keys: Collection[str]) -> dict[str, T]:
    return {name: value for name, value in entry.items() if name in keys}


def _without(entry: Mapping[str, T], key: str) -> dict[str, T]:
    return {name: value for name, value in entry.items() if name != key}
