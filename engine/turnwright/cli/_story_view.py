"""Who reads what a command prints of a turn, and by which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.campaign.campaign import Campaign
from turnwright.campaign.reader import Reader
from turnwright.campaign.runner import TurnRunner
from turnwright.model.errors import CampaignError
from turnwright.model.state.overlay import World
from turnwright.tools.story import NOBODY_NAMED, Viewer, game_master

if TYPE_CHECKING:
    from turnwright.protocol.stage6_publish.finding_viewer import WorldViewer

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Telling:
    """To whom a turn is told.

    Attributes:
        viewer: who reads.
        record: the record of the turn, which holds more than the reply; None where there is none.
        reader: what the reader may know of whom findings name; None where there are none, or no campaign is at hand.
        is_plain: whether it is told in the words of a table, and not in those of replies.
    """

    viewer: Viewer
    record: Json | None = None
    reader: WorldViewer | None = None
    is_plain: bool = False


@contextmanager
def told_to_game_master(campaign: Reader, reply: Json | None = None) -> Iterator[Telling]:
    """Give the game master as who reads, by the names in a campaign as it is now.

    Args:
        campaign: where it happened.
        reply: to a turn; its record is looked up.
    """
    with campaign.reading() as world:
        record = next(campaign.records(after=reply["seq"] - 1), None) if reply and reply.get("seq") else None
        yield Telling(game_master(world), record)


@contextmanager
def told_at_once(campaign: TurnRunner, reply: Json) -> Iterator[Telling]:
    """Give the game master as who reads of the turn that was taken just now, by the names it left.

    The turn is taken: a file that cannot be read now costs the names, and not the lines.
    """
    with ExitStack() as stack:
        try:
            seq = None if reply.get("dry_run") else reply["seq"]
            world, record = stack.enter_context(campaign.as_left(seq))
        except CampaignError:
            yield Telling(NOBODY_NAMED)
        else:
            yield Telling(game_master(world), record, _reader(world, reply, record, is_now=not reply.get("dry_run")))


@contextmanager
def told_from_folder(folder: Path, reply: Json) -> Iterator[Telling]:
    """Give what `told_at_once` gives, where the campaign is open elsewhere; the folder may be gone by now."""
    with ExitStack() as stack:
        try:
            campaign = stack.enter_context(Campaign.open(folder))
            world = stack.enter_context(campaign.reading())
            since = [] if reply["seq"] is None else list(islice(campaign.records(after=reply["seq"] - 1), 2))
        except CampaignError:
            yield Telling(NOBODY_NAMED)
        else:
            record = since[0] if since else None
            yield Telling(game_master(world), record, _reader(world, reply, record, is_now=len(since) == 1))


def _reader(world: World, reply: Json, record: Json | None, *, is_now: bool) -> WorldViewer | None:
    """Return the game master as who reads the findings of a reply; None where there are none."""
    if not reply.get("findings"):
        return None
    from turnwright.protocol.stage6_publish.finding_viewer import WorldViewer, was_applied  # most texts are true

    acting = record["actor_id"] if record else reply["state_summary"].get("active_actor_id")
    return WorldViewer(world, None, acting, is_applied=was_applied(reply), is_now=is_now)
