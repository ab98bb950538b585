"""Handing in one turn, with the dice that the table throws for it.

Source: docs/agents.md, "A session"; docs/dice.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.campaign.campaign import Campaign
from turnwright.game_master.exchange import Throw
from turnwright.model.authority import GM

if TYPE_CHECKING:
    from turnwright.model.dice.draws import DiceRequest
    from turnwright.model.wire.shapes import ReceivedTurn, Reply


def hand_in(
    campaign: Campaign, turn: ReceivedTurn, throw: Throw, *, authority: str = GM, by_model: bool = False
) -> Reply:
    """Process a turn, asking the table for dice as long as it waits for some.

    Args:
        campaign: the campaign, open.
        turn: the turn.
        throw: asks the table for dice.
        authority: the door that it comes through.
        by_model: whether a model made it.

    Returns:
        The reply; its status is `waiting` where the dice are not thrown now.

    Raises:
        CampaignError: the campaign could not take a turn now.
    """
    reply = campaign.process(dict(turn), authority=authority, by_model=by_model)
    while reply["status"] == "waiting":
        request: DiceRequest = reply["request"]
        value = throw(request)
        if value is None:
            return reply
        answer = {"request_id": request["request_id"], "value": value}
        reply = campaign.process({"turn_id": reply["turn_id"], "answer": answer})
    return reply
