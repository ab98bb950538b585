"""The scene game: moods, dice whose outcomes are written before they are chosen, clocks, interludes."""

from turnwright.rulesets.ruleset import STORY, Ruleset, tool_rows

RULESET = Ruleset(
    name="scenes",
    conversation="turnwright.rulesets.scenes.conversation:CONVERSATION",
    conversation_path="crew.json",
    guard="turnwright.rulesets.scenes.guards:require_not_in_use",
    snapshot="turnwright.rulesets.scenes.suggestions.snapshot:fill",
    suggestions="turnwright.rulesets.scenes.suggestions.rows:SUGGESTIONS",
    effects="turnwright.rulesets.scenes.effects:EFFECTS",
    evidence={"crew.json": "turnwright.rulesets.scenes.evidence:evidence"},
    documents={
        "crew.json": "turnwright.model.crew:Crew",
        "scenes/": "turnwright.model.scene:Scene",
        "summaries/": "turnwright.model.scene:SceneSummary",
        "clocks/": "turnwright.model.clock:Clock",
        "factions/": "turnwright.model.intrigue:Faction",
        "threads/": "turnwright.model.intrigue:Thread",
        "rumors/": "turnwright.model.intrigue:Rumor",
    },
    tools=tool_rows(
        "turnwright.rulesets.scenes.tools",
        70,
        {
            "set_scene_style": STORY,
            "choose": STORY,
            "spend_die": STORY,
            "engage": STORY,
            "resolve": STORY,
            "accept": STORY,
            "accept_bargain": STORY,
            "retreat": STORY,
            "pass_out": STORY,
        },
        group="scenes",
    ),
)
