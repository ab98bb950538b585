"""The core ruleset: areas, places, people, the party, notes and quests. Every campaign uses it."""

from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.ruleset import (
    PEOPLE,
    RULING,
    RULING_AND_PEOPLE,
    STORY,
    STORY_AND_PEOPLE,
    Ruleset,
    tool_rows,
)

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
    snapshot=f"{_HERE}.suggestions.snapshot:fill",
    suggestions=f"{_HERE}.suggestions.rows:SUGGESTIONS",
    actors=f"{_HERE}.summary:ACTORS",
    commands=f"{_HERE}.play_commands:COMMANDS",
    validation={
        "campaign.json": f"{_HERE}.validation:campaign_problems",
        "maps/": f"{_HERE}.validation:map_problems",
        "characters/": f"{_HERE}.validation:character_problems",
        "locations/": f"{_HERE}.validation.places:location_problems",
        "party.json": f"{_HERE}.validation.places:party_problems",
        "quests/": f"{_HERE}.validation.quests:quest_problems",
        "": f"{_HERE}.validation:bereft_problems",
    },
    beginning=f"{_HERE}.beginning:CORE",
    opened={
        "maps/": f"{_HERE}.migrations:keep_one_geography",
        "locations/": f"{_HERE}.migrations:keep_one_geography",
    },
    migrations={2: f"{_HERE}.migrations:to_format_2"},
    absence={
        "unknown_character": "characters/",
        "unknown_area": "maps/",
        "reachable_missing_target": "maps/",
        "unknown_location": "locations/",
    },
    effects=f"{_HERE}.effects:EFFECTS",
    claims={
        "hit_point_change": ("hp_delta",),
        "death": ("hp_delta",),
        "movement": ("move", "move_party"),
        "new_place": ("map_generate", "manage_location"),
        "quest": ("manage_quest",),
        "quest_note": ("manage_notes",),
        "party": ("manage_party",),
    },
    evidence={"campaign.json": f"{_HERE}.evidence:evidence"},
    own_steps=("move", "move_options"),
    operations={  # changing operations only: the prompt holds what a character may know, and no list may show more
        "manage_location": dict.fromkeys(PEOPLE, ("update", "link")),
        "manage_notes": dict.fromkeys(PEOPLE, ("add",)),
        "manage_quest": {
            AgentKind.NPC_INDIVIDUAL: ("offer", "start", "decline", "complete_objective", "complete"),
            AgentKind.NPC_PUPPETEER: ("offer", "start", "decline"),
        },
    },
    changes={
        "characters/": f"{_HERE}.evidence:character_changes",
        "party.json": f"{_HERE}.evidence:party_changes",
    },
    tools={
        **tool_rows(
            f"{_HERE}.actions",
            0,
            {
                "move": STORY_AND_PEOPLE,
                "hp_delta": RULING,
                "map_generate": STORY,
                "move_options": STORY_AND_PEOPLE,
            },
            group="core",
        ),
        **tool_rows(
            f"{_HERE}.places",
            50,
            {
                "manage_location": STORY_AND_PEOPLE,
                "move_party": STORY,
                "manage_party": STORY,
            },
            group="data",
        ),
        **tool_rows(
            f"{_HERE}.places",
            54,
            {
                "manage_notes": RULING_AND_PEOPLE,
            },
            group="data",
        ),
        **tool_rows(
            f"{_HERE}.quests",
            60,
            {
                "manage_quest": STORY_AND_PEOPLE,
            },
            group="quests",
        ),
    },
)
