"""The scene game: moods, dice whose outcomes are written before they are chosen, clocks, interludes."""

from turnwright.rulesets.ruleset import STORY, Ruleset, tool_rows

RULESET = Ruleset(
    name="scenes",
    conversation="turnwright.rulesets.scenes.conversation:CONVERSATION",
    conversation_path="crew.json",
    events="turnwright.rulesets.scenes.events:EVENTS",
    templates={"scenes": "turnwright.rulesets.scenes.template:SCENES"},
    beginning="turnwright.rulesets.scenes.beginning:SCENES",
    opened={"crew.json": "turnwright.rulesets.scenes.creation:open_when_due"},
    resumed="turnwright.rulesets.scenes.session:resumed",
    restored={"crew.json": "turnwright.rulesets.scenes.session:RESTORATION"},
    removed={
        "think": "the turn's dm_note, which only the log keeps",
        "think_as_dm": "the turn's dm_note, which only the log keeps",
        "speak_as_npc": "dialogue inside the narration",
        "ask_player": "suggested_actions in the turn's output",
    },
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
    migrations={2: "turnwright.rulesets.scenes.migrations:to_format_2"},
    validation={"": "turnwright.rulesets.scenes.validation:scene_problems"},
    absence={
        "unknown_scene": "scenes/",
        "unknown_clock": "clocks/",
        "unknown_faction": "factions/",
        "unknown_summary": "summaries/",
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
