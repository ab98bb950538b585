"""Items that a call names by a content entry: the entry supplies what the call leaves out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.item import Item
from turnwright.model.state.overlay import World
from turnwright.rulesets.content_library import library_in, packs_used
from turnwright.rulesets.fifth_edition.belongings.inventory import spelt
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Correction


class Catalogued(NamedTuple):
    """An item completed from its entry, the differences between call and entry, and the entry's pack."""

    item: Item
    corrections: tuple[Correction, ...] = ()
    packs: Mapping[str, str] = {}


def catalogued(world: World, ctx: Context, item: Item, given: Collection[str], field: str) -> Catalogued:
    """Return an item completed from the entry with its name; the item itself if there is no such entry.

    Args:
        world: the campaign.
        ctx: the context of the call; it gives the packs.
        item: the item as the call describes it.
        given: the fields that the call gives explicitly.
        field: the argument that names it.
    """
    library = library_in(world, ctx, field)
    if library is None:
        return Catalogued(item)
    from turnwright.rulesets.fifth_edition.belongings.content_items import entry_called, figures_of

    entry = entry_called(library, item.name, item.type if "type" in given else None)
    if entry is None:
        return Catalogued(item)
    figures: Mapping[str, object] = figures_of(entry)
    own = {key: value for key, value in item.as_written.items() if key in given or key in ("id", "quantity")}
    corrections: list[Correction] = []
    if spelt(item.name) != spelt(entry.name):
        own["name"] = entry.name
        where = f"{field}.name" if field == "args.item" else field
        corrections.append({"field": where, "from": item.name, "to": entry.name, "how": "alias"})
    corrections += [
        {"field": f"args.item.{key}", "from": figures[key], "to": value, "how": "override"}
        for key, value in own.items()
        if key in figures and figures[key] != value
    ]
    return Catalogued(
        Item.model_validate({**own, **{key: figures[key] for key in figures if key not in own}}),
        tuple(corrections),
        packs_used([entry], ctx),
    )
