"""turnwright fork."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from turnwright.cli._options import campaign_argument, clock_of, now_option
from turnwright.cli._output import safe


@click.command()
@campaign_argument
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--at", "mark", required=True, help="The last turn (id) or record (number) that both share.")
@click.option("--seed", help="Makes the fork's dice repeatable.")
@now_option
def command(campaign: Path, directory: Path, mark: str, seed: str | None, now: datetime | None) -> None:
    """Begin a new campaign DIRECTORY from a point in the past of a CAMPAIGN."""
    from turnwright.campaign.campaign import Campaign

    with Campaign.open(campaign, clock_of(now)) as opened:
        opened.fork(directory, mark, seed=seed)
    with Campaign.open(directory) as forked, forked.reading() as world:
        click.echo(f"{safe(directory)}: campaign {safe(world.campaign.id)} goes on from {safe(mark)}")
