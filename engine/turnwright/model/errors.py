"""The exceptions of the public API: only `CampaignError` subclasses for any outside cause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from turnwright.model.wire.reason import Problem, Reason


class CampaignError(Exception):
    """Something about the campaign or the request that the caller can do something about.

    Attributes:
        reason: the word for it, a fact of the class.
    """

    reason: ClassVar[Reason]


class CampaignInvalid(CampaignError):
    """The campaign's files do not form a valid campaign; nothing was touched.

    Attributes:
        problems: everything found wrong, never empty.
    """

    reason = Reason.CAMPAIGN_INVALID

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[CampaignInvalid], tuple[tuple[Problem, ...]]]:
        """Return what makes it again, in another process for instance."""
        return type(self), (self.problems,)


class CampaignBusy(CampaignError):
    """Another process held the campaign's lock for longer than we were told to wait, or may be copying it here."""

    reason = Reason.CAMPAIGN_BUSY


class StorageFailed(CampaignError):
    """The machine could not read or write (full disk, no permission): anything not reported was not done."""

    reason = Reason.STORAGE_FAILED


class BadRequest(CampaignError):
    """A request that is no turn (a setting, a query, a record to undo) cannot be done; nothing was touched."""

    reason = Reason.BAD_REQUEST


class CampaignClosed(BadRequest):
    """The campaign was closed by `close`, and nothing more is read or written through it; nothing was touched."""
