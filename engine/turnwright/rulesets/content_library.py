"""Content by name for tools: the packs that a campaign uses, and its own entries above them.

Source: docs/content.md, "Names".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from turnwright.content.kinds import FOLDER, KINDS
from turnwright.content.library import AmbiguousEntry, Library, Match, UnknownEntry
from turnwright.content.pack import Found, LoadedPack, Manifest, Pack, PackError
from turnwright.model.json_types import JsonObject
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.state.overlay import World
    from turnwright.rulesets.tool import Context

MAX_GUESSES = 5
"""How many similar entries a failed call names: a list of all of them would not help."""
OWN = Manifest(id="", title="the campaign's own entries")


def library_of(world: World, registry: PackRegistry) -> Library:
    """Return the entries that a campaign can name: of its packs in order, and above them its own.

    Raises:
        PackError: when it uses a pack that is not there, or that cannot be used.
    """
    packs: list[Pack] = registry.packs(world.campaign.content or ())
    own = own_entries(world)
    return Library([*packs, LoadedPack(OWN, "", own)] if own else packs)


def own_entries(world: World) -> Mapping[str, Mapping[str, JsonObject]]:
    """Return a campaign's own entries, by kind and id."""
    found: dict[str, dict[str, JsonObject]] = {}
    for kind in KINDS:
        for path in world.paths(f"{FOLDER}{kind}/"):
            document = world.get(path)
            assert document is not None
            value = document.as_written
            found.setdefault(kind, {})[value["id"]] = value
    return found


def has_content(world: World) -> bool:
    """Return whether a campaign uses any pack, or has an entry of its own."""
    return bool(world.campaign.content) or any(world.paths(f"{FOLDER}{kind}/") for kind in KINDS)


def require_entry(world: World, ctx: Context, name: str, kind: str | None, field: str) -> Match:
    """Return the entry that an argument names.

    Args:
        world: the campaign.
        ctx: the context of the call; it gives the packs.
        name: as it was given.
        kind: only of this kind.
        field: the argument, for the hint.

    Raises:
        CallFailed: `not_found` or `ambiguous`, with the existing entries as choices; also `not_found` if a pack that
            the campaign uses is missing.
    """
    if not has_content(world):
        detail = f"{field}: this campaign uses no content pack (campaign.json, content); give the figures themselves"
        raise CallFailed(Reason.NOT_FOUND, detail, {"field": field, "got": name})
    try:
        return library_of(world, _registry(ctx)).look_up(name, kind)
    except PackError as error:
        raise CallFailed(Reason.NOT_FOUND, f"{field}: {error}", {"field": field, "got": name}) from None
    except AmbiguousEntry as error:
        choices = [each.reference for each in error.choices]
        detail = f"{field}: {name} is the name of several entries: {', '.join(choices)}; give kind, or kind/id"
        raise CallFailed(Reason.AMBIGUOUS, detail, hint.ask(field, name, choices)) from None
    except UnknownEntry as error:
        choices = [row.reference for row in error.choices[:MAX_GUESSES]]
        detail = f"{field}: no entry of this campaign's packs is named {name}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.ask(field, name, choices)) from None


def library_in(world: World, ctx: Context, field: str) -> Library | None:
    """Return the entries that a campaign can name, for a call that needs none; None if it uses no content.

    Args:
        world: the campaign.
        ctx: the context of the call; it gives the packs.
        field: the argument that could name an entry, for the failure.

    Raises:
        CallFailed: `not_found` if a pack that the campaign uses is missing or unusable.
    """
    if not has_content(world):
        return None
    try:
        return library_of(world, _registry(ctx))
    except PackError as error:
        raise CallFailed(Reason.NOT_FOUND, f"{field}: {error}") from None


def packs_used(found: Iterable[Found], ctx: Context) -> dict[str, str]:
    """Return the packs that entries came from, by id, with their SHA-256; none for a campaign's own entries."""
    ids = sorted({entry.pack for entry in found if entry.pack})
    return {pack_id: _registry(ctx).pack(pack_id).sha256 for pack_id in ids}


def packs_of(match: Match, ctx: Context) -> dict[str, str]:
    """Return the pack that an entry came from, by id, with its SHA-256; none for one of the campaign's own."""
    return packs_used([match.found], ctx)


def _registry(ctx: Context) -> PackRegistry:
    if ctx.open_packs is None:
        raise PackError("content cannot be looked up here")
    return ctx.open_packs()
