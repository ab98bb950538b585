"""What an entry of each kind holds: one model a kind, for packs and for a campaign's own entries.

The models are needed to check entries, not to look one up, so `KINDS` is rows of strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from turnwright.model.lazy import LazyMapping

if TYPE_CHECKING:
    from turnwright.content.kinds.entry import ContentEntry

BUILT_IN_PACKS = ("srd-5.1",)
"""The packs of turnwright itself, which no distribution can replace, in the order in which new campaigns use them."""
FOLDER = "content/"
"""Where a campaign keeps its own entries, one folder a kind."""
MODELS: Mapping[str, str] = {
    "monsters": "turnwright.content.kinds.monsters:Monster",
    "spells": "turnwright.content.kinds.spells:Spell",
    "weapons": "turnwright.content.kinds.items:Weapon",
    "armor": "turnwright.content.kinds.items:Armor",
    "gear": "turnwright.content.kinds.items:Gear",
    "magic_items": "turnwright.content.kinds.items:MagicItem",
    "races": "turnwright.content.kinds.races:Race",
    "classes": "turnwright.content.kinds.classes:CharacterClass",
    "backgrounds": "turnwright.content.kinds.backgrounds:Background",
}
"""Where the model of each kind is, in the order in which kinds are listed."""
KINDS = tuple(MODELS)
MODEL_OF: LazyMapping[type[ContentEntry]] = LazyMapping(MODELS)
"""The model of each kind; its module is imported when it is first asked for."""
