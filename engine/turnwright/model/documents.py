"""Which model a file of a campaign directory has. A new kind of document is one row."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.model.base import Document
from turnwright.model.lazy import LazyMapping

SINGLE: Mapping[str, type[Document]] = LazyMapping(
    {
        "campaign.json": "turnwright.model.campaign:CampaignDocument",
        "party.json": "turnwright.model.party:PartyDocument",
        "crew.json": "turnwright.model.crew:Crew",
    }
)
"""Documents that are one file each, by path."""

COLLECTIONS: Mapping[str, type[Document]] = LazyMapping(
    {
        "maps/": "turnwright.model.area:Layer",
        "characters/": "turnwright.model.character:Character",
        "encounters/": "turnwright.model.encounter:Encounter",
        "auras/": "turnwright.model.aura:Aura",
        "locations/": "turnwright.model.location:Location",
        "moves/": "turnwright.model.party:Step",
        "notes/": "turnwright.model.note:Note",
        "quests/": "turnwright.model.quest:Quest",
        "scenes/": "turnwright.model.scene:Scene",
        "summaries/": "turnwright.model.scene:SceneSummary",
        "clocks/": "turnwright.model.clock:Clock",
        "factions/": "turnwright.model.intrigue:Faction",
        "threads/": "turnwright.model.intrigue:Thread",
        "rumors/": "turnwright.model.intrigue:Rumor",
    }
)
"""Documents that are many files each, by folder."""


def model_of(path: str) -> type[Document] | None:
    """Return the model of the document at this path, or None when the path is nobody's."""
    if path in SINGLE:
        return SINGLE[path]
    folder, slash, name = path.partition("/")
    is_plain = slash and name.endswith(".json") and not name.startswith(".") and not {"/", "\0"} & set(name)
    folder += "/"
    return COLLECTIONS[folder] if is_plain and folder in COLLECTIONS else None
