"""turnwright legal."""

from __future__ import annotations

from pathlib import Path

import click

from turnwright.cli._options import campaign_argument, require_authority
from turnwright.cli._output import echo_json, safe
from turnwright.model.authority import GM


@click.command()
@campaign_argument
@click.option("--as", "authority", default=GM, show_default=True, help="`gm`, or `player:ID`.")
@click.option("--full", is_flag=True, help="With all arguments, and all that a schema can say of them.")
def command(campaign: Path, authority: str, *, full: bool) -> None:
    """Print the JSON Schema of the tool calls that are legal in a CAMPAIGN now.

    It is short and in words that grammars of constrained decoding follow; --full has all optional arguments.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.views.state import require_member

    require_authority(authority)
    with Campaign.open(campaign) as opened:
        with opened.reading() as world:
            require_member(world, authority)
        legal = opened.legal(authority, full=full)
        echo_json(legal, indent=2)
        if "$comment" in legal:
            click.echo(f"{click.style('warning', fg='yellow')}  {safe(legal['$comment'])}", err=True)
