"""turnwright log."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._interrupt import StopSign
from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import echo_json, safe, word
from turnwright.cli._record_view import change_in_short
from turnwright.model.knowledge import Knowledge
from turnwright.model.state.overlay import World
from turnwright.model.viewer import GAME_MASTER
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Finding, Record, RecordedEvent

_PAUSE = 0.25
_INDENT = " " * 9
_COLOURS = {"critical": "red", "warning": "yellow", "positive": "green", "bargain": "magenta"}
"""How an event of a scene game is colored, by its weight."""


@click.command()
@campaign_argument
@click.option("--follow", is_flag=True, help="Go on printing what is added, until stopped.")
@click.option("--after", type=click.IntRange(min=-1), metavar="N", help="Leave out the records up to number N.")
@click.option("--last", type=click.IntRange(min=0), metavar="N", help="Print no more than the last N records.")
@json_option
def command(campaign: Path, follow: bool, after: int | None, last: int | None, as_json: bool) -> None:
    """List what happened in a CAMPAIGN, record by record.

    With --follow it ends with exit code 3 when the log is no longer the one that was followed, as when an older copy
    was put back.
    """
    from turnwright.campaign.campaign import Campaign

    first = -1 if after is None else after
    with Campaign.open(campaign) as opened:
        tell: Callable[[Record], None] = echo_json if as_json else partial(_echo, opened)
        if not follow:
            for record in opened.records(after=first, last=last):
                tell(record)
            return
        # Ctrl-C is how following ends, wherever it comes: between two looks or while a record is told.
        sign = StopSign(interrupts=True)
        with sign.watched(), suppress(KeyboardInterrupt):
            for record in opened.follow(after=first, last=last, viewer=GAME_MASTER, wait=partial(_wait, sign)):
                tell(record)


def _wait(sign: StopSign) -> bool:
    """Wait until the log is worth reading again; return False once a stop was requested."""
    time.sleep(_PAUSE)
    return not sign.is_up


def _echo(campaign: Any, record: Record) -> None:
    stamp = click.style(safe(record["timestamp"])[:19].replace("T", " "), fg="bright_black")
    head = f"{record['seq']:>5}  {stamp}"
    if record["kind"] in ("turn", "attempt"):
        who = safe(record["actor_id"] or "nobody")
        click.echo(f"{head}  {click.style(safe(record['turn_id']), bold=True)}  {who}  {word(safe(record['status']))}")
        _echo_turn(campaign, record)
    else:
        click.echo(f"{head}  {click.style(safe(record['kind']), bold=True)}  {change_in_short(record)}")


def _echo_turn(campaign: Any, record: Record) -> None:
    events = record["events"]
    with campaign.moment() as (world, _):
        knowledge = WorldKnowledge(world, GAME_MASTER, shows_ids=True)
        _echo_events(world, [event for event in events if event["part"] == 0])
        of_text = [finding for finding in record["findings"] if "event" not in finding]
        of_events = [finding for finding in record["findings"] if "event" in finding]
        if _echo_texts(record):
            _echo_findings(knowledge, record, of_text)
        else:
            of_events = [*of_text, *of_events]
        _echo_calls(knowledge, record)
        if record["status"] == "waiting":
            from turnwright.cli._dice_view import echo_dice

            echo_dice(record["request"], knowledge, indent=_INDENT)
        _echo_events(world, [event for event in events if event["part"] > 0])
        _echo_findings(knowledge, record, of_events)


def _echo_findings(knowledge: Knowledge, record: Record, findings: Sequence[Finding]) -> None:
    """Print what a text claims and what is so instead, right below it; of what is so, only what holds at any time."""
    if not findings:
        return
    from turnwright.render.finding import Reading, describe_finding

    reading = Reading.of(record, knowledge, is_now=False)
    for finding in findings:
        kind, severity, claim = (safe(finding[key]) for key in ("kind", "severity", "claim"))
        click.echo(f"{_INDENT}finding   {kind} ({severity}): {claim}; {safe(describe_finding(finding, reading))}")


def _echo_texts(record: Record) -> bool:
    """Print what was said in a turn, but for what its events tell; return whether a narration was among it."""
    told = [event["data"] for event in record["events"] if event["type"] == "NarrativeAdded"]
    said, narrated = record.get("user_input"), record.get("assistant_text")
    if said and not any(text["source"] == "player" for text in told):
        click.echo(f"{_INDENT}player: {safe(said)}")
    if not narrated or any(text["text"] == narrated.strip() for text in told):
        return False
    click.echo(f"{_INDENT}narration: {safe(narrated)}")
    return True


def _echo_calls(knowledge: Knowledge, record: Record) -> None:
    """Print what calls did, but for what the events of a scene game tell, and why others failed."""
    from turnwright.cli._scene_view import echo_wrapped
    from turnwright.rulesets.story import describe_action, describe_failed_call, is_of_scene_game, is_told_by_events

    for action in record["applied_actions"]:
        tool = action["tool"]
        if is_told_by_events(tool):
            continue
        words = describe_action(action, knowledge, record)
        if is_of_scene_game(tool):
            echo_wrapped(words, f"{_INDENT}{tool}: ")
        else:
            click.echo(f"{_INDENT}{word('applied')}   {safe(tool)}  {safe(words)}")
    for call in record["tool_feedback"]["failed_calls"]:
        why = safe(describe_failed_call(call, knowledge))
        click.echo(f"{_INDENT}{word(safe(call['status']), 8)}  {safe(call['tool'])}  {why}")


def _echo_events(world: World, events: Sequence[RecordedEvent]) -> None:
    if not events:
        return
    from turnwright.cli._scene_view import echo_wrapped
    from turnwright.render.scene_story import futures_in_words, happened
    from turnwright.rulesets.scenes.projection import place_names

    ids = [event["data"]["location"] for event in events if event["type"] == "SceneStarted"]
    lines = happened(events, place_names(world, ids))
    for line in lines:
        echo_wrapped(
            line.text, _INDENT if line.is_prose else f"{_INDENT}* ", _COLOURS.get(line.weight), is_told=line.is_told
        )
    for event in events:
        for future in futures_in_words(event):
            echo_wrapped(future, f"{_INDENT}  - ")
