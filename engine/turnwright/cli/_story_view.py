"""Who reads what a command prints of a turn, and by which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.campaign.campaign import Campaign
from turnwright.model.errors import CampaignError
from turnwright.model.knowledge import Knowledge
from turnwright.model.state.overlay import World
from turnwright.model.viewer import GAME_MASTER
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.rulesets.story import NOBODY_NAMED

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record, Reply
    from turnwright.render.finding import Reading

Json = Mapping[str, Any]
_MAX_NOTED = 64
"""How many turns are noted: so many dropped files share a sync and are reported after it."""


@dataclass(frozen=True, slots=True)
class Telling:
    """How the reply to a turn is printed.

    Attributes:
        knowledge: what the reader knows.
        record: the record of the turn, which holds more than the reply; None where there is none.
        reading: how its findings are read; None where there are none, or no campaign is at hand.
        is_plain: whether it is printed in the words of a table, and not in those of replies.
    """

    knowledge: Knowledge = NOBODY_NAMED
    record: Record | None = None
    reading: Reading | None = None
    is_plain: bool = False


class RecentTurns:
    """Facts of the newest turns of a campaign that their replies lack, so that printing a reply reads no log."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._noted: dict[int, Record] = {}
        campaign.on_record = self._note

    def _note(self, record: Record) -> None:
        calls = record.get("tool_calls")
        self._noted[record["seq"]] = {
            "seq": record["seq"],
            "kind": record["kind"],
            "prev": record["prev"],
            "actor_id": record.get("actor_id"),
            "tool_calls": [_ids_of(call) for call in calls] if isinstance(calls, list) else [],
            "draws": record.get("draws", []),
        }
        for seq in list(self._noted)[:-_MAX_NOTED]:
            del self._noted[seq]

    @contextmanager
    def told(self, reply: Reply) -> Iterator[Telling]:
        """Give the game master as the reader of a turn that was taken just now, with the names as it left them.

        The turn is committed: a file that cannot be read now costs the names, and not the lines.
        """
        with ExitStack() as stack:
            try:
                world, record_of = stack.enter_context(self._campaign.as_left())
                seq = None if reply.get("dry_run") else reply["seq"]
                record = None if seq is None else self._noted.get(seq) or record_of(seq)
                telling = _telling(world, reply, record, is_now=not reply.get("dry_run"))
            except CampaignError:
                telling = Telling()
            yield telling


def _ids_of(call: Any) -> dict[str, str]:
    return {key: call[key] for key in ("id", "call_id") if key in call} if isinstance(call, Mapping) else {}


@contextmanager
def told_from_folder(folder: Path, reply: Reply) -> Iterator[Telling]:
    """Give what `RecentTurns.told` gives, where the campaign is open elsewhere; the folder may be gone by now."""
    with ExitStack() as stack:
        try:
            campaign = stack.enter_context(Campaign.open(folder))
            world, _ = stack.enter_context(campaign.moment())
            since = [] if reply["seq"] is None else list(islice(campaign.records(after=reply["seq"] - 1), 2))
            telling = _telling(world, reply, since[0] if since else None, is_now=len(since) == 1)
        except CampaignError:
            telling = Telling()
        yield telling


def _telling(world: World, reply: Reply, record: Record | None, *, is_now: bool) -> Telling:
    knowledge = WorldKnowledge(world, GAME_MASTER, shows_ids=True)
    if not reply.get("findings"):
        return Telling(knowledge, record)
    from turnwright.render.finding import Reading  # most texts are true

    turn = reply if record is None else as_record({**reply, "actor_id": record["actor_id"]})
    return Telling(knowledge, record, Reading.of(turn, knowledge, is_now=is_now))
