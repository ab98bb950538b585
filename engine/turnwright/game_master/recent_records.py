"""The newest records of a campaign: as many as prompts look at, however long the log is.

Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from typing import Any

from turnwright.campaign.campaign import Campaign
from turnwright.game_master.prompts.conversation import RECENT


def recent_records(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the newest records, the oldest of them first; with them all after the last turn that stands."""
    with campaign.moment() as (_, last_turn):
        last = last_turn()
    return list(campaign.records(after=last["seq"] - RECENT)) if last else []
