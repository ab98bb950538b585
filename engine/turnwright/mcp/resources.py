"""The resources of a role: the state of the campaign, rebuilt from the log on each read.

An address names a resource and never a file. Source: docs/mcp.md, "Resources".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

import mcp_types as types

from turnwright.mcp.door import Door
from turnwright.mcp.story import PAGE, last_page, log_page, recap
from turnwright.mcp.tool_page import tool_names, tool_page
from turnwright.model.campaign import CREW_PATH
from turnwright.model.errors import BadRequest
from turnwright.model.state.overlay import World
from turnwright.render.battlefield_text import render_battlefield_text
from turnwright.render.battlefield_view import FightView
from turnwright.render.map_svg import render_svg
from turnwright.render.map_text import render_text
from turnwright.render.map_view import MapView
from turnwright.rulesets.fifth_edition.sight import known_fights
from turnwright.views.fight import fight_of_players, fight_view, fights_of_players, running_fights
from turnwright.views.sheet import sheet_view
from turnwright.views.state import campaign_view, game_view, map_of_player, map_view, people_of, player_view

if TYPE_CHECKING:
    from turnwright.views.shapes import CampaignView, PersonSeen, PlayerView

SCHEME = "turnwright://"
_WIDTH = 100
_TEXT, _JSON, _MARKDOWN, _SVG = "text/plain", "application/json", "text/markdown", "image/svg+xml"
_MAX_COMPLETIONS = 100


class Page(NamedTuple):
    """One resource that is always at the same address."""

    title: str
    description: str
    mime_type: str
    read: Callable[[Door], str]


class Family(NamedTuple):
    """Resources that differ in one variable of their address.

    Attributes:
        variable: its name.
        title, description, mime_type: as for `Page`.
        read: reads the one of a value.
        values: gives the values that the role may know, for completion.
    """

    variable: str
    title: str
    description: str
    mime_type: str
    read: Callable[[Door, str], str]
    values: Callable[[Door], list[str]]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def state_of(door: Door) -> CampaignView | PlayerView:
    """Return where the campaign stands, as `show --json` gives it to the same role."""
    with door.reading() as world:
        return campaign_view(world) if door.is_game_master else player_view(world, door.viewer.character_id)


def _state(door: Door) -> str:
    return _json(state_of(door))


def party_shown(door: Door) -> list[PersonSeen]:
    """Return the members of the party, as the role may see them."""
    state = state_of(door)
    people = state["characters"] if "characters" in state else people_of(state)
    return [person for person in people if person["in_party"]]


def _party(door: Door) -> str:
    return _json(party_shown(door))


def _scene(door: Door) -> str:
    with door.campaign.moment() as (world, last_turn):
        game = game_view(world, door.authority, last_turn)
    if game is None:
        raise BadRequest("there is no scene game in this campaign")
    return _json(game)


def map_shown(door: Door) -> MapView:
    """Return the map, as the role may see it."""
    with door.reading() as world:
        return map_view(world) if door.is_game_master else map_of_player(world, door.viewer.character_id)


def _map(door: Door) -> str:
    return render_text(map_shown(door), width=_WIDTH, full=True)


def _map_picture(door: Door) -> str:
    return render_svg(map_shown(door))


def fights_shown(door: Door) -> list[FightView]:
    """Return the running fights, as the role may see them."""
    with door.reading() as world:
        return [_fight(door, world, identifier) for identifier in _running(door, world)]


def _fight(door: Door, world: World, encounter_id: str) -> FightView:
    return fight_view(world, encounter_id) if door.is_game_master else fight_of_players(world, encounter_id)


def _battlefield(door: Door, encounter_id: str) -> str:
    with door.reading() as world:
        return render_battlefield_text(_fight(door, world, encounter_id), width=_WIDTH)


def _fights(door: Door) -> list[str]:
    with door.reading() as world:
        return _known_fights(door, world)


def _known_fights(door: Door, world: World) -> list[str]:
    from turnwright.model.encounter import Encounter

    fights = world.all(Encounter) if door.is_game_master else known_fights(world)
    return [fight.id for fight in fights]


def _running(door: Door, world: World) -> list[str]:
    fights = running_fights(world) if door.is_game_master else fights_of_players(world)
    return [fight["id"] for fight in fights]


def _sheet(door: Door, character_id: str) -> str:
    with door.reading() as world:
        return _json(sheet_view(world, door.viewer, character_id))


def _sheets(door: Door) -> list[str]:
    if not door.is_game_master:
        return [door.viewer.character_id]
    with door.reading() as world:
        return [person.id for person in world.characters()]


def _log_page(door: Door, page: str) -> str:
    if not (page.isascii() and page.isdigit() and len(page) < 12):
        raise BadRequest("a page of the log has a number, from 0")
    return log_page(door, int(page))


def _log_pages(door: Door) -> list[str]:
    return list(map(str, range(last_page(door), -1, -1)))


PAGES: Mapping[str, Page] = {
    "state": Page("State", "Who is where and how, the goal, quests and fights.", _JSON, _state),
    "scene": Page("Scene", "Of a scene game: mood, dice, clocks, and what is awaited.", _JSON, _scene),
    "map": Page("Map", "The map as text, with everyone on it.", _TEXT, _map),
    "map.svg": Page("Map, drawn", "The map as a picture.", _SVG, _map_picture),
    "party": Page("Party", "The members of the party.", _JSON, _party),
    "recap": Page("Recap", "The last of what was said and told.", _TEXT, recap),
    "log": Page("Log", "The newest page of the log.", _TEXT, lambda door: log_page(door, last_page(door))),
}
"""The resources with an address of their own."""

FAMILIES: Mapping[str, Family] = {
    "sheet": Family("character_id", "Sheet", "The sheet of one character.", _JSON, _sheet, _sheets),
    "battlefield": Family("encounter_id", "Battlefield", "One fight, square by square.", _TEXT, _battlefield, _fights),
    "log": Family("page", "Page of the log", f"{PAGE} records; the first page is 0.", _TEXT, _log_page, _log_pages),
    "tool": Family("name", "Tool", "What a tool does and takes, with an example.", _MARKDOWN, tool_page, tool_names),
}
"""The resources whose address has a variable."""


def address(name: str, value: str | None = None) -> str:
    """Return the address of a resource."""
    return f"{SCHEME}{name}" if value is None else f"{SCHEME}{name}/{quote(value, safe='')}"


def list_resources(door: Door) -> list[types.Resource]:
    """Return what can be read now: the pages, the sheets of the party that the role may see, and the running fights."""
    with door.reading() as world:
        has_game = world.get(CREW_PATH) is not None
        party = [one for one in world.party() if door.is_game_master or one.id == door.viewer.character_id]
        sheets = [(one.id, one.label) for one in party]
        fights = _running(door, world)
    listed = [
        types.Resource(
            uri=address(name), name=name, title=page.title, description=page.description, mime_type=page.mime_type
        )
        for name, page in PAGES.items()
        if has_game or name != "scene"
    ]
    listed += [_of_family("sheet", identifier, f"Sheet of {label}") for identifier, label in sheets]
    return listed + [_of_family("battlefield", identifier, f"Battlefield {identifier}") for identifier in fights]


def _of_family(name: str, value: str, title: str) -> types.Resource:
    family = FAMILIES[name]
    return types.Resource(
        uri=address(name, value),
        name=f"{name}/{value}",
        title=title,
        description=family.description,
        mime_type=family.mime_type,
    )


def list_templates() -> list[types.ResourceTemplate]:
    """Return the addresses with a variable."""
    return [
        types.ResourceTemplate(
            uri_template=f"{SCHEME}{name}/{{{family.variable}}}",
            name=name,
            title=family.title,
            description=family.description,
            mime_type=family.mime_type,
        )
        for name, family in FAMILIES.items()
    ]


def read_resource(door: Door, uri: str) -> types.TextResourceContents:
    """Return what stands at an address now, as the role may see it.

    Raises:
        BadRequest: when nothing does, or nothing that the role may see.
    """
    name, slash, rest = uri.removeprefix(SCHEME).partition("/")
    page, family = PAGES.get(name), FAMILIES.get(name)
    if uri.startswith(SCHEME) and page is not None and not slash:
        return types.TextResourceContents(uri=uri, mime_type=page.mime_type, text=page.read(door))
    if uri.startswith(SCHEME) and family is not None and rest and "/" not in rest:
        text = family.read(door, unquote(rest))
        return types.TextResourceContents(uri=uri, mime_type=family.mime_type, text=text)
    raise BadRequest(f"there is no resource {uri[:200]!r}")


def complete(door: Door, template: str, variable: str, begun: str) -> list[str]:
    """Return the values of a variable of an address that begin as given."""
    name = template.removeprefix(SCHEME).partition("/")[0]
    family = FAMILIES.get(name)
    if family is None or family.variable != variable:
        return []
    return [value for value in family.values(door) if value.startswith(begun)][:_MAX_COMPLETIONS]
