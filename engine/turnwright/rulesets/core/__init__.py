"""The core ruleset: areas, places, people, the party, notes and quests. Every campaign uses it."""

from turnwright.rulesets.ruleset import Ruleset, tool_rows

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
        **tool_rows("turnwright.tools.core", 0, "move", "hp_delta", "map_generate", "move_options", group="core"),
        **tool_rows("turnwright.tools.data", 50, "manage_location", "move_party", "manage_party", group="data"),
        **tool_rows("turnwright.tools.data", 54, "manage_notes", group="data"),
        **tool_rows("turnwright.tools.quests", 60, "manage_quest", group="quests"),
    },
)
