"""turnwright import."""

from __future__ import annotations

import re
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_json, echo_table, safe
from turnwright.model.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from turnwright.rulesets.imports import FieldReport, ImportAnswer, ImportReport

_INDEX = re.compile(r"\[\d+\]")
_COLORS = {"taken": "green", "derived": "cyan", "dropped": "bright_black"}
_FORMATS = {
    "sheet": "a sheet of turnwright's own",
    "foundry": "an actor of Foundry VTT, dnd5e",
    "dnd_beyond": "a character of D&D Beyond",
    "csv": "a table",
    "yaml": "a YAML file",
}


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--into", "campaign", type=click.Path(path_type=Path), required=True, help="The campaign.")
@click.option("--replace", is_flag=True, help="Put the character in the place of the one with the same id.")
@click.option("--party", "join", is_flag=True, help="The character joins the party.")
@click.option("--as", "as_id", metavar="ID", help="The id of the character; default: its own, or one of its name.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, and change nothing.")
@wait_option
@now_option
@json_option
def command(
    file: Path,
    campaign: Path,
    replace: bool,
    join: bool,
    as_id: str | None,
    dry_run: bool,
    wait: float,
    now: datetime | None,
    as_json: bool,
) -> None:
    """Bring the characters of a FILE into a campaign, and say where each of its fields went.

    A FILE is a sheet that `turnwright export` wrote, an actor that Foundry VTT exported (dnd5e 4 or 5), the JSON of a
    D&D Beyond character, or a table of your own in CSV or YAML. Each field is taken, derived (worked out with it, by
    the rules) or dropped. Where the file states what the rules work out otherwise, both are shown. All of it is one
    turn, or nothing is changed.
    """
    from turnwright.campaign.campaign import Campaign

    data, name = _read(file)
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        answer = opened.import_characters(data, name, replace=replace, join=join, as_id=as_id, dry_run=dry_run)
    if as_json:
        echo_json(answer)
    else:
        _echo(answer)


def _read(file: Path) -> tuple[bytes, str]:
    from turnwright.rulesets.imports import MAX_FILE_BYTES
    from turnwright.store.files import require_ordinary

    if str(file) == "-":
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1), "-"
    if file.is_dir():
        raise BadRequest(f"{file} is a directory; a character is one file")
    require_ordinary(file)
    with file.open("rb") as opened:
        return opened.read(MAX_FILE_BYTES + 1), file.name


def _echo(answer: ImportAnswer) -> None:
    for report in answer["imported"]:
        version = f" {report['version']}" if report["format"] == "foundry" else ""
        told = f"{_FORMATS.get(report['format'], report['format'])}{version}"
        click.echo(f"{click.style(safe(report['name']), bold=True)}  {safe(report['character_id'])}  {safe(told)}")
        _echo_fields(report["fields"])
        _echo_derived(report)
    reply = answer["reply"]
    if reply.get("dry_run"):
        click.echo("dry run, nothing was changed")
    else:
        click.echo(f"turn {safe(reply['turn_id'])} brought {len(answer['imported'])} into the campaign")


def _echo_fields(fields: Sequence[FieldReport]) -> None:
    echo_table(_rows(fields), indent="  ")
    counts = Counter[str]()
    for field in fields:
        counts[field["how"]] += field["fields"]
    click.echo("  " + ", ".join(f"{counts[how]} {how}" for how in _COLORS))


def _rows(fields: Sequence[FieldReport]) -> Iterator[list[str]]:
    """Yield a row for each part of the character that values went into, and for each kind of place that was dropped."""
    together: dict[tuple[str, str, str], list[FieldReport]] = {}
    for field in fields:
        part = ".".join(field.get("into", "").split(".")[:2])
        key = (field["how"], part or _INDEX.sub("[*]", field["path"]), field.get("why", ""))
        together.setdefault(key, []).append(field)
    for how in _COLORS:
        for (became, what, why), group in together.items():
            if became == how:
                told = _places(group) if how != "dropped" else _counted(group)
                yield [click.style(how, fg=_COLORS[how]), safe(what), safe(": ".join(filter(None, (told, why))))]


def _places(group: Sequence[FieldReport]) -> str:
    """Return the first place that values came from, and how many more there are."""
    places = list(dict.fromkeys(_INDEX.sub("[*]", field["path"]) for field in group))
    more = f" and {len(places) - 1} more" if len(places) > 1 else ""
    return places[0] + more


def _counted(group: Sequence[FieldReport]) -> str:
    count = sum(field["fields"] for field in group)
    return f"{count} values" if count > 1 else ""


def _echo_derived(report: ImportReport) -> None:
    derived = report["derived"]
    if derived is not None:
        slots = ", ".join(f"{count} of level {level}" for level, count in derived["spell_slots"].items())
        rows = [["max_hp", str(derived["max_hp"])], ["ac", str(derived["ac"])]]
        rows += [
            ["attack", safe(f"{each['name']} {each['attack_bonus']:+d}, {each['damage']} {each['damage_type']}")]
            for each in derived["attacks"]
        ]
        rows += [["spell slots", slots]] if slots else []
        echo_table(rows, indent="  ")
    for each in report["differences"]:
        told = f"the file says {each['file']}, the rules give {each['derived']}; kept: {each[each['kept']]}"
        click.echo(f"  {click.style('difference', fg='yellow')}  {safe(each['value'])}: {safe(told)}")
