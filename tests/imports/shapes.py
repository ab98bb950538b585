"""Characters in the shapes that other programs give them, made of plain figures: all text in them is our own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Json = dict[str, Any]
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")


class Goods(NamedTuple):
    """Something that is carried: its figures by the keys of `foundry_item`."""

    name: str
    kind: str = "loot"
    figures: Mapping[str, Any] = {}


def weapon(name: str, dice: str, damage: str, *properties: str, equipped: bool = True, **ranges: int) -> Goods:
    number, sides = dice.split("d")
    figures = {
        "equipped": equipped,
        "damage": {"base": {"number": int(number), "denomination": int(sides), "bonus": "", "types": [damage]}},
        "properties": list(properties),
        "range": {"value": ranges.get("normal"), "long": ranges.get("long"), "reach": None, "units": "ft"},
        "type": {"value": "simpleR" if "amm" in properties else "simpleM", "baseItem": ""},
        "magicalBonus": ranges.get("magic"),
    }
    return Goods(name, "weapon", figures)


def armor(name: str, category: str, value: int, *, equipped: bool = True, dex: int | None = None) -> Goods:
    figures = {
        "equipped": equipped,
        "type": {"value": category, "baseItem": ""},
        "armor": {"value": value, "dex": dex, "magicalBonus": None},
        "properties": [],
    }
    return Goods(name, "equipment", figures)


def actor(
    name: str,
    scores: Sequence[int],
    of_class: str,
    *,
    race: str,
    goods: Iterable[Goods] = (),
    level: int = 1,
    hp: int | None = None,
    version: str = "4.3.9",
    speed: int = 30,
    size: str = "med",
    calc: str = "default",
    saves: Iterable[str] = (),
    skills: Iterable[str] = (),
    slots: Mapping[int, int] | None = None,
    pact: int = 0,
    caster: tuple[str, str] = ("none", ""),
    die: str = "d8",
    spells: Iterable[tuple[str, int, bool]] = (),
    feats: Iterable[tuple[str, Sequence[Json]]] = (),
    gains: Mapping[str, Any] | None = None,
    darkvision: int = 0,
    hp_per_level: str = "",
) -> Json:
    """Return an actor as Foundry VTT exports it, with figures of these and words of our own."""
    newer = version.startswith("5")
    items = [
        _class(of_class, level, die, caster, gains or {"1": "max"}, newer),
        {"_id": "race000000000000", "name": race, "type": "race", "system": _race(speed, darkvision)},
        {
            "_id": "background000000",
            "name": "Wanderer",
            "type": "background",
            "system": {"description": {"value": "x"}},
        },
        *(
            {"_id": f"feat{n:012}", "name": f, "type": "feat", "effects": e, "system": {}}
            for n, (f, e) in enumerate(feats)
        ),
        *(_spell(place, *spell, newer) for place, spell in enumerate(spells)),
        *(_goods(place, each) for place, each in enumerate(goods)),
    ]
    return {
        "name": name,
        "type": "character",
        "img": "icons/nothing.webp",
        "system": {
            "abilities": {
                ability: {
                    "value": score,
                    "proficient": int(ability in tuple(saves)),
                    "max": None,
                    "bonuses": {"save": ""},
                }
                for ability, score in zip(ABILITIES, scores, strict=True)
            },
            "attributes": {
                "ac": {"flat": None, "calc": calc, "formula": ""},
                "hp": {
                    "value": hp,
                    "max": None,
                    "temp": None,
                    "tempmax": None,
                    "bonuses": {"level": hp_per_level, "overall": ""},
                },
                "movement": {"walk": None, "fly": None, "swim": None, "climb": None, "units": None},
                "senses": {"darkvision": None, "blindsight": None, "units": None, "special": ""},
                "spellcasting": caster[1] or "int",
                "death": {"success": 0, "failure": 0},
                "exhaustion": 0,
            },
            "details": {
                "race": "race000000000000",
                "background": "background000000",
                "originalClass": "class00000000000",
            },
            "traits": {"size": size, "dr": {"value": []}, "languages": {"value": ["common"]}},
            "currency": {"pp": 0, "gp": 10, "ep": 0, "sp": 0, "cp": 0},
            "skills": {skill: {"value": 1, "ability": "dex"} for skill in skills},
            "spells": {
                **{f"spell{n}": {"value": (slots or {}).get(n, 0), "override": None} for n in range(1, 10)},
                "pact": {"value": pact, "override": None},
            },
        },
        "prototypeToken": {"name": name, "texture": {"src": "https://example.org/token.png"}},
        "items": items,
        "effects": [],
        "flags": {},
        "_stats": {"systemId": "dnd5e", "systemVersion": version, "coreVersion": "13.344"},
    }


def _class(name: str, level: int, die: str, caster: tuple[str, str], gains: Mapping[str, Any], newer: bool) -> Json:
    dice = {"hd": {"denomination": die, "spent": 0}} if newer else {"hitDice": die, "hitDiceUsed": 0}
    hit_points = {"_id": "hp00000000000000", "type": "HitPoints", "configuration": {}, "value": dict(gains)}
    system = {
        "identifier": name.casefold(),
        "levels": level,
        **dice,
        "advancement": {hit_points["_id"]: hit_points} if newer else [hit_points],
        "spellcasting": {"progression": caster[0], "ability": caster[1]},
    }
    return {"_id": "class00000000000", "name": name, "type": "class", "system": system}


def _race(speed: int, darkvision: int) -> Json:
    return {
        "movement": {"walk": speed, "fly": None, "units": "ft"},
        "senses": {"darkvision": darkvision or None, "units": "ft"},
    }


def _spell(place: int, name: str, level: int, prepared: bool, newer: bool) -> Json:
    how = (
        {"method": "spell", "prepared": int(prepared)}
        if newer
        else {"preparation": {"mode": "prepared", "prepared": prepared}}
    )
    return {"_id": f"spell{place:011}", "name": name, "type": "spell", "system": {"level": level, **how}}


def _goods(place: int, goods: Goods) -> Json:
    plain = {"quantity": 1, "weight": {"value": 1, "units": "lb"}, "price": {"value": 2, "denomination": "gp"}}
    return {
        "_id": f"item{place:012}",
        "name": goods.name,
        "type": goods.kind,
        "system": {"description": {"value": "<p onclick=alert(1)>words</p>"}, **plain, **goods.figures},
        "effects": [],
    }


def effect(name: str, key: str, value: str) -> Json:
    """Return an active effect that adds to one value."""
    change = {"key": key, "mode": 2, "value": value, "priority": None}
    return {
        "_id": "effect0000000000",
        "name": name,
        "disabled": False,
        "transfer": True,
        "changes": [change],
        "statuses": [],
    }


def beyond(
    name: str,
    scores: Sequence[int],
    of_class: str,
    *,
    race: str = "Hill Dwarf",
    level: int = 1,
    base_hp: int = 8,
    modifiers: Mapping[str, Sequence[Json]] | None = None,
    inventory: Iterable[Json] = (),
    spells: Iterable[tuple[str, int, bool]] = (),
    die: int = 8,
    **more: Any,
) -> Json:
    """Return a character as the service of D&D Beyond gives it, with figures of these and words of our own."""
    data = {
        "id": 1,
        "readonlyUrl": "https://example.org/1",
        "decorations": {"avatarUrl": "https://example.org/a.png"},
        "name": name,
        "race": {"fullName": race, "baseName": race, "sizeId": 4, "weightSpeeds": {"normal": {"walk": 25, "fly": 0}}},
        "classes": [
            {
                "level": level,
                "isStartingClass": True,
                "hitDiceUsed": 0,
                "definition": {"name": of_class, "hitDice": die, "canCastSpells": False},
                "subclassDefinition": None,
                "classFeatures": [{"definition": {"name": "First Feature", "requiredLevel": 1}}],
            }
        ],
        "stats": [{"id": n, "name": None, "value": value} for n, value in enumerate(scores, 1)],
        "bonusStats": [{"id": n, "name": None, "value": None} for n in range(1, 7)],
        "overrideStats": [{"id": n, "name": None, "value": None} for n in range(1, 7)],
        "background": {"definition": {"name": "Acolyte"}},
        "baseHitPoints": base_hp,
        "bonusHitPoints": None,
        "overrideHitPoints": None,
        "removedHitPoints": 0,
        "temporaryHitPoints": 0,
        "currentXp": 0,
        "modifiers": {"race": [], "class": [], "background": [], "item": [], "feat": [], "condition": []}
        | dict(modifiers or {}),
        "inventory": list(inventory),
        "currencies": {"cp": 0, "sp": 0, "gp": 15, "ep": 0, "pp": 0},
        "spells": {"race": [], "class": [], "item": None, "feat": None},
        "classSpells": [
            {
                "characterClassId": 1,
                "spells": [
                    {"definition": {"name": n, "level": lv}, "prepared": p, "alwaysPrepared": False}
                    for n, lv, p in spells
                ],
            }
        ],
        "spellSlots": [{"level": n, "used": 0, "available": 0} for n in range(1, 10)],
        "pactMagic": [],
        "conditions": [],
        "deathSaves": {"failCount": None, "successCount": None, "isStabilized": False},
        "characterValues": [],
        "customItems": None,
        "feats": [],
    }
    return {"id": 0, "success": True, "message": "ok", "data": data | more}


def modifier(kind: str, subtype: str, value: int | None = None, **more: Any) -> Json:
    """Return a modifier of D&D Beyond."""
    return {"type": kind, "subType": subtype, "value": value, "fixedValue": value, "restriction": "", **more}


def beyond_item(name: str, *, equipped: bool = True, quantity: int = 1, **definition: Any) -> Json:
    """Return an entry of the inventory of a character of D&D Beyond."""
    own = {
        "id": 7,
        "name": name,
        "filterType": "Other Gear",
        "weight": 2,
        "cost": 5,
        "magic": False,
        "canAttune": False,
    }
    return {"id": 3, "equipped": equipped, "isAttuned": False, "quantity": quantity, "definition": own | definition}
