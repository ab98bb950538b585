"""turnwright report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._lists import ListCommand
from turnwright.cli._options import json_option
from turnwright.cli._output import echo_json, echo_table, safe
from turnwright.cli._output_file import HTML, SVG, OutputFile, force_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwright.analysis.report.counters import RuleState
    from turnwright.analysis.report.play import Play
    from turnwright.analysis.report.tables import Table


@click.command(cls=ListCommand)
@click.argument("campaigns", metavar="CAMPAIGN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--against",
    metavar="CAMPAIGN...",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Campaigns to compare these with.",
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page with plots to this file.")
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False), help="Write the plots alone to this file.")
@force_option
@json_option
def command(
    campaigns: tuple[Path, ...],
    against: tuple[Path, ...],
    html: Path | None,
    svg: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Count what was suggested, called, refused and claimed in CAMPAIGNs, and what that took.

    With fewer than 100 turns it shows counts alone.
    """
    from turnwright.analysis.report.report import comparison, report_of

    page = OutputFile(html, HTML, force=force) if html else None
    drawing = OutputFile(svg, SVG, force=force) if svg else None
    report = report_of(*_gathered(campaigns))
    other = report_of(*_gathered(against)) if against else None
    rows = comparison(report, other) if other is not None else []
    if as_json:
        echo_json(report if other is None else {"this": report, "against": other, "comparison": rows})
    if page or drawing:
        from turnwright.analysis.report.page import html_of, svg_of

        for output, make in ((page, html_of), (drawing, svg_of)):
            if output:
                output.write(make(report, other, rows))
                click.echo(f"wrote {safe(output.path)}", err=as_json)
    elif not as_json:
        from turnwright.analysis.report.tables import comparison_table, tables_of

        _echo(tables_of(report) if other is None else [comparison_table(rows)])


def _gathered(paths: Sequence[Path]) -> tuple[list[Play], list[RuleState]]:
    from turnwright.analysis.report.gather import gathered
    from turnwright.rulesets.suggesting import BUILT_IN

    found = gathered(paths, [rule.id for rule in BUILT_IN.rules])
    for warning in found.warnings:
        click.echo(f"{click.style('warning', fg='yellow')}  {safe(warning)}", err=True)
    return found.plays, found.rules


def _echo(tables: Sequence[Table]) -> None:
    for number, table in enumerate(tables):
        click.secho(("\n" if number else "") + safe(table.title), bold=True)
        head = [[click.style(name, fg="bright_black") for name in table.head]] if any(table.head) else []
        echo_table([*head, *([safe(cell) for cell in row] for row in table.rows)], indent="  ")
        if table.note:
            click.echo(f"  {safe(table.note)}")
