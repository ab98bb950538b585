"""The core ruleset: areas, places, people, the party, notes and quests. Every campaign uses it."""

from turnwright.rulesets.ruleset import Ruleset, tool_rows

_HERE = "turnwright.rulesets.core"
RULESET = Ruleset(
    name="core",
    documents={
        "campaign.json": "turnwright.model.campaign:CampaignDocument",
        "party.json": "turnwright.model.party:PartyDocument",
        "maps/": "turnwright.model.area:Layer",
        "characters/": "turnwright.model.character:Character",
        "locations/": "turnwright.model.location:Location",
        "moves/": "turnwright.model.party:Step",
        "notes/": "turnwright.model.note:Note",
        "quests/": "turnwright.model.quest:Quest",
    },
    tools={
        **tool_rows(f"{_HERE}.actions", 0, "move", "hp_delta", "map_generate", "move_options", group="core"),
        **tool_rows(f"{_HERE}.places", 50, "manage_location", "move_party", "manage_party", group="data"),
        **tool_rows(f"{_HERE}.places", 54, "manage_notes", group="data"),
        **tool_rows(f"{_HERE}.quests", 60, "manage_quest", group="quests"),
    },
)
