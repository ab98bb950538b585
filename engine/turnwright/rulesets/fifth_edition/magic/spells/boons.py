"""Figures of a spell's effect that depend on the casting: dice by slot, DCs, creatures it refers to, weapons.

Those that are the same for every casting are in `lasting`. Source: SRD 5.1, "Spell Descriptions"; docs/content.md,
"Spells by name".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from turnwright.content.kinds.spells import Spell
from turnwright.model.base import name_tag
from turnwright.model.item import Item
from turnwright.model.json_types import JsonValue
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid
from turnwright.rulesets.fifth_edition.fights._weapons import materials_of
from turnwright.rulesets.fifth_edition.fights.traits import block_of
from turnwright.rulesets.fifth_edition.magic.spells.casting import Casting
from turnwright.rulesets.fifth_edition.magic.spells.figures import area_size, damage_dice, temporary_hp_dice
from turnwright.rulesets.fifth_edition.rolls import throw_dice
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square
from turnwright.rulesets.fifth_edition.targets import Creature, body_of

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import SizeOption

Fields: TypeAlias = dict[str, JsonValue]
"""Fields of an effect by name, as its document writes them."""
Make: TypeAlias = Callable[[Casting, str], Fields]

_ON_HITS = ("extra_weapon_hit", "next_weapon_hit")
_PLAIN_WEAPONS = [("bludgeoning", "nonmagical_attacks"), ("piercing", "nonmagical_attacks")]
_PLAIN_WEAPONS += [("slashing", "nonmagical_attacks")]


def _figure(casting: Casting, name: str) -> Any:
    return casting.spell.figures[name]


def _penalty(casting: Casting, target_id: str) -> Fields:
    del target_id
    said = _figure(casting, "penalty")
    less = dict.fromkeys(("attack_bonus", "saving_throw_bonus", "check_bonus"), said["d20"])
    return {**less, "fades": said["per_long_rest"]}


def _attackers_save(casting: Casting, target_id: str) -> Fields:
    del target_id
    save = {"ability": _figure(casting, "attacker_save"), "dc": casting.save_dc}
    return {"attackers_save": save, "ends_on": tuple(_figure(casting, "ends_on"))}


def _weapon(casting: Casting, target_id: str) -> Fields:
    item = chosen_weapon(casting, target_id)
    if item is None:
        return {}
    said = casting.spell.figures
    if "weapon_bonus" in said:
        steps = {int(slot): bonus for slot, bonus in said["weapon_bonus"].items()}
        bonus = steps[max(slot for slot in steps if slot <= casting.level.slot)]
        return {"weapon": {"item_id": item.id, "bonus": bonus}}
    ability = casting.ability
    made = {"item_id": item.id, "dice": said["weapon"]["dice"]}
    return {"weapon": made | ({"ability": ability} if ability else {})}


def _globe(casting: Casting, target_id: str) -> Fields:
    person, steps = casting.person(target_id), casting.level.slot - casting.spell.level
    level = _figure(casting, "blocks_spell_level") + _figure(casting, "blocks_per_slot") * steps
    fields: Fields = {"globe": {"radius": area_size(casting.spell, casting.level), "level": level}}
    at = person.position if person is not None else None
    return fields | ({"at": (at.x, at.y, at.z)} if at is not None else {})


def _extra_turns(casting: Casting, target_id: str) -> Fields:
    thrown = throw_dice(casting.ctx, _figure(casting, "extra_turns"), f"turns of {target_id}, {casting.spell.name}")
    return {"extra_turns": thrown.total}


def _next_attack_on(casting: Casting, target_id: str) -> Fields:
    del casting, target_id
    return {"advantage_on": ("attack_rolls",), "uses": 1}


def _against_caster(casting: Casting, target_id: str) -> Fields:
    del target_id
    caster = casting.person(casting.caster_id)
    ids = caster.ids if caster is not None else (casting.caster_id,)
    return {"disadvantage_on": ("attack_rolls",), "versus": tuple(dict.fromkeys(ids))}


def _shared(casting: Casting, target_id: str) -> Fields:
    del target_id
    return {"shares_damage": {"with_id": casting.caster_id, "within": _figure(casting, "max_distance")}}


def _start_save(casting: Casting, target_id: str) -> Fields:
    del target_id
    return {"start_save": {"ability": own_save(casting.spell), "dc": casting.save_dc}}


def own_save(spell: Spell) -> str:
    """Return the ability that a spell's targets save with, of several the first."""
    ability = spell.save.ability if spell.save is not None else "wis"
    return ability[0] if isinstance(ability, tuple) else ability


def _discerned(casting: Casting, target_id: str) -> Fields:
    del target_id
    return {"discerned": {"skill": _figure(casting, "discerned")["skill"], "dc": casting.save_dc}}


def _fits_penalty(spell: Spell) -> bool:
    return set(spell.figures["penalty"]) == {"d20", "per_long_rest"}


def _fits_weapon(spell: Spell) -> bool:
    said = spell.figures["weapon"]
    return set(said) == {"ability", "dice", "kinds", "magical"} and said["ability"] == "spellcasting"


def _always(spell: Spell) -> bool:
    del spell
    return True


BOONS: Mapping[str, tuple[Callable[[Spell], bool], Make]] = MappingProxyType(
    {
        "advantage": (
            lambda spell: tuple(spell.figures["advantage"]) == ("next_attack_vs_target",),
            _next_attack_on,
        ),
        "attacks_caster_with": (lambda spell: spell.figures["attacks_caster_with"] == "disadvantage", _against_caster),
        "caster_takes": (
            lambda spell: spell.figures["caster_takes"] == "same_damage" and "max_distance" in spell.figures,
            _shared,
        ),
        "ends_beyond": (
            lambda spell: isinstance(spell.figures["ends_beyond"], int),
            lambda casting, _: {"flees": {"whose": casting.caster_id, "feet": _figure(casting, "ends_beyond")}},
        ),
        "discerned": (lambda spell: spell.figures["discerned"].get("dc") == "spell_save", _discerned),
        "start_save": (
            lambda spell: spell.figures["start_save"] == "loses_action" and spell.save is not None,
            _start_save,
        ),
        "blocks_spell_level": (lambda spell: "blocks_per_slot" in spell.figures and spell.area is not None, _globe),
        "extra_turns": (lambda spell: isinstance(spell.figures["extra_turns"], str), _extra_turns),
        "attacker_save": (lambda spell: "ends_on" in spell.figures, _attackers_save),
        "blocks": (
            lambda spell: isinstance(spell.figures["blocks"], (list, tuple)),
            lambda casting, _: {"blocks_spells": tuple(_figure(casting, "blocks"))},
        ),
        "check_floor": (
            lambda spell: spell.figures["check_floor"].keys() == {"ability", "die"},
            lambda casting, _: {
                "check_floors": {_figure(casting, "check_floor")["ability"]: _figure(casting, "check_floor")["die"]}
            },
        ),
        "duplicates": (
            lambda spell: spell.figures.get("duplicate_ac") == "10+dex",
            lambda casting, _: {
                "duplicates": {
                    "left": _figure(casting, "duplicates"),
                    "redirect": {key: face for key, face in _figure(casting, "redirect").items() if key != "die"},
                }
            },
        ),
        "heal_per_turn": (_always, lambda casting, _: {"turn_hp": _figure(casting, "heal_per_turn")}),
        "healing": (lambda spell: spell.figures["healing"] == "maximum", lambda *_: {"healing": "maximum"}),
        "hp_at_0": (
            lambda spell: spell.figures.get("uses") == 1,
            lambda casting, _: {"hp_at_zero": _figure(casting, "hp_at_0")},
        ),
        "no_benefit_from": (_always, lambda casting, _: {"suppresses": tuple(_figure(casting, "no_benefit_from"))}),
        "no_healing": (_always, lambda *_: {"healing": "none"}),
        "penalty": (_fits_penalty, _penalty),
        "weapon": (_fits_weapon, _weapon),
        "weapon_bonus": (_always, _weapon),
        "weapon_damage_factor": (
            lambda spell: spell.figures["weapon_damage_factor"] == 0.5 and spell.weapon_ability == "str",
            lambda *_: {"halves_strength_weapons": True},
        ),
    }
)
"""Figures of entries by name: whether the engine knows this form of it, and the fields of an effect that it gives."""
_WITH: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "advantage": ("when",),
        "attacker_save": ("ends_on",),
        "caster_takes": ("max_distance",),
        "blocks_spell_level": ("blocks_per_slot",),
        "duplicates": ("duplicate_ac", "redirect"),
        "hp_at_0": ("uses",),
        "no_healing": ("undead_disadvantage_against_caster",),
    }
)
"""Figures that say more of another one."""


def boon_figures(spell: Spell) -> frozenset[str]:
    """Return the figures of a spell that become part of an effect here."""
    own = {name for name in spell.figures if name in BOONS and BOONS[name][0](spell)}
    return frozenset(own | {each for name in own for each in _WITH.get(name, ()) if each in spell.figures})


def gives_boon(spell: Spell) -> bool:
    """Return whether a spell leaves an effect for which the casting has to be known."""
    return bool(boon_figures(spell) or has_hit_damage(spell) or is_retaliation(spell) or gives_turn_temp_hp(spell)) or (
        is_resizing(spell) or has_damage_of_caster(spell) or halves_plain_weapons(spell) or has_end_damage(spell)
    )


def has_hit_damage(spell: Spell) -> bool:
    """Return whether a spell adds damage to hits with weapons."""
    return any(part.when in _ON_HITS for part in spell.damage)


def has_damage_of_caster(spell: Spell) -> bool:
    """Return whether the caster's own attacks and spells deal more to a spell's target."""
    return any(part.when == "extra_when_caster_hits" for part in spell.damage)


def has_end_damage(spell: Spell) -> bool:
    """Return whether a spell deals damage once more at the end of the target's next turn."""
    return any(part.when == "target_next_turn_end" for part in spell.damage)


def is_retaliation(spell: Spell) -> bool:
    """Return whether a spell hurts creatures that hit its bearer in melee."""
    parts = [part for part in spell.damage if part.when == "melee_hit_within_5"]
    return bool(parts) and isinstance(spell.figures.get("resistance_options"), Mapping)


def gives_turn_temp_hp(spell: Spell) -> bool:
    """Return whether a spell gives temporary hit points as each turn of its target starts."""
    return spell.temp_hp is not None and spell.temp_hp.when == "target_turn_start"


def is_resizing(spell: Spell) -> bool:
    """Return whether the caster chooses how a spell changes the size of its target, and what else that does."""
    options = spell.figures.get("options")
    return isinstance(options, Mapping) and all(
        isinstance(each, Mapping) and {"size", "weapon_damage"} <= each.keys() <= _RESIZED for each in options.values()
    )


_RESIZED = frozenset({"size", "weapon_damage", "advantage", "disadvantage"})


def halves_plain_weapons(spell: Spell) -> bool:
    """Return whether a spell makes its target proof against weapons that are not magical."""
    return [(row.type, row.source) for row in spell.resistance] == _PLAIN_WEAPONS and all(
        row.unless is None for row in spell.resistance
    )


def boon_fields(casting: Casting, target_id: str) -> Fields:
    """Return the fields of an effect that the entry gives at this casting."""
    spell = casting.spell
    fields: Fields = {}
    for name in spell.figures:
        if name in BOONS and BOONS[name][0](spell):
            fields |= BOONS[name][1](casting, target_id)
    if gives_turn_temp_hp(spell):
        fields["turn_temp_hp"] = int(temporary_hp_dice(spell, casting.level, casting.modifier) or 0)
    if is_retaliation(spell):
        fields |= _retaliation(casting)
    if is_resizing(spell) and casting.choice is not None:
        fields |= _resized(spell.figures["options"][casting.choice])
    if halves_plain_weapons(spell):
        fields["halved_weapons"] = "nonmagical"
    for part in spell.damage:
        blow = {"dice": damage_dice(spell, part, casting.level)}
        if isinstance(part.type, str) and part.type != "weapon":
            blow["type"] = part.type
        if part.when in _ON_HITS:
            fields["hit_damage"] = blow
            fields |= {"uses": 1} if part.when == "next_weapon_hit" else {}
        elif part.when == "target_next_turn_end":
            fields["end_damage"] = blow
        elif part.when == "extra_when_caster_hits":
            fields["damage_from"] = {**blow, "whose": casting.caster_id}
    return fields


def marks_target(spell: Spell) -> bool:
    """Return whether the effect of a spell is its caster's, and counts against its target alone."""
    return (has_hit_damage(spell) and spell.range != "self") or (
        tuple(spell.figures.get("advantage", ())) == ("next_attack_vs_target",)
    )


def _resized(option: SizeOption) -> Fields:
    fields: Fields = {"size_change": option["size"], "damage_bonus": option["weapon_damage"]}
    if "advantage" in option:
        fields["advantage_on"] = tuple(f"{each}s" for each in option["advantage"])
    if "disadvantage" in option:
        fields["disadvantage_on"] = tuple(f"{each}s" for each in option["disadvantage"])
    return fields


def _retaliation(casting: Casting) -> Fields:
    """Return a fire that burns, and what it protects from: the chosen one of two."""
    options = casting.spell.figures["resistance_options"]
    protects = options[casting.choice or next(iter(options))]
    part = next(each for each in casting.spell.damage if each.when == "melee_hit_within_5")
    types = part.type if isinstance(part.type, tuple) else (part.type,)
    burns = next(each for each in types if each != protects)
    blow = {"dice": damage_dice(casting.spell, part, casting.level), "type": burns}
    return {"retaliation": blow, "resistances": (protects,)}


def weapon_choices(casting: Casting, target_id: str) -> list[Item]:
    """Return the weapons of a creature that a spell can enchant: those that are not magical yet, or of its kinds."""
    character = casting.creature(target_id).character
    weapons = [each for each in character.inventory if each.type == "weapon" and each.quantity > 0]
    kinds: Iterable[str] | None = casting.spell.figures.get("weapon", {}).get("kinds")
    if kinds is not None:
        wanted = {name_tag(kind) for kind in kinds}
        return [each for each in weapons if name_tag(each.name) in wanted]
    return [each for each in weapons if "magical" not in materials_of(each)]


def strikes_with(casting: Casting, target_id: str) -> bool:
    """Return whether an attack in a creature's stat block takes this spell: then no item is required."""
    block = block_of(casting.world, casting.creature(target_id)) or {}
    term = casting.spell.id.replace("-", "_")
    attacks = [part["attack"] for part in block.get("actions", ()) if "attack" in part]
    return any(not isinstance(attack, str) and term in attack.get("to_hit_with", {}) for attack in attacks)


def needs_weapon(spell: Spell) -> bool:
    """Return whether the caster says which weapon a spell enchants."""
    return bool({"weapon", "weapon_bonus"} & boon_figures(spell))


def chosen_weapon(casting: Casting, target_id: str) -> Item | None:
    """Return the weapon that the call chooses, or the only one that can be meant."""
    choices = weapon_choices(casting, target_id)
    named = [each for each in choices if casting.choice in (each.id, each.name)]
    return named[0] if named else choices[0] if len(choices) == 1 else None


def has_globe(spell: Spell) -> bool:
    """Return whether a spell surrounds its caster's place with a sphere that keeps others out."""
    return "blocks_spell_level" in boon_figures(spell)


def globe_between(casting: Casting, creature: Creature) -> str | None:
    """Return the globe that keeps a spell of the caster's from a creature within it; None where there is none."""
    encounter = casting.encounter
    caster, target = casting.person(casting.caster_id), casting.person(creature.id)
    if encounter is None or caster is None or target is None:
        return None
    for other in encounter.participants:
        for each in body_of(casting.world, other).effects:
            if each.globe is None or each.at is None or casting.level.slot > each.globe.level:
                continue
            middle = Body(Square(*each.at))
            near, far = (between(middle, body_on_grid(casting.world, one)) for one in (target, caster))
            if near <= each.globe.radius < far:
                return each.name
    return None


def is_spell_blocked(spell: Spell, creature: Creature) -> str | None:
    """Return a creature's effect that makes a spell fail against it; None where there is none."""
    held = creature.character.effects
    return next((each.name for each in held if spell.id in each.blocks_spells), None)
