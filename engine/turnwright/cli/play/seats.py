"""The seat at the keyboard, and what it may see.

A seat is `table` (the party together: they share what players may see), `gm`, or `player:<character id>`.
Source: docs/agents.md, "Seats".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.model.authority import GM, as_player, player_of
from turnwright.model.call_shapes import understood_calls
from turnwright.model.dice.draws import Draw
from turnwright.model.knowledge import Knowledge
from turnwright.model.state.overlay import World
from turnwright.model.viewer import GAME_MASTER
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.protocol.stage6_publish.onlookers import Onlookers
from turnwright.protocol.stage6_publish.publish import redact_detail, redact_failure
from turnwright.render.finding import marked
from turnwright.rulesets.story import is_of_scene_game

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, FailedCall, Record, Reply

Json = Mapping[str, Any]
TABLE = "table"
_OF_PLAYERS = ("answer", "user_input")
"""The parts of a turn that a player hands in."""


def authority_of(seat: str) -> str:
    """Return the authority of a speaker; the table's is that of the command line."""
    return GM if seat == TABLE else seat


def eyes_of(seat: str, acting_id: str | None) -> str:
    """Return the reader whose projection a seat is shown."""
    return as_player(acting_id or "") if seat == TABLE else seat


def listeners_of(seat: str, world: World) -> frozenset[str]:
    """Return the characters a seat hears through: its own, every player's for the table, none for the game master."""
    if seat == TABLE:
        return frozenset(one.id for one in world.party() if one.character_type == "pc")
    player = player_of(seat)
    return frozenset() if player is None else frozenset({player})


class Shown:
    """The seat's view of turns besides the story: everything, open actions, or nothing.

    Args:
        seat: the seat.
        onlookers: the onlookers whose view it has; None for the game master, who sees everything.
    """

    def __init__(self, seat: str, onlookers: Onlookers | None) -> None:
        self._seat = seat
        self._onlookers = onlookers

    def knowledge(self, world: World) -> Knowledge:
        """Return what the seat knows, for words about calls and dice.

        Args:
            world: the campaign, whose names the game master reads.
        """
        return WorldKnowledge(world, GAME_MASTER) if self._onlookers is None else self._onlookers.knowledge

    def actions(self, turn: Record) -> Iterator[AppliedAction]:
        """Yield the actions of a turn, or of the reply to it, as they may be told."""
        for done in turn["applied_actions"]:
            if self.is_open(done["tool"], turn):
                seen = self._onlookers.action(done) if self._onlookers else done
                if seen is not None:
                    yield seen if self._onlookers is None else _without_secrets(seen)

    def draws(self, record: Record) -> Iterator[Draw]:
        """Yield the dice of a turn: all for the game master, for the table those of actions that may be told.

        A player's seat is shown those of its own character.
        """
        for draw in record["draws"]:
            done = _actions_of(record, draw)
            if self._seat == GM or (done and all(self._tells(action, draw, record) for action in done)):
                yield draw

    def reply(self, reply: Reply, record: Record | None) -> Reply:
        """Return a reply with what it tells of the parts that were handed in.

        Args:
            reply: the reply.
            record: its record, which has the arguments of calls that failed; None of a turn that is wanted again.
        """
        if self._onlookers is None or reply["status"] == "refused":
            return reply
        failed = list(self._failed(reply["tool_feedback"]["failed_calls"], record or as_record({})))
        return {
            **reply,
            "applied_actions": list(self.actions(record or as_record(reply))),
            "tool_feedback": {"failed_calls": failed},
            "findings": marked(reply["findings"]),
        }

    def is_open(self, tool: str, turn: Record | None = None) -> bool:
        """Return whether the seat is shown what a tool does.

        Args:
            tool: its name.
            turn: the record of the turn that calls it; without it, the game master is who does.
        """
        return self._seat == GM or (self._seat == TABLE and self._is_public(tool, turn))

    def names_purpose(self, tool: str, turn: Record) -> bool:
        """Return whether the seat may see the purpose of a die of a tool before it falls.

        Args:
            tool: its name.
            turn: the record of the turn that calls it.
        """
        return self._seat == GM or self._is_public(tool, turn)

    def _is_public(self, tool: str, turn: Record | None) -> bool:
        audience = self._onlookers.audience_of(tool) if self._onlookers is not None else "caller"
        if audience == "callers":
            return turn is not None and player_of(turn.get("authority", GM)) is not None
        return audience == "table"

    def tells_failure(self, call: FailedCall, args: Any, record: Record) -> bool:
        """Return whether the seat is told that a call of the game master's failed.

        Args:
            call: the failed call.
            args: its arguments.
            record: its turn.
        """
        if self._onlookers is None:
            return True
        player = player_of(self._seat)
        if player is not None:
            is_own = self._is_of(player, call["tool"], args, record)
            return is_own and self._is_public(call["tool"], record) and self._onlookers.sees_call(call["tool"], args)
        return self.is_open(call["tool"], record) and self._onlookers.sees_call(call["tool"], args)

    def own_actions(self, turn: Record) -> Iterator[AppliedAction]:
        """Yield the actions of a turn that concern the character of a player's seat, as they may be told to it."""
        player, onlookers = player_of(self._seat), self._onlookers
        if player is None or onlookers is None:
            return
        for done in turn["applied_actions"]:
            if self._is_public(done["tool"], turn) and self._is_of(player, done["tool"], done["args"], turn):
                seen = onlookers.action(done)
                if seen is not None:
                    yield _without_secrets(seen)

    @staticmethod
    def _is_of(player: str, tool: str, args: Any, turn: Record) -> bool:
        """Return whether a call moves or names the seat's character."""
        if tool == "move" and turn.get("actor_id") == player:
            return True
        return isinstance(args, Mapping) and any(value == player for value in args.values())

    def is_seen(self, person_id: str) -> bool:
        """Return whether a participant is not hidden from the seat in a fight."""
        return self._onlookers is None or person_id not in self._onlookers.unseen

    def _failed(self, failed: Iterable[FailedCall], record: Record) -> Iterator[FailedCall]:
        """Yield the parts that failed: a player's own as that player may see them, of others only that they failed."""
        for call in failed:
            if call["tool"] in _OF_PLAYERS:
                yield redact_failure(call)
            elif call["tool"] == "output" or (self.is_open(call["tool"], record) and self._is_seen_call(call, record)):
                yield redact_detail(call)

    def _is_seen_call(self, failed: FailedCall, record: Record) -> bool:
        assert self._onlookers is not None
        made = [call for call in understood_calls(record.get("tool_calls") or ()) if _id_of(call) == failed["id"]]
        return bool(made) and all(self._onlookers.sees_call(failed["tool"], call.get("args")) for call in made)

    def _tells(self, action: AppliedAction, draw: Draw, record: Record) -> bool:
        if self._onlookers is None or not self._onlookers.tells(action, draw):
            return self._onlookers is None
        player = player_of(self._seat)
        if player is None:
            return self.is_open(action["tool"], record)
        is_own = record.get("authority") == self._seat or self._onlookers.is_thrown_by(player, draw)
        return is_own and self._is_public(action["tool"], record)


def _without_secrets(action: AppliedAction) -> AppliedAction:
    """Return an action without what the game master wrote down in a scene game: players read of it in its events."""
    if not is_of_scene_game(action["tool"]):
        return action
    seen = action.copy()
    seen.pop("args", None)
    return seen


def _id_of(call: Any) -> Any:
    return call.get("id") if isinstance(call, Mapping) else None


def _actions_of(record: Record, draw: Draw) -> list[AppliedAction]:
    """Return what came of the call that a die was thrown for; of calls with one id, what came of each."""
    calls, place = understood_calls(record.get("tool_calls") or ()), draw["part"] - 1
    call = calls[place] if 0 <= place < len(calls) else None
    return [action for action in record["applied_actions"] if action["id"] == _id_of(call)]
