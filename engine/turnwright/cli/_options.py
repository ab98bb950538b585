"""Arguments and options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from turnwright.model.authority import GM, player_of
from turnwright.store.lock import DEFAULT_WAIT

F = TypeVar("F", bound=Callable[..., Any])

campaign_argument = click.argument("campaign", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


class Seconds(click.FloatRange):
    """A number of seconds within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; what is none (`nan`) is within no bounds, although no comparison says so."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is no number", param, ctx)
        return seconds


wait_option = click.option(
    "--wait",
    type=Seconds(0, 3600),
    default=DEFAULT_WAIT,
    show_default=True,
    help="Seconds to wait for another writer.",
)


class Moment(click.ParamType[datetime]):
    """A point in time in ISO 8601 with its offset."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the moment, or say what is missing."""
        if isinstance(value, datetime):
            return value
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no time such as 2026-01-14T16:05:31+00:00", param, ctx)
        if moment.tzinfo is None:
            self.fail(f"{value!r} has no offset; write 2026-01-14T16:05:31+00:00", param, ctx)
        try:
            return moment.astimezone(UTC)
        except OverflowError:
            self.fail(f"{value!r} is before the year 1 or after the year 9999 in UTC", param, ctx)


now_option = click.option("--now", type=Moment(), help="The time to write down instead of the clock's.")


def require_authority(text: str, *others: str) -> None:
    """Refuse what `--as` does not take: `gm`, `player:ID`, and what else this command knows."""
    if text not in (GM, *others) and player_of(text) is None:
        raise click.UsageError(f"--as wants {', '.join((*others, GM))} or player:ID")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise click.UsageError("--as wants text; this cannot be decoded")


def clock_of(now: datetime | None) -> Callable[[], datetime] | None:
    """Return a clock that stands still, or None for the system's."""
    return None if now is None else lambda: now
