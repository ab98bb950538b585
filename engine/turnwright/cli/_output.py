"""How commands speak: lines for people, one JSON object a line for programs, messages on stderr.

Whatever players, models or files brought in is made safe before a terminal sees it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from turnwright.model.errors import CampaignError, CampaignInvalid
from turnwright.model.nearest import did_you_mean
from turnwright.model.reason import Problem
from turnwright.render.escape import terminal_safe
from turnwright.tools.registry import TOOLS

COLOURS = {
    "applied": "green",
    "partial": "yellow",
    "retry_needed": "yellow",
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


def safe(text: object) -> str:
    """Return any text so that it cannot drive a terminal."""
    return terminal_safe(str(text))


def word(text: str, width: int = 0) -> str:
    """Return a status in its colour, padded; colour goes away where output is no terminal."""
    return click.style(text.ljust(width), fg=COLOURS.get(text))


def echo_json(value: Any, *, indent: int | None = None) -> None:
    """Print one JSON value on one line, or indented; what could steer a terminal is spelt as an escape."""
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


def echo_reply(reply: Mapping[str, Any], name: str | None = None) -> None:
    """Print what became of a turn."""
    title = click.style(safe(reply["turn_id"] or "turn"), bold=True)
    where = f"  {safe(name)}" if name else ""
    note = "  (dry run, nothing was changed)" if reply.get("dry_run") else ""
    click.echo(f"{title}  {word(safe(reply['status']))}{where}{note}")
    if reply["status"] == "refused":
        hint = reply.get("hint") or {}
        repair = "" if hint.get("remove") else _repair(hint)  # the detail names what is to go, and the nearest key
        click.echo(f"  {safe(reply['reason'])}: {safe(reply['detail'])}{repair}")
        return
    if "undone_by" in reply:
        click.echo(f"  this turn was taken before; record {safe(reply['undone_by'])} has undone it")
    echo_table([*map(_action_row, reply["applied_actions"]), *_failed_rows(reply)], indent="  ")
    for finding in reply["findings"]:
        severity, claim, kind = (safe(text) for text in (finding["severity"], repr(finding["claim"]), finding["kind"]))
        click.echo(f"  {severity}: the text says {claim}: {kind}")
    if (request := reply["request"]) and request["kind"] != "text":
        click.echo(f"  waiting for an answer ({safe(request['kind'])}): {safe(request['prompt'])}")


def _action_row(action: Mapping[str, Any]) -> list[str]:
    return [word("applied"), safe(action["id"]), safe(action["tool"]), action_in_words(action)]


def action_in_words(action: Mapping[str, Any]) -> str:
    """Return what an action did, on one line."""
    if TOOLS.folders.get(action["tool"]) == "core":
        return result_in_words(action["result"])
    if is_of_scene_game(action["tool"]):
        from turnwright.render.scene_story import call_in_words

        return safe(call_in_words(action) or "")
    from turnwright.render.story import told

    words = told(action)
    return result_in_words(action["result"]) if words is None else safe(words)


def is_of_scene_game(tool: str) -> bool:
    """Return whether the events of a scene game tell what an action did."""
    return tool in ("answer", "output") or TOOLS.folders.get(tool) == "scenes"


def result_in_words(result: Mapping[str, Any]) -> str:
    """Return what an action reports, on one line."""
    return ", ".join(f"{safe(key)} {_short(value)}" for key, value in result.items())


def _failed_rows(reply: Mapping[str, Any]) -> Iterable[list[str]]:
    for call in reply["tool_feedback"]["failed_calls"]:
        detail = f"{safe(call['reason'])}: {safe(call['detail'])}{_repair(call.get('hint'))}"
        yield [word(safe(call["status"])), safe(call["id"]), safe(call["tool"]), detail]


def _repair(hint: Mapping[str, Any] | None) -> str:
    if not hint or "field" not in hint:
        return ""
    if hint.get("remove"):
        field = hint["field"]
        return safe(f" (leave {field} out{did_you_mean(field.rpartition('.')[2], hint.get('allowed', ()))})")
    allowed = [_short(value) for value in hint.get("allowed", ())[:4]]
    choices = [_short(value) for value in hint.get("choices", ())[:4]]
    told = f"try {safe(hint['field'])}: {', '.join(allowed)}" if allowed else ""
    told = told or (f"for {safe(hint['field'])} there is: {', '.join(choices)}" if choices else "")
    return f" ({told})" if told else ""


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return safe(text if len(text) <= 60 else text[:57] + "...")


def echo_problems(problems: Sequence[Problem], campaign: Path | None = None) -> None:
    """Print problems, file by file, on stderr; each with the campaign, where there are several."""
    for problem in problems:
        kind = click.style("warning", fg="yellow") if problem.warning else click.style("problem", fg="red")
        told = [*([campaign] if campaign else []), problem.file, problem.path, problem.message]
        click.echo("  ".join([kind, *map(safe, told)]), err=True)


def echo_error(error: CampaignError) -> None:
    """Tell what went wrong on stderr."""
    if isinstance(error, CampaignInvalid):
        echo_problems(error.problems)
        return
    click.echo(f"{click.style('error', fg='red')}  {safe(error)}", err=True)
