"""The newest records of a campaign: as many as prompts look at, however long the log is.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.campaign.campaign import Campaign
from turnwright.game_master.prompts.conversation import RECENT

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record


def recent_records(campaign: Campaign) -> list[Record]:
    """Return the newest records, the oldest of them first; with them all after the last turn that stands."""
    with campaign.moment() as (_, last_turn):
        last = last_turn()
    return list(campaign.records(after=last["seq"] - RECENT)) if last else []
