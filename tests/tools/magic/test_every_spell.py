"""Every spell that the engine executes in full, cast at each level, against the figures of the pack itself.

What is expected is worked out here from the JSON of the entries, and not by the code that casts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, begin
from tests.tools.hall import Hall, ephemeral, fight, hall_documents, linked, sheeted
from tests.tools.magic.lasting_figures import counted_saves, enchanted, lasting_fields

from turnwright.content.kinds.spells import Spell
from turnwright.content.registry import built_in
from turnwright.rulesets.fifth_edition.magic.spells.coverage import coverage_of

CASTER, FRIEND, CORPSE, DYING, BEAST = "cyra", "brom", "aria", "dain", "rat"
WORDS = "the bridge is out"
FOES = [f"foe-{number}" for number in range(1, 13)]
BEASTS = [f"beast-{number}" for number in range(1, 10)]
INTELLIGENCE = 4
AT_ONCE = (None, "hit", "failed_save", "automatic")
LEVELS = (1, 5, 11, 17)
ALWAYS_FAILS, ALWAYS_SUCCEEDS = 99, 1
ROUNDS = {"round": 1, "minute": 10, "hour": 600, "day": 14400}
ROLLS = {"attack": "attack_rolls", "check": "ability_checks", "save": "saving_throws", "death_save": "death_saves"}
ON = {
    "raise-dead": CORPSE,
    "resurrection": CORPSE,
    "revivify": CORPSE,
    "spare-the-dying": DYING,
    "true-resurrection": CORPSE,
}
CLUB: Json = {"id": "club-1", "name": "Club", "type": "weapon", "quantity": 1, "weapon_stats": {"damage": "1d4"}}
MIDDLE, AT_HAND = (10, 10), 6
"""Where the caster stands, and how many of those who can be cast on are within its touch."""


@cache
def spells() -> Mapping[str, Json]:
    """Return the entries of all spells by id."""
    pack = built_in("srd-5.1")
    found = (pack.entry("spells", row.id) for row in pack.rows() if row.kind == "spells")
    return {entry.id: dict(entry.value) for entry in found if entry is not None}


def full() -> list[str]:
    """Return the ids of the spells that are executed in full, each variant behind a colon.

    Those that bring creatures are in `test_summons`.
    """
    ids = (key for key, value in spells().items() if value["tier"] == "full" and "summons" not in value)
    return sorted(f"{key}:{each}" for key in ids for each in spells()[key].get("variants", {"": None}))


def as_cast(name: str) -> Json:
    """Return an entry as its caster chose it, with the name of the variant in `chosen`."""
    key, _, chosen = name.partition(":")
    spell = dict(spells()[key])
    changes = dict(spell.pop("variants", {}).get(chosen, {}))
    figures = {**spell.get("figures", {}), **changes.pop("figures", {})}
    merged = {**spell, **changes, "figures": {word: value for word, value in figures.items() if value is not None}}
    return {word: value for word, value in merged.items() if value is not None} | {"chosen": chosen}


@pytest.fixture(scope="module", name="table")
def fixture_table(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    """Give a fight of a wizard and everybody a spell may be for, close together."""
    values = hall_documents()
    values["campaign.json"] |= {"content": ["srd-5.1"]}
    values |= sheeted(
        CASTER, {"stats": {**values["characters/cyra.json"]["sheet"]["stats"], "int": 18}}, max_hp=900, hp=900
    )
    values |= sheeted(FRIEND, {}, max_hp=900, hp=100, inventory=[CLUB], equipped={"mainhand": CLUB["id"]})
    values |= {f"characters/{CORPSE}.json": values[f"characters/{CORPSE}.json"] | {"hp": 0, "character_state": "dead"}}
    dying = {"hp": 0, "character_state": "dying", "death_saves": {"successes": 0, "failures": 0}}
    values |= {f"characters/{DYING}.json": values[f"characters/{DYING}.json"] | dying}
    around = [(9, 9), (10, 9), (11, 9), (9, 10), (11, 10), (9, 11), (10, 11), (11, 11)]
    people = [linked(CASTER, *MIDDLE)]
    people += [linked(who, *place) for who, place in zip((FRIEND, CORPSE, DYING), around, strict=False)]
    places = [*around[3:], (12, 9), (12, 10), (12, 11), (12, 12), (11, 12), (10, 12), (9, 12)]
    foes = [ephemeral(foe, *place, 9000) | {"stat_block": "guard"} for foe, place in zip(FOES, places, strict=True)]
    dull: Json = {"sheet": {"stats": dict.fromkeys(("str", "dex", "con", "wis", "cha"), 10) | {"int": 3}}}
    foes += [
        ephemeral(beast, 4 + place, 13, 9000, **dull) | {"stat_block": "wolf"} for place, beast in enumerate(BEASTS)
    ]
    foes.append(ephemeral(BEAST, 10, 8, 1, sheet={"size": "tiny"}) | {"stat_block": "rat"})
    guard = {"wolf": {"id": "wolf", "name": "Wolf", "type": "beast", "traits": []}}
    guard |= {"guard": {"id": "guard", "name": "Guard", "type": "humanoid", "traits": []}}
    guard |= {"rat": {"id": "rat", "name": "Rat", "type": "beast", "traits": []}}
    values |= fight(*people, *foes, stat_blocks=guard)
    return Hall(begin(tmp_path_factory.mktemp("spells") / "c", values, seed="spells"))


def cast(hall: Hall, spell: Json, slot: int, /, **more: Any) -> Json:
    """Cast a spell on as many as it can have, and return the whole result."""
    args: Json = {"caster_id": CASTER, "spell": f"spells/{spell['id']}", "ignore_economy": True}
    if spell["level"]:
        args["slot"] = slot
    args |= aimed(spell, slot, hall.person(CASTER)["sheet"]["level"], nearest(hall))
    args |= laid(spell, hall) | more
    reply = hall.campaign.process({"tool_calls": [{"id": "call_001", "tool": "cast_spell", "args": args}]})
    assert reply["status"] == "applied", (spell["id"], slot, reply["tool_feedback"])
    result: Json = reply["applied_actions"][0]["result"]
    return result


def count_of(spell: Json, slot: int, level: int) -> int:
    """Return how many targets, rays or darts a spell has."""
    steps = slot - int(spell["level"])
    figures = spell.get("figures", {})
    for name in ("rays", "darts"):
        if name in figures:
            return int(figures[name]["base"] + figures[name].get("per_slot", 0) * steps)
    if "attacks_by_level" in spell:
        return max(int(n) for at, n in spell["attacks_by_level"].items() if int(at) <= level)
    targets = spell.get("targets", {}).get("count", 1)
    base = 2 if targets == "any" else int(targets)
    return base + int(spell.get("targets_per_slot", 0)) * steps


def nearest(hall: Hall) -> list[str]:
    """Return the foes, those first who are nearest to where the caster stands: some have been pushed."""
    places = {each["id"]: each["position"] for each in hall.encounter()["participants"]}
    x, y = MIDDLE
    return sorted(FOES, key=lambda foe: max(abs(places[foe]["x"] - x), abs(places[foe]["y"] - y)))


def aimed(spell: Json, slot: int, level: int, foes: list[str]) -> Json:
    """Return the arguments that aim a spell."""
    figures = spell.get("figures", {})
    if spell["chosen"] or "max_words" in figures:
        return {"choice": spell["chosen"] or WORDS} | _whom(spell, slot, foes)
    named = [*figures.get("options", {}), *figures.get("resistance_choice", ()), *figures.get("resistance_options", {})]
    choice = next(iter(named), None)
    if "outdoor_storm_bonus" in figures:
        choice = "storm" if slot % 2 else "no_storm"
    if spell.get("control", {}).get("orders"):
        choice = spell["control"]["orders"][0]
    if figures.get("choose_condition"):
        choice = spell["conditions"][0]["id"]
    if figures.get("choose"):
        choice = figures["removes"][0]
    for part in spell.get("damage", ()):
        if part.get("when") in AT_ONCE and isinstance(part["type"], list):
            choice = part["type"][0]
    args: Json = {} if choice is None else {"choice": choice}
    if "teleport" in figures:
        passengers = {"target_ids": [FRIEND]} if "passengers" in figures else {}
        return args | {"target_position": {"x": 8, "y": 8}} | passengers
    if "companions_within" in figures:
        return {"target_ids": foes[:3]} if slot > spell["level"] else {}
    if "locates" in figures:
        return {"target_ids": [FRIEND]}
    if {"aims_at", "detects"} & figures.keys() or spell["id"] == "speak-with-plants":
        return args
    if spell["range"] == "self" and "attack" not in spell and ("area" not in spell or "blocks_spell_level" in figures):
        return args
    if spell["id"] in ON:
        return args | {"target_ids": [ON[spell["id"]]]}
    helps = "heal" in spell or not (spell.get("damage") or spell.get("save") or spell.get("attack"))
    helps = helps or "attacker_save" in figures
    number = count_of(spell, slot, level)
    if "area" in spell and "targets" not in spell:
        number = 2
    people = [FRIEND, *foes] if helps else BEASTS if spell.get("only", {}).get("type") == "beast" else foes
    if {"rays", "darts"} & figures.keys() or "attacks_by_level" in spell:
        return args | {"target_ids": [people[0]]}
    return args | {"target_ids": people[: min(number, AT_HAND) if spell["range"] == "touch" else number]}


def _whom(spell: Json, slot: int, foes: list[str]) -> Json:
    """Return whom a spell is cast on that has variants, or carries words."""
    if spell.get("only", {}).get("type") == "beast":
        return {"target_ids": [BEAST]}
    if "aims_at" in spell["figures"] or "locates" in spell["figures"]:
        return {}
    return {"target_ids": foes[: 2 if "area" in spell else count_of(spell, slot, 0)]}


def laid(spell: Json, hall: Hall) -> Json:
    """Return where the lasting area of a spell lies: where the nearest foe is, who alone is meant."""
    if "lasting_area" not in spell or spell["area"]["shape"] == "emanation":
        return {}
    foe = nearest(hall)[0]
    at = next(each["position"] for each in hall.encounter()["participants"] if each["id"] == foe)
    if spell["area"]["shape"] == "wall":
        side = {"choice": "left"} if "within" in spell["lasting_area"] else {}
        return {"target_position": at, "target_end": {**at, "x": at["x"] + 1}, "target_ids": []} | side
    return {"target_position": at, "target_ids": [foe]}


def levels(spell: Json) -> Iterator[tuple[int, int]]:
    """Yield the levels of slot and caster at which a spell is cast."""
    if spell["level"] == 0:
        yield from ((0, level) for level in LEVELS)
    else:
        yield from ((slot, 17) for slot in range(spell["level"], 10))


def grown(base: str, per_step: Any, steps: int) -> str:
    """Return dice with so many more of the same, or a number with as much more."""
    if not per_step or not steps:
        return base
    found = re.fullmatch(r"(\d+)d(\d+)(.*)", base)
    if found is None:
        return str(int(base) + int(per_step) * steps)
    count, sides, rest = found.groups()
    more, same = str(per_step).split("d")
    assert same == sides
    return f"{int(count) + int(more) * steps}d{sides}{rest}"


def dice_of(spell: Json, part: Json, slot: int, level: int) -> str:
    """Return the dice of a part of damage as the entry has them."""
    if "by_level" in part:
        return str(part["by_level"][str(max(int(at) for at in part["by_level"] if int(at) <= level))])
    bonus = part.get("bonus", 0)
    base = str(part["flat"]) if "flat" in part else part["dice"] + (f"{bonus:+d}" if bonus else "")
    if spell.get("damage_modifier") == "spellcasting":
        base = f"{base}{INTELLIGENCE:+d}"
    return grown(base, part.get("per_slot"), (slot - spell["level"]) // part.get("slots_per_step", 1))


def check_damage(spell: Json, slot: int, level: int, rows: list[Json]) -> None:
    parts = [part for part in spell.get("damage", ()) if part.get("when") in AT_ONCE]
    if not parts or "appears" not in spell.get("lasting_area", {"acts": ["appears"]}).get("acts", ()):
        return
    assert rows, spell["id"]
    for row in rows:
        attack = row.get("attack", {}).get("result")
        if attack in ("miss", "critical_miss"):
            assert "damage" not in row or spell["figures"]["on_miss"] == "half_initial"
            continue
        shown = [row["damage"], *row.get("further_damage", ())]
        assert len(shown) == len(parts), spell["id"]
        for index, (part, told) in enumerate(zip(parts, shown, strict=True)):
            grows = not spell.get("figures", {}).get("per_slot_choose_one") or index == 0
            wanted = dice_of(spell, part, slot if grows else spell["level"], level)
            if slot % 2 and "outdoor_storm_bonus" in spell.get("figures", {}):
                wanted = grown(wanted, spell["figures"]["outdoor_storm_bonus"], 1)
            expression = told["expression"]
            assert expression == wanted or (attack == "critical_hit" and expression.startswith(wanted.split("+")[0]))
            types = part["type"] if isinstance(part["type"], list) else [part["type"]]
            assert told["type"] in types
            assert told["final"] == (told["raw"] // 2 if row.get("save", {}).get("success") else told["raw"])


def check_save(spell: Json, rows: list[Json], dc: int) -> None:
    wanted = spell.get("save")
    if (
        wanted is None
        or wanted.get("only_to_end")
        or "aims_at" in spell["figures"]
        or {"attack", "attacker_save"} & {*spell, *spell.get("figures", {})}
    ):
        return
    abilities = wanted["ability"] if isinstance(wanted["ability"], list) else [wanted["ability"]]
    for row in rows:
        assert row["save"]["ability"] in abilities
        assert row["save"]["dc"] == dc


def check_conditions(spell: Json, rows: list[Json], hall: Hall, slot: int) -> None:
    """Compare what failed saves and hits gave with the conditions of the entry, and how long they last."""
    wanted = [each for each in spell.get("conditions", ()) if each["on"] in ("failed_save", "always", "hit")]
    counted = counted_saves(spell, slot)
    if spell.get("figures", {}).get("choose_condition"):
        wanted = wanted[:1]
    for row in rows if wanted else ():
        assert row.get("conditions", []) == [each["id"] for each in wanted], (spell["id"], row)
        held = {each["condition"]: each for each in bearer(hall, row["target_id"])["conditions"]}
        for each in wanted:
            condition = held[each["id"]]
            if each.get("duration") == "duration":
                assert condition["duration"] == lasts_as(spell, slot)
            assert {key: condition.get(key) for key in counted} == counted, spell["id"]
            if each.get("repeat") == "turn_end" or spell.get("repeat_save") == "turn_end":
                assert condition["repeat_save"] == "turn_end" or condition["duration"] == "save_ends"
                assert condition["save_ability"] == spell["save"]["ability"]


def rounds_of(spell: Json, slot: int) -> int | None:
    if spell.get("figures", {}).get("effect_duration") == "until_long_rest":
        return None
    if "effect_duration" in spell.get("figures", {}):
        amount, unit = spell["figures"]["effect_duration"].split()
        return int(amount) * ROUNDS[unit.removesuffix("s")]
    steps = [int(at) for at in spell.get("durations_by_slot", {}) if int(at) <= slot]
    if steps:
        if spell["durations_by_slot"][str(max(steps))] == "until_dispelled":
            return None
        amount, unit = spell["durations_by_slot"][str(max(steps))].split()
        return int(amount) * ROUNDS[unit.removesuffix("s")]
    lasts = spell["duration"]
    return lasts["amount"] * ROUNDS[lasts["unit"]] if isinstance(lasts, dict) else None


def lasts_as(spell: Json, slot: int) -> int | str | None:
    """Return how long the effect of a spell lasts, as effects hold it."""
    if is_concentration(spell, slot):
        return "concentration"
    if spell.get("figures", {}).get("effect_duration") == "until_long_rest":
        return "until_long_rest"
    steps = [int(at) for at in spell.get("durations_by_slot", {}) if int(at) <= slot]
    said = spell["durations_by_slot"][str(max(steps))] if steps else spell["duration"]
    return "until_dispelled" if said == "until_dispelled" else rounds_of(spell, slot)


def is_concentration(spell: Json, slot: int) -> bool:
    return bool(spell.get("concentration")) and slot < spell.get("figures", {}).get("no_concentration_from", 10)


def bearer(hall: Hall, identifier: str) -> Json:
    """Return the values of a participant."""
    return body_of(hall, next(each for each in hall.encounter()["participants"] if each["id"] == identifier))


def body_of(hall: Hall, person: Json) -> Json:
    """Return the values of a participant, given its row of the fight."""
    return dict(person["body"]) if "body" in person else hall.person(person["id"])


def roll_of(term: str) -> str:
    ability, _, kind = term.partition("_")
    return ROLLS.get(term) or f"{ability}_{kind}s"


def controlled(spell: Json) -> Json:
    """Return the fields of an effect by which a spell decides turns, or that a save ends."""
    said, fields = spell.get("control", {}), dict[str, Any]()
    if said.get("orders"):
        fields["order"] = said["orders"][0]
    if "behavior" in said:
        fields["confusion"] = {name: said["behavior"][name] for name in ("wanders", "stands", "strikes")}
    if spell.get("repeat_save") == "turn_end" and "conditions" not in spell:
        fields["repeat_save"] = {"ability": spell["save"]["ability"], "dc": ALWAYS_FAILS}
    return fields


def expected_effect(spell: Json) -> Json:
    """Return the fields of the effect that the figures of an entry come to."""
    figures, fields = spell.get("figures", {}), dict[str, Any]()
    fields |= controlled(spell)
    plain = {
        "ac_bonus": "ac_bonus",
        "ac_base": "ac_base",
        "ac_min": "ac_min",
        "save_bonus": "saving_throw_bonus",
        "speed_bonus": "speed_modifier",
        "speed_factor": "speed_factor",
    }
    fields |= {key: figures[name] for name, key in plain.items() if name in figures}
    if "roll_modifier" in spell:
        keys = {"attack": "attack_bonus", "save": "saving_throw_bonus", "check": "check_bonus"}
        fields |= {keys[each]: spell["roll_modifier"]["dice"] for each in spell["roll_modifier"]["to"]}
        fields |= {"uses": spell["roll_modifier"]["uses"]} if "uses" in spell["roll_modifier"] else {}
    if isinstance(figures.get("options"), dict) and isinstance(next(iter(figures["options"].values())), str):
        fields["advantage_on"] = [roll_of(next(iter(figures["options"].values())))]
    elif figures.get("advantage") == ["next_attack_vs_target"]:
        fields |= {"advantage_on": ["attack_rolls"], "uses": 1}
    elif "advantage" in figures and not all(each.endswith("_find") for each in figures["advantage"]):
        fields["advantage_on"] = [each if "_vs_" in each else roll_of(each) for each in figures["advantage"]]
    if figures.get("disadvantage") == ["next_attack"]:
        fields |= {"disadvantage_on": ["attack_rolls"], "uses": 1}
    elif "disadvantage" in figures:
        fields["disadvantage_on"] = [roll_of(each) for each in figures["disadvantage"]]
    if figures.get("disadvantage_against_self") == ["attack"]:
        fields["attacks_against"] = "disadvantage"
    if "next_attack_advantage" in figures:
        fields |= {"attacks_against": "advantage", "uses": 1}
    if "resistance_choice" in figures:
        fields["resistances"] = figures["resistance_choice"][:1]
    if "speed_penalty" in figures:
        fields["speed_modifier"] = -figures["speed_penalty"]["ft"]
    if "bonus" in figures:
        fields["roll_bonuses"] = figures["bonus"]
    return fields


def is_lasting_for_the_table(spell: Json) -> bool:
    """Return whether a spell leaves its name and time alone: what it does, its figures tell the table."""
    acts = {"attack", "damage", "conditions", "heal", "temp_hp", "resistance", "roll_modifier"} & spell.keys()
    return (
        not acts and bool(spell.get("figures")) and spell["duration"] != "instantaneous" and not expected_effect(spell)
    )


def check_springing(spell: Json, slot: int, level: int, hall: Hall) -> list[Json]:
    """Let a spell go off that waits: until then it does nothing, and it keeps what was chosen."""
    held = next(each for each in bearer(hall, CASTER)["effects"] if each["name"] == spell["name"])
    assert (held["duration"], held["slot_level"]) == ("until_dispelled", slot)
    assert held["chosen"] == (spell["chosen"] or spell["damage"][0]["type"][0])
    more: Json = {} if spell["chosen"] else {"choice": held["chosen"]}
    sprung = cast(hall, spell, slot, again=True, target_ids=FOES[:2], save_dc=ALWAYS_FAILS, **more)
    left = [each for each in bearer(hall, CASTER).get("effects", ()) if each["name"] == spell["name"]]
    lasts = spell["figures"]["springs"].get("lasts")
    assert len(left) == bool(lasts)
    if lasts:
        amount, unit = lasts.split()
        assert left[0]["rounds_remaining"] == int(amount) * ROUNDS[unit.removesuffix("s")]
    rows: list[Json] = sprung["targets"]
    return rows


def check_effect(spell: Json, slot: int, rows: list[Json], hall: Hall) -> None:
    wanted = expected_effect(spell) | lasting_fields(spell, slot, ALWAYS_FAILS, INTELLIGENCE)
    magic = enchanted(spell, slot, str(CLUB["id"]), "int")
    wanted |= {"weapon": magic} if magic is not None else {}
    is_left = is_lasting_for_the_table(spell) and "springs" not in spell["figures"]
    for row in rows if wanted or is_left or "extra_turns" in spell.get("figures", {}) else ():
        if row.get("attack", {}).get("result") in ("miss", "critical_miss"):
            continue
        who = row["target_id"]
        is_marked = "hit_damage" in wanted or wanted.get("advantage_on") == ["attack_rolls"]
        if spell["range"] != "self" and is_marked:
            wanted, who = wanted | {"versus": [row["target_id"]]}, CASTER
        effect = next(each for each in bearer(hall, who)["effects"] if each["name"] == spell["name"])
        if "extra_turns" in spell.get("figures", {}):
            die, bonus = spell["figures"]["extra_turns"].split("+")
            assert 1 + int(bonus) <= effect["extra_turns"] <= int(die.removeprefix("1d")) + int(bonus)
        if "hp_max_bonus" in spell.get("figures", {}):
            count, sides = map(int, spell["figures"]["hp_max_bonus"].split("d"))
            assert count <= effect["max_hp_modifier"] <= count * sides
        assert {key: effect.get(key) for key in wanted} == wanted, spell["id"]
        if "ends" not in effect:
            assert effect.get("duration") == lasts_as(spell, slot)


def check_healing(spell: Json, slot: int, rows: list[Json]) -> None:
    heal = spell.get("heal")
    if heal is None:
        return
    base = str(heal["flat"]) if "flat" in heal else heal["dice"]
    wanted = grown(base, heal.get("per_slot"), slot - spell["level"])
    if heal.get("bonus"):
        wanted = f"{wanted}{heal['bonus']:+d}"
    if heal.get("plus") == "spellcasting_modifier":
        wanted = f"{wanted}{INTELLIGENCE:+d}"
    assert [row["healing"]["expression"] for row in rows] == [wanted] * len(rows)
    assert all(row["healing"]["gained"] <= row["healing"]["raw"] for row in rows)


def check_pools(spell: Json, slot: int, result: Json) -> None:
    """Check dice of which only the total is shown: it must be one that they can give."""
    steps = slot - spell["level"]
    if "hp_pool" in spell:
        count, sides = map(int, grown(spell["hp_pool"]["dice"], spell["hp_pool"].get("per_slot"), steps).split("d"))
        assert count <= result["pool"] <= count * sides
    given = spell.get("temp_hp")
    if given is not None and "when" not in given:
        more = given.get("bonus", 0) + given.get("per_slot", 0) * steps
        count, sides = map(int, given["dice"].split("d"))
        assert count + more <= result["targets"][0]["temp_hp"]


@pytest.mark.parametrize("name", full())
def test_every_figure_of_a_full_spell_is_that_of_the_pack(name: str, table: Hall) -> None:
    spell = as_cast(name)
    name = spell["id"]
    for slot, level in levels(spell):
        table.campaign.process(
            {"tool_calls": [{"id": "a", "tool": "update_character", "args": {"character_id": CASTER, "level": level}}]}
        )
        if name in ON:
            _prepare(table, name)
        attack = {"attack_bonus": 99} if "attack" in spell else {}
        result = cast(table, spell, slot, save_dc=ALWAYS_FAILS, **attack)
        rows = [row for row in result["targets"] if "unaffected" not in row]
        assert (result["level"], result["tier"], result["spell_id"]) == (slot, "full", name)
        assert "not_executed" not in result
        assert result["concentration"] is is_concentration(spell, slot)
        assert result.get("materials") == spell.get("material_cost")
        assert {key: spell["figures"][key] for key in result.get("figures", {})} == result.get("figures", {})
        assert result["rounds"] == rounds_of(spell, slot)
        time = spell["casting_time"]
        assert result["cost"].startswith(f"{time.get('amount', 1)} {time['unit'].replace('_', ' ')}")
        if "springs" in spell["figures"]:
            assert rows == []
            rows = check_springing(spell, slot, level, table)
        check_damage(spell, slot, level, rows)
        check_save(spell, rows, ALWAYS_FAILS)
        check_conditions(spell, rows, table, slot)
        check_effect(spell, slot, rows, table)
        check_healing(spell, slot, rows)
        check_pools(spell, slot, result)
        check_zone(spell, slot, table)
        figures = spell["figures"]
        if (
            "save" in spell
            and not spell["save"].get("only_to_end")
            and not {"attacker_save", "springs", "aims_at"} & figures.keys()
        ):
            if {"away", "barred_actions"} & figures.keys():
                _clean(table)  # nobody reaches them where they are, or can act
            saved = cast(table, spell, slot, save_dc=ALWAYS_SUCCEEDS)["targets"]
            check_withstood(spell, saved, table)
            check_halves(spell, saved)
        if "lifts" in figures:
            assert {row["position"]["z"] for row in rows} == {figures["lifts"] // 5}
            down: Json = {"target_position": {"x": 0, "y": 0, "z": 0}, "save_dc": ALWAYS_FAILS}
            cast(table, spell, slot, target_ids=[rows[0]["target_id"]], **down)
        if "teleport" in spell.get("figures", {}):
            assert rows[0]["position"] == {"x": 8, "y": 8, "z": 0}
            back = cast(table, spell, slot, target_position=dict(zip("xy", MIDDLE, strict=True)))
            assert back["targets"][0]["position"] == {"x": MIDDLE[0], "y": MIDDLE[1], "z": 0}
        _clean(table)


def check_withstood(spell: Json, rows: list[Json], hall: Hall) -> None:
    """Who saved against a spell that can be tried but once is safe from it for as long as the entry says."""
    said = spell["figures"].get("withstood")
    for row in rows if said else ():
        if row.get("save", {}).get("success"):
            held = next(
                each
                for each in bearer(hall, row["target_id"])["effects"]
                if spell["id"] in each.get("blocks_spells", ())
            )
            lasts = "concentration" if said == "duration" else words_of(said)
            assert held.get("duration") == lasts


def words_of(duration: str) -> int | None:
    """Return the rounds of a duration in words; None of one that nothing ends."""
    amount, _, unit = duration.partition(" ")
    return int(amount) * ROUNDS[unit.removesuffix("s")] if unit else None


def check_zone(spell: Json, slot: int, hall: Hall) -> None:
    """Compare the area that lies in the fight with the entry; what it does is put to work elsewhere."""
    said = spell.get("lasting_area")
    zones = [each for each in hall.encounter().get("zones", ()) if each["spell"] == spell["name"]]
    if said is None:
        assert zones == []
        return
    zone = zones[-1]
    size = spell["area"]["size"] + spell.get("area_per_slot", 0) * (slot - spell["level"])
    assert (zone["size"], zone["level"]) == (size, slot)
    assert zone.get("height", 0) == spell["area"].get("height", 0)
    plain = {"acts": "acts", "once_a_turn": "once_a_turn", "obscured": "obscured", "cover": "cover", "drift": "drift"}
    plain |= {"move": "move", "within": "within", "damage_limit": "damage_left", "takes_action": "takes_action"}
    plain |= {"difficult_terrain": "difficult", "speed_factor": "speed_factor", "silent": "silent"}
    plain |= {"concentration_save": "concentration_save", "around_corners": "around_corners"}
    for name, key in plain.items():
        assert zone.get(key) == said.get(name), (spell["id"], name)
    if set(said.get("acts", ())) & {"enters", "turn_start", "turn_end"}:
        whens = [said["deals"]] if "deals" in said else AT_ONCE
        parts = [part for part in spell.get("damage", ()) if part.get("when") in whens]
        assert [each["dice"] for each in zone.get("damage", ())] == [dice_of(spell, each, slot, 17) for each in parts]
        if said.get("saves", True):
            half = {"half": True} if spell["save"]["success"] == "half" else {}
            wanted = {"ability": spell["save"]["ability"], "dc": ALWAYS_FAILS, **half}
            hard = spell.get("figures", {}).get("save_disadvantage")
            assert zone["save"] == wanted | ({"hard_for": hard} if hard else {})
        else:
            assert "save" not in zone
    for part in spell.get("damage", ()):
        key = {"starts_turn_restrained": "bound_damage", "per_5_ft_moved": "step_damage"}.get(part.get("when", ""), "")
        if key:
            blow = {"dice": dice_of(spell, part, slot, 17), "type": part["type"]}
            assert zone[key] == ([blow] if key == "bound_damage" else blow)


def check_halves(spell: Json, rows: list[Json]) -> None:
    """A success leaves half or nothing of the damage, as the entry says, and no condition."""
    for row in rows:
        if not row["save"]["success"]:
            continue  # petrified or the like: it fails whatever falls
        assert row.get("conditions", []) == []
        if spell["save"].get("success", "none") == "none":
            assert "damage" not in row
        elif "damage" in row:
            assert row["damage"]["final"] == row["damage"]["raw"] // 2


def _prepare(table: Hall, name: str) -> None:
    """Kill the corpse again, or let the dying one fall."""
    state: Json = {"character_id": ON[name], "character_state": "dead"}
    if name == "spare-the-dying":
        state = {"character_id": DYING, "hp": 0}
        table.campaign.process({"tool_calls": [_update(character_id=DYING, hp=1)]})
    table.campaign.process({"tool_calls": [_update(**state)]})


def _update(**args: Any) -> Json:
    return {"id": "a", "tool": "update_character", "args": args}


def _clean(table: Hall) -> None:
    """End the concentration and all conditions, and heal everybody, so that no spell meets the one before."""
    calls = [{"id": "c", "tool": "manage_concentration", "args": {"operation": "break", "character_id": CASTER}}]
    fight_id = {"encounter_id": "encounter-1"}
    for person in table.encounter()["participants"]:
        who = person["id"]
        if who in (CORPSE, DYING):
            continue
        body = body_of(table, person)
        if body.get("conditions"):
            args = {"target_id": who, "operation": "remove", "condition": "all", **fight_id}
            calls.append({"id": f"r{who}", "tool": "manage_condition", "args": args})
        for effect in body.get("effects", ()):
            args = {"operation": "remove", "effect_id": effect["effect_id"], "target_id": who, **fight_id}
            calls.append({"id": f"e{effect['effect_id']}{who}", "tool": "manage_effect", "args": args})
        if body["hp"] < 100:
            calls.append(
                {"id": f"h{who}", "tool": "update_character", "args": {"character_id": who, "hp": "+9000", **fight_id}}
            )
    table.campaign.process({"tool_calls": calls})


def test_the_tiers_of_the_pack_are_what_the_engine_executes() -> None:
    for name, value in spells().items():
        spell = Spell.model_validate(value)
        assert (name, coverage_of(spell).tier) == (name, value["tier"])
        assert set(coverage_of(spell).missing) == set(value.get("missing", ())), name


def test_as_many_spells_are_executed_as_the_documentation_says() -> None:
    text = (Path(__file__).parents[3] / "docs" / "content.md").read_text(encoding="utf-8")
    tiers = [value["tier"] for value in spells().values()]
    row = " | ".join(
        str(number) for number in (len(tiers), *(tiers.count(each) for each in ("full", "partly", "reference")))
    )
    assert f"| spells | {row} |" in text
