"""Characters that come into a campaign from files, and leave it as such, as the campaign's rulesets say.

Source: docs/characters.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from turnwright.campaign.reader import Reader
from turnwright.campaign.runner import TurnRunner
from turnwright.model.base import MAX_ID_LENGTH, name_tag
from turnwright.model.character import Character
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import MAX_COUNT, did_you_mean
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World
from turnwright.rulesets.imports import MAX_FILE_BYTES, ImportAnswer, ImportArgs, Imported, ImportFault, Imports, Target
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.reference_lookup import character_ids

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.wire.shapes import Reply
    from turnwright.rulesets.imports import Page

OpenPacks = Callable[[], "PackRegistry"]
_MAX_NAME = 255


def bring_in(
    reader: Reader,
    runner: TurnRunner,
    open_packs: OpenPacks,
    data: bytes,
    name: str,
    *,
    replace: bool,
    join: bool,
    as_id: str | None,
    dry_run: bool,
) -> ImportAnswer:
    """Bring the characters of a file in; see `Campaign.import_characters`."""
    _require_given(data, name, as_id)
    with reader.reading() as world:
        imports = _imports_of(world)
        depth = settings_of(world.campaign.settings)["limits.turn_depth"]
        found = _read(imports, data, name, Target(world, open_packs, as_id, depth))
    calls = [
        {"id": f"import_{number}", "tool": imports.tool, "args": _args(one, name, replace=replace, join=join)}
        for number, one in enumerate(found, 1)
    ]
    reply = runner.process({"tool_calls": calls, "atomic": True}, dry_run=dry_run, door_tool=imports.tool)
    _require_done(reply, name)
    return {"imported": [one.report for one in found], "reply": reply}


def written(reader: Reader, open_packs: OpenPacks, character_id: str, form: str) -> bytes:
    """Return a character as a file; see `Campaign.export_character`."""
    with reader.reading() as world:
        imports, character = _imports_of(world), _require_character(world, character_id)
        if form not in imports.forms:
            raise BadRequest(f"a character is written as one of {', '.join(imports.forms)} (got {form!r})")
        try:
            return imports.write(world, character, form, open_packs)
        except ImportFault as fault:
            raise BadRequest(str(fault)) from None


def page_of(reader: Reader, open_packs: OpenPacks, character_id: str) -> Page:
    """Return a printable page about a character; see `Campaign.character_page`."""
    with reader.reading() as world:
        imports, character = _imports_of(world), _require_character(world, character_id)
        try:
            return imports.page(world, character, open_packs)
        except ImportFault as fault:
            raise BadRequest(str(fault)) from None


def _require_given(data: Any, name: Any, as_id: Any) -> None:
    if not isinstance(data, bytes):
        raise BadRequest("a file is given as bytes")
    if len(data) > MAX_FILE_BYTES:
        raise BadRequest(f"{_shown(name)} is longer than {MAX_FILE_BYTES} bytes")
    if not isinstance(name, str):
        raise BadRequest("the name of a file is a text")
    if as_id is not None and not (isinstance(as_id, str) and 0 < len(as_id) <= MAX_ID_LENGTH):
        raise BadRequest(f"an id is a text of at most {MAX_ID_LENGTH} characters")


def _shown(name: Any) -> str:
    return str(name)[:_MAX_NAME]


def _imports_of(world: World) -> Imports:
    imports = tables_of(world.campaign).imports
    if imports is None:
        raise BadRequest("no ruleset of this campaign reads or writes files of characters")
    return imports


def _read(imports: Imports, data: bytes, name: str, target: Target) -> list[Imported]:
    try:
        found = list(imports.read(data, name, target))
    except ImportFault as fault:
        raise BadRequest(f"{_shown(name)}: {fault}") from None
    if target.as_id is not None and len(found) > 1:
        raise BadRequest(f"{_shown(name)}: holds {len(found)} characters, and one id was given")
    ids = [one.report["character_id"] for one in found]
    if twice := next((each for each in ids if ids.count(each) > 1), None):
        raise BadRequest(f"{_shown(name)}: two characters have the id {twice!r}; name them apart")
    return found


def _args(one: Imported, name: str, *, replace: bool, join: bool) -> ImportArgs:
    return {
        "character": one.document,
        "format": one.report["format"],
        "version": one.report["version"],
        "file": _shown(name).encode(errors="replace").decode(),
        "keep": list(one.keeps),
        "replacing": replace,
        "joining": join,
        "packs": dict(one.packs),
    }


def _require_done(reply: Reply, name: str) -> None:
    """Refuse what was not done, with the reason of the first call that failed by itself."""
    if reply["status"] == "applied":
        return
    failed = reply["tool_feedback"]["failed_calls"] if "tool_feedback" in reply else []
    told = next((call["detail"] for call in failed if call["reason"] != "turn_aborted"), reply.get("detail", ""))
    raise BadRequest(f"{_shown(name)}: {told or 'nothing was imported'}")


def _require_character(world: World, named: str) -> Character:
    """Return the character with an id, or the only one with a name, or with a word of it, as `Bruna` of `Bruna Hale`.

    Raises:
        BadRequest: naming who there is.
    """
    character = world.character(named)
    if character is not None:
        return character
    people = [person for each in character_ids(world) if (person := world.character(each))]
    bearers = world.all_tagged(Character, name_tag(named)) or [each for each in people if _is_called(each, named)]
    if len(bearers) == 1:
        return bearers[0]
    if bearers:
        ids = ", ".join(sorted(each.id for each in bearers))
        raise BadRequest(f"{named!r} is the name of several characters; give an id: {ids}")
    meant = did_you_mean(named, [each.id for each in people])
    listed = ", ".join(each.id if each.label == each.id else f"{each.id} ({each.label})" for each in people[:MAX_COUNT])
    raise BadRequest(f"there is no character {named!r}{meant or (f'; there are {listed}' if listed else '')}")


def _is_called(person: Character, named: str) -> bool:
    """Return whether a text is an id in other letters, or a word of a name."""
    word = named.casefold()
    return word == person.id.casefold() or word in person.label.casefold().split()
