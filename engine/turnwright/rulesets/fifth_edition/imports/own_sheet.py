"""Characters in our own format: the whole document, except for its place in the campaign.

Reading a written document gives the same document, byte for byte. Source: docs/characters.md, "Our own sheet".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from turnwright.model.character import Character
from turnwright.model.creature import Condition, Effect
from turnwright.model.encounter import Encounter
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import pretty
from turnwright.rulesets.fifth_edition.imports.derived import derived_values
from turnwright.rulesets.fifth_edition.imports.fields import Fields
from turnwright.rulesets.imports import Imported, ImportFault, ImportReport, Target

FORMAT = "sheet"
MARK = "turnwright_character"
VERSION = 1
_PLACES = ("position", "location", "faction")
"""The fields that belong to a campaign: they name its areas, places and factions."""


def is_sheet(value: Any) -> bool:
    """Return whether JSON is a sheet of ours."""
    return isinstance(value, Mapping) and MARK in value


def write_sheet(character: Character) -> bytes:
    """Return a character as a file."""
    own = {key: value for key, value in character.as_written.items() if key not in _PLACES}
    return pretty({MARK: VERSION, "character": own})


def read_sheet(value: Any, target: Target) -> Imported:
    """Return the character of a sheet.

    Raises:
        ImportFault: naming the place that does not fit.
    """
    fields = Fields(value)
    version, document = fields.root[MARK], fields.root["character"]
    if version.integer(1, VERSION) is None:
        raise version.fault(f"wants {VERSION}")
    version.taken("(format)")
    if strange := sorted(set(value) - {MARK, "character"}):
        raise ImportFault(f"$.{strange[0]}: may not be given")
    if not isinstance(document.value, Mapping):
        raise document.fault("wants an object")
    given = dict(document.value)
    if target.as_id is not None:
        given["id"] = target.as_id
    try:
        character = Character.model_validate(given)
    except ValidationError as error:
        first = faults_of(error)[0]
        raise ImportFault(f"$.character.{'.'.join(map(str, first['loc']))}: {sentence(first)}") from None
    written = {key: value for key, value in character.as_written.items() if key not in _PLACES}
    for key in given:
        node = document.at(key)
        if key in _PLACES:
            node.dropped("belongs to the campaign it came from")
        else:
            node.taken(key)
    kept = _without_strangers(written, character, target.world, fields)
    report: ImportReport = {
        "format": FORMAT,
        "version": str(VERSION),
        "character_id": character.id,
        "name": character.label,
        "fields": fields.reports(),
        "derived": derived_values(target.world, character) if character.max_hp is not None else None,
        "differences": [],
    }
    return Imported(kept, _PLACES, report)


def _without_strangers(written: JsonObject, character: Character, world: World, fields: Fields) -> JsonObject:
    """Return a document without effects that link it to characters outside this campaign, in either direction."""
    kept = dict(written)
    lists: tuple[tuple[str, Sequence[Condition | Effect]], ...] = (
        ("conditions", character.conditions),
        ("effects", character.effects),
    )
    for name, held in lists:
        stays = [each for each in held if not _is_of_stranger(each, world, character.id)]
        for place, each in enumerate(held):
            if each not in stays:
                fields.mark(("character", name, place), "dropped", "", "held by somebody who is not in this campaign")
        if len(stays) < len(held):
            kept[name] = [each.as_written for each in stays]
            if not stays:
                del kept[name]
    concentration = character.concentration
    if concentration is None:
        return kept
    gone = set()
    if any(not _is_here(target, world, character.id) for target in concentration.targets):
        fields.mark(("character", "concentration", "targets"), "dropped", "", "somebody is not in this campaign")
        gone.add("targets")
    if concentration.encounter_id is not None and world.find(Encounter, concentration.encounter_id) is None:
        fields.mark(("character", "concentration", "encounter_id"), "dropped", "", "no fight of this campaign")
        gone.add("encounter_id")
    if gone:
        kept["concentration"] = {key: each for key, each in concentration.as_written.items() if key not in gone}
    return kept


def _is_of_stranger(entry: Condition | Effect, world: World, own_id: str) -> bool:
    others = [entry.source] if entry.duration == "concentration" and entry.source is not None else []
    others += [entry.ends.whose] if entry.ends is not None else []  # it would never end here
    return any(not _is_here(each, world, own_id) for each in others)


def _is_here(identifier: str, world: World, own_id: str) -> bool:
    return identifier == own_id or world.character(identifier) is not None
