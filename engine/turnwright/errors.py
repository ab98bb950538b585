"""What `Campaign` raises: nothing but `CampaignError` and its subclasses for anything that comes from outside.

A turn that is refused, and a call that fails, is no error: the reply says so, with a `Reason`.
Source: docs/python.md, "Errors".
"""

from turnwright.model.errors import (
    BadRequest,
    CampaignBusy,
    CampaignClosed,
    CampaignError,
    CampaignInvalid,
    StorageFailed,
)
from turnwright.model.wire.reason import Problem, Reason

__all__ = [
    "BadRequest",
    "CampaignBusy",
    "CampaignClosed",
    "CampaignError",
    "CampaignInvalid",
    "Problem",
    "Reason",
    "StorageFailed",
]
