"""turnwright add."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, clock_of, json_option, now_option, wait_option

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.model.wire.shapes import Reply

_KINDS = ("hero", "npc", "place", "monster")
_QUESTIONS = {
    "hero": "who joins the party (name, kind, class, level)",
    "npc": "who is it (name, kind)",
    "place": "what is it called (name: what one sees there)",
    "monster": "which monsters (2 giant rats in the mill)",
}


@click.command()
@campaign_argument
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("text", required=False)
@json_option
@now_option
@wait_option
def command(
    campaign: Path,
    kind: str,
    text: str | None,
    as_json: bool,
    now: datetime | None,
    wait: float,
) -> int:
    """Add a hero, a person (npc), a place or monsters to CAMPAIGN, in a few words, by one turn.

    TEXT is `Greta, halfling rogue 2`, `Lena, halfling`, `The old bridge: planks over black water`, or
    `3 wolves in the wood`. Without it a terminal is asked. Heroes, people and places come to where the party is.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._exit_codes import code_of
    from turnwright.cli._output import echo_json, echo_reply
    from turnwright.cli._story_view import RecentTurns

    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        recent = RecentTurns(opened)
        reply = opened.add(kind, text) if text is not None else _asked(opened, kind)
        if reply is None:
            click.echo("left; nothing was added")
        elif as_json:
            echo_json(reply)
        else:
            with recent.told(reply) as telling:
                echo_reply(reply, None, telling)
    return code_of(reply) if reply is not None else 0


def _asked(campaign: Campaign, kind: str) -> Reply | None:
    """Return the reply to what a person at the terminal adds; None when they leave."""
    from turnwright.cli._wizard import ONLY_QUIT, Leaving, ask
    from turnwright.model.errors import BadRequest
    from turnwright.rulesets.beginning import Unclear

    if not sys.stdin.isatty():
        raise click.UsageError("without a terminal TEXT is needed")

    def read(text: str) -> Reply:
        try:
            return campaign.add(kind, text)
        except BadRequest as unclear:
            raise Unclear(str(unclear)) from None

    try:
        return ask(_QUESTIONS[kind], "", read, ONLY_QUIT)
    except Leaving:
        return None
