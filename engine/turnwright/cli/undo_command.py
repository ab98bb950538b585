"""turnwright undo."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_json, safe
from turnwright.cli._program import command_line
from turnwright.cli._record_view import record_in_short

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.campaign.timeline import Last
    from turnwright.model.wire.shapes import UndoAnswer, UndoneRecord


@click.command()
@campaign_argument
@click.argument("turn", required=False)
@click.option(
    "--exchange", "last", flag_value="exchange", help="Take back everything since a player spoke last: prose and state."
)
@click.option("--redo", "last", flag_value="undo", help="Bring back what the last undo took.")
@click.option("--yes", is_flag=True, help="Do not ask before more than one record goes.")
@now_option
@wait_option
@json_option
def command(
    campaign: Path,
    turn: str | None,
    last: Last | None,
    yes: bool,
    now: datetime | None,
    wait: float,
    as_json: bool,
) -> None:
    """Return a CAMPAIGN to what it was before TURN (a turn id or a record's number; default: the last turn).

    `3` is record 3 and no count: `turnwright log` lists the numbers, and --exchange counts by what players say.
    Everything since goes with it, hand edits too, and is listed first. Where that is more than one record, you are
    asked on a terminal whether to go on. Undoing an undo brings it back.
    """
    from turnwright.campaign.campaign import Campaign

    if turn is not None and last is not None:
        raise click.UsageError("TURN and --exchange or --redo exclude each other")
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        planned = opened.undo(turn, last=last or "turn", dry_run=True)
        if not as_json:
            _echo_plan(opened, planned)
            if not yes and sys.stdin.isatty() and len(planned["undone"]) > 1:
                click.confirm("Go on?", abort=True)
        done = opened.undo(turn or f"#{planned['from']}")
        if as_json:
            echo_json(done)
        else:
            # With #, since a turn may be called by the number, and quoted, since a shell takes it for a comment.
            back = command_line("undo", campaign, f"#{done['record']}")
            click.echo(safe(f"undone by record {done['record']}; `{back}` brings it back"))


def _echo_plan(campaign: Campaign, planned: UndoAnswer) -> None:
    """Print what goes, the newest first, each in the words of the story; those who name a number name a record."""
    from turnwright.cli._scene_view import echo_wrapped
    from turnwright.model.viewer import GAME_MASTER
    from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge

    numbers = [entry["seq"] for entry in planned["undone"]]
    if len(numbers) > 1:
        click.echo(f"  takes back record {planned['from']} and everything since, {len(numbers)} records:")
    records = {record["seq"]: record for record in campaign.records(after=min(numbers) - 1)}
    with campaign.moment() as (world, _):
        knowledge = WorldKnowledge(world, GAME_MASTER, shows_ids=True)
        for entry in planned["undone"]:
            told = record_in_short(records[entry["seq"]], knowledge)
            echo_wrapped(f"{_named(entry)}  {told}".rstrip(), "  takes back ")


def _named(entry: UndoneRecord) -> str:
    return f"record {entry['seq']}  {safe(entry['kind'])}  {safe(entry['turn_id'] or '')}".rstrip()
