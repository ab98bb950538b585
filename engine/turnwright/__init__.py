"""The trusted engine between an AI game master and a tabletop campaign.

The model asks, the engine decides; only the engine changes state. `Campaign` is the way in, and it raises nothing but
`CampaignError` for anything that comes from outside. What `__all__` names is the public API; everything below this
package may move between versions.

Source: docs/upgrading.md, "What is public".
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.campaign.async_campaign import AsyncCampaign
    from turnwright.campaign.campaign import Campaign
    from turnwright.campaign.recall import RecallMatch, RecallReply
    from turnwright.model.errors import (
        BadRequest,
        CampaignBusy,
        CampaignClosed,
        CampaignError,
        CampaignInvalid,
        StorageFailed,
    )
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.viewer import Viewer
    from turnwright.model.wire.prompt import Prompt, PromptMessage, ToolDefinition
    from turnwright.model.wire.reason import Problem
    from turnwright.model.wire.shapes import Record, Reply

__all__ = [
    "AsyncCampaign",
    "BadRequest",
    "Campaign",
    "CampaignBusy",
    "CampaignClosed",
    "CampaignError",
    "CampaignInvalid",
    "JsonSchema",
    "Problem",
    "Prompt",
    "PromptMessage",
    "RecallMatch",
    "RecallReply",
    "Record",
    "Reply",
    "StorageFailed",
    "ToolDefinition",
    "Viewer",
]
__version__ = "0.2.0"

_HOMES = {
    "AsyncCampaign": "turnwright.campaign.async_campaign",
    "BadRequest": "turnwright.model.errors",
    "Campaign": "turnwright.campaign.campaign",
    "CampaignBusy": "turnwright.model.errors",
    "CampaignClosed": "turnwright.model.errors",
    "CampaignError": "turnwright.model.errors",
    "CampaignInvalid": "turnwright.model.errors",
    "JsonSchema": "turnwright.model.json_schema",
    "Problem": "turnwright.model.wire.reason",
    "Prompt": "turnwright.model.wire.prompt",
    "PromptMessage": "turnwright.model.wire.prompt",
    "RecallMatch": "turnwright.campaign.recall",
    "RecallReply": "turnwright.campaign.recall",
    "Record": "turnwright.model.wire.shapes",
    "Reply": "turnwright.model.wire.shapes",
    "StorageFailed": "turnwright.model.errors",
    "ToolDefinition": "turnwright.model.wire.prompt",
    "Viewer": "turnwright.model.viewer",
}


def __getattr__(name: str) -> object:
    # Loaded on first use, so that a command that only needs its own module starts fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    return value
