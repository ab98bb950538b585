"""The pack that `turnwright content new` writes: an example of each thing, with comments.

Source: docs/content.md, "Write a pack".
"""

from __future__ import annotations

import json
from collections.abc import Mapping

_README = """\
# {id}

A content pack for turnwright: data by name for games of the fifth edition. Check it, and add it to a campaign:

    turnwright content check {folder}
    turnwright content add CAMPAIGN {folder}

* `pack.json` says what the pack is. `requires` names packs that its entries refer to.
* An entry is a file `<kind>/<id>.json`, or one line of `<kind>.jsonl`. Kinds: {kinds}.
* Lines that begin with `#` are comments.
* Every entry has an `id` (lower-case words joined by `-`), a `name` and a `tier`: `full` when the engine can execute
  all that dice and numbers decide, `partly` with `missing` naming what it cannot, `reference` when it can only be read.
* `aliases` are further names. `figures` takes numbers and terms for which there is no key. `description` is for people.
* An entry with the id of another pack's overrides it in campaigns that use this pack after that one.

The schema of each kind is in `schemas/content/` of turnwright, and docs/content.md explains it.
"""

_MONSTER = """\
# A stat block. Averages, experience points and the proficiency bonus must be what dice and challenge rating give.
{
  "id": "marsh-goblin",
  "name": "Marsh Goblin",
  "aliases": ["bog goblin"],
  "tier": "partly",
  # What the engine cannot execute, one term each. Leave it out, and say full, where there is nothing.
  "missing": ["Vanish in Reeds"],
  "size": "small",
  "type": "humanoid",
  "subtype": "goblinoid",
  "alignment": "neutral evil",
  # kind: natural, dex, armor, spell or condition
  "ac": {"value": 13, "kind": "armor", "armor": ["leather-armor"]},
  "hp": {"average": 10, "dice": "3d6"},
  "speeds": {"walk": 30, "swim": 30},
  "stats": {"str": 8, "dex": 14, "con": 10, "int": 10, "wis": 8, "cha": 8},
  # Whole bonuses, only where it is proficient.
  "skills": {"stealth": 6},
  "senses": {"darkvision": 60},
  "passive_perception": 9,
  "languages": {"speaks": ["common", "goblin"]},
  "cr": 0.25,
  "xp": 50,
  "proficiency_bonus": 2,
  "traits": [
    {"id": "vanish-in-reeds", "name": "Vanish in Reeds", "tier": "reference"}
  ],
  # Each way is one choice of what one action holds.
  "multiattack": [[{"action": "spear", "count": 1}, {"action": "spitting-toad", "count": 1}]],
  "actions": [
    {
      "id": "spear",
      "name": "Spear",
      "attack": {"kind": "melee_or_ranged_weapon", "to_hit": 4, "reach": 5, "range": [20, 60]},
      # Without "when", damage is dealt on a hit.
      "damage": [{"dice": "1d6", "bonus": 2, "average": 5, "type": "piercing"}]
    },
    {
      "id": "spitting-toad",
      "name": "Spitting Toad",
      "recharge": {"min": 5},
      "save": {"ability": "con", "dc": 11, "success": "none"},
      "targets": {"count": 1, "kind": "creature"},
      "range": 15,
      "conditions": [{"id": "poisoned", "on": "failed_save", "duration": "1 minute", "repeat": "turn_end"}]
    }
  ]
}
"""

_SPELL = """\
# A spell. Its attack bonus and save DC are its caster's.
{
  "id": "marsh-light",
  "name": "Marsh Light",
  "tier": "full",
  "level": 1,
  "school": "evocation",
  "casting_time": {"amount": 1, "unit": "action"},
  # Feet, or self, touch, sight, special, unlimited.
  "range": 60,
  "components": ["V", "S"],
  "duration": "instantaneous",
  "classes": ["druid", "wizard"],
  "save": {"ability": "dex", "success": "half"},
  "area": {"shape": "sphere", "size": 10},
  "damage": [{"dice": "2d6", "type": "fire", "when": "failed_save", "per_slot": "1d6"}]
}
"""

_WEAPONS = """\
# One entry a line: the short form for long lists.
{"id": "reed-spear", "name": "Reed Spear", "tier": "full", "category": "simple", "kind": "melee", \
"damage": {"dice": "1d6", "type": "piercing"}, "properties": ["thrown"], "reach": 5, "thrown": [20, 60], \
"cost": {"amount": 1, "unit": "gp"}, "weight": 3}
"""


def example_files(pack_id: str, title: str, folder: str) -> Mapping[str, bytes]:
    """Return the files of a new pack, by path.

    Args:
        pack_id: the id of the pack.
        title: the display name.
        folder: how the folder was named, for the commands in its README.
    """
    from turnwright.content.kinds import KINDS

    manifest = {
        "format": 1,
        "id": pack_id,
        "title": title,
        "version": "1",
        "license": "CC-BY-4.0",
        "attribution": "",
        "requires": ["srd-5.1"],
    }
    texts = {
        "pack.json": json.dumps(manifest, ensure_ascii=False, indent=2) + "\n",
        "README.md": _README.format(id=pack_id, folder=folder, kinds=", ".join(f"`{kind}`" for kind in KINDS)),
        "monsters/marsh-goblin.json": _MONSTER,
        "spells/marsh-light.json": _SPELL,
        "weapons.jsonl": _WEAPONS,
    }
    return {path: text.encode() for path, text in texts.items()}
