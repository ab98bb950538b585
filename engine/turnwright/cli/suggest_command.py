"""turnwright suggest."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click

from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import echo_json, safe
from turnwright.cli._overrides import overrides_of, overrides_option
from turnwright.model.strict_json import MAX_DEPTH, parse_json
from turnwright.model.wire.agent import SPEAKERS

if TYPE_CHECKING:
    from turnwright.model.settings import Settings
    from turnwright.model.state.overlay import World
    from turnwright.model.wire.shapes import OfferedHint, Record, SuggestionAnswer
    from turnwright.suggestions.snapshot import Snapshot
    from turnwright.suggestions.suggestion import SuggestionSet

Turns = Sequence["Record"]

AGENTS = (*(agent.value for agent in SPEAKERS), "npc")
MAX_LINE_LENGTH = 1_048_576
"""The most characters of one line of input."""


@click.command()
@campaign_argument
@click.argument("message", required=False)
@click.option(
    "--agent",
    type=click.Choice(AGENTS),
    default="narrative",
    show_default=True,
    help="Whom the hints are for.",
)
@overrides_option
@json_option
def command(campaign: Path, message: str | None, agent: str, assignments: tuple[str, ...], as_json: bool) -> None:
    """Print what a model that answers MESSAGE in a CAMPAIGN would be told to consider.

    With `-` for MESSAGE, lines of JSON are read from standard input, `{"message", "agent", "context"}`, and each is
    answered by a line; `context` overrides the view of the campaign field by field. Nothing is recorded.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.game_master.knowledge.utterances import standing
    from turnwright.game_master.recent_records import recent_records
    from turnwright.model.settings import patched, settings_of
    from turnwright.rulesets.in_use import tables_of

    if message is None:
        raise click.UsageError("say a MESSAGE, or - to read lines of JSON")
    with Campaign.open(campaign) as opened, opened.reading() as world:
        rows = tables_of(world.campaign).settings
        nested, _ = patched(world.campaign.settings, overrides_of(assignments, os.environ), rows)
        settings = settings_of(nested, rows)
        turns = standing(recent_records(opened))
        _warn_of_languages(settings)
        if message == "-":
            for line in _lines():
                echo_json(_answered(world, settings, turns, line, agent))
            return
        found, _problems = _suggested(world, settings, turns, {"message": message}, agent)
    if as_json:
        echo_json(found.as_json())
    else:
        _echo_for_people(found)


def _warn_of_languages(settings: Settings) -> None:
    """Print once on stderr which languages of the campaign have no pack."""
    from turnwright.suggestions.pack_files import language_faults

    if settings["suggestions.enabled"]:
        for told in language_faults(settings["suggestions.languages"]):
            click.echo(f"{click.style('warning', fg='yellow')}  {safe(told)}", err=True)


def _lines() -> Iterator[str]:
    """Yield the lines of standard input that hold anything; of one that is too long, the beginning."""
    while line := sys.stdin.readline(MAX_LINE_LENGTH + 1):
        rest = line
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(MAX_LINE_LENGTH)
        if line.strip():
            yield line.removesuffix("\n")


class UnreadableLine(TypedDict):
    """The answer to a line of input that cannot be read."""

    suggestions: list[OfferedHint]
    error: str


def _answered(
    world: World, settings: Settings, turns: Turns, line: str, agent: str
) -> SuggestionAnswer | UnreadableLine:
    """Return the answer to a line of input; one that cannot be read is answered with what is wrong with it."""
    try:
        if len(line) > MAX_LINE_LENGTH:
            raise ValueError(f"a line has at most {MAX_LINE_LENGTH} characters")
        asked = parse_json(line, max_depth=MAX_DEPTH)
        if not isinstance(asked, Mapping) or not isinstance(asked.get("message"), str):
            raise ValueError("a line is an object with a text under `message`")
        found, problems = _suggested(world, settings, turns, asked, asked.get("agent") or agent)
    except ValueError as error:
        return {"suggestions": [], "error": str(error)}
    answer = found.as_json()
    answer["errors"] += [{"rule_id": "context", "error": problem} for problem in problems]
    return answer


def _suggested(
    world: World, settings: Settings, turns: Turns, asked: Mapping[str, Any], agent: str
) -> tuple[SuggestionSet, tuple[str, ...]]:
    """Return the hints for one message, and what of its context could not be read."""
    from turnwright.game_master.suggestion_provider import engine_for, tuning_of
    from turnwright.protocol.stage0_prepare.snapshot import snapshot_of
    from turnwright.suggestions.snapshot import agent_kind
    from turnwright.suggestions.snapshot_overrides import with_overrides
    from turnwright.suggestions.suggestion import SuggestionSet

    context = asked.get("context") or {}
    if not isinstance(context, Mapping):
        raise ValueError("`context` is an object")
    if not settings["suggestions.enabled"]:
        return SuggestionSet(), ()
    try:
        kind = agent_kind(str(agent))
    except ValueError:
        raise ValueError(f"there is no agent {agent}; there are {', '.join(AGENTS)}") from None
    seen: Snapshot = snapshot_of(world, kind, turns=turns)
    seen, problems = with_overrides(seen, context)
    return engine_for(world.campaign).suggest(asked["message"], seen, tuning_of(settings)), problems


def _echo_for_people(found: SuggestionSet) -> None:
    if not found.suggestions:
        click.echo("nothing to suggest")
    for one in found.suggestions:
        click.echo(
            f"{click.style(safe(one.tool), bold=True)}  {one.label.value} ({one.confidence:g})  {safe(one.reason)}"
        )
        if one.arguments:
            click.echo(f"    {safe(json.dumps(one.arguments, ensure_ascii=False))}")
    for note in found.context_notes:
        click.echo(f"note  {safe(note)}")
    for left in found.suppressed:
        click.secho(f"not shown  {safe(left.intent)}: {safe(left.cause)}", fg="bright_black")
    for error in found.errors:
        click.echo(f"{click.style('failed', fg='red')}  {safe(error.rule_id)}: {safe(error.error)}", err=True)
