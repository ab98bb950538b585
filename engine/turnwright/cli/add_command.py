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
    "npc": "who is it (name, kind, calling)",
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

    TEXT is `Greta, halfling rogue 2`, `Lena, human innkeeper`, `The old bridge: planks over black water`, or
    `3 wolves in the wood`. Without it a terminal is asked, and a hero is shown there before they are taken. Heroes,
    people and places come to where the party is.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._exit_codes import code_of
    from turnwright.cli._output import echo_json, echo_reply
    from turnwright.cli._story_view import RecentTurns
    from turnwright.cli._wizard import Leaving

    reply: Reply | None
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        recent = RecentTurns(opened)
        is_asked = kind == "hero" and not as_json and sys.stdin.isatty() and sys.stdout.isatty()
        try:
            if text is None:
                reply = _asked(opened, kind, is_asked=is_asked)
            else:
                reply = _added(opened, kind, text, is_asked=is_asked)
        except Leaving:
            reply = None
        if reply is None:
            click.echo("left; nothing was added")
        elif as_json:
            echo_json(reply)
        else:
            with recent.told(reply) as telling:
                echo_reply(reply, None, telling)
    return code_of(reply) if reply is not None else 0


def _added(campaign: Campaign, kind: str, text: str, *, is_asked: bool) -> Reply | None:
    """Return the reply to what words add; None when a person at the terminal sees it and does not take it."""
    from turnwright.campaign.adding import preview
    from turnwright.cli._scene_view import echo_wrapped
    from turnwright.cli._wizard import ONLY_QUIT, ask, yes_or_no

    if is_asked:
        with campaign.reading() as world:
            lines = preview(world, campaign.open_packs, kind, text)
        for line in lines:
            echo_wrapped(line, "  ")
        if not ask("take this hero, yes or no", "yes", yes_or_no, ONLY_QUIT):
            return None
    return campaign.add(kind, text)


def _asked(campaign: Campaign, kind: str, *, is_asked: bool) -> Reply:
    """Return the reply to what a person at the terminal adds, who is asked until they take it."""
    from turnwright.cli._wizard import ONLY_QUIT, ask
    from turnwright.model.errors import BadRequest
    from turnwright.rulesets.beginning import Unclear

    if not sys.stdin.isatty():
        raise click.UsageError("without a terminal TEXT is needed")

    def read(text: str) -> Reply | None:
        try:
            return _added(campaign, kind, text, is_asked=is_asked)
        except BadRequest as unclear:
            raise Unclear(str(unclear)) from None

    while (reply := ask(_QUESTIONS[kind], "", read, ONLY_QUIT)) is None:
        pass
    return reply
