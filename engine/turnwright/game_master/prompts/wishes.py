"""The table's wishes for every agent: the tone of the story, and excluded content."""

from __future__ import annotations

from typing import NamedTuple

from turnwright.game_master.prompts.people import clipped
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World

_MAX_LENGTH = 200
_MAX_THINGS = 20


class Wishes(NamedTuple):
    """Texts of the table; empty where it says nothing."""

    tone: str = ""
    avoid: tuple[str, ...] = ()


def wishes_of(world: World) -> Wishes:
    """Return what the settings of a campaign say."""
    settings = settings_of(world.campaign.settings)
    avoid = tuple(clipped(each, _MAX_LENGTH) for each in settings["agents.avoid"][:_MAX_THINGS])
    return Wishes(clipped(settings["agents.tone"], _MAX_LENGTH), avoid)
