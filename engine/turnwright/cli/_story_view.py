"""Who reads what a command prints of a turn, and by which names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.campaign.campaign import Campaign
from turnwright.campaign.runner import TurnRunner
from turnwright.model.errors import CampaignError
from turnwright.model.knowledge import Knowledge
from turnwright.model.state.overlay import World
from turnwright.model.viewer import GAME_MASTER
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.tools.story import NOBODY_NAMED

if TYPE_CHECKING:
    from turnwright.render.finding import Reading

Json = Mapping[str, Any]
_MAX_NOTED = 64
"""Of how many turns it is noted: so many dropped files share a sync, and are told of after it."""


@dataclass(frozen=True, slots=True)
class Telling:
    """To whom a turn is told.

    Attributes:
        knowledge: what who reads it knows.
        record: the record of the turn, which holds more than the reply; None where there is none.
        reading: how its findings are read; None where there are none, or no campaign is at hand.
        is_plain: whether it is told in the words of a table, and not in those of replies.
    """

    knowledge: Knowledge = NOBODY_NAMED
    record: Json | None = None
    reading: Reading | None = None
    is_plain: bool = False


class RecentTurns:
    """What the replies to the newest turns that a campaign took do not hold, so that telling of them reads no log."""

    def __init__(self, campaign: TurnRunner) -> None:
        self._campaign = campaign
        self._noted: dict[int, Json] = {}
        campaign.on_record = self._note

    def _note(self, record: Json) -> None:
        calls = record.get("tool_calls")
        self._noted[record["seq"]] = {
            "actor_id": record.get("actor_id"),
            "tool_calls": [_ids_of(call) for call in calls] if isinstance(calls, list) else [],
            "draws": record.get("draws", []),
        }
        for seq in list(self._noted)[:-_MAX_NOTED]:
            del self._noted[seq]

    @contextmanager
    def told(self, reply: Json) -> Iterator[Telling]:
        """Give the game master as who reads of a turn that was taken just now, by the names it left.

        The turn is taken: a file that cannot be read now costs the names, and not the lines.
        """
        with ExitStack() as stack:
            try:
                world, record_of = stack.enter_context(self._campaign.as_left())
                telling = _telling(world, reply, lambda seq: self._noted.get(seq) or record_of(seq))
            except CampaignError:
                telling = Telling()
            yield telling


def _ids_of(call: Any) -> Json:
    return {key: call[key] for key in ("id", "call_id") if key in call} if isinstance(call, Mapping) else {}


@contextmanager
def told_from_folder(folder: Path, reply: Json) -> Iterator[Telling]:
    """Give what `RecentTurns.told` gives, where the campaign is open elsewhere; the folder may be gone by now."""
    with ExitStack() as stack:
        try:
            campaign = stack.enter_context(Campaign.open(folder))
            world = stack.enter_context(campaign.reading())
            records = {} if reply["seq"] is None else _first_two(campaign.records(after=reply["seq"] - 1))
            telling = _telling(world, reply, records.get)
        except CampaignError:
            telling = Telling()
        yield telling


def _first_two(records: Iterator[Json]) -> dict[int, Json]:
    return {record["seq"]: record for record in islice(records, 2)}


def _telling(world: World, reply: Json, record_of: Callable[[int], Json | None]) -> Telling:
    knowledge = WorldKnowledge(world, GAME_MASTER, shows_ids=True)
    seq = -1 if reply["seq"] is None or reply.get("dry_run") else int(reply["seq"])
    record = record_of(seq)
    if not reply.get("findings"):
        return Telling(knowledge, record)
    from turnwright.render.finding import Reading  # most texts are true

    is_now = record is not None and record_of(seq + 1) is None
    return Telling(knowledge, record, Reading.of(record or reply, knowledge, is_now=is_now))
