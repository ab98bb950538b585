"""turnwright verify."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import turnwright.verifier as audit
from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import echo_json, echo_problems, safe


@click.command()
@campaign_argument
@click.option("--repair", is_flag=True, help="Make documents, results and checkpoint again from the log.")
@click.option("--reveal", is_flag=True, help="Print the dice secret, so that others can check the dice.")
@json_option
def command(campaign: Path, repair: bool, reveal: bool, as_json: bool) -> int:
    """Check a CAMPAIGN's log (chain, dice), and that replaying it gives the documents. Exit code 3 if not."""
    if reveal:
        for line in audit.reveal(campaign):
            click.echo(safe(line))
        return 0
    found = audit.repair(campaign) if repair else _with_progress(campaign)
    if as_json:
        echo_json(found.to_json())
    else:
        _echo(found)
    return 3 if found.problems else 0


def _echo(found: audit.Findings) -> None:
    echo_problems(found.problems)
    for path in found.repaired:
        click.echo(f"made again  {safe(path)}")
    for note in found.notes:
        click.echo(f"note  {safe(note)}")
    counts = f"{found.records} records, {found.turns} turns, {found.draws} draws, {found.documents} documents"
    click.echo(f"{'damaged' if found.problems else 'sound'}: {counts}")


def _with_progress(campaign: Path) -> audit.Findings:
    if not sys.stderr.isatty():
        return audit.verify(campaign)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("replaying the log", total=None)
        return audit.verify(campaign, lambda done, total: progress.update(task, completed=done, total=total))
