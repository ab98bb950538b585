"""Characters that a call defines by race, class or background of the campaign's content.

Values that the call leaves open are derived. A call that names no entry is taken literally, and its values override
those of an entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pydantic import Field

from turnwright.model.base import ListOf, Model, Text
from turnwright.model.item import Item
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.rulesets.content_library import library_in, packs_used
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._sheet_args import SheetArgs
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Correction
    from turnwright.rulesets.fifth_edition.sheets.building.build import Built

_COMPARED = ("speed", "size", "ac", "resistances", "save_proficiencies", "spellcasting_ability")
"""Arguments for which an entry has a figure of its own."""


class BuiltRow(Model):
    """The entries that a character was built from."""

    race: Text | None = Field(description="The entry of the race.")
    class_: Text | None = Field(alias="class", description="The entry of the class.")
    background: Text | None = Field(description="The entry of the background.")
    undecided: ListOf[Text] = Field(description="Features whose options the player still has to choose.")


class Base(NamedTuple):
    """The character before the values of the call.

    Attributes:
        sheet: its sheet.
        inventory, equipped: its carried and worn items.
        extra_hp: hit points that traits add.
        row: the entries it was built from; None if nothing came from content.
        packs: the packs that entries came from.
    """

    sheet: Sheet = Sheet()
    inventory: tuple[Item, ...] = ()
    equipped: Mapping[str, str] = {}
    extra_hp: int = 0
    row: BuiltRow | None = None
    packs: Mapping[str, str] = {}

    @property
    def names(self) -> dict[str, str]:
        """The names of the entries, as fields of a sheet."""
        if self.row is None:
            return {}
        found = {"race": self.row.race, "class_": self.row.class_, "background": self.row.background}
        return {name: getattr(self.sheet, name) for name, entry in found.items() if entry is not None}

    def corrections(self, args: SheetArgs, max_hp: int | None) -> tuple[Correction, ...]:
        """Return the figures that a call gives in place of those of the entries."""
        if self.row is None:
            return ()
        made: list[Correction] = []
        for name in _COMPARED:
            own, given = self._own(name), getattr(args, name)
            if given is not None and own and own != given:
                made.append({"field": f"args.{name}", "from": _plain(own), "to": _plain(given), "how": "override"})
        own_hp = sheets.max_hp(self.sheet) + self.extra_hp
        if max_hp is not None and max_hp != own_hp and self.row.class_ is not None:
            made.append({"field": "args.max_hp", "from": own_hp, "to": max_hp, "how": "override"})
        return tuple(made)

    def _own(self, name: str) -> object:
        if name == "save_proficiencies":
            return sheets.saves(self.sheet) if self.row and self.row.class_ else None
        if name == "spellcasting_ability":
            return sheets.casting_ability(self.sheet) if self.row and self.row.class_ else None
        if name in ("speed", "size") and not (self.row and self.row.race):
            return None
        return getattr(self.sheet, name)


def base_of(world: World, args: SheetArgs, ctx: Context) -> Base:
    """Return the base from the race, class and background that a call names; a plain sheet if it names none.

    Raises:
        CallFailed: `not_found` if a pack of the campaign cannot be used.
    """
    if args.race is None and args.class_ is None and args.background is None:
        return Base()
    library = library_in(world, ctx, "args.race" if args.race is not None else "args.class")
    if library is None:
        return Base()
    from turnwright.rulesets.fifth_edition.sheets.building.build import Given, build
    from turnwright.rulesets.fifth_edition.sheets.building.facts import facts_of

    race = args.race if args.custom_race is None else None
    class_ = args.class_ if args.custom_class is None else None
    facts = facts_of(library, race, class_, args.background)
    if not facts.found:
        return Base()
    stats = args.stats.given if args.stats is not None else {}
    given = Given(args.level or 1, stats, args.skill_proficiencies, args.equipment is None)  # type: ignore[arg-type]
    built = build(facts, given)
    return Base(
        sheet=built.sheet,
        inventory=built.inventory,
        equipped=built.equipped,
        extra_hp=built.extra_hp,
        row=_row(built),
        packs=packs_used(built.found, ctx),
    )


def _row(built: Built) -> BuiltRow:
    names = {found.kind: found.id for found in reversed(built.found)}
    kinds = (("race", "races"), ("class", "classes"), ("background", "backgrounds"))
    return BuiltRow.model_validate(
        {**{key: names.get(kind) for key, kind in kinds}, "undecided": list(built.undecided)}
    )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
