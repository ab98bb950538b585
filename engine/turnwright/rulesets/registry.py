"""The built-in rulesets, the installed ones, and the tables that several of them form together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.model.entry_points import ExtensionError, Group, failed, find, imported
from turnwright.model.errors import BadRequest, CampaignError, CampaignInvalid
from turnwright.model.lazy import LazyMapping, load
from turnwright.model.settings import Rows, Settings, settings_of
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.conversation import Conversation
from turnwright.rulesets.ruleset import Ruleset, ToolRow, fault_of, require_parts
from turnwright.rulesets.vitals import Vitals
from turnwright.store.document_table import DocumentTable

if TYPE_CHECKING:
    from turnwright.model.base import Document
    from turnwright.model.dice.draws import PartDice
    from turnwright.rulesets.actors import Actors
    from turnwright.rulesets.events import EventType
    from turnwright.rulesets.evidence import ChangeReader, EvidenceReader
    from turnwright.rulesets.imports import Imports
    from turnwright.rulesets.lifetime import Opened, Restoration, Resume, Resumed
    from turnwright.rulesets.play_commands import PlayCommand
    from turnwright.rulesets.sight import Sight
    from turnwright.rulesets.snapshots import FillSnapshot
    from turnwright.rulesets.toolbox import Toolbox
    from turnwright.rulesets.validation import Edit

T = TypeVar("T")
_LONGEST_FAULT = 200

Guard = Callable[[World, str], None]
"""Refuses to take away an entity, by id."""

INCLUDED: Mapping[str, Ruleset] = {
    name: load(f"turnwright.rulesets.{name}:RULESET") for name in ("core", "fifth_edition", "scenes")
}
"""The built-in rulesets; loaded like installed ones, so that none imports another through this module."""


class RulesetTables:
    """The combined declarations of several rulesets, as one table of each kind.

    Attributes:
        rulesets: the rulesets, in order; if several answer, the first answer decides.
        missing: why a ruleset that a campaign names cannot be used, by its name.
    """

    def __init__(self, rulesets: Iterable[Ruleset], missing: Mapping[str, str] | None = None) -> None:
        self.rulesets: Sequence[Ruleset] = tuple(rulesets)
        self.missing: Mapping[str, str] = missing or {}

    @cached_property
    def documents(self) -> DocumentTable:
        """Models of all documents."""
        rows = {path: model for each in self.rulesets for path, model in each.all_documents.items()}
        return DocumentTable(rows, is_complete=not self.missing)

    @cached_property
    def tools(self) -> dict[str, ToolRow]:
        """Rows of all tools, in the order of lists."""
        rows = [(name, row) for each in self.rulesets for name, row in each.tools.items()]
        return dict(sorted(rows, key=lambda pair: (pair[1].position, pair[0])))

    @cached_property
    def toolbox(self) -> Toolbox:
        """The tools themselves. The same object each time, for as long as these tables are in use."""
        from turnwright.rulesets.toolbox import Toolbox  # it holds those of `BUILT_IN`

        return Toolbox(self.tools, {name: row for each in self.rulesets for name, row in each.door_tools.items()})

    @cached_property
    def removed(self) -> dict[str, str]:
        """Removed tools, each with its replacement."""
        return {name: use for each in self.rulesets for name, use in each.removed.items()}

    @property
    def beginnings(self) -> dict[str, str]:
        """Where the beginning of each ruleset is declared, by name of the ruleset."""
        return {each.name: each.beginning for each in self.rulesets if each.beginning}

    @property
    def templates(self) -> dict[str, str]:
        """Where the templates for new campaigns are declared, by name."""
        return {name: place for each in self.rulesets for name, place in each.templates.items()}

    def installed_owner(self, tool: str) -> Ruleset | None:
        """Return the installed ruleset that a tool belongs to; None for a built-in tool."""
        others = (each for each in self.rulesets if each.name not in INCLUDED)
        return next((each for each in others if tool in each.tools), None)

    @cached_property
    def conversation_paths(self) -> tuple[str, ...]:
        """The documents with which conversations begin: no campaign without one of them holds any."""
        return tuple(each.conversation_path for each in self.rulesets if each.conversation)

    def conversation(self, world: World) -> Conversation | None:
        """Return the conversation that has begun in a campaign, or None."""
        return next((_conversation_of(each) for each in self._begun(world)), None)

    def guards(self, world: World) -> Iterator[Guard]:
        """Yield the guards of the conversations that have begun in a campaign."""
        return (load(each.guard) for each in self._begun(world) if each.guard)

    def _begun(self, world: World) -> Iterator[Ruleset]:
        return (each for each in self.rulesets if each.conversation and world.get(each.conversation_path) is not None)

    @cached_property
    def vitals(self) -> Vitals | None:
        """How hit points change for characters with a maximum; None if no ruleset defines it."""
        declared = next((each.vitals for each in self.rulesets if each.vitals), None)
        return load(declared) if declared else None

    @property
    def imports(self) -> Imports | None:
        """How characters are imported from files of other programs; None if no ruleset defines it."""
        declared = next((each.imports for each in self.rulesets if each.imports), None)
        return load(declared) if declared else None

    @cached_property
    def settings(self) -> Rows:
        """Every setting by key: the engine's, those of all built-in rulesets, and those of installed ones."""
        known = {each.name: each.settings for each in (*INCLUDED.values(), *self.rulesets)}
        return Rows(filter(None, known.values()))

    @cached_property
    def defaults(self) -> Settings:
        """The settings in force for a campaign that changes none."""
        return settings_of({}, self.settings)

    @cached_property
    def events(self) -> Mapping[str, EventType]:
        """The events that parts of a turn can cause."""
        return {name: kind for each in self.rulesets if each.events for name, kind in load(each.events).items()}

    @cached_property
    def actors(self) -> Actors:
        """Where each character is; the core ruleset defines it unless another one does."""
        declared = [each.actors for each in self.rulesets if each.actors]
        actors: Actors = load(declared[-1])
        return actors

    def opened(self, paths: Collection[str]) -> list[tuple[Ruleset, Opened]]:
        """Return the functions to call when documents are written at these paths, each with its ruleset."""
        return [
            (each, load(place))
            for each in self.rulesets
            for prefix, place in each.opened.items()
            if any(_is_at(path, prefix) for path in paths)
        ]

    def resume(self, world: World, dice: PartDice, seq: int) -> Resumed:
        """Resume a session: of the ruleset whose conversation has begun, else of the first that has sessions.

        Raises:
            BadRequest: when there is no session to resume.
            CampaignInvalid: when an installed ruleset raises an error of its own.
        """
        having = [each for each in self.rulesets if each.resumed]
        if not having:
            raise BadRequest("no ruleset of this campaign has sessions to resume")
        chosen = next((each for each in self._begun(world) if each in having), having[0])
        resume: Resume = load(chosen.resumed)
        return call_guarded(chosen, "resumed", lambda: resume(world, dice, seq), world)

    def restore(self, world: World, documents: Mapping[str, Document | None]) -> dict[str, Document | None]:
        """Return documents that an undo leads back as they will be.

        Args:
            world: how things are.
            documents: how they were.

        Raises:
            CampaignInvalid: when an installed ruleset raises an error of its own.
        """
        restored = dict(documents)
        for each in self.rulesets:
            for path, place in each.restored.items():
                if restored.get(path) is not None:
                    restoration: Restoration = load(place)
                    restore = partial(restoration.restore, World(world), restored)
                    restored |= call_guarded(each, "restored", restore, world)
        return restored

    @cached_property
    def restorations(self) -> Mapping[str, Restoration]:
        """How documents that an undo leads back are restored, by path."""
        return LazyMapping({path: place for each in self.rulesets for path, place in each.restored.items()})

    @cached_property
    def sights(self) -> tuple[Sight, ...]:
        """The rulesets' `Sight` objects, which list the figures in encounters."""
        return tuple(load(each.sight) for each in self.rulesets if each.sight)

    def document_problems(self, edit: Edit) -> Iterator[Problem]:
        """Yield the problems of edited documents, each checked by the functions declared for its path."""
        for each in self.rulesets:
            for prefix, place in each.validation.items():
                below = [path for path in edit.paths if _is_at(path, prefix)]
                if below:
                    yield from _problems(each, place, edit._replace(paths=below))

    def campaign_problems(self, edit: Edit) -> Iterator[Problem]:
        """Yield the problems that an edit causes in the rest of the campaign."""
        for each in self.rulesets:
            if "" in each.validation:
                yield from _problems(each, each.validation[""], edit)

    @cached_property
    def absence(self) -> dict[str, str]:
        """Rules of problems that say that something is not there, each with the folder it would be in."""
        return {rule: folder for each in self.rulesets for rule, folder in each.absence.items()}

    @cached_property
    def commands(self) -> Mapping[str, PlayCommand]:
        """Short forms of tools for playing without a model, by name."""
        return {name: row for each in self.rulesets if each.commands for name, row in load(each.commands).items()}

    @cached_property
    def claims(self) -> Mapping[str, tuple[str, ...]]:
        """The tools any of which can make a kind of claim true, by its name, the first ruleset's first."""
        merged: dict[str, tuple[str, ...]] = {}
        for each in self.rulesets:
            for claim, tools in each.claims.items():
                merged[claim] = (*merged.get(claim, ()), *tools)
        return merged

    def evidence(self, world: World) -> Iterator[EvidenceReader]:
        """Yield the readers of evidence that a campaign has documents for, the first ruleset's first."""
        from turnwright.rulesets.evidence import Evidence

        for each in self.rulesets:
            for path, place in each.evidence.items():
                if _holds(world, path):
                    yield read_guarded(each, "evidence", load(place), Evidence)

    def changes(self, path: str) -> Iterator[ChangeReader]:
        """Yield the readers of a turn's changes to the document at a path."""
        from turnwright.narration.facts import Effect

        for each in self.rulesets:
            place = each.changes.get(path) or each.changes.get(f"{path.partition('/')[0]}/")
            if place:
                yield read_guarded(each, "changes", load(place), Effect)

    def snapshots(self) -> Iterator[FillSnapshot]:
        """Yield the functions that fill a snapshot for suggestions. The core comes last: it keeps what others set."""
        from turnwright.suggestions.snapshot import Snapshot

        for each in (*self.rulesets[1:], *self.rulesets[:1]):
            if each.snapshot:
                yield read_guarded(each, "snapshot", load(each.snapshot), Snapshot)

    def conversation_of_tool(self, name: str) -> Conversation:
        """Return the conversation that a tool belongs to, whether or not it has begun.

        Raises:
            LookupError: when the tool's ruleset holds none.
        """
        for each in self.rulesets:
            if name in each.tools and each.conversation:
                return _conversation_of(each)
        raise LookupError(name)


def _holds(world: World, path: str) -> bool:
    return bool(world.paths(path)) if path.endswith("/") else world.get(path) is not None


def _conversation_of(ruleset: Ruleset) -> Conversation:
    conversation: Conversation = load(ruleset.conversation)
    return conversation


def _problems(ruleset: Ruleset, place: str, edit: Edit) -> Iterator[Problem]:
    """Yield the problems that one function finds; an exception of an installed one is a problem, too."""
    if ruleset.name in INCLUDED:
        yield from load(place)(edit)
        return
    try:
        found = list(load(place)(edit))
        if not all(isinstance(problem, Problem) for problem in found):
            raise TypeError("it must yield Problem")
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        found = [Problem(edit.paths[0], "$", "ruleset", failed_by_itself("validation", ruleset.name, error))]
    yield from found


def call_guarded(ruleset: Ruleset, part: str, call: Callable[[], T], world: World) -> T:
    """Call a function of a ruleset that changes a campaign, and contain the failures of an installed one.

    Args:
        ruleset: the ruleset.
        part: the name of the function's part, for the message.
        call: calls it.
        world: the world that it may change.

    Raises:
        CampaignInvalid: when it raises anything but a `CampaignError`, or writes documents that its campaign has no
            place for.
    """
    if ruleset.name in INCLUDED:
        return call()
    wrong: BaseException | None = None
    try:
        done = call()
        _require_places(world)
    except CampaignError:
        raise
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        wrong = error
    if wrong is not None:
        told = failed_by_itself(part, ruleset.name, wrong)
        raise CampaignInvalid([Problem("campaign.json", "$.rulesets", "ruleset", told)])
    return done


def read_guarded(ruleset: Ruleset, part: str, read: Callable[..., Any], kind: type) -> Callable[..., Any]:
    """Return a function of a ruleset that reads a campaign; an error of an installed one names the ruleset.

    Args:
        ruleset: the ruleset.
        part: the part that the function is, for the message.
        read: the function. It returns an object of a kind, or yields several.
        kind: the kind.
    """
    if ruleset.name in INCLUDED:
        return read

    def guarded(*given: Any) -> Any:
        try:
            found = read(*given)
            if isinstance(found, kind):
                return found
            several = tuple(found)
            if not all(isinstance(each, kind) for each in several):
                raise TypeError(f"it must give {kind.__name__}")
        except (Exception, SystemExit) as error:  # foreign code may raise anything
            raise RuntimeError(failed_by_itself(part, ruleset.name, error)) from error
        return several

    return guarded


def _require_places(world: World) -> None:
    kinds = tables(world.campaign.rulesets).documents
    for path, document in world.touched.items():
        model = kinds.model_of(path)
        if model is None or (document is not None and (type(document) is not model or document.path != path)):
            raise TypeError(f"it changed {path}, which is no place of the campaign for that")
        if document is not None:
            model.model_validate(document.as_written)


def failed_by_itself(part: str, name: str, error: BaseException) -> str:
    """Return the message for a part of an installed ruleset that raised an error."""
    told = ascii(f"{type(error).__name__}: {error}")[1:-1][:_LONGEST_FAULT]
    return f"{part} of the ruleset {name} failed by itself: {told}"


def _is_at(path: str, prefix: str) -> bool:
    """Return whether a path equals a path or is in a folder; no path is at the prefix ""."""
    return path == prefix or (prefix.endswith("/") and path.startswith(prefix))


BUILT_IN = RulesetTables(INCLUDED.values())
"""The tables of the built-in rulesets."""


@lru_cache(maxsize=64)
def tables(names: tuple[str, ...] | None) -> RulesetTables:
    """Return the tables of the rulesets with these names; None: of all built-in ones.

    The core is always included. Names that are not installed, or cannot be used, are in `missing`; only the named
    distributions are imported.
    """
    if names is None:
        return BUILT_IN
    chosen: dict[str, Ruleset] = {"core": INCLUDED["core"]}
    missing: dict[str, str] = {}
    for name in dict.fromkeys(names):
        try:
            chosen[name] = INCLUDED[name] if name in INCLUDED else _installed(name, chosen.values())
        except ExtensionError as error:
            missing[name] = str(error)
    return RulesetTables(chosen.values(), missing)


def _installed(name: str, others: Iterable[Ruleset]) -> Ruleset:
    """Return the installed ruleset of this name.

    Raises:
        ExtensionError: when it is not installed, cannot be imported, or claims a name that another ruleset has.
    """
    extension = find(Group.RULESETS, name, INCLUDED)
    if extension is None:
        raise ExtensionError(f"{name} is not installed: install the distribution that offers the ruleset {name}")
    ruleset = imported(extension)
    known = [*INCLUDED.values(), *(other for other in others if other.name not in INCLUDED)]
    wrong = fault_of(ruleset, name, known)
    if wrong or not isinstance(ruleset, Ruleset):
        raise failed(extension, ValueError(wrong))
    try:
        require_parts(ruleset, known)
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        raise failed(extension, error) from error
    return ruleset
