"""turnwright legal."""

from __future__ import annotations

from pathlib import Path

import click

from turnwright.cli._options import campaign_argument


@click.command()
@campaign_argument
@click.option("--as", "authority", default="gm", show_default=True, help="`gm`, or `player:ID`.")
def command(campaign: Path, authority: str) -> None:
    """Print the JSON Schema of the tool calls that are legal in a CAMPAIGN now."""
    import json

    from turnwright.campaign import Campaign

    with Campaign.open(campaign) as opened:
        click.echo(json.dumps(opened.legal(authority), indent=2, ensure_ascii=False))
