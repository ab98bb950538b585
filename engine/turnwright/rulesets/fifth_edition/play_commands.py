"""Commands of play for the fifth edition: fights, checks and dice, rest, belongings, people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import cast, get_args

from turnwright.model.base import name_tag
from turnwright.model.coin import denomination
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.model.note import Note
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import AbilityWord, ConditionWord, SkillWord
from turnwright.rulesets.fifth_edition.battlefield import show_square
from turnwright.rulesets.fifth_edition.fights.monster_words import monsters_in
from turnwright.rulesets.fifth_edition.fights.running import FIGHT_TAG, fight_now, find_body, is_standing
from turnwright.rulesets.fifth_edition.sheets.classes import CLASSES, improvements
from turnwright.rulesets.fifth_edition.sheets.multiclass import level_in
from turnwright.rulesets.play_commands import (
    Options,
    PlayCommand,
    PlayMoment,
    Slot,
    Values,
    people,
    read_square,
    someone,
    words,
)

_ABILITIES = {
    "strength": "str",
    "dexterity": "dex",
    "constitution": "con",
    "intelligence": "int",
    "wisdom": "wis",
    "charisma": "cha",
}
_SKILLS: tuple[str, ...] = get_args(SkillWord)
_AGAINST = ("dc", "against")
_AMOUNT = re.compile(r"(?P<count>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})\s*(?:x\s+)?(?P<name>[^\W\d_].*)")
"""An amount before a thing, as in `3 torches`, `1,000 gp` and `20gp`."""
_TARGETLESS = ("dash", "disengage", "dodge", "hide", "grapple", "shove", "help")


def _fight(moment: PlayMoment) -> Encounter | None:
    return fight_now(moment.world, moment.acting_id)


def _no_fight(moment: PlayMoment) -> str | None:
    """Return how to begin a fight when none is running, naming the monsters that the notes have ready."""
    if _fight(moment) is not None:
        return None
    ready = [*ready_fights(moment.world)]
    return f"nobody fights now; /encounter {ready[-1] if ready else 'MONSTERS'} begins a fight"


def ready_fights(world: World) -> Iterator[str]:
    """Yield the monsters that notes have ready for a fight, each with how many."""
    for note in world.all(Note):
        if FIGHT_TAG in note.tags:
            yield from (tag.casefold() for tag in note.tags if tag != FIGHT_TAG)


def _ready(moment: PlayMoment, _: Values) -> Options:
    return {monsters: monsters for monsters in ready_fights(moment.world)}


def _casts_nothing(moment: PlayMoment) -> str | None:
    """Return why `/cast` cannot be used on the turn of a monster: `cast_spell` takes characters."""
    fight = _fight(moment)
    if fight is None or fight.current.character_id is not None:
        return None
    return f"it is the turn of {fight.current.name}, who casts nothing by name; /attack and /next are for monsters, too"


def _fighters(moment: PlayMoment, _: Values) -> Options:
    """Return the living combatants, enemies of the current one first."""
    fight = _fight(moment)
    if fight is None:
        return {}
    side = fight.current.is_enemy
    bodies = [(one, find_body(moment.world, one)) for one in fight.participants if one.id != fight.current.id]
    friends = [one for one, body in bodies if one.is_enemy == side and (body is None or not body.is_dead)]
    enemies = [(one, body) for one, body in bodies if one.is_enemy != side and (body is None or not body.is_dead)]
    # A fallen enemy is a target only if no other enemy is on its feet.
    standing = [(one, body) for one, body in enemies if body is None or is_standing(body)]
    return {one.name: one.id for one in [*(one for one, _ in standing or enemies), *friends]}


def _targets(moment: PlayMoment, values: Values) -> Options:
    """Return the possible targets of a spell: in a fight its participants, including the caster, else those present."""
    fight = _fight(moment)
    if fight is None:
        return people(moment, values)
    return {**_fighters(moment, values), fight.current.name: fight.current.id}


def _own_turn(moment: PlayMoment, text: str) -> str | None:
    """Return a hint when the current combatant is named as its own target."""
    fight = _fight(moment)
    if fight is None or name_tag(text) not in (name_tag(fight.current.name), name_tag(fight.current.id)):
        return None
    return f"it is the turn of {fight.current.name}; /next ends it"


def _act(moment: PlayMoment, values: JsonObject) -> JsonObject:
    fight = _fight(moment)
    if fight is None:
        return values
    return {"encounter_id": fight.id, "actor_id": fight.current.id, **values}


def _attack(moment: PlayMoment, values: Values) -> JsonObject:
    """Return an attack, after a move to the target if it is out of reach and within the movement."""
    from turnwright.rulesets.fifth_edition.space.approach import square_to_strike_from

    fight = _fight(moment)
    target = fight.meant(str(values.get("target_id"))) if fight is not None else None
    square = square_to_strike_from(moment.world, fight, fight.current, target) if fight and target else None
    walk = {} if square is None else {"move_to": show_square(square)}
    return _act(moment, {"action_type": "attack", **values, **walk})


def _cast(moment: PlayMoment, values: Values) -> JsonObject:
    """Return the arguments of a spell; a warlock has the slots of the pact and no others."""
    fight = _fight(moment)
    rest: dict[str, JsonValue] = {key: value for key, value in values.items() if key not in ("square", "ritual")}
    if (square := read_square(str(values.get("square", "")))) is not None:
        rest["target_position"] = square
    caster = moment.world.character(moment.acting_id) if moment.acting_id else None
    sheet = caster.sheet if caster is not None else None
    if sheet is not None and sheet.pact_slots is not None and not any(pool.max for pool in sheet.spell_slots.values()):
        rest["pact_magic"] = True
    if "ritual" in values:
        rest["ritual"] = True
    return {"caster_id": fight.current.id if fight is not None else moment.acting_id, **rest}


def _is_no_square(_: PlayMoment, values: Values) -> str | None:
    """Return why words name no square of the grid."""
    if "square" not in values or read_square(str(values["square"])) is not None:
        return None
    return f"which square is {str(values['square'])[:40]!r}? Such as /cast fireball square 7,3"


def _step(moment: PlayMoment, values: Values) -> JsonObject:
    return _act(moment, {"move_to": {"x": values.get("x", 0), "y": values.get("y", 0)}})


def _of_the_fight(moment: PlayMoment, values: Values) -> JsonObject:
    fight = _fight(moment)
    return values if fight is None else {"encounter_id": fight.id, **values}


def _begin(_: PlayMoment, values: Values) -> JsonObject:
    """Return a fight of the party members with the acting character; the engine looks them up."""
    return {"monsters": [cast("JsonObject", each) for each in monsters_in(str(values["monster"]))]}


def _is_no_monster(_: PlayMoment, values: Values) -> str | None:
    """Return why words name no monsters."""
    try:
        found = monsters_in(str(values.get("monster", "")))
        several = next((each["monster"] for each in found if "count" not in each and _is_plural(each["monster"])), None)
        if several is not None:
            return f"how many {several}? Such as /encounter 3 {several}"
        return None if found else "which monsters? Such as /encounter two wolves"
    except ValueError as error:
        return f"{error}; such as /encounter two wolves and an ogre"


def _is_plural(name: str) -> bool:
    """Return whether a name of monsters seems to mean several: goblins and wolves, but no octopus and no swarm."""
    last = name.casefold().split()[-1]
    return last.endswith("s") and not last.endswith(("ss", "us")) and "swarm" not in name.casefold()


def _against(moment: PlayMoment, values: Values) -> JsonObject:
    foe = moment.world.character(str(values.get("character_id")))
    there = foe.position if foe is not None else None
    party = [each for each in moment.world.party() if not each.is_dead and (each.position == there or there is None)]
    fighting: list[JsonObject] = [{"character_id": each.id} for each in party if foe is None or each.id != foe.id]
    if foe is not None:
        fighting.append({"character_id": foe.id, "is_enemy": True})
    return {"participants": fighting}


def _is_of_party(moment: PlayMoment, values: Values) -> str | None:
    """Return why a party member cannot be fought."""
    person = moment.world.character(str(values.get("character_id")))
    if person is None or person.id not in moment.world.campaign.selected.party_character_ids:
        return None
    return f"{person.label} is in the party; /against begins a fight with somebody else who is here"


def _spells(moment: PlayMoment, _: Values) -> Options:
    person = moment.world.character(moment.acting_id or "")
    sheet = person.sheet if person is not None else None
    if sheet is None:
        return {}
    known = (*sheet.cantrips, *sheet.prepared_spells, *sheet.known_spells)
    return {spell: spell for spell in dict.fromkeys(known)}


def _checks(*_: object) -> Options:
    return {**{skill.replace("_", " "): skill for skill in _SKILLS}, **_ABILITIES}


def _abilities(*_: object) -> Options:
    return _ABILITIES


def _check(moment: PlayMoment, values: Values) -> JsonObject:
    rest, what = dict(values), str(values.get("check", ""))
    rest.pop("check", None)
    is_skill = what not in get_args(AbilityWord)
    kind = {"check_type": "skill", "skill": what} if is_skill else {"check_type": "ability", "ability": what}
    return {"character_id": moment.acting_id, **kind, **rest}


def _save(moment: PlayMoment, values: Values) -> JsonObject:
    return {"character_id": moment.acting_id, "check_type": "save", **values}


def _rest(moment: PlayMoment, values: Values) -> JsonObject:
    party = [member.id for member in moment.world.party() if not member.is_dead]
    return {"batch": [{"character_id": member, **values} for member in party]} if party else values


def _things(moment: PlayMoment, _: Values) -> Options:
    person = moment.world.character(moment.acting_id or "")
    return {item.name: item.name for item in person.inventory} if person is not None else {}


def _weapons(moment: PlayMoment, _: Values) -> Options:
    """Return the weapons of the creature whose turn it is."""
    fight = _fight(moment)
    body = find_body(moment.world, fight.current) if fight is not None else None
    return {item.name: item.name for item in body.inventory if item.type == "weapon"} if body is not None else {}


def _belongings(operation: str) -> Callable[[PlayMoment, Values], JsonObject]:
    return lambda moment, values: {"operation": operation, "character_id": moment.acting_id, **values}


def _gain(moment: PlayMoment, values: Values) -> JsonObject:
    """Return the items that a character gains: `3 torches` and `20 gp` state the number."""
    given = {"character_id": moment.acting_id, **values}
    counted = _AMOUNT.fullmatch(str(values["item_name"]))
    if counted is not None and "quantity" not in values:
        given |= {"item_name": counted["name"], "quantity": int(counted["count"].replace(",", ""))}
    name, quantity = given.pop("item_name"), given.pop("quantity", 1)
    coin = denomination(str(name))
    if coin is None:
        return {"operation": "give", **given, "item_name": name, **({"quantity": quantity} if quantity != 1 else {})}
    pieces = {"name": f"{coin.capitalize()} Pieces", "type": "currency", "quantity": quantity}
    return {"operation": "give", **given, "item": pieces}


def _is_no_thing(_: PlayMoment, values: Values) -> str | None:
    """Return why words are not an item to gain: they are a number, or begin with an odd one."""
    text = str(values.get("item_name", ""))
    first = text.split()[0] if text.split() else ""
    if _AMOUNT.fullmatch(text) is None and first[:1] in tuple("+-0123456789") and not any(map(str.isalpha, first)):
        return f"how many of which thing is {text[:40]!r}? Such as /gain 3 torches, or /gain 20 gp"
    return None


def _condition(operation: str) -> Callable[[PlayMoment, Values], JsonObject]:
    def build(moment: PlayMoment, values: Values) -> JsonObject:
        fights = moment.world.all_tagged(Encounter, RUNNING_TAG)
        return {"operation": operation, **values, **({"encounter_id": fights[0].id} if len(fights) == 1 else {})}

    return build


def _people(moment: PlayMoment, values: Values) -> Options:
    """Return who may get a condition: in a fight its participants, else those present."""
    fight = _fight(moment)
    return people(moment, values) if fight is None else {one.name: one.id for one in fight.participants}


def _npc(moment: PlayMoment, values: Values) -> JsonObject:
    """Return a character of the game master's, where the acting one is: `Lena, innkeeper` has a background."""
    name, _, calling = str(values.get("name", "")).partition(",")
    told: dict[str, JsonValue] = {**values, "character_type": "npc", "name": name.strip()}
    if calling.strip():
        told["background"] = calling.strip()
    acting = moment.world.character(moment.acting_id) if moment.acting_id else None
    if acting is not None and acting.position is not None:
        told["location_id"] = acting.position
    return told


_NO_RISE = "nothing"


def _classes(*_: object) -> Options:
    return {name: name.title() for name in CLASSES}


def _risings(*_: object) -> Options:
    return {**_ABILITIES, _NO_RISE: _NO_RISE}


def _level(_: PlayMoment, values: Values) -> JsonObject:
    given = values.get("ability_increase")
    chosen = [each for each in given if each != _NO_RISE] if isinstance(given, list) else []
    chosen = chosen * 2 if len(chosen) == 1 else chosen
    rest = {key: value for key, value in values.items() if key != "ability_increase"}
    return {**rest, **({"ability_increase": chosen} if chosen else {})}


def _experience(moment: PlayMoment, values: Values) -> JsonObject:
    gains = {"experience": f"{values['points']:+d}"}
    if "character_id" in values:
        return {"character_id": values["character_id"], **gains}
    return {"batch": [{"character_id": one.id, **gains} for one in moment.world.party() if not one.is_dead]}


def _unchosen(moment: PlayMoment, values: Values) -> str | None:
    """Return the missing choice: a level that raises scores does so now, and not later."""
    person = moment.world.character(str(values.get("character_id", "")))
    if person is None or person.sheet is None or "ability_increase" in values:
        return None
    sheet = person.sheet
    of_class = str(values.get("class", sheet.class_))
    before = level_in(sheet, of_class)
    if not improvements(of_class, before, before + 1):
        return None
    return (
        f"level {before + 1} of {of_class} raises one ability by 2 or two by 1: /levelup {person.label} dex, "
        f"/levelup {person.label} str and con, or /levelup {person.label} {_NO_RISE}"
    )


_TARGET = Slot("target_id", "WHOM", "whom", _fighters, why_not=_own_turn)
_WEAPON = Slot("weapon", "WEAPON", "with which weapon", _weapons, after=("with",), is_optional=True, is_open=True)
_THING = Slot("item_name", "THING", "which thing", _things)
_THINGS = _THING._replace(label="[COUNT] THING", counts="quantity")
_QUANTITY = Slot("quantity", "COUNT", "how many", kind="number", is_optional=True)
_CONDITION = Slot("condition", "CONDITION", "which condition", words(*get_args(ConditionWord)))

COMMANDS = {
    "encounter": PlayCommand(
        "create_encounter",
        "fight",
        "monsters by name begin a fight with the party",
        (Slot("monster", "MONSTERS", "which monsters", _ready, is_open=True),),
        _begin,
        objection=_is_no_monster,
    ),
    "against": PlayCommand(
        "create_encounter",
        "fight",
        "somebody who is here begins a fight",
        (someone("against whom"),),
        _against,
        objection=_is_of_party,
    ),
    "attack": PlayCommand(
        "execute_action", "fight", "whose turn it is attacks", (_TARGET, _WEAPON), _attack, _no_fight
    ),
    "cast": PlayCommand(
        "cast_spell",
        "fight",
        "whose turn it is casts a spell, outside of fights the acting character",
        (
            Slot("spell", "SPELL", "which spell", _spells, is_open=True),
            Slot("target_ids", "WHOM", "at whom", _targets, after=("at", "on"), is_optional=True, is_list=True),
            Slot("square", "X,Y", "which square", kind="text", after=("square",), is_optional=True),
            Slot("slot", "N", "by a slot of which level", kind="number", after=("level",), is_optional=True),
            Slot("ritual", "ritual", "as a ritual", words("ritual"), after=("as",), is_optional=True),
        ),
        _cast,
        _casts_nothing,
        _is_no_square,
    ),
    "act": PlayCommand(
        "execute_action",
        "fight",
        f"another action: {', '.join(_TARGETLESS)}",
        (
            Slot("action_type", "ACTION", "which action", words(*_TARGETLESS)),
            Slot("target_id", "WHOM", "whom", _fighters, is_optional=True),
        ),
        _act,
        _no_fight,
    ),
    "step": PlayCommand(
        "execute_action",
        "fight",
        "whose turn it is goes to a square, counted from 0",
        (
            Slot("x", "X", "how many squares from the left", kind="number"),
            Slot("y", "Y", "and from the top", kind="number"),
        ),
        _step,
        _no_fight,
    ),
    "next": PlayCommand("advance_turn", "fight", "the turn is over; the next one begins", (), _of_the_fight, _no_fight),
    "deathsave": PlayCommand("roll_death_save", "fight", "a death saving throw", (someone(),)),
    "endfight": PlayCommand(
        "end_encounter",
        "fight",
        "the fight is over",
        (
            Slot("outcome", "OUTCOME", "how did it end", words("victory", "defeat", "fled", "negotiated", "other")),
            Slot(
                "award_xp",
                "defeated|all",
                "XP of which foes",
                words("defeated", "all"),
                after=("xp",),
                is_optional=True,
            ),
        ),
        _of_the_fight,
        _no_fight,
    ),
    "check": PlayCommand(
        "roll_check",
        "dice",
        "a check of a skill or an ability, against a difficulty",
        (
            Slot("check", "SKILL", "which skill or ability", _checks),
            Slot("dc", "DC", "against which difficulty", kind="number", may_follow=_AGAINST, is_optional=True),
        ),
        _check,
    ),
    "save": PlayCommand(
        "roll_check",
        "dice",
        "a saving throw",
        (
            Slot("ability", "ABILITY", "with which ability", _abilities),
            Slot("dc", "DC", "against which difficulty", kind="number", may_follow=_AGAINST, is_optional=True),
        ),
        _save,
    ),
    "roll": PlayCommand(
        "roll_dice",
        "dice",
        "any other dice, such as 2d6+1",
        (
            Slot("expression", "DICE", "which dice, such as 2d6+1", kind="text"),
            Slot("reason", "REASON", "for what", kind="words", after=("for",), is_optional=True),
        ),
    ),
    "rest": PlayCommand(
        "take_rest",
        "people",
        "the party rests",
        (
            Slot("rest_type", "short|long", "how long", words("short", "long")),
            Slot(
                "hit_dice_to_spend", "HIT DICE", "hit dice each", kind="number", may_follow=("with",), is_optional=True
            ),
        ),
        _rest,
    ),
    "give": PlayCommand(
        "manage_inventory",
        "belongings",
        "the acting character hands a thing over",
        (_THINGS, someone("to whom", "to_character_id", after=("to",))),
        _belongings("transfer"),
    ),
    "gain": PlayCommand(
        "manage_inventory",
        "belongings",
        "the acting character comes by a thing",
        (
            Slot("item_name", "THING", "which thing", kind="text"),
            _QUANTITY,
            someone("who", after=("to",), is_optional=True),
        ),
        _gain,
        objection=_is_no_thing,
    ),
    "drop": PlayCommand("manage_inventory", "belongings", "a thing is gone", (_THINGS, _QUANTITY), _belongings("take")),
    "use": PlayCommand(
        "manage_inventory",
        "belongings",
        "the acting character uses a thing up",
        (_THING, someone("on whom", "target_id", after=("on",), is_optional=True)),
        _belongings("use"),
    ),
    "equip": PlayCommand(
        "manage_inventory",
        "belongings",
        "the acting character puts on or wields a thing",
        (_THING,),
        _belongings("equip"),
    ),
    "unequip": PlayCommand(
        "manage_inventory", "belongings", "the acting character puts a thing away", (_THING,), _belongings("unequip")
    ),
    "npc": PlayCommand(
        "create_character",
        "people",
        "a new character of the game master's",
        (
            Slot("name", "NAME", "what is it called", kind="text"),
            Slot("class", "CLASS", "of which class", kind="text", after=("as",), is_optional=True),
            Slot("level", "LEVEL", "of which level", kind="number", is_optional=True),
        ),
        _npc,
    ),
    "condition": PlayCommand(
        "manage_condition",
        "people",
        "somebody gets a condition, such as prone",
        (Slot("target_id", "WHO", "who", _people), _CONDITION),
        _condition("add"),
    ),
    "cure": PlayCommand(
        "manage_condition",
        "people",
        "somebody loses a condition",
        (Slot("target_id", "WHO", "who", _people), _CONDITION),
        _condition("remove"),
    ),
    "xp": PlayCommand(
        "update_character",
        "people",
        "a character of the party gains experience points, or each of them",
        (
            Slot("points", "POINTS", "how many points", kind="number"),
            Slot("character_id", "WHO", "who", people, after=("for",), is_optional=True),
        ),
        _experience,
    ),
    "levelup": PlayCommand(
        "level_up",
        "people",
        "a character gains a level, and what the player chooses for it",
        (
            someone(),
            Slot("class", "CLASS", "in which class", _classes, after=("as",), is_optional=True),
            Slot("ability_increase", "ABILITIES", "which abilities rise", _risings, is_list=True, is_optional=True),
        ),
        _level,
        objection=_unchosen,
    ),
}
