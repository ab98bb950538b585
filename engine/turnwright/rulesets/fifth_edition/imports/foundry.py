"""Actors of Foundry VTT's dnd5e system, versions 4 and 5, as characters.

The shape is that of "Export Data" on an actor. Source: docs/characters.md, "Foundry VTT".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnwright.model.creature import Condition
from turnwright.model.vocabulary import Ability, ConditionName, DamageType, words
from turnwright.rulesets.fifth_edition.imports.draft import (
    MAX_LEVEL,
    MAX_NAME,
    MAX_WORD,
    ClassLevels,
    Draft,
    finished,
    main_class,
    senses_of,
)
from turnwright.rulesets.fifth_edition.imports.fields import Fields, Node
from turnwright.rulesets.fifth_edition.imports.foundry_effects import take_effects
from turnwright.rulesets.fifth_edition.imports.foundry_items import take_item
from turnwright.rulesets.fifth_edition.imports.foundry_words import (
    CASTERS,
    COINS,
    ITEM_TYPES,
    SENSES,
    SIZES,
    SKILLS,
    UNARMORED,
    in_feet,
)
from turnwright.rulesets.fifth_edition.sheets import classes
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier
from turnwright.rulesets.imports import Imported, ImportFault, Target

FORMAT = "foundry"
SYSTEM = "dnd5e"
VERSIONS = (4, 5)
_VERSION = re.compile(r"([0-9]{1,4})(?:\.[0-9A-Za-z.+-]{1,40})?")
_ABILITIES = words(Ability)
_CONDITIONS = frozenset(words(ConditionName))
_DAMAGE = frozenset(words(DamageType))
_LEVEL = re.compile(r"@(?:details\.level|classes\.([a-z0-9-]{1,60})\.levels)")
_MAX_HP = 1_000_000
_MAX_FEET = 10_000
_MAX_COINS = 1_000_000
_DIE = re.compile(r"d?([0-9]{1,2})")


def is_actor(value: Any) -> bool:
    """Return whether JSON looks like an actor of Foundry VTT, of any system."""
    return isinstance(value, Mapping) and isinstance(value.get("system"), Mapping) and "type" in value


def read_actor(value: Any, target: Target) -> Imported:
    """Return the character of an actor.

    Raises:
        ImportFault: for another system, another version, an actor that is not a character, or an invalid value.
    """
    fields = Fields(value)
    root = fields.root
    version = _require_version(root)
    _require_character(root)
    draft = Draft(_require_name(root))
    items = root["items"].objects()
    _take_abilities(root["system.abilities"], draft)
    _take_classes(items, root["system.details.originalClass"].value, draft)
    _take_people(root["system"], items, draft)
    _take_hit_points(root["system.attributes"], draft)
    _take_armor_class(root["system.attributes.ac"], draft)
    _take_slots(root["system.spells"], draft)
    _take_body(root["system"], items, draft)
    _take_skills(root["system.skills"], draft)
    _take_spells(items, draft)
    _take_features(items, draft)
    _take_belongings(items, root["system.currency"], draft)
    take_effects(root, items, draft)
    _take_exhaustion(root["system.attributes.exhaustion"], draft)
    return finished(draft, fields, target, FORMAT, version)


# identity


def _require_version(root: Node) -> str:
    stamps = root["_stats"], root["_stats.exportSource"], root["flags.exportSource"]
    system = next((each for each in stamps if each["systemId"].is_said), stamps[0])["systemId"]
    if system.is_said and system.word != SYSTEM:
        raise system.fault(f"is an actor of another system; only {SYSTEM} is read")
    for stamp in stamps:
        found = stamp["systemVersion"]
        if not found.is_said:
            continue
        version = found.text(50) or ""
        match = _VERSION.fullmatch(version)
        if match is None:
            raise found.fault("wants a version such as 4.3.9")
        if int(match[1]) not in VERSIONS:
            raise found.fault(
                f"versions 4 and 5 of {SYSTEM} are read; open the world with one of these and export anew"
            )
        found.taken("(format)")
        system.taken("(format)")
        return version
    raise root["_stats.systemVersion"].fault("is not there: export the actor from a world of dnd5e 4 or 5")


def _require_character(root: Node) -> None:
    kind = root["type"]
    if kind.word != "character":
        raise kind.fault("only actors of the type character are read; monsters are content (turnwright content)")
    kind.taken("character_type")


def _require_name(root: Node) -> str:
    name = root["name"].text(MAX_NAME)
    if name is None:
        raise root["name"].fault("wants a name")
    root["name"].taken("name")
    return name


# abilities, classes, race


def _take_abilities(node: Node, draft: Draft) -> None:
    saves: list[str] = []
    for ability in _ABILITIES:
        score = node[ability]["value"]
        found = score.integer(1, 30)
        if found is None:
            raise score.fault("wants an ability score")
        draft.stats[ability] = found
        score.taken(f"sheet.stats.{ability}")
        proficient = node[ability]["proficient"]
        if proficient.number(2):
            saves.append(ability)
        proficient.taken("sheet.save_proficiencies")
    draft.put("save_proficiencies", saves)


def _take_classes(items: list[Node], original: Any, draft: Draft) -> None:
    found = [item for item in items if item["type"].word == "class"]
    if not found:
        raise ImportFault("$.items: has no class; a character needs one")
    found.sort(key=lambda item: item["_id"].word != original)  # its first level gives the whole die
    casters = _subclass_casters(items, draft)
    base, is_rolled = 0, False
    for place, item in enumerate(found):
        system = item["system"]
        name = _named(item, "sheet.class")
        levels = system["levels"].integer(1, MAX_LEVEL) or 1
        system["levels"].taken("sheet.level")
        die = _die(system)
        caster, ability = _casting(system["spellcasting"])
        identifier = (system["identifier"].word or name).casefold()
        if caster in (None, "none") and identifier in casters:
            caster, ability = casters[identifier]
        draft.levels.append(ClassLevels(name, levels, die, caster, ability, system["identifier"].word.casefold()))
        draft.spent_hit_dice += _spent_dice(system, levels)
        own = draft.levels[-1]
        gained, rolled = _gained(system["advancement"], levels, _sides(own), is_first=place == 0)
        base, is_rolled = base + gained, is_rolled or rolled
    if draft.level > MAX_LEVEL:
        raise ImportFault(f"$.items: all classes together have {draft.level} levels; {MAX_LEVEL} are the most")
    if is_rolled:
        draft.base_hp = base


def _sides(own: ClassLevels) -> int:
    return classes.hit_die(own.name, None if own.name.strip().lower() in classes.CLASSES else own.hit_die)


def _named(item: Node, into: str) -> str:
    name = item["name"].text(MAX_WORD)
    if name is None:
        raise item["name"].fault("wants a name")
    item["name"].taken(into)
    item["type"].taken(into)
    return name


def _die(system: Node) -> int | None:
    for node in (system["hd.denomination"], system["hitDice"]):
        text = node.text(10)
        if text is None:
            continue
        match = _DIE.fullmatch(text)
        if match is None or not 4 <= int(match[1]) <= 12:
            raise node.fault("wants a hit die from d4 to d12")
        node.derived("max_hp")
        return int(match[1])
    return None


def _spent_dice(system: Node, levels: int) -> int:
    for node in (system["hd.spent"], system["hitDiceUsed"]):
        spent = node.integer(0, levels)
        if spent is not None:
            node.taken("sheet.hit_dice")
            return spent
    return 0


def _casting(node: Node) -> tuple[Any, Any]:
    """Return the caster type for the slot table, and the ability; None for missing or unknown values."""
    progression, ability = node["progression"], node["ability"]
    caster = CASTERS.get(progression.word) if progression.is_said else None
    if caster is not None:
        progression.derived("sheet.spell_slots")
    elif progression.is_said:
        progression.dropped("a progression that the rules here do not have")
    known = ability.word if ability.word in _ABILITIES else None
    if known is not None:
        ability.derived("sheet.spellcasting_ability")
    return caster, known


def _subclass_casters(items: list[Node], draft: Draft) -> dict[str, tuple[Any, Any]]:
    """Return how subclasses cast, by the identifier of their class; their names are taken."""
    casters: dict[str, tuple[Any, Any]] = {}
    for item in items:
        if item["type"].word != "subclass":
            continue
        of_class = item["system.classIdentifier"]
        draft.subclasses.append((of_class.word.casefold(), _named(item, "sheet.subclass")))
        of_class.derived("sheet.subclass")
        caster, ability = _casting(item["system.spellcasting"])
        if caster not in (None, "none") and of_class.is_said:
            casters[of_class.word.casefold()] = caster, ability
    return casters


def _gained(node: Node, levels: int, die: int, *, is_first: bool) -> tuple[int, bool]:
    """Return the hit points from a class's hit dice, and whether any were rolled: the rest are maxima and averages."""
    gains = next((each["value"] for each in node.each() if each["type"].word == "HitPoints"), None)
    total, is_rolled = 0, False
    for level in range(1, levels + 1):
        gain = gains.at(str(level)) if gains is not None else None
        if gain is None or not gain.is_said or gain.word == "avg":
            total += die if is_first and level == 1 else classes.average_gain(die)
        elif gain.word == "max":
            total += die
            is_rolled = is_rolled or level > 1 or not is_first
        else:
            rolled = gain.integer(1, die)
            total += rolled or 0
            is_rolled = True
    if gains is not None:
        gains.derived("max_hp")
    return total, is_rolled


def _take_people(system: Node, items: list[Node], draft: Draft) -> None:
    """Take race and background: items of the actor, or in older files texts of its details."""
    for kind, most in (("race", MAX_WORD), ("background", MAX_NAME)):
        into = f"sheet.{kind}"
        item = next((each for each in items if each["type"].word == kind), None)
        told = system["details"][kind]
        if item is not None:
            draft.put(kind, _named(item, into))
            if told.word and told.word == item["_id"].word:
                told.derived(into)
        elif 0 < len(told.word.strip()) <= most:
            draft.put(kind, told.word.strip())
            told.taken(into)


# hit points and armor class


def _take_hit_points(attributes: Node, draft: Draft) -> None:
    hp = attributes["hp"]
    for node, name, most in (
        (hp["value"], "hp", _MAX_HP),
        (hp["max"], "max_hp", _MAX_HP),
        (attributes["death.success"], "death_successes", 3),
        (attributes["death.failure"], "death_failures", 3),
    ):
        found = node.integer(1 if name == "max_hp" else -_MAX_HP if name == "hp" else 0, most)
        if found is not None:
            setattr(draft, name, max(0, found) if name == "hp" else found)
            node.taken(name if name.endswith("hp") else "death_saves")
    temp = hp["temp"].integer(0, _MAX_HP)
    if temp is not None:
        draft.temp_hp = temp
        hp["temp"].taken("temp_hp")
    for node, name in ((hp["bonuses.level"], "hp_per_level"), (hp["bonuses.overall"], "hp_bonus")):
        if not node.is_said:
            continue
        bonus = _formula(str(node.value), draft)
        if bonus is None:
            node.dropped("a formula, which is not worked out")
        else:
            setattr(draft, name, bonus)
            node.derived("max_hp")


def _formula(text: str, draft: Draft) -> int | None:
    """Return the value of a sum of numbers and levels, as `@classes.sorcerer.levels + 1`; None for other formulas."""
    total = 0
    for part in text.replace("-", "+-").split("+"):
        word = part.strip()
        level = _LEVEL.fullmatch(word)
        if level is not None:
            of_class = level[1]
            known = [each.level for each in draft.levels if of_class in (None, each.name.casefold().replace(" ", "-"))]
            total += sum(known)
        elif re.fullmatch(r"-?[0-9]{1,4}", word):
            total += int(word)
        elif word:
            return None
    return total


def _take_armor_class(node: Node, draft: Draft) -> None:
    calc, flat = node["calc"], node["flat"]
    how = calc.text(50) or "default"
    fixed = flat.integer(0, 100) if how in ("flat", "natural", "custom") else None
    if how in UNARMORED:
        base, abilities = UNARMORED[how]
        draft.base_ac = base + sum(ability_modifier(draft.stats[ability]) for ability in abilities)
        calc.derived("sheet.ac", f"{base} + {' + '.join(each.upper() for each in abilities)}")
    elif how in ("flat", "natural") and fixed is not None:
        draft.base_ac = fixed
        draft.ac = fixed if how == "flat" else None
        calc.taken("sheet.ac")
        flat.taken("sheet.ac")
    elif how != "default":
        calc.dropped("a way of reckoning that the rules here do not have")
    else:
        calc.derived("ac")


# body, skills


def _take_body(system: Node, items: list[Node], draft: Draft) -> None:
    race = next((each["system"] for each in items if each["type"].word == "race"), None)
    traits, attributes = system["traits"], system["attributes"]
    for word, name in (("walk", "speed"), ("fly", "fly_speed"), ("swim", "swim_speed"), ("climb", "climb_speed")):
        feet = _feet(attributes["movement"], race["movement"] if race is not None else None, word, f"sheet.{name}")
        if feet is not None and (feet or word == "walk"):
            draft.put(name, feet)
    senses = {
        word: _feet(
            _ranges(attributes["senses"]), _ranges(race["senses"]) if race is not None else None, word, "sheet.senses"
        )
        or 0
        for word in SENSES
    }
    draft.put("senses", senses_of(senses))
    size = traits["size"]
    if size.word in SIZES:
        draft.put("size", SIZES[size.word])
        size.taken("sheet.size")
    for word, name in (("dr", "resistances"), ("di", "immunities"), ("dv", "vulnerabilities")):
        draft.put(name, _known(traits[word]["value"], _DAMAGE, f"sheet.{name}"))
    draft.put("languages", _languages(traits["languages.value"]))
    draft.put("condition_immunities", _known(traits["ci.value"], _CONDITIONS, "sheet.condition_immunities"))
    casting = attributes["spellcasting"]
    main = main_class(draft.levels)
    has_slots = bool(draft.max_slots) or any(each.casts != "none" for each in draft.levels)
    if has_slots and casting.word in _ABILITIES:
        if casting.word != classes.spellcasting_ability(main.name, main.ability):
            draft.put("spellcasting_ability", casting.word)
        casting.taken("sheet.spellcasting_ability")


def _ranges(senses: Node) -> Node:
    """Return the node with the ranges of senses: since 5.2 in an object of their own."""
    return senses["ranges"] if isinstance(senses["ranges"].value, Mapping) else senses


def _feet(own: Node, race: Node | None, word: str, into: str) -> int | None:
    """Return a distance of the actor, or of its race if the actor has none."""
    for node in (own, race):
        if node is None or not node[word].is_said:
            continue
        feet = in_feet(node[word].number(_MAX_FEET) or 0, node["units"].word)
        if feet is None or feet > _MAX_FEET:
            node[word].dropped("in units that are not known")
            continue
        if node["units"].word in ("", "ft"):
            node[word].taken(into)
        else:
            node[word].derived(into, "in feet")
        return feet
    return None


def _known(node: Node, known: frozenset[str], into: str) -> list[str]:
    found = []
    for each in node.each():
        if each.word in known:
            found.append(each.word)
            each.taken(into)
    return list(dict.fromkeys(found))


def _languages(node: Node) -> list[str]:
    found = []
    for each in node.each():
        name = each.text(MAX_WORD)
        if name is not None:
            found.append(name)
            each.taken("sheet.languages")
    return list(dict.fromkeys(found))


def _take_skills(node: Node, draft: Draft) -> None:
    proficient: list[str] = []
    expert: list[str] = []
    for word, skill in SKILLS.items():
        value = node[word]["value"]
        degree = value.number(2) or 0
        if degree >= 1:
            proficient.append(skill)
        if degree == 2:
            expert.append(skill)
        if degree in (0, 1, 2):
            value.taken("sheet.skill_expertise" if degree == 2 else "sheet.skill_proficiencies")
        else:
            value.dropped("half of a proficiency, which the rules here do not have")
    draft.put("skill_proficiencies", proficient)
    draft.put("skill_expertise", expert)


# magic


def _take_slots(node: Node, draft: Draft) -> None:
    for level in map(str, range(1, 10)):
        value, override = node[f"spell{level}"]["value"], node[f"spell{level}"]["override"]
        most = override.integer(0, 99)
        if most is not None:
            draft.max_slots[level] = most
            override.taken(f"sheet.spell_slots.{level}")
        left = value.integer(0, 99)
        if left is not None:
            draft.slots[level] = left
            value.taken(f"sheet.spell_slots.{level}")
    left = node["pact.value"].integer(0, 99)
    if left is not None:
        draft.pact = left
        node["pact.value"].taken("sheet.pact_slots")


def _take_spells(items: list[Node], draft: Draft) -> None:
    cantrips: list[str] = []
    known: list[str] = []
    prepared: list[str] = []
    for item in items:
        if item["type"].word != "spell":
            continue
        level = item["system.level"].integer(0, 9)
        name = _named(item, "sheet.cantrips" if level == 0 else "sheet.known_spells")
        item["system.level"].taken("sheet.known_spells")
        (cantrips if level == 0 else known).append(name)
        if level and _is_prepared(item["system"]):
            prepared.append(name)
    draft.put("cantrips", list(dict.fromkeys(cantrips)))
    draft.put("known_spells", list(dict.fromkeys(known)))
    draft.put("prepared_spells", list(dict.fromkeys(prepared)))


def _is_prepared(system: Node) -> bool:
    """Return whether a spell is prepared: version 4 says so in an object, 5.1 and later by a number."""
    old, new = system["preparation.prepared"], system["prepared"]
    if old.is_said:
        old.taken("sheet.prepared_spells")
    if new.is_said:
        new.taken("sheet.prepared_spells")
    always = system["preparation.mode"]
    if always.word == "always":
        always.taken("sheet.prepared_spells")
    return (
        old.flag() or bool(new.number(2) if not isinstance(new.value, bool) else new.value) or always.word == "always"
    )


# features and belongings


def _take_features(items: list[Node], draft: Draft) -> None:
    for item in items:
        if item["type"].word == "feat":
            draft.features.append(_named(item, "sheet.features"))


def _take_belongings(items: list[Node], currency: Node, draft: Draft) -> None:
    containers = {
        item["_id"].word: item["name"].text(MAX_NAME)
        for item in items
        if item["type"].word in ("container", "backpack")
    }
    for item in items:
        if item["type"].word in ITEM_TYPES:
            take_item(item, containers, draft)
    for coin, name in COINS.items():
        count = currency[coin].integer(0, _MAX_COINS)
        if count is not None:
            currency[coin].taken("inventory")
        if count:
            draft.items.append({"name": name, "type": "currency", "quantity": count})


def _take_exhaustion(node: Node, draft: Draft) -> None:
    level = node.integer(0, 6)
    if level is not None:
        node.taken("conditions")
    if level and not any(each.condition == "exhaustion" for each in draft.conditions):
        draft.conditions.append(Condition(condition="exhaustion", exhaustion_level=level))
