"""Bounds from settings in a scene game: no edit may exceed one, but values above a lowered bound may stay.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.character import Character
from turnwright.model.crew import Crew
from turnwright.model.settings import Settings, settings_faults, settings_of
from turnwright.model.state.overlay import World
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.scenes.validation.issue import Issue


def in_force(world: World) -> Settings:
    """Return the settings of a campaign; the defaults if its own are faulty."""
    found = world.get(CAMPAIGN_PATH)
    campaign = found if isinstance(found, CampaignDocument) else None
    own = campaign.settings if campaign is not None else {}
    rows = (BUILT_IN if campaign is None else tables_of(campaign)).settings
    return settings_of({} if settings_faults(own, rows) else own, rows)


def bound_faults(settings: Settings, document: Document, before: Document | None) -> Iterator[Issue]:
    """Yield the values above their bound in a document: a warning if it was no less before."""
    held = {path: number for path, _, number in _bounded(before)}
    for path, key, number in _bounded(document):
        if number > settings[key]:
            message = f"is {number}; the setting {key} allows {settings[key]}"
            yield Issue(path, "too_much", message, warning=number <= held.get(path, 0))


def _bounded(document: Document | None) -> Iterator[tuple[str, str, int]]:
    """Yield path, setting and number of the bounded values in a document."""
    if isinstance(document, Crew):
        yield "$.heat", "scene.heat_max", document.heat
        yield "$.wanted", "scene.wanted_max", document.wanted
        yield "$.dice_pool", "scene.pool_max", len(document.dice_pool)
        yield "$.recent_costs", "scene.recent_costs_max", len(document.recent_costs)
        yield "$.unresolved_threats", "scene.unresolved_max", len(document.unresolved_threats)
    elif isinstance(document, Character):
        yield "$.stress", "scene.stress_max", document.stress
