"""turnwright resume."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_json, safe

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ResumeAnswer


@click.command()
@campaign_argument
@now_option
@wait_option
@json_option
def command(campaign: Path, now: datetime | None, wait: float, as_json: bool) -> None:
    """Go on with the session of a CAMPAIGN that a player ended.

    The crew chooses anew what to do between scenes.
    """
    from turnwright.campaign.campaign import Campaign

    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        done = opened.resume()
        _tell(done, as_json=as_json)


def _tell(done: ResumeAnswer, *, as_json: bool) -> None:
    if as_json:
        echo_json(done)
        return
    click.echo(f"resumed by record {done['record']}")
    request = done["request"]
    if request:
        click.echo(safe(request["prompt"]))
        for option in request["payload"]["options"]:
            click.echo(f"  {option['index']}  {safe(option['label'])}")
