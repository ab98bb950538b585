"""The content packs of one campaign, found when the first one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from turnwright.store.files import Files

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry

    OpenPacks = Callable[[], PackRegistry]
    """Gives the packs that a campaign can use."""


class CampaignPacks:
    """The packs that a campaign can use. Nothing is imported or read before they are asked for."""

    def __init__(self, files: Files) -> None:
        """Take the files of the campaign."""
        self._files = files
        self._registry: PackRegistry | None = None

    def open(self) -> PackRegistry:
        """Return the packs; each is opened when it is first asked for, and kept."""
        if self._registry is None:
            from turnwright.content.registry import PackRegistry  # most turns name no content
            from turnwright.store.carried_packs import CarriedPacks

            self._registry = PackRegistry(CarriedPacks(self._files))
        return self._registry
