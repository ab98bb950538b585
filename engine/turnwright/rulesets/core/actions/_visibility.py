"""What players may see of the core tools."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

_HERE = "turnwright.rulesets.core.actions"
VISIBILITY: Mapping[str, Visibility] = {
    "move": visible("from_area_id to_area_id", subject="caller"),
    "hp_delta": visible("new_hp hp_before temp_hp_lost look", redaction=f"{_HERE}._redaction:HP_DELTA"),
    "map_generate": visible("created_area_ids created_connections root_parent_area_id warnings"),
    "move_options": visible("options", audience="caller", subject="caller"),
}
