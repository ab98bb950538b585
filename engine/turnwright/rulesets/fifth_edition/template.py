"""The template of a campaign of the fifth edition: its tools, those of places and those of quests."""

from __future__ import annotations

from turnwright.content.kinds import BUILT_IN_PACKS
from turnwright.rulesets.lifetime import Template
from turnwright.rulesets.toolbox import TOOLS

TOOLKIT_GROUPS = frozenset({"combat", "characters", "magic", "spatial", "data"})
"""The groups of the toolkit's tools."""

NEW_GAMES = {"rules": {"calendar": True, "cover": "corners"}}
"""Settings of new games; campaigns without a value of their own continue as before."""

TOOLKIT = Template(
    allowlist=tuple(name for name, group in TOOLS.groups.items() if group in TOOLKIT_GROUPS | {"quests"}),
    content=BUILT_IN_PACKS,
    settings=NEW_GAMES,
)
