"""What the author of a ruleset imports: one module whose names are stable. Source: docs/rulesets.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from turnwright.model.base import Count, Document, Entry, Flag, Id, ListOf, Model, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import Setting
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.model.wire import hint
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.reason import CallFailed, Problem, Reason
from turnwright.narration.facts import CallOutcome, Counter, Effect, EffectKind, Fight, Person, Quest
from turnwright.rulesets.events import EventType, Names
from turnwright.rulesets.evidence import Evidence, EvidenceContext
from turnwright.rulesets.facts import Facts
from turnwright.rulesets.lifetime import Restoration, Resumed, Template
from turnwright.rulesets.play_commands import PlayCommand, PlayMoment, Slot, someone
from turnwright.rulesets.references import CharacterId, LocationId, QuestId
from turnwright.rulesets.ruleset import (
    FIGHT,
    NOBODY,
    RULING,
    RULING_AND_PEOPLE,
    STORY,
    STORY_AND_PEOPLE,
    Ruleset,
    ToolRow,
    tool_rows,
)
from turnwright.rulesets.snapshots import SnapshotContext
from turnwright.rulesets.story_context import StoryContext
from turnwright.rulesets.tool import Applied, Args, Context, Legal, Tool
from turnwright.rulesets.tool import tool as declare
from turnwright.rulesets.validation import Edit
from turnwright.rulesets.views import View
from turnwright.rulesets.visibility import HIDDEN, PartyView, Redaction, Visibility, visible
from turnwright.suggestions.rule import Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tables import Resolved, SuggestionRows

__all__ = [
    "FIGHT",
    "HIDDEN",
    "NOBODY",
    "RULING",
    "RULING_AND_PEOPLE",
    "STORY",
    "STORY_AND_PEOPLE",
    "AgentKind",
    "Applied",
    "Args",
    "CallFailed",
    "CallOutcome",
    "Character",
    "CharacterId",
    "Context",
    "Count",
    "Counter",
    "Document",
    "Edit",
    "Effect",
    "EffectKind",
    "Entry",
    "EventType",
    "Evidence",
    "EvidenceContext",
    "Facts",
    "Fight",
    "Flag",
    "Hit",
    "Id",
    "Legal",
    "ListOf",
    "LocationId",
    "Model",
    "Names",
    "PartyView",
    "Person",
    "PlayCommand",
    "PlayMoment",
    "Problem",
    "Quest",
    "QuestId",
    "Reason",
    "Redaction",
    "Resolved",
    "Restoration",
    "Resumed",
    "Rule",
    "RuleContext",
    "Ruleset",
    "SafeInt",
    "Setting",
    "Slot",
    "Snapshot",
    "SnapshotContext",
    "StoryContext",
    "SuggestionRows",
    "Template",
    "Text",
    "Tool",
    "ToolRow",
    "View",
    "Viewer",
    "Visibility",
    "World",
    "hint",
    "someone",
    "tool",
    "tool_rows",
    "visible",
]

A = TypeVar("A", bound=Args)


def _unnarrowed(world: World, ctx: Context) -> Legal:
    """Narrow no argument."""
    del world, ctx
    return {}


def tool(
    args: type[A],
    result: type[Model],
    *,
    example: JsonObject,
    reads: bool = False,
    legal: Callable[[World, Context], Legal | None] = _unnarrowed,
) -> Callable[[Callable[[World, A, Context], Applied]], Tool[A]]:
    """Turn a function into a tool. Its name and docstring become the tool's name and description.

    The function gets the world, the parsed arguments and the context; it raises `CallFailed` before its first change or
    draw, puts changed documents into the world, and returns `Applied`.

    Args:
        args: the model of its arguments.
        result: the model of what an applied call reports.
        example: arguments of a good call.
        reads: whether it neither changes documents nor draws dice.
        legal: returns the values that are legal now, by argument, or None when no call is legal.
    """
    return declare(args, result, family="toolkit", legal=legal, example=example, reads=reads)
