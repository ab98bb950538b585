"""Changing a character: the fields of a call on the document, and which of its values that changed.

Source: docs/toolkit.md, "Sheets".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwright.model.character import Character
from turnwright.model.creature import Pool, Resource
from turnwright.model.sheet import Sheet
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.fifth_edition.sheets._sheet import grown_from, refreshed, sheet_fields, sheet_with
from turnwright.rulesets.fifth_edition.sheets._sheet_args import SheetArgs
from turnwright.rulesets.fifth_edition.sheets.derived_stats import most_hp


def with_fields(
    before: Character, args: SheetArgs, max_hp: int | None, resource: int | Resource | None, name: str | None
) -> Character:
    """Return a character with the values of a call, except hit points, which at most are cut to a new maximum.

    Raises:
        CallFailed: `rule_violation` for a character without the sheet that this needs, `invalid_args` for a resource
            beyond its maximum.
    """
    changes: dict[str, Any] = {} if name is None else {"name": name}
    if args.character_type is not None:
        changes["character_type"] = args.character_type
    fields = sheet_fields(args)
    if not fields and max_hp is None and resource is None:
        return before.replace(**changes) if changes else before
    if before.max_hp is None and max_hp is None:
        raise needs_sheet(before, fields[0] if fields else "resource")

    old = sheets.sheet_of(before)
    new = sheet_with(old, args)
    if (others := sum(new.other_classes.values())) >= new.level:
        detail = (
            f"args.level: {before.id} has {others} level{'s' if others > 1 else ''} in other classes than {new.class_}"
        )
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.level", args.level, [others + 1]))
    if before.sheet is None and before.max_hp is None:
        new = refreshed(new)
    elif _rank(new) != _rank(old):
        new = grown_from(old, new)
    new = _with_resource(before, new, resource)
    changes |= {"sheet": new} if new != old or before.max_hp is None else {}
    return _cut(before.replace(**changes, max_hp=_max_hp(before, old, new, max_hp)))


def needs_sheet(character: Character, field: str) -> CallFailed:
    """Return the failure for a character without a sheet; a hit point maximum would create one."""
    detail = f"{character.id} has no sheet, which {field} needs; max_hp gives one"
    return CallFailed(Reason.RULE_VIOLATION, detail, hint.ask_for("args.max_hp"))


def _rank(sheet: Sheet) -> tuple[Any, ...]:
    """Return the values that determine slots and hit dice."""
    return sheet.level, sheet.class_.strip().casefold(), sheet.custom_class


def _max_hp(before: Character, old: Sheet, new: Sheet, given: int | None) -> int | None:
    if given is not None:
        return given
    return sheets.max_hp(new) if (_rank(new), new.stats.con) != (_rank(old), old.stats.con) else before.max_hp


def _cut(character: Character) -> Character:
    """Return a character with hit points cut to the maximum; the full maximum if there were none."""
    most = most_hp(character)
    if character.hp is None:
        return character.replace(hp=character.max_hp)
    return character.replace(hp=most) if character.hp > most else character


def _with_resource(character: Character, sheet: Sheet, wanted: int | Resource | None) -> Sheet:
    if wanted is None:
        return sheet
    if isinstance(wanted, Resource):
        if wanted.current > wanted.max:
            raise _beyond("args.resource.current", wanted.current, wanted)
        return sheet.replace(resource=wanted)
    if sheet.resource is None:
        detail = f"{character.id} has no resource; give its name, current and max"
        raise CallFailed(Reason.RULE_VIOLATION, detail)
    if wanted > sheet.resource.max:
        raise _beyond("args.resource", wanted, sheet.resource)
    return sheet.replace(resource=sheet.resource.replace(current=wanted))


def _beyond(field: str, got: int, pool: Pool) -> CallFailed:
    detail = f"{field}: is above the maximum of {pool.max}"
    return CallFailed(Reason.INVALID_ARGS, detail, hint.ask(field, got))


def differences(before: Character, after: Character) -> dict[str, list[Any]]:
    """Return every changed value, by field: before and after; null if it was or is missing."""
    old, new = dict(_flat(before)), dict(_flat(after))
    return {
        name: [old.get(name), new.get(name)] for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)
    }


def _flat(character: Character) -> Iterator[tuple[str, Any]]:
    written = {"temp_hp": 0, "conditions": [], "effects": [], "inventory": []} | character.as_written
    yield from ((name, value) for name, value in written.items() if name != "sheet")
    if character.max_hp is not None:
        yield from _flat_sheet(sheets.sheet_of(character))


def _flat_sheet(sheet: Sheet) -> Iterator[tuple[str, Any]]:
    for name, value in sheet.as_written.items():
        if name == "stats":
            yield from ((f"stats.{ability}", score) for ability, score in value.items())
        else:
            yield name, value
