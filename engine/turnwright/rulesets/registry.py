"""The rulesets that come with turnwright, those that are installed, and the tables that several give together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from turnwright.model.documents import DocumentTable
from turnwright.model.entry_points import ExtensionError, Group, failed, find, imported
from turnwright.model.lazy import load
from turnwright.model.state.overlay import World
from turnwright.rulesets.conversation import Conversation
from turnwright.rulesets.ruleset import Ruleset, ToolRow, fault_of, require_parts
from turnwright.rulesets.vitals import Vitals

if TYPE_CHECKING:  # most turns have no text to check
    from turnwright.rulesets.evidence import ChangeReader, EvidenceReader
    from turnwright.rulesets.snapshots import FillSnapshot

Guard = Callable[[World, str], None]
"""Refuses to take away an entity, by id."""

INCLUDED: Mapping[str, Ruleset] = {
    name: load(f"turnwright.rulesets.{name}:RULESET") for name in ("core", "fifth_edition", "scenes")
}
"""The rulesets that come with turnwright; loaded as installed ones are, so that none imports another through here."""


class RulesetTables:
    """What several rulesets declare, as one table of each kind.

    Attributes:
        rulesets: the rulesets, in order; where several answer, the first that has an answer decides.
        missing: why a ruleset that a campaign names cannot be used, by its name.
    """

    def __init__(self, rulesets: Iterable[Ruleset], missing: Mapping[str, str] | None = None) -> None:
        self.rulesets: Sequence[Ruleset] = tuple(rulesets)
        self.missing: Mapping[str, str] = missing or {}

    @cached_property
    def documents(self) -> DocumentTable:
        """Models of all documents."""
        rows = {path: model for each in self.rulesets for path, model in each.documents.items()}
        return DocumentTable(rows, is_complete=not self.missing)

    @cached_property
    def tools(self) -> dict[str, ToolRow]:
        """Rows of all tools, in the order in which lists show them."""
        rows = [(name, row) for each in self.rulesets for name, row in each.tools.items()]
        return dict(sorted(rows, key=lambda pair: (pair[1].position, pair[0])))

    def installed_owner(self, tool: str) -> Ruleset | None:
        """Return the installed ruleset that a tool belongs to; None for a tool that comes with turnwright."""
        others = (each for each in self.rulesets if each.name not in INCLUDED)
        return next((each for each in others if tool in each.tools), None)

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
        """How hit points change for characters with a maximum; None where no ruleset says so."""
        declared = next((each.vitals for each in self.rulesets if each.vitals), None)
        return load(declared) if declared else None

    def evidence(self, world: World) -> Iterator[EvidenceReader]:
        """Yield the readers of evidence that a campaign has documents for, the first ruleset's first."""
        rows = ((path, place) for each in self.rulesets for path, place in each.evidence.items())
        return (load(place) for path, place in rows if _holds(world, path))

    def changes(self, path: str) -> Iterator[ChangeReader]:
        """Yield the readers of what a turn did to the document at a path."""
        places = (each.changes.get(path) or each.changes.get(f"{path.partition('/')[0]}/") for each in self.rulesets)
        return (load(place) for place in places if place)

    def snapshots(self) -> Iterator[FillSnapshot]:
        """Yield what adds to a snapshot for suggestions; the core comes last, as it keeps what others have said."""
        places = (each.snapshot for each in (*self.rulesets[1:], *self.rulesets[:1]))
        return (load(place) for place in places if place)

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


BUILT_IN = RulesetTables(INCLUDED.values())
"""The tables of the rulesets that come with turnwright."""


@lru_cache(maxsize=64)
def tables(names: tuple[str, ...] | None) -> RulesetTables:
    """Return the tables of the rulesets with these names; None: of all that come with turnwright.

    The core is always among them. A name that is not installed, or cannot be used, is in `missing`; only the named
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
        ExtensionError: when it is not installed, cannot be imported, or takes what another ruleset has.
    """
    extension = find(Group.RULESETS, name, INCLUDED)
    if extension is None:
        raise ExtensionError(f"{name} is not installed: install the distribution that offers the ruleset {name}")
    ruleset = imported(extension)
    wrong = fault_of(ruleset, name, [*INCLUDED.values(), *(other for other in others if other.name not in INCLUDED)])
    if wrong or not isinstance(ruleset, Ruleset):
        raise failed(extension, ValueError(wrong))
    try:
        require_parts(ruleset)
    except (Exception, SystemExit) as error:  # whatever the code of another distribution does
        raise failed(extension, error) from error
    return ruleset
