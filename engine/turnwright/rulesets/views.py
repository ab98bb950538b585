"""What `show` prints of a ruleset's documents: one text each, for the game master unless the ruleset says otherwise.

Source: docs/rulesets.md, "Views".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from turnwright.model.lazy import load
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import json_fault
from turnwright.model.viewer import Viewer
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import INCLUDED, failed_by_itself

_LONGEST = 10_000
"""The most characters of one text."""


class View(NamedTuple):
    """A text about some documents.

    Attributes:
        text: returns it, for one viewer; "" if there is nothing to show.
        for_players: whether players are shown it, too; then it must name nothing that the viewer may not know.
    """

    text: Callable[[World, Viewer], str]
    for_players: bool = False


def view_texts(world: World, viewer: Viewer) -> dict[str, str]:
    """Return the texts that a campaign's rulesets show one viewer, by the name of the view; empty texts are left out.

    If a view of an installed ruleset fails, only the game master sees that.
    """
    texts: dict[str, str] = {}
    for ruleset in tables_of(world.campaign).rulesets:
        for name, place in ruleset.views.items():
            view: View = load(place)
            if not viewer.is_game_master and not view.for_players:
                continue
            try:
                text = _text_of(view, world, viewer)
            except (Exception, SystemExit) as error:  # foreign code may raise anything
                if ruleset.name in INCLUDED:
                    raise
                text = failed_by_itself(f"the view {name}", ruleset.name, error) if viewer.is_game_master else ""
            if text:
                texts[name] = text
    return texts


def _text_of(view: View, world: World, viewer: Viewer) -> str:
    text: object = view.text(World(world), viewer)
    if not isinstance(text, str) or json_fault(text):
        raise TypeError(f"it must return a text (got {type(text).__name__})")
    return text[:_LONGEST]
