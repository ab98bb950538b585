"""Exit codes, by what a turn came to and by what was raised.

Source: docs/stages/6-publish.md, "Exit codes".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from turnwright.model.errors import BadRequest, CampaignBusy, CampaignError, CampaignInvalid, StorageFailed

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Reply

USAGE, IO_ERROR = 64, 74
READER_LEFT = 141
"""As shells see a program that SIGPIPE ended: 128 + 13."""
_OF_STATUSES = {"applied": 0, "empty": 0, "partial": 1, "failed": 1, "retry_needed": 1, "waiting": 1, "refused": 2}
_OF_ERRORS: Mapping[type[CampaignError], int] = {
    BadRequest: USAGE,
    CampaignBusy: 4,
    CampaignInvalid: 3,
    StorageFailed: IO_ERROR,
}


def code_of(reply: Reply) -> int:
    """Return the exit code for a turn's status."""
    return _OF_STATUSES[reply["status"]]


def code_for(error: Exception) -> int:
    """Return the code of an error; 1, as Python has it, for a fault of this program."""
    return next((code for kind, code in _OF_ERRORS.items() if isinstance(error, kind)), 1)
