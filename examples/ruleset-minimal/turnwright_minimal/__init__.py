"""A minimal ruleset: a dice pool that counts successes, and momentum."""

from turnwright.rulesets.ruleset import RULING, Ruleset, tool_rows

RULESET = Ruleset(
    name="minimal",
    documents={"momentum/": "turnwright_minimal.momentum:Momentum"},
    events="turnwright_minimal.events:EVENTS",
    settings="turnwright_minimal.settings:SETTINGS",
    views={"momentum": "turnwright_minimal.views:MOMENTUM"},
    validation={"momentum/": "turnwright_minimal.validation:momentum_problems"},
    tools=tool_rows("turnwright_minimal.tools", 1000, {"pool_roll": RULING, "spend_momentum": RULING}),
    effects="turnwright_minimal.narration:EFFECTS",
    claims={"check_outcome": ("pool_roll",)},
    evidence={"momentum/": "turnwright_minimal.narration:evidence"},
    snapshot="turnwright_minimal.suggestions:fill",
    suggestions="turnwright_minimal.suggestions:SUGGESTIONS",
    commands="turnwright_minimal.commands:COMMANDS",
)
