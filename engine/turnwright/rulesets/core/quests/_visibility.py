"""What players may see of the tools of quests."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "manage_quest": visible("quest quests count total"),
}
