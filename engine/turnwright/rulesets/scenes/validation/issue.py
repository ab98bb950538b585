"""One fault of a scene game document that was edited by hand.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwright.model.base import Entry
from turnwright.model.character import Character
from turnwright.model.location import Location
from turnwright.model.scene import SceneSummary
from turnwright.model.state.overlay import World


class Issue(NamedTuple):
    """One thing that is wrong; as a warning it makes no campaign invalid."""

    path: str
    rule: str
    message: str
    warning: bool = False


def refers(world: World, model: type[Entry], identifier: str | None, path: str) -> Iterator[Issue]:
    """Yield a fault if a document does not exist. Tools delete people and places, so these are warnings."""
    if identifier is not None and world.find(model, identifier) is None:
        kind = "summary" if model is SceneSummary else model.__name__.lower()
        is_loose = model in (Character, Location)
        yield Issue(path, f"unknown_{kind}", f"there is no {kind} {identifier}", is_loose)
