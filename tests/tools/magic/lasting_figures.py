"""The fields of effects that figures of spells come to, worked out from the JSON of an entry alone."""

from __future__ import annotations

import re
from typing import Any

from tests.builders import Json

from turnwright.model.vocabulary import ActionType, DamageType, words

WEAPON_HITS = ("extra_weapon_hit", "next_weapon_hit")


def later_damage(spell: Json, part: Json, slot: int) -> str:
    """Return the dice of damage that is dealt later."""
    step, steps = part.get("per_slot"), slot - spell["level"]
    if not step or not steps:
        return str(part.get("dice", part.get("flat")))
    count, sides = map(int, part["dice"].split("d"))
    more, same = map(int, step.split("d"))
    assert same == sides
    return f"{count + more * steps}d{sides}"


def lasting_fields(spell: Json, slot: int, dc: int, modifier: int) -> Json:
    """Return what the effect of a spell has to hold beside bonuses."""
    figures, fields = spell.get("figures", {}), dict[str, Any]()
    if "attacker_save" in figures:
        fields["attackers_save"] = {"ability": figures["attacker_save"], "dc": dc}
        fields["ends_on"] = figures["ends_on"]
    if "check_floor" in figures:
        fields["check_floors"] = {figures["check_floor"]["ability"]: figures["check_floor"]["die"]}
    if "duplicates" in figures:
        ladder = {key: face for key, face in figures["redirect"].items() if key != "die"}
        fields["duplicates"] = {"left": figures["duplicates"], "redirect": ladder}
    if "blocks_spell_level" in figures:
        level = figures["blocks_spell_level"] + figures["blocks_per_slot"] * (slot - spell["level"])
        fields["globe"] = {"radius": spell["area"]["size"], "level": level}
    plain = {"blocks": "blocks_spells", "no_benefit_from": "suppresses", "versus": "versus_kinds"}
    fields |= {key: figures[name] for name, key in plain.items() if name in figures}
    if "healing" in figures:
        fields["healing"] = figures["healing"]
    if "no_healing" in figures:
        fields["healing"] = "none"
    if "heal_per_turn" in figures:
        fields["turn_hp"] = figures["heal_per_turn"]
    if "hp_at_0" in figures:
        assert figures["uses"] == 1
        fields["hp_at_zero"] = figures["hp_at_0"]
    if "penalty" in figures:
        less = figures["penalty"]["d20"]
        fields |= dict.fromkeys(("attack_bonus", "saving_throw_bonus", "check_bonus"), less)
        fields["fades"] = figures["penalty"]["per_long_rest"]
    if "weapon_damage_factor" in figures:
        fields["halves_strength_weapons"] = True
    if "immune" in figures:
        immune = [each for each in figures["immune"] if each not in ("surprised", "possessed")]
        conditions = [each for each in immune if not re.search("_damage$|divination|sensing|reading|psychic", each)]
        fields |= {"condition_immunities": conditions} if conditions else {}
        fields |= {"never_surprised": True} if "surprised" in figures["immune"] else {}
    if spell.get("temp_hp", {}).get("when") == "target_turn_start":
        fields["turn_temp_hp"] = modifier
    if any(row.get("source") == "nonmagical_attacks" for row in spell.get("resistance", ())):
        assert {row["type"] for row in spell["resistance"]} == {"bludgeoning", "piercing", "slashing"}
        fields["halved_weapons"] = "nonmagical"
    if "resistance_options" in figures:
        fields["resistances"] = [next(iter(figures["resistance_options"].values()))]
    for part in spell.get("damage", ()):
        blow = {"dice": later_damage(spell, part, slot)}
        if isinstance(part["type"], str) and part["type"] != "weapon":
            blow["type"] = part["type"]
        if part.get("when") in WEAPON_HITS:
            fields["hit_damage"] = blow
        if part.get("when") == "target_next_turn_end":
            fields["end_damage"] = blow
        if part.get("when") == "extra_when_caster_hits":
            fields["damage_from"] = blow | {"whose": "cyra"}
        if part.get("when") == "melee_hit_within_5":
            spared = next(iter(figures["resistance_options"].values()))
            fields["retaliation"] = blow | {"type": next(each for each in part["type"] if each != spared)}
    if spell.get("repeat_save") == "turn_end" and fields and "conditions" not in spell:
        fields["repeat_save"] = {"ability": spell["save"]["ability"], "dc": dc}
    fields |= _of_variants(spell, dc)
    options = figures.get("options", {})
    first = next(iter(options.values()), None) if isinstance(options, dict) else None
    if isinstance(first, dict) and "weapon_damage" in first:
        fields |= {"size_change": first["size"], "damage_bonus": first["weapon_damage"]}
        fields["advantage_on"] = [f"{each}s" for each in first["advantage"]]
    return fields


def _of_variants(spell: Json, dc: int) -> Json:
    """Return what an effect holds of planes, of what its bearer cannot do, and of checks and saves."""
    figures, fields = spell.get("figures", {}), dict[str, Any]()
    flags = {each: True for each in ("away", "ethereal", "harmless") if each in figures}
    named = {word: figures[word] for word in ("leaves_on", "cured_as", "false_aura", "masked_as") if word in figures}
    if "undetected" in figures or "divination" in figures.get("immune", ()):
        fields["undetected"] = True
    fields |= flags | named
    barred = figures.get("barred_actions")
    if barred is not None:
        every = words(ActionType)
        fields["barred_actions"] = (
            [each for each in every if each not in barred["all_but"]] if isinstance(barred, dict) else barred
        )
    if "vulnerable" in figures:
        fields["vulnerabilities"] = figures["vulnerable"]
    if "ends_by" in figures:
        asked = figures["ends_by"]
        fields["ends_by"] = {"abilities": asked["check"], "dc": asked["dc"]} if "check" in asked else {}
    if "discerned" in figures:
        fields["discerned"] = {"skill": figures["discerned"]["skill"], "dc": dc}
    if "attacks_caster_with" in figures:
        fields |= {"disadvantage_on": ["attack_rolls"], "versus": ["cyra"]}
    if "ends_beyond" in figures:
        fields["flees"] = {"whose": "cyra", "feet": figures["ends_beyond"]}
    if "start_save" in figures:
        fields["start_save"] = {"ability": spell["save"]["ability"], "dc": dc}
    if "caster_takes" in figures:
        fields["shares_damage"] = {"with_id": "cyra", "within": figures["max_distance"]}
        fields["resistances"] = list(words(DamageType))
    if "max_words" in figures:
        fields["trigger_effect"] = "the bridge is out"
    return fields


def enchanted(spell: Json, slot: int, item_id: str, ability: str) -> Json | None:
    """Return what a spell makes of a weapon, or None."""
    figures = spell.get("figures", {})
    if "weapon_bonus" in figures:
        steps = [int(at) for at in figures["weapon_bonus"] if int(at) <= slot]
        return {"item_id": item_id, "bonus": figures["weapon_bonus"][str(max(steps))]}
    if "weapon" in figures:
        return {"item_id": item_id, "dice": figures["weapon"]["dice"], "ability": ability}
    return None


def counted_saves(spell: Json, slot: int) -> Json:
    """Return what a condition has to hold of the saves that end it."""
    figures, told = spell.get("figures", {}), dict[str, Any]()
    for part in spell.get("damage", ()):
        if part.get("when") == "turn_end_failed_save":
            told["failed_save_damage"] = {"dice": later_damage(spell, part, slot), "type": part["type"]}
    if "failures_to_worsen" in figures:
        assert figures["failures_to_worsen"] == figures["successes_to_end"]
        told["tally"] = {"needed": figures["failures_to_worsen"], "successes": 0, "failures": 0}
        told["worsens_to"] = next(each["id"] for each in spell["conditions"] if each["on"].startswith("failed_saves_"))
    if any("damage" in each.get("repeat", "") for each in spell.get("conditions", ())):
        told["saves_when_damaged"] = figures.get("damage_save", "normal")
    if "ends_on" in figures:
        told["ends_on"] = [
            each for each in figures["ends_on"] if each in ("damage", "attacks", "casts_spell", "harmed")
        ]
    return told
