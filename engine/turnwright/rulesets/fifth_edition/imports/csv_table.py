"""Characters in CSV: a head of fields, and a row for each character. Cells are text, never formulas.

Written cells that a spreadsheet would take for a formula begin with an apostrophe, which reading takes away.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from turnwright.model.character import Character
from turnwright.model.item import Item
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, words
from turnwright.rulesets.fifth_edition.imports.derived import derived_values
from turnwright.rulesets.fifth_edition.imports.foundry_words import COINS, SENSES
from turnwright.rulesets.fifth_edition.imports.table import FIELDS, MAX_TABLE_BYTES, read_row
from turnwright.rulesets.fifth_edition.sheets import sheet_rules as sheets
from turnwright.rulesets.imports import MAX_CHARACTERS, Imported, ImportFault, Target

FORMAT = "csv"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MAX_COLUMNS = 200
_DELIMITERS = ",;\t"


def read_csv(data: bytes, target: Target) -> list[Imported]:
    """Return the characters of a CSV file; its columns are separated by commas, semicolons or tabs.

    Raises:
        ImportFault: for a file that is not a table, and for an invalid field.
    """
    if len(data) > MAX_TABLE_BYTES:
        raise ImportFault(f"is longer than {MAX_TABLE_BYTES} bytes, the most for a table")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ImportFault(f"not UTF-8 (byte {error.start}); save it as UTF-8") from None
    if "\0" in text:
        raise ImportFault("holds zero bytes, as UTF-16 does; save it as UTF-8")
    (_, head), *rows = _rows(text)
    if len(head) > _MAX_COLUMNS:
        raise ImportFault(f"has {len(head)} columns; {_MAX_COLUMNS} are the most")
    if twice := next((name for name in head if name and head.count(name) > 1), None):
        raise ImportFault(f"has the column {twice!r} twice")
    if not rows:
        raise ImportFault("has no row below its head")
    if len(rows) > MAX_CHARACTERS:
        raise ImportFault(f"holds {len(rows)} characters; {MAX_CHARACTERS} are the most")
    found = []
    for number, row in rows:
        if len(row) > len(head):
            raise ImportFault(f"row {number} has {len(row)} cells, and the head {len(head)}")
        cells = {name: _plain(cell) for name, cell in zip(head, row, strict=False) if name}
        found.append(read_row(cells, f"row {number}", target, FORMAT))
    return found


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with its line; names in the head are without blanks around them."""
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [(reader.line_num, row) for row in reader if any(row)]
    except csv.Error as error:
        raise ImportFault(f"not CSV: {error}") from None
    if not rows:
        raise ImportFault("is empty")
    line, head = rows[0]
    return [(line, [name.strip() for name in head]), *rows[1:]]


def _plain(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _FORMULA else cell


# writing


def write_csv(world: World, character: Character) -> bytes:
    """Return a character as a table of one row: the values that a spreadsheet can show, not the whole character."""
    values = _values(world, character)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    names = [name for name in FIELDS if name in values]
    writer.writerow(names)
    writer.writerow([_quoted(str(values[name])) for name in names])
    return stream.getvalue().encode()


def _quoted(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _values(world: World, character: Character) -> dict[str, str | int | None]:
    sheet = sheets.sheet_of(character)
    derived = derived_values(world, character)
    items = [item for item in character.inventory if item.type != "currency"]
    names = {item.id: item.name for item in character.inventory}
    attacks = [f"{each['name']} {each['attack_bonus']:+d} {each['damage']}" for each in derived["attacks"]]
    slots = [f"{level}:{pool.current}" for level, pool in sheet.spell_slots.items()]
    exhaustion = next((each.exhaustion_level for each in character.conditions if each.condition == "exhaustion"), None)
    values: dict[str, str | int | None] = {
        "name": character.label,
        "character_type": character.character_type,
        "race": sheet.race,
        "class": sheet.class_,
        "subclass": sheet.subclass,
        "level": sheet.level,
        "background": sheet.background,
        **{ability: getattr(sheet.stats, ability) for ability in words(Ability)},
        "hp": character.hp,
        "max_hp": character.max_hp,
        "temp_hp": character.temp_hp,
        "ac": derived["ac"],
        "base_ac": sheet.ac,
        "speed": sheet.speed,
        "fly_speed": sheet.fly_speed,
        "swim_speed": sheet.swim_speed,
        "climb_speed": sheet.climb_speed,
        "size": sheet.size,
        **{sense: getattr(sheet.senses, sense) for sense in SENSES},
        "skills": _joined(sheet.skill_proficiencies),
        "expertise": _joined(sheet.skill_expertise),
        "saves": _joined(sheets.saves(sheet)),
        "spellcasting_ability": sheet.spellcasting_ability,
        "features": _joined(sheet.features),
        "languages": _joined(sheet.languages),
        "cantrips": _joined(sheet.cantrips),
        "known_spells": _joined(sheet.known_spells),
        "prepared_spells": _joined(sheet.prepared_spells),
        "slots": _joined(slots),
        "hit_dice": sheet.hit_dice.current,
        "resistances": _joined(sheet.resistances),
        "immunities": _joined(sheet.immunities),
        "vulnerabilities": _joined(sheet.vulnerabilities),
        "condition_immunities": _joined(sheet.condition_immunities),
        "conditions": _joined(name for name in character.condition_names if name != "exhaustion"),
        "exhaustion": exhaustion,
        "items": _joined(map(_item, items)),
        "equipped": _joined(names[held] for held in dict.fromkeys(character.equipped.values()) if held in names),
        "attacks": _joined(attacks),
        **_coins(character.inventory),
    }
    return {name: value for name, value in values.items() if value not in (None, "", 0) or name in ("hp", "name")}


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part.replace(";", ",") for part in parts)


def _item(item: Item) -> str:
    return item.name if item.quantity == 1 else f"{item.quantity} x {item.name}"


def _coins(inventory: Sequence[Item]) -> dict[str, int]:
    named = {name: coin for coin, name in COINS.items()}
    return {named[item.name]: item.quantity for item in inventory if item.type == "currency" and item.name in named}
