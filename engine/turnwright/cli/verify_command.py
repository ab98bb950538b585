"""turnwright verify."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

import turnwright.audit.verify as audit
from turnwright.cli._campaigns import campaigns_argument, each_campaign, naming
from turnwright.cli._options import json_option
from turnwright.cli._output import echo_json, echo_problems, safe
from turnwright.model.errors import CampaignInvalid
from turnwright.render.map_view import count_of


@click.command()
@campaigns_argument
@click.option("--repair", is_flag=True, help="Make documents, results and checkpoint again from the log.")
@click.option("--reveal", is_flag=True, help="Print the dice secrets too, so that others can check the dice.")
@json_option
def command(places: tuple[Path, ...], repair: bool, reveal: bool, as_json: bool) -> int:
    """Check the logs of CAMPAIGNs (chain, dice), and that replaying them gives the documents. Exit code 3 if not.

    Of a ROOT, every campaign below it is checked. Where there are several, each line names its campaign, and the
    greatest exit code counts.
    """
    work = partial(_verify, repair=repair, reveal=reveal, as_json=as_json)
    return each_campaign(places, work, as_json=as_json)


def _verify(campaign: Path, named: Path | None, *, repair: bool, reveal: bool, as_json: bool) -> int:
    found = audit.repair(campaign) if repair else _with_progress(campaign)
    secrets = _revealed(campaign) if reveal else []
    if as_json:
        shown = [{"record": record, "secret": secret} for record, secret in secrets]
        echo_json(naming(named, found.to_json() | ({"secrets": shown} if reveal else {})))
    else:
        _echo(found, named)
        for record, secret in secrets:
            click.echo(f"{_head_of(named)}from record {record}: {secret or 'missing'}")
    return 3 if found.problems else 0


def _revealed(campaign: Path) -> list[tuple[int, str | None]]:
    """Return the secrets as far as they are there; why they are not, the verification has told."""
    with suppress(CampaignInvalid):
        return audit.reveal(campaign)
    return []


def _echo(found: audit.Findings, named: Path | None) -> None:
    """Print what was found; of damage, reasons and summary go to the same stream."""
    echo_problems(found.problems, named)
    echo, head = partial(click.echo, err=bool(found.problems)), _head_of(named)
    for path in found.repaired:
        echo(f"{head}made again  {safe(path)}")
    for note in found.notes:
        echo(f"{head}note  {safe(note)}")
    counts = f"{found.records} records, {found.turns} turns, {found.draws} draws, {found.documents} documents"
    damage = f"damaged ({count_of(len(found.problems), 'problem')}); read: {counts}"
    echo(f"{head}{damage if found.problems else f'sound: {counts}'}")


def _head_of(named: Path | None) -> str:
    return f"{safe(named)}: " if named else ""


def _with_progress(campaign: Path) -> audit.Findings:
    if not sys.stderr.isatty():
        return audit.verify(campaign)
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("replaying the log", total=None)
        return audit.verify(campaign, lambda done, total: progress.update(task, completed=done, total=total))
