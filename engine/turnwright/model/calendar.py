"""The clock of a campaign: the time that has passed in its world. Source: docs/toolkit.md, "The calendar"."""

from __future__ import annotations

from pydantic import Field

from turnwright.model.base import Count, Document, Id, ListOf, Model, is_empty, is_none

CALENDAR_PATH = "calendar.json"
MINUTE, HOUR, DAY = 60, 3600, 86_400
"""Seconds."""
_BEGINS_AT = 8 * HOUR
"""A campaign begins at eight in the morning of its first day."""


class TimeOfDay(Model):
    """A moment, as people say it."""

    day: Count = Field(description="The first day is 1.")
    hour: Count
    minute: Count


class Calendar(Document):
    """The time, and the rests of the last turn in which a character rested: such rests run in parallel."""

    seconds: Count = Field(default=0, description="Since the campaign began.")
    rest_seq: Count | None = Field(
        default=None, exclude_if=is_none, description="The number of the record of that turn."
    )
    rest_began: Count | None = Field(default=None, exclude_if=is_none, description="When these rests began.")
    rested: ListOf[Id] = Field(default=(), exclude_if=is_empty, description="Who took one.")

    @property
    def path(self) -> str:
        """The one file of the clock."""
        return CALENDAR_PATH


def time_of_day(seconds: int) -> TimeOfDay:
    """Return the moment that so many seconds after the beginning are."""
    since = seconds + _BEGINS_AT
    return TimeOfDay(day=1 + since // DAY, hour=since % DAY // HOUR, minute=since % HOUR // MINUTE)
