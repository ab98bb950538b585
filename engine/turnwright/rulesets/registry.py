"""The rulesets that come with turnwright, and the tables that a set of rulesets gives together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from turnwright.model.documents import DocumentTable
from turnwright.model.lazy import load
from turnwright.model.state.overlay import World
from turnwright.rulesets import core, fifth_edition, scenes
from turnwright.rulesets.conversation import Conversation
from turnwright.rulesets.ruleset import Ruleset, ToolRow


class RulesetTables:
    """What several rulesets declare, as one table of each kind.

    Attributes:
        rulesets: the rulesets, in order; where several answer, the first that has an answer decides.
    """

    def __init__(self, rulesets: Iterable[Ruleset]) -> None:
        self.rulesets: Sequence[Ruleset] = tuple(rulesets)

    @cached_property
    def documents(self) -> DocumentTable:
        """Models of all documents."""
        return DocumentTable({path: model for each in self.rulesets for path, model in each.documents.items()})

    @cached_property
    def tools(self) -> dict[str, ToolRow]:
        """Rows of all tools, in the order in which lists show them."""
        rows = [(name, row) for each in self.rulesets for name, row in each.tools.items()]
        return dict(sorted(rows, key=lambda pair: (pair[1].position, pair[0])))

    def conversation(self, world: World) -> Conversation | None:
        """Return the conversation that has begun in a campaign, or None."""
        for each in self.rulesets:
            if each.conversation and world.get(each.conversation_path) is not None:
                return _load_conversation(each)
        return None

    def conversation_of_tool(self, name: str) -> Conversation:
        """Return the conversation that a tool belongs to, whether or not it has begun.

        Raises:
            LookupError: when the tool's ruleset holds none.
        """
        for each in self.rulesets:
            if name in each.tools and each.conversation:
                return _load_conversation(each)
        raise LookupError(name)


def _load_conversation(ruleset: Ruleset) -> Conversation:
    loaded: Conversation = load(ruleset.conversation)
    return loaded


BUILT_IN = RulesetTables([core.RULESET, fifth_edition.RULESET, scenes.RULESET])
"""The rulesets that come with turnwright."""
