"""Determine what the party sees of actions: visible actors, open actions, and the appearance of others.

Party members are known in full, other creatures by their appearance. Creatures that hide from the party or were never
met are omitted. The tool's row of `rulesets.visibility` says which keys of a result are shown, and how much of them.
Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import texts_in
from turnwright.model.viewer import PARTY
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.reference_lookup import PEOPLE, kind_of, people_called
from turnwright.rulesets.sight import figures
from turnwright.rulesets.toolbox import Toolbox, tools_of
from turnwright.rulesets.visibility import HIDDEN, Audience

if TYPE_CHECKING:
    from turnwright.model.dice.draws import Draw
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import AppliedAction, BatchItem, Data

Json = Mapping[str, Any]
T = TypeVar("T")
_LOOKING = frozenset({"get", "history", "list", "query", "search", "status", "view"})
"""Operations that change nothing, of tools that do much else."""
_SOURCES = ("source",)
"""Keys that only give the origin of an effect."""


def only_looks(tool: str, args: JsonObject, tools: Toolbox) -> bool:
    """Return whether a call changes nothing: of a tool that reads, or by what it asks one to do."""
    known, operation = tools.get(tool), args.get("operation")
    if known is None or known.reads:
        return known is not None
    return "operation" in known.args.model_fields and isinstance(operation, str) and operation in _LOOKING


class Onlookers:
    """The party as onlookers of actions.

    Args:
        world: the campaign.
        unseen: ids of creatures that they did not see at the time of the action; by default those they do not see now.
    """

    def __init__(self, world: World, unseen: Collection[str] | None = None) -> None:
        self.world = world
        """The campaign."""
        self._tools = tools_of(world.campaign)
        self.knowledge = WorldKnowledge(world, PARTY, unseen=unseen)
        """Their knowledge."""

    @cached_property
    def _others(self) -> Set[str]:
        """Return the ids of participants in running encounters that players do not play."""
        return {one.id for one in figures(self.world) if not self.knowledge.knows_numbers(one.id)}

    @property
    def unseen(self) -> Set[str]:
        """Every id of the characters that hide from them, or that they never met."""
        return self.knowledge.unseen

    def audience_of(self, tool: str) -> Audience:
        """Return who besides the game master sees the calls of a tool."""
        return self._tools.visibility_of(tool).audience

    def action(self, action: AppliedAction) -> AppliedAction | None:
        """Return the party's view of an action.

        None for an action of a hidden creature, one that concerns only a sheet, or a mere lookup.

        Of other creatures it shows the appearance, but neither hit points, armor class nor what they notice.
        """
        row = self._tools.visibility_of(action["tool"])
        if row is HIDDEN:
            return None
        args, result = self._unsourced(action["args"]), self._unsourced(action["result"])
        if "batch" in args and "results" in result:
            items = list(self._items(action["tool"], args, result["results"]))
            asked, entries = [item for item, _ in items], [entry for _, entry in items]
            if not items:
                return None
            totals: JsonObject = {**row.cut(result), **_counts(result)}
            return {**action, "args": {**args, "batch": asked}, "result": {**totals, "results": entries}}
        seen = self._result(action["tool"], args, result)
        return None if seen is None else {**action, "args": args, "result": seen}

    def tells(self, action: AppliedAction, draw: Draw) -> bool:
        """Return whether the party may see a die of an action.

        Of an action that is shown in part these are the throws of their own: a die that several share, or that is the
        ground's, may tell of who hides. The initiative of others is never shown.
        """
        thrower, _, purpose = draw["why"].partition(" ")
        if "initiative" in purpose.split() and not self.is_own(thrower):
            return False
        seen = self.action(action)
        if seen is None or not self.unseen.isdisjoint(draw["why"].split()):
            return False
        return _has_every_row(seen["result"], action["result"]) or self.is_own(thrower)

    def is_thrown_by(self, character_id: str, draw: Draw) -> bool:
        """Return whether a die was rolled for a party member, or for a member's participant in a running encounter."""
        thrower = draw["why"].partition(" ")[0].rstrip(",:")
        people = (one for one in figures(self.world) if one.character_id == character_id)
        return thrower == character_id or any(thrower in one.ids for one in people)

    def _items(self, tool: str, args: Data, entries: Iterable[BatchItem]) -> Iterator[tuple[JsonObject, BatchItem]]:
        shared = {key: value for key, value in args.items() if key != "batch"}
        for asked, entry in zip(args["batch"], entries, strict=True):
            if entry["ok"]:
                seen = self._result(tool, {**shared, **asked}, entry["result"])
                if seen is not None:
                    yield asked, {**entry, "result": seen}
            elif self.sees(asked):
                yield asked, entry

    def own_result(self, action: AppliedAction) -> JsonObject:
        """Return what a player may know of the result of their own call: nothing if it may reveal others.

        For tools that define no own keys, the result is shown if it concerns only the party.
        """
        tool, args, result = action["tool"], self._unsourced(action["args"]), self._unsourced(action["result"])
        if self._tools.visibility_of(tool) is HIDDEN:
            return {}
        if "batch" not in args or "results" not in result:
            return self._own_result(tool, args, result)
        shared = {key: value for key, value in args.items() if key != "batch"}
        entries = [
            {**entry, "result": self._own_result(tool, {**shared, **asked}, entry["result"])} if entry["ok"] else entry
            for asked, entry in zip(args["batch"], result["results"], strict=True)
        ]
        return {"results": entries, **_counts(result)}

    def _own_result(self, tool: str, args: JsonObject, result: JsonObject) -> JsonObject:
        row = self._tools.visibility_of(tool)
        if row.subject == "caller":
            return row.cut(result)
        none: Collection[str] | None = ()
        own_keys = self._redacted(tool, lambda: row.redacts.own_keys(result, self), none)
        if own_keys is not None:
            seen = self._result(tool, args, result) or {}
            return {key: seen[key] for key in own_keys if key in seen}
        is_of_party = any(map(self.is_own, _people(tool, args, self._tools)))
        names_others = any(map(self._is_other, texts_in([args, result], _SOURCES)))
        return row.cut(result) if is_of_party and not names_others else {}

    def _is_other(self, text: str) -> bool:
        """Return whether a text is the id or name of a creature outside the party."""
        if text in self._others or text in self.unseen:
            return True
        called = people_called(self.world, text)
        return not self.is_own(text) and not all(map(self.knowledge.knows_numbers, called))

    def sees_call(self, tool: str, args: Any) -> bool:
        """Return whether a failed call may be shown: it names no hidden creature, and is not a mere lookup."""
        is_told = isinstance(args, Mapping) and self._tools.visibility_of(tool) is not HIDDEN
        return is_told and not only_looks(tool, args, self._tools) and self.unseen.isdisjoint(texts_in(args, _SOURCES))

    def sees(self, named: JsonObject) -> bool:
        """Return whether arguments or a result, including nested objects, name no unseen creature."""
        return self.unseen.isdisjoint(_named(named))

    def _result(self, tool: str, args: JsonObject, result: JsonObject) -> JsonObject | None:
        if only_looks(tool, args, self._tools):
            return None
        row = self._tools.visibility_of(tool)
        result = self._redacted(tool, lambda: row.redacts.hide(result, self), {})
        if not self.sees(args) or not self.sees(result):
            return None
        if row.subject == "sheet" and not any(self.is_own(named) for named in _named(args)):
            return None
        shown = {key: self._rows(value) if isinstance(value, list) else value for key, value in result.items()}
        return row.cut(self._redacted(tool, lambda: row.redacts.redact(args, shown, self), {}))

    def _redacted(self, tool: str, redact: Callable[[], T], nothing: T) -> T:
        """Return what a redaction says; nothing where that of an installed ruleset fails, so that it shows nothing."""
        if tables_of(self.world.campaign).installed_owner(tool) is None:
            return redact()
        try:
            return redact()
        except (Exception, SystemExit):  # whatever the code of another distribution does
            return nothing

    def _rows(self, rows: list[Any]) -> list[Any]:
        return [row for row in rows if not isinstance(row, Mapping) or self.sees(row)]

    def _unsourced(self, told: Any) -> Any:
        """Return the result without hidden creatures that are named only as a source."""
        if isinstance(told, list):
            return [self._unsourced(each) for each in told]
        if not isinstance(told, Mapping):
            return told
        return {
            key: None if key == "source" and value in self.unseen else self._unsourced(value)
            for key, value in told.items()
        }

    def is_own(self, named: str | None) -> bool:
        """Return whether players play a character, by id or name."""
        return named is not None and self.knowledge.knows(named)


def _counts(result: JsonObject) -> JsonObject:
    """Return how many items of a batch were done, and how many were not."""
    return {key: result[key] for key in ("succeeded", "failed") if key in result}


def _named(told: JsonObject) -> Iterator[str]:
    """Yield what may be an id in arguments or a result, and in what is nested in these; a list may name bystanders."""
    for value in told.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from (each for each in value.values() if isinstance(each, str))


def _people(tool: str, args: JsonObject, tools: Toolbox) -> Iterator[str]:
    """Yield the ids of people that arguments of a call are marked to be."""
    for name, value in args.items():
        if isinstance(value, str) and kind_of(tools[tool].args, name) in PEOPLE:
            yield value


def _has_every_row(seen: Any, told: Any) -> bool:
    """Return whether no row of what was told is missing in what is seen of it."""
    if isinstance(told, Mapping):
        return all(_has_every_row(seen[key], told[key]) for key in told.keys() & seen.keys())
    if isinstance(told, list) and any(isinstance(each, Mapping) for each in told):
        return len(seen) == len(told) and all(map(_has_every_row, seen, told))
    return True
