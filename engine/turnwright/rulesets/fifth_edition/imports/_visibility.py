"""What players may see of the characters that come from files."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.rulesets.visibility import Visibility, visible

VISIBILITY: Mapping[str, Visibility] = {
    "import_character": visible("character_id name format version replaced joined", audience="caller"),
}
