"""Make the pack `content/srd-5.1` from files of facts: names, figures, enumerations and references, no prose.

    python -m scripts.srd_pack FACTS      read FACTS/*.json and write the pack

The facts were gathered from the sources that `content/srd-5.1/NOTICE.md` names, one JSON list a kind. This script puts
them into the schema of packs (docs/content.md). What it writes is committed; the same facts give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import BaseModel
from scripts.srd_figures import with_figures

from turnwright.content.kinds import MODEL_OF, shapes
from turnwright.content.kinds import classes as class_models
from turnwright.content.kinds import items as item_models
from turnwright.content.kinds import monsters as monster_models
from turnwright.content.kinds import races as race_models
from turnwright.content.kinds import spells as spell_models
from turnwright.model.content_shapes import StatBlock
from turnwright.model.vocabulary import SkillWord
from turnwright.rulesets.fifth_edition.fights.executable import block_not_executed
from turnwright.rulesets.fifth_edition.magic.spells.coverage import coverage_of

ROOT = Path(__file__).resolve().parent.parent
PACK = ROOT / "content" / "srd-5.1"
Json = dict[str, Any]

_TIERS = {"full": "full", "part": "partly", "none": "reference", "variants": "reference"}
_SKILLS = {word.replace("_", "-"): word for word in get_args(SkillWord)}
_MISSING = {"prose_rest": "further effects", "behaviour": "behavior"}
"""Terms of the facts with better ones."""
_UNNAMED = "further effects"


# shapes


def sorted_out(raw: Mapping[str, Any], model: type[BaseModel], **convert: Callable[[Any], Any]) -> Json:
    """Return the keys that a model knows, converted, with all others in `figures`."""
    made: Json = {}
    figures: Json = {}
    for key, value in raw.items():
        key = key.replace("behaviour", "behavior")
        if key in model.model_fields:
            made[key] = convert[key](value) if key in convert else value
        else:
            figures[key] = value
    return made | ({"figures": figures} if figures else {})


def renamed(raw: Mapping[str, Any], **names: str) -> Json:
    """Return an object with some keys called otherwise."""
    return {names.get(key, key): value for key, value in raw.items()}


def each(convert: Callable[[Json], Json]) -> Callable[[Iterable[Json]], list[Json]]:
    """Return a function that converts every item of a list."""
    return lambda items: [convert(item) for item in items]


def damage(raw: Json) -> Json:
    """Return a part of damage."""
    return sorted_out({key: value for key, value in raw.items() if key != "average" or "dice" in raw}, shapes.Damage)


def save(raw: Any) -> Any:
    """Return a save; a term, where the facts name the ability alone, stays one."""
    if not isinstance(raw, Mapping):
        return raw
    return sorted_out({"success": "none", **renamed(raw, vs="versus")}, shapes.Save)


def area(raw: Json) -> Json:
    """Return an area."""
    return sorted_out(raw, shapes.Area)


def resistance(raw: Json) -> Json:
    """Return a resistance, immunity or vulnerability."""
    return renamed(raw, **{"from": "source"})


def targets(raw: Json) -> Json:
    """Return who is affected."""
    return sorted_out(raw, shapes.Targets)


def attack(raw: Any) -> Any:
    """Return an attack; a term, where a trait names the attack that it belongs to, stays one."""
    return raw | ({"target": targets(raw["target"])} if "target" in raw else {}) if isinstance(raw, dict) else raw


def healing(raw: Json) -> Json:
    """Return healing; amounts by slot are texts, as they may be dice."""
    made = {key: value for key, value in raw.items() if key != "average" or "dice" in raw}
    if "by_slot" in made:
        made["by_slot"] = {slot: str(value) for slot, value in made["by_slot"].items()}
    return made | ({"per_slot": str(made["per_slot"])} if "per_slot" in made else {})


def tier(raw: Json) -> Json:
    """Return an object with `tier` and `missing` in place of `exec`."""
    made = {key: value for key, value in raw.items() if key not in ("exec", "missing")}
    missing = [_MISSING.get(word, word.replace("_", " ")) for word in raw.get("missing", ())]
    word = _TIERS[raw.get("exec", "part" if missing else "full")]
    if word == "partly" and not missing:
        missing = [_UNNAMED]
    return made | {"tier": word} | ({"missing": list(dict.fromkeys(missing))} if missing else {})


# monsters


def casting(raw: Json) -> Json:
    """Return how a stat block casts."""
    made = sorted_out(raw, monster_models.MonsterCasting)
    return renamed(made)


def effect(raw: Json, model: type[BaseModel] = monster_models.Action) -> Json:
    """Return an action, a trait, a reaction or an option of one."""
    as_given = {key: value for key, value in raw.items() if not _is_term_only(key, value)}
    figures = {key: value for key, value in raw.items() if _is_term_only(key, value)}
    made = sorted_out(
        tier(as_given),
        model,
        attack=attack,
        damage=each(damage),
        save=save,
        more_saves=each(save),
        area=area,
        targets=targets,
        only=lambda value: sorted_out(value, shapes.Only) if isinstance(value, dict) else value,
        grapple=lambda value: sorted_out(value, shapes.Grapple),
        heal=healing,
        options=each(lambda value: effect(value, monster_models.Effect)),
        spellcasting=casting,
    )
    return made | ({"figures": made.get("figures", {}) | figures} if figures else {})


def _is_term_only(key: str, value: Any) -> bool:
    """Return whether a key of a model holds something else here, so that it is one of the figures."""
    return (key == "teleport" and not isinstance(value, int)) or (key == "range" and isinstance(value, list))


def monster(raw: Json) -> Json:
    """Return a stat block."""
    made = renamed(with_figures(raw), abilities="stats")
    for group in ("traits", "actions", "reactions"):
        if group in made:
            made[group] = [effect(part) for part in made[group]]
    if "legendary" in made:
        actions = [effect(part, monster_models.LegendaryAction) for part in made["legendary"]["actions"]]
        made["legendary"] = {"count": made["legendary"]["count"], "actions": actions}
    for group in ("vulnerabilities", "resistances", "immunities"):
        if group in made:
            made[group] = [resistance(part) for part in made[group]]
    del made["exec"]
    made = sorted_out(made | _aliases_of_form(made), MODEL_OF["monsters"])
    head = {"id": made["id"], "name": made["name"], **tier_of_monster(made)}
    return head | {key: value for key, value in made.items() if key not in head}


def tier_of_monster(made: Json) -> Json:
    """Return the tier of a stat block, and the parts of it that the engine does not execute whole."""
    lacking = list(dict.fromkeys(told.partition(":")[0] for told in block_not_executed(cast("StatBlock", made))))
    return {"tier": "partly", "missing": lacking} if lacking else {"tier": "full"}


def _aliases_of_form(raw: Json) -> Json:
    """Return other names of a form: `Bat Form Vampire` is said by nobody, `vampire bat form` is."""
    alias = raw["name"].replace(", ", " ") if raw["name"].endswith(" Form") else ""
    base = raw["name"].partition(", ")[0]
    names = [alias] if alias else []
    names += [base] if raw["id"] in (f"{base.lower()}-hybrid", f"{base.lower()}-{base.lower()}") else []
    return {"aliases": names} if names else {}


# spells


def spell(raw: Json) -> Json:
    """Return a spell."""
    made = tier({key: value for key, value in raw.items() if value is not False})
    made["range"] = raw["range"]["ft"] if isinstance(raw["range"], dict) else raw["range"]
    if isinstance(raw.get("repeat"), list):
        made["figures_repeat"] = made.pop("repeat")
    entry = sorted_out(
        made,
        MODEL_OF["spells"],
        save=save,
        more_saves=each(save),
        area=area,
        damage=each(damage),
        heal=healing,
        resistance=each(resistance),
        targets=targets,
        summons=_summons,
    )
    head = {"id": entry["id"], "name": entry["name"], **tier_of_spell(entry)}
    return head | {key: value for key, value in entry.items() if key not in ("tier", "missing", *head)}


def tier_of_spell(made: Json) -> Json:
    """Return the tier of a spell, and what of it the engine does not execute, as the engine itself says it."""
    covered = coverage_of(spell_models.Spell.model_validate(made))
    missing = {"missing": list(covered.missing)} if covered.missing else {}
    return {"tier": covered.tier, **missing}


def _summons(raw: Json) -> Json:
    return sorted_out(raw, spell_models.Summons)


# items


def goods(raw: Json) -> tuple[str, Json]:
    """Return the kind of a piece of equipment, and its entry."""
    made = {key: value for key, value in raw.items() if key not in ("cost_cp", "kind")}
    if made["cost"]["amount"] == 0:
        del made["cost"]  # it is sold in packs alone
    if raw["kind"] == "weapon":
        return "weapons", _weapon(made)
    if raw["kind"] == "armor":
        return "armor", sorted_out({key: value for key, value in made.items() if value is not False}, item_models.Armor)
    made |= {"kind": raw["kind"]} | ({"capacity": made.pop("capacity_lb")} if "capacity_lb" in made else {})
    made = sorted_out(made, item_models.Gear, damage=each(damage), save=save)
    acts = [key for key in ("damage", "save", "conditions", "figures", "speed") if key in made]
    missing = [{"figures": "its use", "speed": "travel"}.get(key, key) for key in acts]
    return "gear", made | ({"tier": "partly", "missing": missing} if missing else {})


def _weapon(raw: Json) -> Json:
    made = renamed(raw, reach_kind="kind")
    made["properties"] = [word.replace("-", "_") for word in raw.get("properties", ())]
    made = sorted_out(made, item_models.Weapon, damage=damage)
    if not made["properties"]:
        del made["properties"]
    lacking = [key for key in ("conditions", "figures") if key in made]
    if lacking or "damage" not in made:
        made |= {"tier": "partly", "missing": ["its special rule"]}
    return made


def magic_item(raw: Json) -> Json:
    """Return a magic item."""
    given = renamed({key: value for key, value in raw.items() if value is not False}, extra="extra_damage")
    if raw["exec"] == "part":
        given["missing"] = ["casting its spells"] if "spells" in raw else ["its powers"]
    if raw["exec"] == "variants":
        given["missing"] = ["one of its variants has to be chosen"]
    made = tier(given)
    names = [f"{made['name'].partition(', ')[2]} {made['name'].partition(', ')[0]}"] if ", +" in made["name"] else []
    if raw.get("is_variant") and len(names) == 1:
        made["aliases"] = names
    return sorted_out(made, item_models.MagicItem, damage=each(damage), saves=each(save), heal=healing)


# races, classes, backgrounds


def race(raw: Json) -> Json:
    """Return a race."""
    made = sorted_out(
        raw,
        MODEL_OF["races"],
        traits=each(_trait),
        ability_choice=_choice,
        ancestries=each(_ancestry),
        subraces=each(lambda sub: sorted_out(sub, race_models.Subrace, traits=each(_trait))),
    )
    traits = [*made.get("traits", ()), *(trait for sub in made.get("subraces", ()) for trait in sub.get("traits", ()))]
    lacking = [trait["name"] for trait in traits if "figures" not in trait]
    return made | ({"tier": "partly", "missing": lacking} if lacking else {})


def _trait(raw: Json) -> Json:
    figures = {key: value for key, value in raw.items() if key not in ("id", "name")}
    return {"id": raw["id"], "name": raw["name"]} | ({"figures": figures} if figures else {})


def _ancestry(raw: Json) -> Json:
    made = {key: value for key, value in raw.items() if key not in ("parent", "damage", "save")}
    levels = raw["damage"]["by_level"]
    made["damage"] = {"dice": levels["1"], "type": raw["damage"]["type"], "when": "failed_save", "by_level": levels}
    made["save"] = {"ability": raw["save"]["ability"], "success": raw["save"]["success"]}
    return made | {"save": made["save"] | {"figures": {"dc": raw["save"]["dc"]}}}


def _choice(raw: Any) -> Any:
    """Return a choice: `from` is `options`, at every depth; skills in snake_case, as everywhere."""
    if isinstance(raw, list):
        return [_choice(item) for item in raw]
    if isinstance(raw, str):
        return _SKILLS.get(raw, raw)
    return (
        {("options" if key == "from" else key): _choice(value) for key, value in raw.items()}
        if isinstance(raw, dict)
        else raw
    )


def character_class(raw: Json) -> Json:
    """Return a class. Its figures are complete; what its features do beyond figures is not executed."""
    made = dict(raw)
    for key in ("proficiency_choices", "starting_equipment_choices", "multiclass"):
        if key in made:
            made[key] = _choice(made[key])
    made["levels"] = [_level(row) for row in raw["levels"]]
    made["features"] = [_feature(row) for row in raw["features"]]
    made["subclasses"] = [sub | {"levels": [_level(row) for row in sub["levels"]]} for sub in raw["subclasses"]]
    return sorted_out(made | {"tier": "partly", "missing": ["features without figures"]}, MODEL_OF["classes"])


def _with_plain_ids(raw: Any) -> Any:
    """Return facts in which no id holds several hyphens in a row."""
    if isinstance(raw, list):
        return [_with_plain_ids(item) for item in raw]
    if isinstance(raw, dict):
        return {key: _with_plain_ids(value) for key, value in raw.items()}
    return re.sub("-{2,}", "-", raw) if isinstance(raw, str) else raw


def _level(raw: Json) -> Json:
    made = sorted_out(raw, class_models.ClassLevel)
    columns = made.pop("figures", {})
    return made | ({"columns": columns} if columns else {})


def _feature(raw: Json) -> Json:
    return raw | ({"choose": _choice(raw["choose"])} if "choose" in raw else {})


def background(raw: Json) -> Json:
    """Return a background."""
    made = raw | {"equipment_choices": _choice(raw["equipment_choices"])}
    return sorted_out(made | {"tier": "partly", "missing": [raw["feature"].replace("-", " ")]}, MODEL_OF["backgrounds"])


# the pack


def entries(facts: Path) -> dict[str, list[Json]]:
    """Return the entries of each kind, in the order of the facts."""

    def read(name: str) -> list[Json]:
        rows: list[Json] = json.loads((facts / f"{name}.json").read_text(encoding="utf-8"))
        return rows

    found: dict[str, list[Json]] = {kind: [] for kind in MODEL_OF}
    found["monsters"] = [monster(row) for row in read("monsters")]
    found["spells"] = [spell(row) for row in read("spells")]
    for row in read("equipment"):
        kind, entry = goods(row)
        found[kind].append(entry)
    found["magic_items"] = [magic_item(row) for row in read("magic_items")]
    found["races"] = [race(row) for row in read("races")]
    found["classes"] = [character_class(_with_plain_ids(row)) for row in read("classes")]
    found["backgrounds"] = [background(row) for row in read("backgrounds")]
    return found


def written(kind: str, rows: Iterable[Json]) -> str:
    """Return the file of a kind: one entry a line, sorted by id, keys in the order of the schema."""
    models = [MODEL_OF[kind].model_validate(row) for row in rows]
    lines = [
        json.dumps(model.as_written, ensure_ascii=False, separators=(",", ":"))
        for model in sorted(models, key=lambda model: model.id)
    ]
    return "".join(f"{line}\n" for line in lines)


def main() -> int:
    """Write the pack's entries."""
    parser = argparse.ArgumentParser(description="Make the pack content/srd-5.1 from files of facts.")
    parser.add_argument("facts", type=Path, help="the folder with monsters.json, spells.json and so on")
    options = parser.parse_args()
    PACK.mkdir(parents=True, exist_ok=True)
    for kind, rows in entries(options.facts).items():
        (PACK / f"{kind}.jsonl").write_text(written(kind, rows), encoding="utf-8", newline="\n")
        print(f"{kind}: {len(rows)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
