"""turnwright map."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument
from turnwright.cli._output import safe
from turnwright.cli._output_file import SVG, OutputFile, force_option

if TYPE_CHECKING:
    from turnwright.render.battlefield_view import FightView
    from turnwright.render.map_view import MapView


@click.command()
@campaign_argument
@click.option("--encounter", "encounter_id", metavar="ID", help="Draw this fight instead of the map.")
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Write an SVG picture to this file.")
@click.option("--full", is_flag=True, help="List every area of long layers.")
@click.option("--focus", metavar="ID", help="Of a fight: the squares around this participant only.")
@click.option("--reach", is_flag=True, help="Of a fight: mark where whose turn it is can still go.")
@click.option("--auras", is_flag=True, help="Of a fight: show the auras.")
@click.option("--ascii", is_flag=True, help="Of a fight: draw with plain ASCII characters.")
@force_option
def command(
    campaign: Path,
    encounter_id: str | None,
    svg: Path | None,
    full: bool,
    focus: str | None,
    reach: bool,
    auras: bool,
    ascii: bool,
    force: bool,
) -> None:
    """Draw the map of a CAMPAIGN, with all characters on it; or one of its fights, square by square."""
    output = OutputFile(svg, SVG, force=force) if svg else None
    if encounter_id is None:
        if focus is not None or reach or auras or ascii:
            raise click.UsageError("--focus, --reach, --auras and --ascii want --encounter")
        _map(campaign, output, full=full)
        return
    from turnwright.campaign.campaign import Campaign
    from turnwright.render.battlefield_svg import render_battlefield_svg
    from turnwright.views.fight import fight_view

    with Campaign.open(campaign) as opened, opened.reading() as world:
        view = fight_view(
            world, encounter_id, focus_on=focus, with_reach=reach, with_auras=auras, ascii=ascii and output is None
        )
    if output is None:
        echo_fight(view, ascii=ascii)
    else:
        _write(output, render_battlefield_svg(view))


def _map(campaign: Path, output: OutputFile | None, *, full: bool) -> None:
    from turnwright.campaign.campaign import Campaign
    from turnwright.render.map_svg import render_svg
    from turnwright.views.state import map_view

    with Campaign.open(campaign) as opened, opened.reading() as world:
        view = map_view(world)
    if output is None:
        echo_map(view, full=full)
    else:
        _write(output, render_svg(view))


def echo_map(view: MapView, *, full: bool = False) -> None:
    """Print a map, as wide as the terminal is."""
    from turnwright.render.map_text import render_text

    click.echo(render_text(view, width=_width(), full=full))


def echo_fight(view: FightView, *, ascii: bool = False) -> None:
    """Print a fight, as wide as the terminal is."""
    from turnwright.render.battlefield_text import render_battlefield_text

    click.echo(render_battlefield_text(view, width=_width(), ascii=ascii))


def _width() -> int:
    return max(60, shutil.get_terminal_size((100, 24)).columns)


def _write(output: OutputFile, drawing: str) -> None:
    output.write(drawing)
    click.echo(f"wrote {safe(output.path)}")
