"""Every tool by name. A tool's module is imported when the tool is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from turnwright.model.campaign import CampaignDocument
from turnwright.model.lazy import LazyMapping, load
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.ruleset import ToolRow
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.visibility import HIDDEN, Visibility

if TYPE_CHECKING:
    from turnwright.rulesets.facts import Facts
    from turnwright.rulesets.listing import Listing
    from turnwright.rulesets.story_context import StoryContext

Story = Callable[["Facts", "Facts", "StoryContext"], str]
"""Describes a call, given its arguments, its result and the story context."""
PARTS = ("answer", "output", "user_input")
"""Parts of a turn beside its calls, by the names used in place of a tool's."""
NO_TOOLS: Mapping[str, ToolRow] = MappingProxyType({})
_VISIBILITY_OF_PARTS = "turnwright.rulesets.scenes.tools._visibility:VISIBILITY"
"""Where the visibility of these parts is declared."""


class Toolbox(LazyMapping[Tool[Any]]):
    """Tools by name. Most turns use one or two of them, so the others are not loaded.

    Door tools are not included, as no turn from outside can call one. `with_door_tool` returns a toolbox that includes
    one. Their recorded calls have words and visibility here.

    Attributes:
        groups: the heading under which documentation lists each tool.
        stories: functions that describe a call of each tool, given its arguments, its result and the reader. They are
            in modules of their own, so that a call can be described without loading the tool.
    """

    def __init__(self, rows: Mapping[str, ToolRow], door: Mapping[str, ToolRow] = NO_TOOLS) -> None:
        """Take the row of each tool, and of each tool of doors."""
        super().__init__({name: row.declaration(name) for name, row in rows.items()})
        known = {**rows, **door}
        self.groups: Mapping[str, str] = {name: row.group for name, row in rows.items()}
        self.stories: LazyMapping[Story] = LazyMapping({name: row.story(name) for name, row in known.items()})
        self._visibilities = {name: row.visibility for name, row in known.items()}
        self._listings = {name: row.listing for name, row in rows.items()}
        self._rows, self._door = rows, door

    def with_door_tool(self, name: str) -> Toolbox:
        """Return a toolbox that has a tool of doors among its tools.

        Raises:
            KeyError: when no ruleset in use has it.
        """
        return Toolbox({**self._rows, name: self._door[name]}, self._door)

    def visibility_of(self, name: str) -> Visibility:
        """Return what players may see of a tool's calls, or of another part of a turn; of unknown names nothing."""
        place = self._visibilities.get(name, _VISIBILITY_OF_PARTS if name in PARTS else None)
        if place is None:
            return HIDDEN
        rows: Mapping[str, Visibility] = load(place)
        return rows.get(name, HIDDEN)

    def listing_of(self, name: str) -> Listing:
        """Return how lists for models show a tool; a ruleset need not say so."""
        from turnwright.rulesets.listing import UNLISTED  # a turn needs no list

        place = self._listings[name]
        try:
            rows: Mapping[str, Listing] = load(place)
        except ModuleNotFoundError as error:
            if error.name != place.partition(":")[0]:
                raise
            return UNLISTED
        return rows.get(name, UNLISTED)


def tools_of(campaign: CampaignDocument) -> Toolbox:
    """Return the tools of the rulesets that a campaign uses, whether or not its allowlist permits them."""
    return tables_of(campaign).toolbox


TOOLS = BUILT_IN.toolbox
"""The tools of the built-in rulesets."""
