"""What a ruleset does with character files of other programs: read them, and write them.

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
"""The longest file that is read: files of other programs hold much prose that is dropped."""
MAX_CHARACTERS = 20
"""The most characters of one file."""

How = Literal["taken", "derived", "dropped"]
"""The fate of a field: its value is in the sheet, the sheet's value was worked out from it, or neither."""


class FieldReport(TypedDict):
    """The fate of one value of a file, or of all values below one place that went the same way.

    Attributes:
        path: where it is, as `$.system.abilities.str.value`.
        how: its fate.
        fields: the number of values it represents.
        into: the character's field that received it, if any.
        why: why it was dropped, or what was derived, if that needs an explanation.
    """

    path: str
    how: How
    fields: int
    into: NotRequired[str]
    why: NotRequired[str]


class Difference(TypedDict):
    """A value that differs between the file and the rules.

    Attributes:
        value: its name, such as `max_hp`.
        file: the value in the file.
        derived: the value by the rules.
        kept: which of the two the character now has.
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
    """The values that the rules derive for a character; for a warlock, `spell_slots` includes pact slots."""

    max_hp: int
    ac: int
    attacks: Sequence[Attack]
    spell_slots: Mapping[str, int]


class ImportReport(TypedDict):
    """How a character's file was read.

    Attributes:
        format: the format that was recognized.
        version: the version given in the file; "" if its format has none.
        character_id: the character's id in this campaign.
        name: the character's name.
        fields: the fate of each value.
        derived: the values that the rules derive.
        differences: the values that differ in the file.
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
    """The outcome of an import: a report for each character, and the reply to the turn that added them."""

    imported: Sequence[ImportReport]
    reply: Reply


class ImportFault(Exception):
    """A file that no character can be read from; the message says where, and what is expected there."""


class Target(NamedTuple):
    """The campaign that a file is imported into.

    Attributes:
        world: the campaign.
        open_packs: returns the content packs that it can use.
        as_id: the id for the single character of the file; None for its own id, or one derived from its name.
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
    """A printable page about a character, as text; `notices` holds the notices that licenses require."""

    title: str
    subtitle: str
    sections: Sequence[PageSection]
    notices: Sequence[str]


class Imports(Protocol):
    """How a ruleset imports and exports characters.

    Attributes:
        tool: its door tool that puts a character into a campaign; its arguments are `ImportArgs` below.
        forms: the formats that it writes, each with a description.
    """

    tool: str
    forms: Mapping[str, str]

    def read(self, data: bytes, name: str, target: Target) -> Sequence[Imported]:
        """Return the characters of a file.

        Args:
            data: the file.
            name: its name; the suffix distinguishes formats that the content does not.
            target: the campaign that they go into.

        Raises:
            ImportFault: with the place that cannot be read, and why.
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
        format: the format of the source file.
        version: the version given in the file; "" for none.
        file: the file's name.
        keep: fields that the replaced character keeps.
        replacing: whether a character with this id may be replaced.
        joining: whether the character joins the party.
        packs: the content packs that entries came from: the SHA-256 of each, by id.
    """

    character: JsonObject
    format: str
    version: str
    file: str
    keep: Sequence[str]
    replacing: bool
    joining: bool
    packs: Mapping[str, str]
