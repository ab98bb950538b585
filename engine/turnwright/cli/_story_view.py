"""Who reads what a command prints of a turn, and by which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwright.campaign import Campaign
from turnwright.model.errors import CampaignError
from turnwright.reader import Reader
from turnwright.tools.story import NOBODY_NAMED, Viewer, game_master
from turnwright.turns import TurnTaker

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Telling:
    """To whom a turn is told.

    Attributes:
        viewer: who reads.
        record: the record of the turn, which holds more than the reply; None where there is none.
    """

    viewer: Viewer
    record: Json | None = None


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
def told_at_once(campaign: TurnTaker, reply: Json) -> Iterator[Telling]:
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
            yield Telling(game_master(world), record)


@contextmanager
def told_from_folder(folder: Path, reply: Json) -> Iterator[Telling]:
    """Give what `told_at_once` gives, where the campaign is open elsewhere; the folder may be gone by now."""
    with ExitStack() as stack:
        try:
            campaign = stack.enter_context(Campaign.open(folder))
            telling = stack.enter_context(told_to_game_master(campaign, reply))
        except CampaignError:
            telling = Telling(NOBODY_NAMED)
        yield telling
