"""turnwright log."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import action_in_words, echo_json, safe, word

_PAUSE = 0.25


@click.command()
@campaign_argument
@click.option("--follow", is_flag=True, help="Go on printing what is added, until stopped.")
@json_option
def command(campaign: Path, follow: bool, as_json: bool) -> None:
    """List what happened in a CAMPAIGN, record by record."""
    from turnwright.campaign import Campaign

    tell = echo_json if as_json else _echo
    with Campaign.open(campaign) as opened:
        if not follow:
            for record in opened.records():
                tell(record)
            return
        # Ctrl-C is how following ends, wherever it comes: between two looks or while a record is told.
        with suppress(KeyboardInterrupt):
            for record in _followed(opened):
                tell(record)


def _followed(campaign: Any) -> Iterator[dict[str, Any]]:
    seen = -1
    while True:
        for record in campaign.records(after=seen):
            seen = record["seq"]
            yield record
        time.sleep(_PAUSE)


def _echo(record: Mapping[str, Any]) -> None:
    stamp = click.style(safe(record["timestamp"])[:19].replace("T", " "), fg="bright_black")
    head = f"{record['seq']:>5}  {stamp}"
    if record["kind"] in ("turn", "attempt"):
        who = safe(record["actor_id"] or "nobody")
        click.echo(f"{head}  {click.style(safe(record['turn_id']), bold=True)}  {who}  {word(safe(record['status']))}")
        _echo_turn(record)
    else:
        click.echo(f"{head}  {click.style(safe(record['kind']), bold=True)}  {_told(record)}")


def _told(record: Mapping[str, Any]) -> str:
    """Return what a record that is no turn did, in a few words."""
    kind = record["kind"]
    if kind == "undo":
        return f"took back record {safe(record['undone_from'])} and what followed"
    if kind == "settings":
        return safe(", ".join(f"{key} = {value}" for key, value in record["patch"].items()))
    if kind == "fork":
        return safe(f"from record {record['parent_seq']} of {record['parent_id']}")
    if kind == "new":
        return safe(record["campaign_id"])
    return safe(", ".join(record["changes"]))


def _echo_turn(record: Mapping[str, Any]) -> None:
    for key, speaker in (("user_input", "player"), ("assistant_text", "narration")):
        if text := record.get(key):
            click.echo(f"         {speaker}: {safe(text)}")
    for action in record["applied_actions"]:
        click.echo(f"         {word('applied')}   {safe(action['tool'])}  {action_in_words(action)}")
    for call in record["tool_feedback"]["failed_calls"]:
        why = f"{safe(call['reason'])}: {safe(call['detail'])}"
        click.echo(f"         {word(safe(call['status']), 8)}  {safe(call['tool'])}  {why}")
    for finding in record["findings"]:
        kind, severity, claim = (safe(finding[key]) for key in ("kind", "severity", "claim"))
        click.echo(f"         finding   {kind} ({severity}): {claim}")
