"""What a ruleset does with characters in files of other programs: reads them, and writes them for such.

Commands ask the rulesets that a campaign uses for their `Imports`. Source: docs/characters.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, NotRequired, Protocol, TypedDict

from turnwright.model.character import Character
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.wire.shapes import Reply

MAX_FILE_BYTES = 8 * 1024 * 1024
"""The longest file that is read: those of other programs hold much prose that is dropped."""
MAX_CHARACTERS = 20
"""The most characters of one file."""

How = Literal["taken", "derived", "dropped"]
"""The fate of a field: its value is in the sheet, the sheet's value was worked out from it, or neither."""


class FieldReport(TypedDict):
    """The fate of one value of a file, or of all values below one place that went the same way.

    Attributes:
        path: where it is, as `$.system.abilities.str.value`.
        how: its fate.
        fields: how many values it stands for.
        into: the field of the character that has it, where one does.
        why: why it was dropped, or what was worked out, where that needs a word.
    """

    path: str
    how: How
    fields: int
    into: NotRequired[str]
    why: NotRequired[str]


class Difference(TypedDict):
    """A value that the file states and the rules work out otherwise.

    Attributes:
        value: its name, such as `max_hp`.
        file: what the file says.
        derived: what the rules give.
        kept: which of the two the character has now.
    """

    value: str
    file: int | str
    derived: int | str
    kept: Literal["file", "derived"]


class Attack(TypedDict):
    """One attack as the engine would make it; `attack_bonus` is added to the d20."""

    name: str
    attack_bonus: int
    damage: str
    damage_type: str


class DerivedValues(TypedDict):
    """What the rules work out of a character: of a warlock, `spell_slots` holds those of the pact, too."""

    max_hp: int
    ac: int
    attacks: Sequence[Attack]
    spell_slots: Mapping[str, int]


class ImportReport(TypedDict):
    """How a character's file was read.

    Attributes:
        format: the format that was recognized.
        version: the version that the file is stamped with; "" where its format has none.
        character_id: what the character is called by in this campaign.
        name: what players call it.
        fields: the fate of each value.
        derived: what the rules work out.
        differences: where the file says otherwise.
    """

    format: str
    version: str
    character_id: str
    name: str
    fields: Sequence[FieldReport]
    derived: DerivedValues | None
    differences: Sequence[Difference]


class Imported(NamedTuple):
    """A character that was read.

    Attributes:
        document: the whole document as plain JSON.
        keeps: its fields that belong to the campaign: one that is replaced keeps its own.
        report: how the file was read.
        packs: the content packs that something was taken from: the SHA-256 of each by id.
    """

    document: JsonObject
    keeps: Sequence[str]
    report: ImportReport
    packs: Mapping[str, str] = MappingProxyType({})


class ImportAnswer(TypedDict):
    """What an import did: a report for each character, and the reply to the turn that brought them."""

    imported: Sequence[ImportReport]
    reply: Reply


class ImportFault(Exception):
    """A file that no character can be read from; the message says where, and what is wanted there."""


class Target(NamedTuple):
    """Where a file is read into.

    Attributes:
        world: the campaign.
        open_packs: gives the content packs that it can use.
        as_id: the id that the one character of the file gets; None for its own, or one made of its name.
        max_depth: the deepest nesting that is read.
    """

    world: World
    open_packs: Callable[[], PackRegistry]
    as_id: str | None
    max_depth: int


class PageSection(TypedDict):
    """A part of a printable page: lines of label and text, or a table; all of it is text, never markup."""

    title: str
    lines: NotRequired[Sequence[tuple[str, str]]]
    head: NotRequired[Sequence[str]]
    rows: NotRequired[Sequence[Sequence[str]]]


class Page(TypedDict):
    """A printable page about a character, as text; `notices` are what licenses ask for."""

    title: str
    subtitle: str
    sections: Sequence[PageSection]
    notices: Sequence[str]


class Imports(Protocol):
    """How a ruleset brings characters in and out.

    Attributes:
        tool: its tool of doors that puts a character into a campaign; its arguments are `ImportArgs` below.
        forms: the formats that it writes, each with what it is.
    """

    tool: str
    forms: Mapping[str, str]

    def read(self, data: bytes, name: str, target: Target) -> Sequence[Imported]:
        """Return the characters of a file.

        Args:
            data: the file.
            name: its name, whose ending tells formats apart that cannot be told by their content.
            target: where they go.

        Raises:
            ImportFault: saying where it cannot be read, and why.
        """
        ...

    def write(self, world: World, character: Character, form: str, open_packs: Callable[[], PackRegistry]) -> bytes:
        """Return a character as a file of one of `forms`.

        Raises:
            ImportFault: when the character cannot be in such a file.
        """
        ...

    def page(self, world: World, character: Character, open_packs: Callable[[], PackRegistry]) -> Page:
        """Return a printable page about a character."""
        ...


class ImportArgs(TypedDict):
    """Arguments of the tool that puts a character into a campaign.

    Attributes:
        character: the document.
        format: the format of the file that it came from.
        version: the version that the file is stamped with; "" for none.
        file: the file's name.
        keep: fields that a character keeps which this one replaces.
        replacing: whether a character with this id may be replaced.
        joining: whether the character joins the party.
        packs: the content packs that something was taken from: the SHA-256 of each by id.
    """

    character: JsonObject
    format: str
    version: str
    file: str
    keep: Sequence[str]
    replacing: bool
    joining: bool
    packs: Mapping[str, str]
