"""turnwright verify."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import click

import turnwright.verifier as audit
from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import echo_json, echo_problems, safe
from turnwright.model.errors import CampaignInvalid


@click.command()
@campaign_argument
@click.option("--repair", is_flag=True, help="Make documents, results and checkpoint again from the log.")
@click.option("--reveal", is_flag=True, help="Print the dice secrets too, so that others can check the dice.")
@json_option
def command(campaign: Path, repair: bool, reveal: bool, as_json: bool) -> int:
    """Check a CAMPAIGN's log (chain, dice), and that replaying it gives the documents. Exit code 3 if not."""
    found = audit.repair(campaign) if repair else _with_progress(campaign)
    secrets = _revealed(campaign) if reveal else []
    if as_json:
        shown = [{"record": record, "secret": secret} for record, secret in secrets]
        echo_json(found.to_json() | ({"secrets": shown} if reveal else {}))
    else:
        _echo(found)
        for record, secret in secrets:
            click.echo(f"from record {record}: {secret or 'missing'}")
    return 3 if found.problems else 0


def _revealed(campaign: Path) -> list[tuple[int, str | None]]:
    """Return the secrets as far as they are there; why they are not, the verification has told."""
    with suppress(CampaignInvalid):
        return audit.reveal(campaign)
    return []


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
