"""How commands speak: lines for people, one JSON object a line for programs, messages on stderr.

Whatever players, models or files brought in is made safe before a terminal sees it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.model.errors import CampaignError, CampaignInvalid
from turnwright.model.wire.reason import Problem
from turnwright.render.escape import terminal_safe

if TYPE_CHECKING:
    from turnwright.cli._story_view import Telling
    from turnwright.model.knowledge import Knowledge
    from turnwright.model.wire.shapes import AppliedAction, FailedCall, Finding, Record, Reply
    from turnwright.render.finding import Reading

COLOURS = {
    "applied": "green",
    "partial": "yellow",
    "retry_needed": "yellow",
    "waiting": "yellow",
    "failed": "red",
    "rejected": "red",
    "error": "red",
    "refused": "red",
    "empty": "bright_black",
    "alive": "green",
    "dying": "red",
    "unconscious": "yellow",
    "dead": "bright_black",
}
_PLAIN = {
    "applied": "everything was done",
    "partial": "some of it was done",
    "failed": "nothing of it was done",
    "empty": "words only",
    "retry_needed": "withheld, and asked for again",
    "waiting": "waiting for dice",
}
"""A turn's status, in the words of a table."""


def safe(text: object) -> str:
    """Return any text so that it cannot drive a terminal."""
    return terminal_safe(str(text))


def word(text: str, width: int = 0) -> str:
    """Return a status in its color, padded; color goes away where output is no terminal."""
    return click.style(text.ljust(width), fg=COLOURS.get(text))


_STATES = {"restrained_permanent": "captive"}


def state_word(state: object) -> str:
    """Return a character's state, in a word that a player knows; empty if unknown."""
    return "" if state is None else _STATES.get(str(state), str(state).replace("_", " "))


def echo_json(value: Any, *, indent: int | None = None) -> None:
    """Print one JSON value on one line, or indented; what could steer a terminal is spelled as an escape."""
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=not _takes_unicode(), separators=separators, indent=indent)
    escapes = {ord(char): json.dumps(char)[1:-1] for char in set(text) if char != "\n" and safe(char) != char}
    escapes |= {0x7F: "\\u007f"}  # to json, an ordinary character
    click.echo(text.translate(escapes))


def _takes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def echo_table(rows: Iterable[Sequence[str]], *, indent: str = "") -> None:
    """Print rows in aligned columns; the last column is not padded."""
    table = [list(row) for row in rows]
    if not table:
        return
    widths = [max(len(click.unstyle(row[column])) for row in table) for column in range(len(table[0]))]
    for row in table:
        cells = [cell + " " * (widths[place] - len(click.unstyle(cell))) for place, cell in enumerate(row[:-1])]
        click.echo((indent + "  ".join([*cells, row[-1]])).rstrip())


def echo_reply(
    reply: Reply,
    name: str | None = None,
    telling: Telling | None = None,
) -> None:
    """Print the result of a turn.

    Args:
        reply: to the turn, or its projection.
        name: of the turn's file.
        telling: the reader; default: the game master, who sees ids instead of names.
    """
    from turnwright.cli._story_view import Telling
    from turnwright.rulesets.story import describe_failed_call

    telling = telling or Telling()
    knowledge, record, reading, is_plain = telling.knowledge, telling.record, telling.reading, telling.is_plain
    status = _PLAIN.get(reply["status"], reply["status"]) if is_plain else reply["status"]
    title = click.style(safe(reply["turn_id"] or "turn"), bold=True)
    where = f"  {safe(name)}" if name else ""
    note = "  (dry run, nothing was changed)" if reply.get("dry_run") else ""
    click.echo(f"{title}  {word(safe(status))}{where}{note}")
    if reply["status"] == "refused":
        click.echo(f"  {safe(describe_failed_call(reply, knowledge, names_reason=not is_plain))}")
        return
    if "undone_by" in reply:
        click.echo(f"  this turn was taken before; record {safe(reply['undone_by'])} has undone it")
    rows = [_action_row(action, knowledge, record) for action in reply["applied_actions"]]
    failures = reply["tool_feedback"]["failed_calls"]
    rows += [_failed_row(call, knowledge, names_reason=not is_plain) for call in failures]
    if not any(tool for _, _, tool, _ in rows):
        rows = [[status, part_id, words] for status, part_id, _, words in rows]
    echo_table(rows, indent="  ")
    for finding in reply["findings"]:
        click.echo(f"  {finding_in_words(finding, reading, is_plain=is_plain)}")
    if reply["status"] == "waiting" and "undone_by" not in reply:
        from turnwright.cli._dice_view import echo_dice

        echo_dice(reply["request"], knowledge)
    elif reply["status"] != "waiting" and (request := reply["request"]) and request["kind"] != "text":
        click.echo(f"  waiting for an answer ({safe(request['kind'])}): {safe(request['prompt'])}")


def finding_in_words(finding: Finding, reading: Reading | None, *, is_plain: bool = False) -> str:
    """Return a finding on one line: what the text claims, and what is so instead.

    Args:
        finding: the finding.
        reading: its turn, and who reads it; None where no campaign is at hand.
        is_plain: whether its kind and its severity are left out.
    """
    if reading is None:
        return safe(f"{finding['severity']}: the text says {finding['claim']!r}: {finding['kind']}")
    from turnwright.render.finding import (  # most texts are true
        describe_claim,
        describe_disagreement,
        describe_finding,
    )

    fact = describe_finding(finding, reading)
    if is_plain:
        return safe(fact if finding["kind"] == "unspoken" else describe_disagreement(finding, reading))
    claim = describe_claim(finding, reading)
    return safe(f"{finding['severity']}: the text says {claim}: {finding['kind']}; {fact}")


def _action_row(action: AppliedAction, knowledge: Knowledge, record: Record | None) -> list[str]:
    from turnwright.rulesets.story import describe_action

    return _part_row("applied", action, describe_action(action, knowledge, record))


def _failed_row(call: FailedCall, knowledge: Knowledge, *, names_reason: bool) -> list[str]:
    from turnwright.rulesets.story import describe_failed_call

    return _part_row(call["status"], call, describe_failed_call(call, knowledge, names_reason=names_reason))


def _part_row(status: str, part: AppliedAction | FailedCall, words: str) -> list[str]:
    """Return status, id, tool and words; the tool is empty where the id says it, as of an answer or an output."""
    tool = "" if part["tool"] == part["id"] else part["tool"]
    return [word(safe(status)), safe(part["id"]), safe(tool), safe(words)]


def echo_problems(problems: Sequence[Problem], campaign: Path | None = None) -> None:
    """Print problems, file by file, on stderr; each with the campaign, where there are several."""
    for problem in problems:
        kind = click.style("warning", fg="yellow") if problem.warning else click.style("problem", fg="red")
        told = [*([campaign] if campaign else []), problem.file, problem.path, problem.message]
        click.echo("  ".join([kind, *map(safe, told)]), err=True)


def echo_usage_error(error: click.ClickException) -> None:
    """Tell on stderr what is wrong with a command line; where nothing was asked for, the help."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    click.echo("  ".join([click.style("error", fg="red"), safe(error.format_message())]), err=True)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        usage = " ".join(error.ctx.command.collect_usage_pieces(error.ctx))
        path = error.ctx.command_path
        click.echo(safe(f"  usage: {path} {usage}; {path} --help says more"), err=True)


def echo_error(error: CampaignError, campaign: Path | None = None) -> None:
    """Tell what went wrong on stderr; with the campaign, where there are several."""
    if isinstance(error, CampaignInvalid):
        echo_problems(error.problems, campaign)
        return
    told = [*([campaign] if campaign else []), error]
    click.echo("  ".join([click.style("error", fg="red"), *map(safe, told)]), err=True)
