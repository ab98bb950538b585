"""turnwright set."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._options import campaign_argument, clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_json, echo_problems, echo_table, safe
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import REGISTRY, Rows
from turnwright.rulesets.in_use import tables_at
from turnwright.store.files import Files

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.model.wire.reason import Problem
    from turnwright.model.wire.shapes import SettingsAnswer


@click.command()
@campaign_argument
@click.argument("changes", nargs=-1, metavar="KEY=VALUE...")
@now_option
@wait_option
@json_option
def command(campaign: Path, changes: tuple[str, ...], now: datetime | None, wait: float, as_json: bool) -> None:
    """Change settings of a CAMPAIGN, all or nothing; without KEY=VALUE, list those in force.

    Beside the settings, `selected.active_actor_id`, `goal.text` and `goal.status` can be set.
    """
    from turnwright.campaign.campaign import Campaign

    given: dict[str, Any] = {}
    rows = _rows_at(campaign) if changes else REGISTRY
    for key, value in (_parsed(text, rows) for text in changes):
        if key in given:
            raise click.UsageError(f"{key} is given twice")
        given[key] = value
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        answer = opened.set(given)
        _tell(answer, rows if given else _rows_at(campaign), is_change=bool(given), as_json=as_json)
        if given:
            echo_problems(_idle(opened, given))


def _rows_at(campaign: Path) -> Rows:
    """Return the settings that a campaign has, those of installed rulesets among them."""
    return tables_at(Files(campaign)).settings


def _tell(answer: SettingsAnswer, rows: Rows, *, is_change: bool, as_json: bool) -> None:
    if as_json:
        echo_json(answer)
        return
    shown = [(key, json.dumps(value), rows[key].hint) for key, value in answer["settings"].items()]
    if not is_change:
        echo_table([(safe(key), safe(value), click.style(hint, fg="bright_black")) for key, value, hint in shown])
        return
    changed = ", ".join(answer["changed"]) or "nothing, these were the values already"
    click.echo(f"changed: {safe(changed)} (revision {answer['settings_revision']})")


def _idle(campaign: Campaign, given: JsonObject) -> list[Problem]:
    """Return a warning for each name among the new values that stands for nothing."""
    from turnwright.protocol.validation.unknown_names import setting_warnings

    with campaign.reading() as world:
        return list(setting_warnings(world, world.campaign, given))


def _parsed(text: str, rows: Rows) -> tuple[str, Any]:
    """Return key and value of `KEY=VALUE`: JSON where the setting is not text, else the text itself."""
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"{text!r} is not of the form KEY=VALUE")
    row = rows.get(key)
    if row is not None and isinstance(row.default, str):
        return key, value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return key, value
    return key, parsed if row is not None or parsed is None else value
