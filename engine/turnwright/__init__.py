"""The trusted engine between an AI game master and a tabletop campaign.

The model asks, the engine decides; only the engine changes state. `Campaign` is the way in, and `Viewer` says who
reads a reply (`Campaign.project`); everything that comes from outside raises nothing but `CampaignError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.model.errors import CampaignError
    from turnwright.model.viewer import Viewer

__all__ = ["Campaign", "CampaignError", "Viewer"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Loaded on first use, so that a command that only needs its own module starts fast.
    if name == "Campaign":
        from turnwright.campaign.campaign import Campaign

        return Campaign
    if name == "CampaignError":
        from turnwright.model.errors import CampaignError

        return CampaignError
    if name == "Viewer":
        from turnwright.model.viewer import Viewer

        return Viewer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
