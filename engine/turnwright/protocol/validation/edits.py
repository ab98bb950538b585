"""Stage 2 again: what people changed by hand, taken over only when the whole campaign stays valid.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from turnwright.model.area import Layer
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH, CampaignDocument
from turnwright.model.character import Character, fights_tag
from turnwright.model.settings import settings_faults
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.core.map_rules import layer_problems

_FIGHTS, _PLACES, _PARTY, _QUESTS = ("encounters/", "auras/"), "locations/", "party.json", "quests/"


def campaign_problems(
    world: World, paths: Iterable[str], before: Callable[[str], Document | None] = lambda _: None
) -> list[Problem]:
    """Return what is wrong with these documents given the rest of the campaign, and how they were before.

    A changed layer brings the whole map along: what it no longer holds may be what another layer leads to. Of places
    and a party that nobody changed, only what the changes took from them is told.
    """
    changed = sorted(paths)
    problems: list[Problem] = []
    if any(path.startswith(Layer.collection) for path in changed):
        changed = sorted({*changed, *world.paths(Layer.collection)})
    for path in changed:
        problems.extend(_document_problems(world, path, world.get(path)))
    if world.get(_PARTY) is not None or world.paths(_PLACES):
        from turnwright.protocol.validation.places import bereft_problems

        problems.extend(bereft_problems(world, changed, before))
    if world.get(CREW_PATH) is not None:
        from turnwright.protocol.validation.scenes import scene_problems  # most campaigns have no scene game

        problems.extend(scene_problems(world, changed, before))
    return problems


def _document_problems(world: World, path: str, document: Document | None) -> Iterator[Problem]:
    if isinstance(document, Layer):
        yield from layer_problems(document, world)
    elif isinstance(document, Character):
        yield from _character_problems(world, document)
    elif isinstance(document, CampaignDocument):
        yield from _campaign_problems(world, path, document)
    elif document is not None and path.startswith(_FIGHTS):
        from turnwright.protocol.validation.fights import fight_problems  # most campaigns have no fights

        yield from fight_problems(world, document)
    elif document is not None and (path.startswith(_PLACES) or path == _PARTY):
        from turnwright.protocol.validation.places import place_problems  # most campaigns have no places

        yield from place_problems(world, document)
    elif document is not None and path.startswith(_QUESTS):
        from turnwright.protocol.validation.quests import quest_problems  # most campaigns have no quests

        yield from quest_problems(world, document)


def _campaign_problems(world: World, path: str, document: CampaignDocument) -> Iterator[Problem]:
    for key, fault in settings_faults(document.settings):
        yield Problem(path, f"$.settings.{key}", "setting", f"{key} {fault}")
    for place, member in enumerate(document.selected.party_character_ids):
        if world.character(member) is None:
            where = f"$.selected.party_character_ids[{place}]"
            yield Problem(path, where, "unknown_character", f"there is no character {member}")


def _character_problems(world: World, person: Character) -> Iterator[Problem]:
    if person.position is not None and world.layer_of(person.position) is None:
        message = f"{person.position} is no area of the map; {person.id} can go nowhere"
        yield Problem(person.path, "$.position", "unknown_area", message, warning=True)
    if person.state is None:
        message = f"{person.character_state!r} is none of the five states; calls of {person.id} fail"
        yield Problem(person.path, "$.character_state", "unknown_state", message, warning=True)
    yield from _needs_sheet(world, person)
    if person.sheet or person.effects or person.inventory or person.equipped:
        from turnwright.protocol.validation.sheets import sheet_problems  # most campaigns have no sheets

        yield from sheet_problems(person.path, person)


def _needs_sheet(world: World, person: Character) -> Iterator[Problem]:
    """Yield a problem where somebody without a maximum of hit points is in a running fight."""
    without = person.hp is None or person.max_hp is None
    if without and world.paths("encounters/") and world.tagged("encounters/", fights_tag(person.id)):
        message = f"{person.id} is in a fight, which needs hit points with a maximum"
        yield Problem(person.path, "$.max_hp", "no_sheet", message)


def with_revision(edited: Mapping[str, Document], before: CampaignDocument | None) -> dict[str, Document]:
    """Return the edited documents; a change of settings by hand raises the revision like any other."""
    documents = dict(edited)
    after = documents.get(CAMPAIGN_PATH)
    if isinstance(after, CampaignDocument) and before and after.settings != before.settings:
        documents[CAMPAIGN_PATH] = after.replace(settings_revision=before.settings_revision + 1)
    return documents
