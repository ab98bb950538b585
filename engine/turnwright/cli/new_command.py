"""turnwright new."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from shlex import quote

import click

from turnwright.cli._options import clock_of, now_option


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--template", help="`stage3` (the default), `toolkit`, `scenes`, or a sample campaign.")
@click.option("--from", "from_file", type=click.Path(path_type=Path), help="A campaign in one file, to import.")
@click.option("--seed", help="Makes the dice repeatable; by default a secret, or what a sample was written for.")
@now_option
def command(
    directory: Path, template: str | None, from_file: Path | None, seed: str | None, now: datetime | None
) -> None:
    """Make a new campaign DIRECTORY from a template or a one-file campaign."""
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._output import safe
    from turnwright.store.inbox import DROP_FOLDER
    from turnwright.store.package_files import seed_of_sample

    own_seed = seed_of_sample(template) if template is not None and from_file is None and seed is None else None
    with Campaign.new(
        directory, template, from_file, seed if own_seed is None else own_seed, clock_of(now)
    ) as campaign:
        record = next(campaign.records())
    click.echo(f"{safe(directory)}: campaign {safe(record['campaign_id'])} is ready")
    if own_seed is not None:
        click.echo(safe(f"  its dice are those of its story: seed {own_seed}; --seed takes another"))
    for repair in record["repairs"]:
        click.echo(f"  {safe(repair)}")
    waiting = len(list((directory / DROP_FOLDER).glob("*.json")))
    if waiting:
        take = f"turnwright process {quote(str(directory))}"
        click.echo(safe(f"  {waiting} turn files wait; `{take}` takes them"))
