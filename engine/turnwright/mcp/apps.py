"""The table inside the chat: map, battlefield and party as pages that a client of MCP Apps shows beside a result.

A page is one document that holds what it shows, as the role may see it, and asks the host for itself again after each
result. It needs no network, and a result is complete without it. Source: docs/mcp.md, "The table inside the chat".
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import mcp_types as types
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from turnwright.mcp.door import Door
from turnwright.mcp.resources import fights_shown, list_resources, map_shown, party_shown
from turnwright.model.errors import BadRequest
from turnwright.render.battlefield_svg import render_battlefield_svg
from turnwright.render.battlefield_text import render_battlefield_text
from turnwright.render.map_svg import render_svg
from turnwright.render.map_view import summary_of
from turnwright.rulesets.toolbox import Toolbox

if TYPE_CHECKING:
    from turnwright.views.shapes import PersonSeen

SCHEME = "ui://turnwright/"
EXTENSION: Mapping[str, Any] = {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}
"""The server's description of itself."""
_FOLDER = Path(__file__).parent / "page"
_ALT_WIDTH = 80
_NO_NETWORK: Mapping[str, Any] = {"ui": {"csp": {}, "prefersBorder": True}}
"""Of the pages, for the host: they reach no other address."""


class Picture(TypedDict):
    """A picture of a page.

    Attributes:
        svg: the document, as base64: an image in which nothing runs and that loads nothing.
        text: the same in words.
    """

    svg: str
    text: str


class PageData(TypedDict):
    """The content of a page.

    Attributes:
        address: its own.
        title: its heading.
        pictures: drawn first.
        people: rows of its table: those of `turnwright://party`.
        empty: the text if it has neither.
    """

    address: str
    title: str
    pictures: list[Picture]
    people: list[PersonSeen]
    empty: str


class AppPage(NamedTuple):
    """One page.

    Attributes:
        title, description: for lists.
        empty: the text if there is nothing to show.
        groups: the groups of tools whose results it is shown beside.
        tools: single tools whose results it is shown beside.
        pictures, people: return its content.
    """

    title: str
    description: str
    empty: str
    groups: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()
    pictures: Callable[[Door], list[Picture]] = lambda _: []
    people: Callable[[Door], list[PersonSeen]] = lambda _: []


def _picture(svg: str, text: str) -> Picture:
    return {"svg": b64encode(svg.encode()).decode(), "text": text}


def _map(door: Door) -> list[Picture]:
    view = map_shown(door)
    return [_picture(render_svg(view), summary_of(view))]


def _battlefield(door: Door) -> list[Picture]:
    views = fights_shown(door)
    return [_picture(render_battlefield_svg(view), render_battlefield_text(view, width=_ALT_WIDTH)) for view in views]


APP_PAGES: Mapping[str, AppPage] = {
    "map": AppPage(
        "Map",
        "The map, drawn, with everyone on it.",
        "There is no map.",
        tools=frozenset({"move", "move_options", "move_party", "map_generate", "manage_location"}),
        pictures=_map,
    ),
    "battlefield": AppPage(
        "Battlefield",
        "The running fights, square by square.",
        "No fight is running.",
        groups=frozenset({"combat"}),
        tools=frozenset({"place_prop", "calculate_movement", "check_line_of_sight", "check_cover", "calculate_aoe"}),
        pictures=_battlefield,
    ),
    "party": AppPage(
        "Party",
        "The members of the party and how they are.",
        "There is nobody in the party.",
        tools=frozenset({"hp_delta", "manage_party", "take_rest", "level_up", "get_session_context"}),
        people=party_shown,
    ),
}
"""The pages by name; their addresses are `SCHEME` and the name."""


def page_of_tool(tool: str, tools: Toolbox) -> str | None:
    """Return the address of the page that is shown beside the results of a tool; None where there is none."""
    group = tools.groups.get(tool)
    for name, page in APP_PAGES.items():
        if tool in page.tools or group in page.groups:
            return SCHEME + name
    return None


def offered_resources(door: Door) -> list[types.Resource]:
    """Return what a role can read now: resources, and the pages."""
    return [*list_resources(door), *list_app_pages()]


def list_app_pages() -> list[types.Resource]:
    """Return the pages as resources."""
    return [
        types.Resource(
            uri=SCHEME + name,
            name=f"page/{name}",
            title=f"{page.title}, as a page",
            description=page.description,
            mime_type=APP_MIME_TYPE,
            _meta=dict(_NO_NETWORK),
        )
        for name, page in APP_PAGES.items()
    ]


def read_app_page(door: Door, uri: str) -> types.TextResourceContents:
    """Return a page with its current content, as the role may see it.

    Raises:
        BadRequest: when there is no such page.
    """
    page = APP_PAGES.get(uri.removeprefix(SCHEME)) if uri.startswith(SCHEME) else None
    if page is None:
        raise BadRequest(f"there is no resource {uri[:200]!r}")
    data: PageData = {
        "address": uri,
        "title": page.title,
        "pictures": page.pictures(door),
        "people": page.people(door),
        "empty": page.empty,
    }
    return types.TextResourceContents(uri=uri, mime_type=APP_MIME_TYPE, text=_document(data), _meta=dict(_NO_NETWORK))


def _document(data: PageData) -> str:
    """Return a page. Its policy lets its own script and style run, pictures be drawn, and nothing else happen."""
    style, script, page = (_part(name) for name in ("page.css", "page.js", "page.html"))
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return Template(page).substitute(policy=policy, style=style, script=script, data=_in_script(data))


@cache
def _part(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _in_script(data: PageData) -> str:
    """Return data as JSON that ends no element and begins none, whatever the texts in it are."""
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return told.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
