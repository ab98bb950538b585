"""Draw one area as a card: name, the layer inside it, its doors to other layers, and who stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from turnwright.render.map_shapes import (
    CARD_WIDTH,
    Strip,
    door_strip,
    inside_strip,
    name_strip,
    num,
    shown,
    token_strip,
)
from turnwright.render.map_view import (
    AreaView,
    Layer,
    Link,
    MapView,
    TokenView,
    count_of,
    layers_of,
    links_of,
    tokens_by_area,
)

_DOORS_ONE_BY_ONE = 3
_EDGE = 7


@dataclass(frozen=True, slots=True)
class Atlas:
    """A map sorted for drawing. Layers are numbered from 1; `doors` are the links that leave a layer, by area."""

    layers: tuple[Layer, ...]
    areas: Mapping[str, AreaView]
    numbers: Mapping[str | None, int]
    links: Mapping[str | None, tuple[Link, ...]]
    doors: Mapping[str, tuple[Link, ...]]
    namesakes: Mapping[str, int]
    tokens: Mapping[str | None, tuple[TokenView, ...]]
    party: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Card:
    """An area's card before placement: its height and content."""

    area: AreaView
    height: int
    strips: tuple[Strip, ...]
    is_acting_here: bool


def atlas_of(view: MapView) -> Atlas:
    """Sort a map for drawing."""
    layers = layers_of(view)
    areas = {area.id: area for area in view.areas}
    links: dict[str | None, list[Link]] = {}
    doors: dict[str, list[Link]] = {}
    for link in links_of(view):
        source, target = areas[link.source], areas.get(link.target)
        if target and target is not source and target.parent == source.parent:
            links.setdefault(source.parent, []).append(link)
            continue
        for end in dict.fromkeys((link.source, link.target)):
            doors.setdefault(end, []).append(link)
    return Atlas(
        layers=layers,
        areas=areas,
        numbers={layer.parent: number for number, layer in enumerate(layers, 1)},
        links={parent: tuple(group) for parent, group in links.items()},
        doors={area: tuple(group) for area, group in doors.items()},
        namesakes=Counter(area.name for area in view.areas),
        tokens=tokens_by_area(view),
        party={token.id: number for number, token in enumerate(token for token in view.tokens if token.in_party)},
    )


def card_of(atlas: Atlas, area: AreaView) -> Card:
    """Put together what an area's card shows."""
    tokens = atlas.tokens.get(area.id, ())
    strips = [name_strip(area.id, area.name), *_door_strips(atlas, area)]
    strips += [token_strip(token, atlas.party.get(token.id, 0)) for token in tokens]
    height = sum(strip.height for strip in strips) + 2 * _EDGE
    return Card(area, height, tuple(strips), any(token.active for token in tokens))


def draw_card(card: Card, x: float, y: float) -> str:
    """Draw a card with its upper left corner at a place."""
    style = "card acting-here" if card.is_acting_here else "card"
    title = f"<title>{shown(f'{card.area.id} {card.area.name}')}</title>"
    size = f'x="{num(x)}" y="{num(y)}" width="{CARD_WIDTH}" height="{card.height}" rx="10"'
    parts = [f'<g class="area" data-area="{shown(card.area.id)}">{title}<rect class="{style}" {size}/>']
    top = y + _EDGE
    for strip in card.strips:
        parts.append(strip.draw(x, top))
        top += strip.height
    return "".join([*parts, "</g>"])


def _door_strips(atlas: Atlas, area: AreaView) -> Iterator[Strip]:
    doors = atlas.doors.get(area.id, ())
    inward = [link for link in doors if _leads_inside(atlas, area, link)]
    inner = atlas.numbers.get(area.id)
    if inner:
        size = len(atlas.layers[inner - 1].areas)
        yield inside_strip(inner, f"{count_of(size, 'area')} inside")
    grouped = inward if len(inward) > _DOORS_ONE_BY_ONE else []
    if grouped:  # each of them is drawn on its own at the inner end
        yield door_strip(f"{len(grouped)} doors inside", inner)
    for link in doors:
        if link not in grouped:
            yield _marked(link, door_strip(_door_text(atlas, area, link), _leads_to(atlas, area, link)))


def _leads_inside(atlas: Atlas, area: AreaView, link: Link) -> bool:
    other = atlas.areas.get(_other_end(area, link))
    return other is not None and other.parent == area.id and other.id not in (area.id, area.parent)


def _leads_to(atlas: Atlas, area: AreaView, link: Link) -> int | None:
    other = atlas.areas.get(_other_end(area, link))
    return atlas.numbers[other.parent] if other else None


def _door_text(atlas: Atlas, area: AreaView, link: Link) -> str:
    arrow = "\u2194" if link.two_way else "\u2192" if link.source == area.id else "\u2190"
    other = atlas.areas.get(_other_end(area, link))
    if other is None:
        return f"{arrow} {_other_end(area, link)} (missing)"
    closed = "" if link.passage == "open" else f" ({link.passage})"
    return f"{arrow} {other.name if other.name and atlas.namesakes[other.name] == 1 else other.id}{closed}"


def _other_end(area: AreaView, link: Link) -> str:
    return link.target if link.source == area.id else link.source


def _marked(link: Link, strip: Strip) -> Strip:
    return Strip(
        strip.height, lambda x, y: f'<g class="door" {link_data(link)}>{link_title(link)}{strip.draw(x, y)}</g>'
    )


def link_title(link: Link) -> str:
    """Name both ends of a link, shown on hover."""
    return f"<title>{shown(link.label)}</title>"


def link_data(link: Link) -> str:
    """Write a link's ends as attributes, for programs that read the drawing."""
    ways = "two" if link.two_way else "one"
    ends = f'data-from="{shown(link.source)}" data-to="{shown(link.target)}" data-ways="{ways}"'
    return ends if link.passage == "open" else f'{ends} data-passage="{link.passage}"'
