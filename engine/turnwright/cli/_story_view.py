"""Who reads what a command prints of a turn, and by which names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.errors import CampaignError

if TYPE_CHECKING:
    from turnwright.reader import Reader
    from turnwright.tools.story import Viewer

Json = Mapping[str, Any]


class Telling(NamedTuple):
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

    What was done stands. A campaign that cannot be read now costs the names, and not the lines.

    Args:
        campaign: where it happened.
        reply: to a turn; its record is looked up.
    """
    from turnwright.tools.story import NOBODY_NAMED, game_master

    with ExitStack() as stack:
        try:
            record = _record(campaign, reply) if reply else None
            world = stack.enter_context(campaign.reading())
        except CampaignError:
            yield Telling(NOBODY_NAMED)
        else:
            yield Telling(game_master(world), record)


def _record(campaign: Reader, reply: Json) -> Json | None:
    seq = reply.get("seq")
    if type(seq) is not int or reply.get("dry_run"):
        return None
    return next(campaign.records(after=seq - 1), None)
