"""turnwright process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.campaign.campaign import Campaign
from turnwright.campaign.internal_errors import InternalErrors
from turnwright.cli._exit_codes import code_for, code_of
from turnwright.cli._options import campaign_argument, clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_error, echo_json, echo_reply
from turnwright.cli._story_view import RecentTurns
from turnwright.model.call_shapes import PROTOCOLS
from turnwright.model.errors import BadRequest, CampaignBusy, CampaignInvalid
from turnwright.model.settings import MAX_TURN_BYTES
from turnwright.model.wire.reason import Reason
from turnwright.protocol.stage1_intake import TurnRefused
from turnwright.protocol.stage6_publish.publish import not_taken, refused
from turnwright.store.files import require_ordinary

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Reply


@click.command()
@campaign_argument
@click.argument("files", nargs=-1, metavar="[FILE|-]...")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@click.option(
    "--reply-as",
    type=click.Choice(PROTOCOLS),
    help="With --json: add the result of each call in the shape of a model's API.",
)
@now_option
@wait_option
@json_option
def command(
    campaign: Path,
    files: tuple[str, ...],
    dry_run: bool,
    reply_as: str | None,
    now: datetime | None,
    wait: float,
    as_json: bool,
) -> int:
    """Take turn files of a CAMPAIGN: those named, `-` for standard input, or all that wait in its drop folder.

    Each call in a turn is applied or refused with a reason, and what was applied is logged. Exit code: 0 when
    everything applied, 1 when a part failed, 2 when a turn was refused, 3 when the campaign is invalid, 4 when busy.
    """
    if reply_as is not None and not as_json:
        raise click.UsageError("--reply-as adds to the JSON of a reply; use it with --json")
    worst = took = 0
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        recent = RecentTurns(opened)
        take = partial(_named, opened, files) if files else opened.process_drop
        replies = take(dry_run=dry_run, reply_as=reply_as)
        try:
            for name, reply in replies:
                took += 1
                worst = max(worst, code_of(reply))
                if as_json:
                    echo_json(_marked(reply, dry_run))
                    continue
                with recent.told(reply) as telling:
                    echo_reply(reply, name, telling)
        except (CampaignBusy, CampaignInvalid) as error:
            if not as_json:
                raise
            echo_json(_marked(not_taken(error, opened.now()), dry_run))
            echo_error(error)
            return code_for(error)
        if took == 0 and not as_json:
            click.echo("no turn file waits")
    return worst


def _marked(reply: Reply, dry_run: bool) -> Reply:
    return {**reply, "dry_run": True} if dry_run else reply


def _named(
    campaign: Campaign, files: tuple[str, ...], *, dry_run: bool, reply_as: str | None
) -> Iterator[tuple[str, Reply]]:
    faults = InternalErrors()
    for name in files:
        data = _read(name)
        if isinstance(data, str):
            yield name, refused(TurnRefused(Reason.INVALID_TURN, data), campaign.now())
            continue
        take = partial(campaign.process, data, dry_run=dry_run, reply_as=reply_as)
        yield name, faults.reply_of(take, name, campaign.now)
    faults.raise_all()


def _read(name: str) -> bytes | str:
    """Return a turn file's bytes, or why they cannot be read."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_TURN_BYTES + 1)
    path = Path(name)
    try:
        require_ordinary(path)
        with path.open("rb") as file:
            return file.read(MAX_TURN_BYTES + 1)
    except BadRequest as error:
        return str(error)
    except OSError as error:
        return f"{name}: {error.strerror}"
