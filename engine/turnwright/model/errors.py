"""What the public API raises: nothing but `CampaignError` subclasses for anything that comes from outside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwright.model.reason import Problem, Reason


class CampaignError(Exception):
    """Something about the campaign or the request that the caller can do something about."""


class CampaignInvalid(CampaignError):
    """The campaign's files do not form a valid campaign; nothing was touched.

    Attributes:
        problems: everything found wrong, never empty.
    """

    reason = Reason.CAMPAIGN_INVALID

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class CampaignBusy(CampaignError):
    """Another process held the campaign's lock for longer than we were told to wait."""

    reason = Reason.CAMPAIGN_BUSY


class StorageFailed(CampaignError):
    """The machine could not read or write (full disk, no permission): nothing was reported as applied."""


class BadRequest(CampaignError):
    """A request that is no turn (a setting, a query, a record to undo) cannot be done; nothing was touched."""

    def __init__(self, message: str, hint: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.hint = hint or {}
