"""turnwright map."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from turnwright.cli._options import campaign_argument
from turnwright.cli._output import safe


@click.command()
@campaign_argument
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Write an SVG picture to this file.")
@click.option("--full", is_flag=True, help="List every area of long layers.")
def command(campaign: Path, svg: Path | None, full: bool) -> None:
    """Draw the map of a CAMPAIGN, with everybody on it."""
    from turnwright.campaign import Campaign
    from turnwright.cli._views import map_view
    from turnwright.render.map_svg import render_svg
    from turnwright.render.map_text import render_text

    with Campaign.open(campaign) as opened, opened.reading() as world:
        view = map_view(world)
    if svg is None:
        click.echo(render_text(view, width=max(60, shutil.get_terminal_size((100, 24)).columns), full=full))
        return
    svg.write_text(render_svg(view), encoding="utf-8", newline="\n")
    click.echo(f"wrote {safe(svg)}")
