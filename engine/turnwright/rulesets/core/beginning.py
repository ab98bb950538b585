"""How a game of places and people begins, and how `turnwright add` reads descriptions for one.

Other rulesets use its places. Source: docs/your-own-campaign.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.location import Location
from turnwright.rulesets.beginning import (
    Beginning,
    Made,
    Situation,
    Trouble,
    Unclear,
    clear_words,
    new_name,
    readable_id,
)
from turnwright.rulesets.core.mapgen import SIZES

if TYPE_CHECKING:
    from turnwright.rulesets.beginning import PlannedCall

HIT_POINTS = 20
"""Of a hero in a game without sheets."""
MAX_PLACE_NAME = 80
_DIGITS = 3
_WHERE = re.compile(
    r"\b(?:in|at|under|beneath|below|near|behind|inside|on|around|by|from)\s+((?:the|an?|our|my)\s+)?(?P<name>[^,;:.!?]+)$",
    re.IGNORECASE,
)


def call(tool: str, **args: Any) -> PlannedCall:
    """Return a call of a tool."""
    return {"tool": tool, "args": args}


def place(text: str, situation: Situation) -> Made:
    """Return a new place, `Name` or `Name: what one sees there`, with a way to the party's place."""
    head, _, rest = text.partition(":")
    name = clear_words(head, "the name of a place", MAX_PLACE_NAME)
    if situation.world.tagged(Location.collection, name_tag(name)) or _is_area(situation, name):
        raise Unclear(f"there is a place called {name} already; give another name")
    given: dict[str, Any] = {"description": clear_words(rest, "the description", 500)} if rest.strip() else {}
    calls = [call("manage_location", operation="create", name=name, **given)]
    line = name + (f": {given['description']}" if given else "")
    if situation.area_id is not None:
        area = situation.world.area(situation.area_id)
        calls.append(call("manage_location", operation="link", from_location_id=situation.area_id, to_location_id=name))
        line += f" (one step from {area.name if area else situation.area_id})"
    return Made(calls, (), [line], name)


def map_inside(text: str, situation: Situation) -> Made:
    """Return a number of new areas inside an area; the same for areas of the same name."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and int(text) in SIZES):
        raise Unclear(f"a map has {SIZES.start} to {SIZES.stop - 1} areas, in digits (got {text[:20]})")
    here = situation.world.area(situation.area_id) if situation.area_id else None
    name = here.name if here else ""
    constraints = {"size": int(text), "seed": name, "two_way": True}
    theme = re.sub("^The ", "", name)
    made = call("map_generate", parent_area_id=situation.area_id, theme=theme, constraints=constraints)
    return Made([made], (), [f"{int(text)} area{'' if int(text) == 1 else 's'} to explore inside {name}"], name)


def _is_area(situation: Situation, name: str) -> bool:
    layer = situation.world.layer(None)
    return any(area.name.casefold() == name.casefold() for area in layer.areas.values()) if layer else False


def person(text: str, situation: Situation) -> Made:
    """Return a hero with hit points and nothing else."""
    name = new_name(text, situation.world, "the name of a hero")
    made = Character(
        id=readable_id(name, "hero", situation.world.character), name=name, hp=HIT_POINTS, position=situation.area_id
    )
    return Made((), (made,), [f"{name}: {HIT_POINTS} hit points"], name)


def npc(text: str, situation: Situation) -> Made:
    """Return a new character of the game master's."""
    made = person(text, situation)
    return made._replace(people=[each.replace(character_type="npc") for each in made.people])


def trouble(text: str, situation: Situation, heroes: int) -> Trouble:
    """Return the first trouble as an offered quest."""
    del situation, heroes
    words = clear_words(text, "the trouble")
    title = words[0].upper() + words[1:]
    calls = [call("manage_quest", operation="offer", title=title, objectives=[f"See to it: {words}"])]
    return Trouble(calls, where_in(words), [f"{title}: offered as a quest"])


def where_in(words: str) -> str:
    """Return the place name at the end of a text, such as `Mill` of `giant rats in the mill`; empty for none."""
    found = _WHERE.search(words)
    name = found["name"].strip() if found else ""
    return name[0].upper() + name[1:] if 0 < len(name) <= MAX_PLACE_NAME else ""


_TOOLS = ("move_options", "manage_location", "move_party", "manage_party", "manage_notes", "manage_quest")
CORE = Beginning(
    title="places and people, without sheets and fights",
    needs=("manage_location",),
    allowlist=_TOOLS,
    readers={"hero": person, "npc": npc, "place": place, "map": map_inside},
    missing={"monster": "a game without sheets has no monsters; one of the fifth edition has them"},
    trouble=trouble,
    default_hero="Robin",
)
