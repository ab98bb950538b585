"""A campaign as one role reaches it: turns handed in as a model's, reads without a record, and nothing of the wire.

Everything in here is synchronous and may be called from several threads, as a `Campaign` may.
Source: docs/mcp.md, "Tools".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from turnwright.campaign.campaign import Campaign
from turnwright.mcp.outcome import Outcome, failure, outcome_of_error, outcome_of_query
from turnwright.mcp.reply_text import describe_reply, describe_request
from turnwright.model.errors import BadRequest, CampaignError
from turnwright.model.json_types import JsonObject
from turnwright.model.open_request import OpenRequest
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer, require_seat
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.reason import Reason
from turnwright.protocol.query import query
from turnwright.protocol.stage3_tools.checks import tool_called
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.protocol.stage6_publish.publish import project
from turnwright.rulesets.toolbox import tools_of
from turnwright.toolset.calls import completed_args
from turnwright.toolset.offered import Profile, Role
from turnwright.views.state import require_member

Json = Mapping[str, Any]
Source = Literal["model", "person"]
"""Whether a model or a person at the table made an answer."""
_CALL_ID = "call"
_AGENT = str(AgentKind.NARRATIVE)
"""The agent name of a model here, in fights too: always the same, so that a turn can be resubmitted."""


class Door:
    """One role's access to a campaign.

    Args:
        campaign: the campaign; it stays the caller's to close.
        authority: `gm`, or `player:` and the id of a character in the party.
        can_undo: whether the game master may undo turns through this door.
        profile: the level of detail of its tool list.

    Raises:
        BadRequest: when there is no such player, or a player is to undo.
    """

    def __init__(
        self, campaign: Campaign, authority: str, *, can_undo: bool = False, profile: Profile = "full"
    ) -> None:
        self.campaign = campaign
        self.authority = authority
        self.role = Role(authority)
        self.profile = profile
        self.viewer = Viewer.of(authority)
        require_seat(self.viewer)
        if can_undo and not self.is_game_master:
            raise BadRequest("only the game master can undo")
        self.can_undo = can_undo
        with campaign.reading() as world:
            require_member(world, authority)
            self._tools = tools_of(world.campaign)
            """Those of its rulesets: to look at the campaign before each turn would bring its files up to the log."""

    @property
    def is_game_master(self) -> bool:
        """Whether this role sees everything."""
        return self.viewer.is_game_master

    @contextmanager
    def reading(self) -> Iterator[World]:
        """Give the campaign as of its last record, once it is known that this role still exists."""
        with self.campaign.reading() as world:
            require_member(world, self.authority)
            yield world

    # calls

    def call(self, name: str, args: JsonObject) -> Outcome:
        """Call one tool: as a separate turn if it changes or draws, else as a read without a record."""
        tool = tool_called(name, self._tools)
        if tool is None or tool.reads:
            with self.reading() as world:
                self._tools = tools_of(world.campaign)
                tool = tool_called(name, self._tools)
                if tool is None or tool.reads:
                    return self._read(name, args, world)
        return self.take({"tool_calls": [{"id": _CALL_ID, "tool": name, "args": dict(args)}]}, is_call=True)

    def _read(self, name: str, args: JsonObject, world: World) -> Outcome:
        if self.profile != "full":
            args = completed_args(world, name, args, self.role)
        answer = query(name, args, world, self.role.policy(world), self.campaign.open_packs)
        return outcome_of_query(name, args, answer, self.knowledge(world))

    def take(self, turn: JsonObject, *, source: Source = "model", is_call: bool = False) -> Outcome:
        """Submit a turn and return its result, as this role may see it.

        Args:
            turn: the turn; the game master's gets an `agent` if it names none.
            source: its author; a person's turn gets no `agent`.
            is_call: whether the turn represents the single call in it.
        """
        handed_in = dict(turn)
        if self.is_game_master and source == "model" and not _answers_dice(turn):
            handed_in.setdefault("agent", _AGENT)
        reply = self.campaign.process(
            handed_in, authority=self.authority, by_model=source == "model", profile=self.profile
        )
        with self.campaign.as_left() as (world, record_of):
            record = None if reply["seq"] is None else record_of(reply["seq"])
            seen = project(reply, self.viewer, own=True, world=world)
            taken = handed_in if record is None else record  # whose calls are whole
            text = describe_reply(taken, seen, world, self.knowledge(world), record)
            return Outcome.of_turn(seen, text, is_call=is_call)

    def knowledge(self, world: World) -> WorldKnowledge:
        """Return the names that this role may read, with the ids that calls need."""
        return WorldKnowledge(world, self.viewer, shows_ids=True)

    def outcome_of_record(self, seq: int) -> Outcome | None:
        """Return the result of an earlier turn from its record; None if the record is not a turn's."""
        with self.campaign.reading() as world:
            record = next(self.campaign.records(after=seq - 1), None) if seq > 0 else None
            if record is None or record["kind"] not in ("turn", "attempt"):
                return None
            seen = project(record, self.viewer, world=world)
            text = describe_reply(record, seen, world, self.knowledge(world), record)
        return Outcome.of_turn(seen, text)

    # requests

    def open_request(self) -> OpenRequest | None:
        """Return what is asked of the players of this door now; None when nothing is."""
        with self.reading():
            pass  # a player who has left the party gets no request
        return self.campaign.open_request(viewer=self.viewer)

    def describe(self, request: OpenRequest) -> str:
        """Return what a request asks, in words."""
        with self.reading() as world:
            return "\n".join(describe_request(request.request, self.knowledge(world)))

    def answer(self, value: Any, request_id: str | None = None, *, source: Source = "model") -> Outcome:
        """Answer the open request.

        Args:
            value: the answer; for dice of the table the faces in order, or `cancel`.
            request_id: which request is answered; default: the open one.
            source: whether a model submits it, or a person gave it.
        """
        request = self.open_request()
        if request is None:
            return failure(Reason.REQUEST_MISMATCH, "nothing is asked now")
        answer: dict[str, Any] = {"request_id": request_id or request.id, "value": value}
        return self.take({"answer": answer}, source=source)

    # undo

    def undo(self, mark: str | None) -> Outcome:
        """Take back a turn and what followed, and say what went, dice included.

        Raises:
            CampaignError: as for `Campaign.undo`.
        """
        from turnwright.mcp.undo_text import describe_undone

        if not self.can_undo:
            return failure(Reason.NOT_PERMITTED, "undo is not allowed here; start the server with --allow undo")
        done = self.campaign.undo(mark)
        numbers = {entry["seq"] for entry in done["undone"]}
        records = {one["seq"]: one for one in self.campaign.records(after=min(numbers) - 1) if one["seq"] in numbers}
        with self.campaign.reading(at=f"#{max(numbers)}") as world:
            told = describe_undone([records[seq] for seq in sorted(numbers)], self.knowledge(world))
        taken = [{**entry, "draws": records[entry["seq"]].get("draws", [])} for entry in done["undone"]]
        head = f"took back, by record {done['record']}:"
        return Outcome({"status": "applied", **done, "undone": taken}, "\n".join([head, *told]), is_error=False)

    def guarded(self, error: CampaignError) -> Outcome:
        """Return why something could not be done, as this role may know it."""
        return outcome_of_error(error, is_game_master=self.is_game_master)


def _answers_dice(turn: JsonObject) -> bool:
    """Return whether a turn answers a request for dice of the table: it may hold nothing beside the answer."""
    answer = turn.get("answer")
    return isinstance(answer, Mapping) and str(answer.get("request_id", "")).startswith("dice-")
