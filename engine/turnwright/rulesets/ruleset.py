"""What a ruleset declares: rows of strings, so that declaring costs nothing until a part is used.

A string `package.module:attribute` says where a part is; its module is imported when the part is first needed. A new
ruleset is one `Ruleset`, offered under the entry point group `turnwright.rulesets`. Source: docs/rulesets.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Family = Literal["core", "toolkit", "scenes", "quests"]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """Where one tool is declared.

    Attributes:
        package: the package that holds the module of the tool's name, and `_story` with a function of that name.
        position: the tool's place in every list of tools. It does not depend on which rulesets are in use, so that
            lists of earlier campaigns stay as they are.
    """

    package: str
    position: int

    @property
    def module(self) -> str:
        """The group of tools in which documentation lists it: the name of its package."""
        return self.package.rpartition(".")[2]

    def declaration(self, name: str) -> str:
        """Return where the `Tool` is."""
        return f"{self.package}.{name}:{name}"

    def story(self, name: str) -> str:
        """Return where the function is that says in words what a call did."""
        return f"{self.package}._story:{name}"


def tool_rows(package: str, position: int, *names: str) -> dict[str, ToolRow]:
    """Return the rows of tools that follow one another, from this position on."""
    return {name: ToolRow(package, place) for place, name in enumerate(names, position)}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule system.

    Attributes:
        name: the word in `campaign.json`.
        documents: models of its documents, by path (`crew.json`) or folder (`clocks/`).
        tools: its tools by name.
        conversation: where its `Conversation` is, if it holds one.
        conversation_path: the document that exists while the conversation does.
    """

    name: str
    documents: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, ToolRow] = field(default_factory=dict)
    conversation: str = ""
    conversation_path: str = ""
