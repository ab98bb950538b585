"""Heroes, people, places and monsters of a few words, added to a campaign that has begun: one turn each.

Source: docs/your-own-campaign.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.json_types import JsonObject
from turnwright.model.lazy import load
from turnwright.model.state.overlay import World
from turnwright.rulesets.beginning import KINDS, Beginning, Kind, Made, Situation, Unclear
from turnwright.rulesets.content_library import has_content, library_of
from turnwright.rulesets.in_use import tables_of

if TYPE_CHECKING:
    from turnwright.campaign.packs import OpenPacks


def turn_that_adds(world: World, open_packs: OpenPacks, kind: str, text: str) -> JsonObject:
    """Return the turn that adds what words describe, to where the party is.

    Raises:
        BadRequest: when nothing can be made of the words, or the game has no tool for it.
        PackError: when a pack of the campaign cannot be used.
    """
    made, _ = _read(world, open_packs, kind, text)
    calls: list[JsonObject] = [
        {"id": f"add_{number}", "tool": call["tool"], "args": call["args"]}
        for number, call in enumerate(made.calls, start=1)
    ]
    return {"tool_calls": calls, "atomic": True}


def preview(world: World, open_packs: OpenPacks, kind: str, text: str) -> list[str]:
    """Return how it reads what words describe, a sheet in full; nothing is changed.

    Raises:
        BadRequest, PackError: as `turn_that_adds` does, or when a tool refuses it.
    """
    from turnwright.campaign.own_game import apply_call, described

    made, beginning = _read(world, open_packs, kind, text)
    tried = World(world)
    try:
        for number, call in enumerate(made.calls, start=1):
            apply_call(call, number, tried, open_packs)
    except Unclear as unclear:
        raise BadRequest(str(unclear)) from None
    return described(made, tried, beginning)


def _read(world: World, open_packs: OpenPacks, kind: str, text: str) -> tuple[Made, Beginning]:
    from turnwright.campaign.own_game import read_words

    wanted = next((known for known in KINDS if known == kind), None)
    if wanted is None:
        raise BadRequest(f"one adds one of {', '.join(KINDS)} (got {kind!r}){did_you_mean(kind, KINDS)}")
    if not isinstance(text, str):
        raise BadRequest("what is added is described in words")
    beginning = _beginning_of(world, wanted)
    try:
        made = read_words(beginning, wanted, text, _situation(world, open_packs))
    except Unclear as unclear:
        raise BadRequest(str(unclear)) from None
    if made.people:
        raise BadRequest("this game has no tool that makes characters: write characters/ID.json by hand")
    return made, beginning


def _beginning_of(world: World, kind: Kind) -> Beginning:
    """Return how games begin of the ruleset whose tools the campaign allows: the first that has the kind."""
    allowed = set(world.campaign.allowlist)
    found: list[Beginning] = [load(place) for place in tables_of(world.campaign).beginnings.values()]
    fitting = [each for each in found if allowed.issuperset(each.needs)]
    if not fitting:
        raise BadRequest("this campaign allows no tool that makes people or places (campaign.json, allowlist)")
    return next((each for each in fitting[::-1] if kind in each.readers), fitting[-1])


def _situation(world: World, open_packs: OpenPacks) -> Situation:
    selected = world.campaign.selected
    ids = dict.fromkeys(filter(None, [selected.active_actor_id, *selected.party_character_ids]))
    people = (world.character(each) for each in ids)
    here = next((person.position for person in people if person and person.position), None)
    library = library_of(world, open_packs()) if has_content(world) else None
    return Situation(world, library, here if here and world.area(here) else None)
