"""What a ruleset declares: rows of strings, so that a declaration costs nothing until a part is used.

A string `package.module:attribute` says where a part is; its module is imported when the part is first needed. A new
ruleset is one `Ruleset`, offered under the entry point group `turnwright.rulesets`. Source: docs/rulesets.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from turnwright.model.lazy import load
from turnwright.model.wire.agent import AgentKind

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_DOCUMENT = re.compile(r"[a-z][a-z0-9_]{0,63}(/|\.json)")
_PLACE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", re.ASCII)
_SETTING = re.compile(r"[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,63}")
_CONTENT = "content/"
_RESERVED = frozenset({"turns/", "results/", _CONTENT})
DOOR_TOOLS = ("find_tool", "call_tool", "submit_turn", "answer_request", "recall", "undo")
"""Tools that doors add to their lists. Their names are in no allowlist and no turn."""


Agents = tuple[AgentKind, ...]
"""The agents that may call a tool."""
STORY: Agents = (AgentKind.NARRATIVE,)
FIGHT: Agents = (AgentKind.COMBAT,)
RULING: Agents = (*STORY, *FIGHT)
"""What the game master rules on, inside and outside a fight."""
PEOPLE: Agents = (AgentKind.NPC_INDIVIDUAL, AgentKind.NPC_PUPPETEER)
"""Models that play characters."""
STORY_AND_PEOPLE: Agents = (*STORY, *PEOPLE)
RULING_AND_PEOPLE: Agents = (*RULING, *PEOPLE)
NOBODY: Agents = ()
"""For people only."""


@dataclass(frozen=True, slots=True)
class ToolRow:
    """The location of one tool.

    Attributes:
        package: the package that holds a module with the tool's name, `_story` and `_visibility`.
        position: the tool's place in every list of tools. It does not depend on which rulesets are in use, so that
            lists of earlier campaigns stay as they are.
        group: the heading under which documentation lists it.
        agents: the agents of a game master loop that may call it, if the allowlist permits it.
    """

    package: str
    position: int
    group: str
    agents: Agents

    @property
    def visibility(self) -> str:
        """Return where the rows are found that define what players see of the package's tools."""
        return f"{self.package}._visibility:VISIBILITY"

    def declaration(self, name: str) -> str:
        """Return where the `Tool` is."""
        return f"{self.package}.{name}:{name}"

    @property
    def listing(self) -> str:
        """Return where the rows are found that define how lists for models show a package's tools; it may have none."""
        return f"{self.package}._listing:LISTING"

    def story(self, name: str) -> str:
        """Return where the function is found that describes a call in words."""
        return f"{self.package}._story:{name}"


def tool_rows(package: str, position: int, names: Mapping[str, Agents], *, group: str = "") -> dict[str, ToolRow]:
    """Return the rows of tools that follow one another, from this position on.

    Args:
        package: the package that holds them.
        position: the place of the first one in lists.
        names: the tools, each with the agents that may call it.
        group: the heading under which documentation lists them; default: the name of the package.
    """
    heading = group or package.rpartition(".")[2]
    return {name: ToolRow(package, place, heading, names[name]) for place, name in enumerate(names, position)}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One rule system.

    Attributes:
        name: the word in `campaign.json`.
        documents: models of its documents, by path (`crew.json`) or folder (`clocks/`).
        tools: its tools by name.
        door_tools: tools that commands of turnwright alone call: they are in no list and no allowlist, and no turn from
            outside may call them. Records name them, so they have words and visibility like the others.
        imports: where its `Imports` are: how characters are imported from and exported to files of other programs.
        content: models of the kinds of content that it reads by name, by kind; a campaign keeps its own entries of a
            kind in `content/<kind>/`. Source: docs/content.md.
        conversation: where its `Conversation` is, if it holds one.
        conversation_path: the document that exists while the conversation does.
        guard: where the function is that refuses to delete what a running conversation depends on.
        vitals: where its `Vitals` are: how hit points change for characters with a maximum.
        sight: where its `Sight` is: the figures in the encounters that it runs, and which of them hide.
        events: where the events are that its parts cause: an `EventType` by name.
        actors: where its `Actors` are: where each character is, for the summary after a turn.
        templates: where the templates are that a campaign may begin from, by name: a `Template` each.
        beginning: where its `Beginning` is: how `turnwright new` and `turnwright add` read descriptions.
        opened: where the functions are that are called after documents are written outside play, by path or folder: an
            `Opened` each.
        resumed: where the function is that resumes a session that a player ended: a `Resume`.
        restored: how an undo restores documents, by path: a `Restoration` each.
        removed: removed tools, each with its replacement.
        settings: where its rows of settings are: a tuple of `Setting` whose keys begin with its name and a dot.
        views: where the texts are that `show` prints of its documents, by name: a `rulesets.views.View` each.
        migrations: where the functions are that bring its documents from one format of campaigns to the next, by the
            number of the next one: a `rulesets.migration.Migration` each.
        validation: where the functions are that check edited documents, by path or folder; the one with the key `""`
            checks any edit, after the others. Each is a `rulesets.validation.Validation`.
        absence: rules of problems that report something as missing, each with the folder it would be in: `check` omits
            them while a file of that folder cannot be read.
        effects: where the readers are that derive the effects of its tools' calls, by tool.
        claims: which of its tools can make a claim of a narration true, by the name of the kind of claim
            (docs/stages/4-conflicts.md), the likeliest first.
        evidence: readers of the evidence that a narration is compared with, by a document or folder; each is asked only
            if such a document exists.
        changes: readers of a turn's changes, by the document or folder that they read.
        snapshot: where the function is that fills the snapshot for suggestions.
        suggestions: where its `SuggestionRows` are.
        commands: where its short forms of tools are, for playing without a model: a `PlayCommand` by name.
        operations: the operations of its tools that an agent may use, by tool, if not all; other agents may use every
            one.
        own_steps: its tools that act as the acting character: a model that plays another character has them only while
            that character is in the party.
    """

    name: str
    documents: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, ToolRow] = field(default_factory=dict)
    door_tools: Mapping[str, ToolRow] = field(default_factory=dict)
    imports: str = ""
    content: Mapping[str, str] = field(default_factory=dict)
    conversation: str = ""
    conversation_path: str = ""
    guard: str = ""
    vitals: str = ""
    sight: str = ""
    events: str = ""
    actors: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)
    beginning: str = ""
    opened: Mapping[str, str] = field(default_factory=dict)
    resumed: str = ""
    restored: Mapping[str, str] = field(default_factory=dict)
    removed: Mapping[str, str] = field(default_factory=dict)
    settings: str = ""
    views: Mapping[str, str] = field(default_factory=dict)
    migrations: Mapping[int, str] = field(default_factory=dict)
    validation: Mapping[str, str] = field(default_factory=dict)
    absence: Mapping[str, str] = field(default_factory=dict)
    effects: str = ""
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, str] = field(default_factory=dict)
    snapshot: str = ""
    suggestions: str = ""
    commands: str = ""
    operations: Mapping[str, Mapping[AgentKind, tuple[str, ...]]] = field(default_factory=dict)
    own_steps: tuple[str, ...] = ()

    @property
    def single(self) -> tuple[str, ...]:
        """The parts of which it has at most one; "" for a missing one."""
        return (
            *(self.conversation, self.guard, self.vitals, self.sight, self.events, self.actors),
            *(self.resumed, self.effects, self.settings, self.snapshot, self.suggestions, self.imports),
            self.beginning,
            self.commands,
        )

    @property
    def hooks(self) -> list[str]:
        """The locations of the functions and objects that it declares beside documents and tools."""
        by_path = (place for rows in self.by_path for place in rows.values())
        return [*filter(None, self.single), *by_path, *self.migrations.values()]

    @property
    def by_path(self) -> tuple[Mapping[str, str], ...]:
        """The parts that are declared by path or folder."""
        return self.validation, self.opened, self.restored, self.evidence, self.changes

    @property
    def all_tools(self) -> Mapping[str, ToolRow]:
        """Rows of its tools, including door tools."""
        return {**self.tools, **self.door_tools}

    @property
    def all_documents(self) -> Mapping[str, str]:
        """Models of its documents, a campaign's own entries of content included."""
        return {**self.documents, **{f"{_CONTENT}{kind}/": model for kind, model in self.content.items()}}


def _is_well_formed(ruleset: Ruleset) -> bool:
    """Return whether the fields have the types that they are declared with: nothing has checked that so far."""
    tools: object = ruleset.tools
    door_tools: object = ruleset.door_tools
    if not isinstance(tools, Mapping) or not isinstance(door_tools, Mapping):
        return False
    texts: list[object] = [ruleset.name, ruleset.conversation_path, *ruleset.single]
    for rows in (
        ruleset.documents,
        ruleset.content,
        *ruleset.by_path,
        ruleset.absence,
        ruleset.templates,
        ruleset.removed,
        ruleset.views,
    ):
        by_name: object = rows
        if not isinstance(by_name, Mapping):
            return False
        texts += [*by_name, *by_name.values()]
    migrations: object = ruleset.migrations
    if not isinstance(migrations, Mapping) or not all(type(step) is int and step > 0 for step in migrations):
        return False
    texts += migrations.values()
    claims: object = ruleset.claims
    if not isinstance(claims, Mapping) or not all(isinstance(row, tuple) for row in claims.values()):
        return False
    texts += [*claims, *(tool for row in claims.values() for tool in row)]
    if not _are_operations(ruleset.operations, tools) or not _are_tools(ruleset.own_steps, tools):
        return False
    rows_of_tools = (*tools.values(), *door_tools.values())
    are_rows = [isinstance(row, ToolRow) and type(row.position) is int for row in rows_of_tools]
    return all(are_rows) and all(isinstance(text, str) for text in [*texts, *tools, *door_tools])


def _are_operations(rows: object, tools: Mapping[str, ToolRow]) -> bool:
    """Return whether rows name operations of tools, by agent."""
    if not isinstance(rows, Mapping) or not all(isinstance(row, Mapping) for row in rows.values()):
        return False
    by_agent = [pair for row in rows.values() for pair in row.items()]
    names = [name for _, several in by_agent for name in (several if isinstance(several, tuple) else (None,))]
    are_agents = all(isinstance(agent, AgentKind) for agent, _ in by_agent)
    return are_agents and all(isinstance(name, str) for name in names) and _are_tools(tuple(rows), tools)


def _are_tools(names: object, tools: Mapping[str, ToolRow]) -> bool:
    """Return whether these are names of tools."""
    return isinstance(names, tuple) and all(isinstance(name, str) and name in tools for name in names)


def fault_of(ruleset: object, name: str, others: Iterable[Ruleset]) -> str | None:
    """Return why an installed ruleset cannot be used together with others; None when it can.

    Args:
        ruleset: the ruleset that its distribution offers.
        name: the name that it was found under.
        others: the rulesets whose names it must not claim.
    """
    if not isinstance(ruleset, Ruleset):
        return f"must be a Ruleset (got {type(ruleset).__name__})"
    if not _is_well_formed(ruleset):
        return "has a field of a wrong type"
    if ruleset.name != name:
        return f"calls itself {ruleset.name!r}"
    for path in ruleset.documents:
        if not _DOCUMENT.fullmatch(path) or path in _RESERVED:
            return f"cannot own documents at {path!r}"
    for tool in (*ruleset.tools, *ruleset.door_tools):
        if not _NAME.fullmatch(tool) or tool in DOOR_TOOLS:
            return f"cannot have a tool named {tool!r}"
    if both := sorted({*ruleset.tools} & {*ruleset.door_tools}):
        return f"has the tool {both[0]} twice"
    for kind in ruleset.content:
        if not _NAME.fullmatch(kind):
            return f"cannot have content of a kind named {kind!r}"
    for path in (*filter(None, ruleset.validation), *ruleset.opened, *ruleset.restored, *ruleset.absence.values()):
        if not _DOCUMENT.fullmatch(path):
            return f"no documents can be at {path!r}"
    for path in ruleset.restored:
        if path.endswith("/") or path not in ruleset.documents:
            return f"restored is for single documents of its own (got {path!r})"
    for named in (*ruleset.templates, *ruleset.removed, *ruleset.views):
        if not _NAME.fullmatch(named):
            return f"cannot have a template, a view or a removed tool named {named!r}"
    places = (*ruleset.all_documents.values(), *ruleset.templates.values(), *ruleset.views.values())
    for place in (*places, *ruleset.hooks):
        if not _PLACE.fullmatch(place):
            return f"{place!r} must be package.module:attribute"
    for claimed in (tool for row in ruleset.claims.values() for tool in row):
        if claimed not in ruleset.tools:
            return f"has no tool {claimed!r} for a claim"
    for path in (*ruleset.evidence, *ruleset.changes):
        if not _DOCUMENT.fullmatch(path):
            return f"cannot read documents at {path!r}"
    if ruleset.conversation_path and ruleset.conversation_path not in ruleset.documents:
        return f"has no document {ruleset.conversation_path!r} for its conversation"
    for other in others:
        if taken := sorted({*other.all_tools} & {*ruleset.all_tools}):
            return f"takes the tool {taken[0]} of the ruleset {other.name}"
        if taken := sorted({*other.templates} & {*ruleset.templates}):
            return f"takes the template {taken[0]} of the ruleset {other.name}"
        if taken := sorted({*other.views} & {*ruleset.views}):
            return f"takes the view {taken[0]} of the ruleset {other.name}"
        if taken := sorted({*other.all_documents} & {*ruleset.all_documents}):
            return f"takes the documents {taken[0]} of the ruleset {other.name}"
    return None


def require_parts(ruleset: Ruleset, others: Iterable[Ruleset]) -> None:
    """Import every part of an installed ruleset, so that an error shows when a campaign is opened, not during play.

    Args:
        ruleset: the ruleset.
        others: the rulesets whose names it must not claim.

    Raises:
        TypeError: when a part is not of the kind that its row states.
        Exception: whatever the import of a part raises.
    """
    from turnwright.model.base import Document
    from turnwright.rulesets.beginning import Beginning
    from turnwright.rulesets.lifetime import Template
    from turnwright.rulesets.tool import Tool
    from turnwright.rulesets.views import View
    from turnwright.rulesets.visibility import Redaction, Visibility

    for path, place in ruleset.all_documents.items():
        model = load(place)
        if not (isinstance(model, type) and issubclass(model, Document)):
            raise TypeError(f"{place} must be a Document, for {path}")
        if path.endswith("/") and model.collection != path:
            raise TypeError(f"{place} must have collection = {path!r} (has {model.collection!r})")
    for name, row in ruleset.all_tools.items():
        tool = load(row.declaration(name))
        if not isinstance(tool, Tool) or tool.name != name:
            raise TypeError(f"{row.declaration(name)} must be a tool named {name}")
        if not callable(load(row.story(name))):
            raise TypeError(f"{row.story(name)} must be a function")
        visibility = load(row.visibility).get(name)
        if not isinstance(visibility, Visibility):
            raise TypeError(f"{row.visibility} must have a row for {name}, if only HIDDEN")
        if not isinstance(visibility.redacts, Redaction):
            raise TypeError(f"{visibility.redaction} must be a Redaction")
    for place in ruleset.hooks:
        load(place)
    _require_events(ruleset, others)
    _require_settings(ruleset, others)
    called = (*ruleset.validation.values(), *ruleset.opened.values(), *ruleset.migrations.values())
    for place in (*called, *filter(None, [ruleset.resumed])):
        if not callable(load(place)):
            raise TypeError(f"{place} must be a function")
    for place in ruleset.templates.values():
        if not isinstance(load(place), Template):
            raise TypeError(f"{place} must be a Template")
    if ruleset.beginning and not isinstance(load(ruleset.beginning), Beginning):
        raise TypeError(f"{ruleset.beginning} must be a Beginning")
    for place in ruleset.views.values():
        if not isinstance(load(place), View):
            raise TypeError(f"{place} must be a View")
    _require_narration(ruleset)
    _require_suggestions(ruleset)
    _require_commands(ruleset, others)


def _require_settings(ruleset: Ruleset, others: Iterable[Ruleset]) -> None:
    from turnwright.model.settings import Rows, Setting

    prefix, seen = f"{ruleset.name}.", set[str]()
    taken = Rows(other.settings for other in others if other.settings)
    for row in load(ruleset.settings) if ruleset.settings else ():
        if not isinstance(row, Setting):
            raise TypeError(f"{ruleset.settings} must be a tuple of Setting")
        if not row.key.startswith(prefix) or not _SETTING.fullmatch(row.key) or row.key in seen:
            raise TypeError(f"the key of a setting must be {prefix} and a word of its own (got {row.key!r})")
        if any(key.startswith(prefix) for key in taken):
            raise TypeError(f"the prefix {prefix} has settings of turnwright's own")
        if row.fault(row.default):
            raise TypeError(f"the default of {row.key} does not fit it")
        seen.add(row.key)


def _require_events(ruleset: Ruleset, others: Iterable[Ruleset]) -> None:
    from turnwright.rulesets.events import EventType

    for name, kind in load(ruleset.events).items() if ruleset.events else ():
        if not isinstance(name, str) or not isinstance(kind, EventType):
            raise TypeError(f"{ruleset.events} must have an EventType for {name!r}")
        for other in others:
            if other.events and name in load(other.events):
                raise TypeError(f"it takes the event {name} of the ruleset {other.name}")


def _require_narration(ruleset: Ruleset) -> None:
    from turnwright.rulesets.toolbox import PARTS

    for place in (*ruleset.evidence.values(), *ruleset.changes.values()):
        if not callable(load(place)):
            raise TypeError(f"{place} must be a function")
    readers = load(ruleset.effects) if ruleset.effects else {}
    known = {*ruleset.tools, *(PARTS if ruleset.conversation else ())}
    if not isinstance(readers, Mapping) or not all(name in known and callable(readers[name]) for name in readers):
        raise TypeError(f"{ruleset.effects} must have functions, by tools of {ruleset.name}")


def _require_suggestions(ruleset: Ruleset) -> None:
    from turnwright.suggestions.tables import SuggestionRows

    if ruleset.snapshot and not callable(load(ruleset.snapshot)):
        raise TypeError(f"{ruleset.snapshot} must be a function")
    rows = load(ruleset.suggestions) if ruleset.suggestions else SuggestionRows()
    if not isinstance(rows, SuggestionRows):
        raise TypeError(f"{ruleset.suggestions} must be SuggestionRows")
    for rule in rows.rules:
        if not rule.id.startswith(f"{ruleset.name}_"):
            raise TypeError(f"the id of the rule {rule.id} must begin with {ruleset.name}_")


def _require_commands(ruleset: Ruleset, others: Iterable[Ruleset]) -> None:
    from turnwright.rulesets.play_commands import PlayCommand

    taken = {name: other.name for other in others if other.commands for name in load(other.commands)}
    for name, command in load(ruleset.commands).items() if ruleset.commands else ():
        if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(command, PlayCommand):
            raise TypeError(f"{ruleset.commands} must have a PlayCommand for {name!r}")
        if command.tool not in ruleset.tools:
            raise TypeError(f"the command {name} must call a tool of {ruleset.name} (got {command.tool!r})")
        if name in taken:
            raise TypeError(f"it takes the command {name} of the ruleset {taken[name]}")
