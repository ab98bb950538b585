"""Joining a fight: read a participant from a call, and make a combatant from it.

A participant is linked to a character, whose values stay its own, or is made up for the fight alone.
Source: docs/toolkit.md, "Fights".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from turnwright.model.base import name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Stats
from turnwright.model.encounter import NO_OVERRIDES, Overrides, Remembered, Strike, TrueShape
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import CharacterType, Size
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason, together
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.fights._participant_args import JoiningArgs
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.targets import fight_of
from turnwright.rulesets.tool import Context

_DEFAULT_AC = 10
_DEFAULT_STRIKE: dict[str, Any] = {"attack_bonus": 0, "damage": "1d6+2", "damage_type": "slashing", "reach": 5}
_MANUAL = ("id", "name", "hp", "max_hp", "position")
"""Fields required for a participant without a character."""
_THE_CHARACTERS_OWN = (
    "hp",
    "max_hp",
    "character_type",
    "resistances",
    "immunities",
    "vulnerabilities",
    "halved_weapons",
    "harmless_weapons",
    "condition_immunities",
    "stats",
    "save_bonuses",
    "senses",
)
"""Fields not allowed for a linked participant: the character has them."""


class Entrant(NamedTuple):
    """A participant about to join.

    Attributes:
        args: the arguments of the call.
        character: the linked character, or the body made for the fight.
        is_linked: whether it is a linked character.
        position_field: where the call says, or would say, the square.
        stat_block: the id of the entry that a monster is made from.
        true_shape: its own shape, where it comes in another one.
    """

    args: JoiningArgs
    id: str
    character: Character
    is_linked: bool
    position_field: str = ""
    stat_block: str | None = None
    true_shape: TrueShape | None = None

    @property
    def overrides(self) -> Overrides:
        """Values for this fight that replace the sheet's."""
        if not self.is_linked:
            return NO_OVERRIDES
        given = {"ac": self.args.ac, "speed": self.args.speed, "size": self.args.size}
        return Overrides.model_validate({name: value for name, value in given.items() if value is not None})

    @property
    def strike(self) -> Strike:
        """Its usual attack; of a character, no more than the call says."""
        given = {name: getattr(self.args, name) for name in _DEFAULT_STRIKE}
        given = {name: value for name, value in given.items() if value is not None}
        given |= {"weapon_is": self.args.weapon_is} if self.args.weapon_is else {}
        has_own = self.is_linked or self.stat_block is not None  # and no other attack is made up for it
        usual = {} if has_own else _DEFAULT_STRIKE
        return Strike.model_validate({**usual, **given, "attacks": self.args.attacks})

    @property
    def save_bonuses(self) -> dict[str, int]:
        """Its own save modifiers."""
        bonuses = self.args.save_bonuses
        return {} if bonuses is None else {name: n for name, n in bonuses if n is not None}

    @property
    def is_enemy(self) -> bool:
        """Which side it is on."""
        if self.args.is_enemy is not None:
            return self.args.is_enemy
        return self.character.character_type == "enemy"

    @property
    def initiative_bonus(self) -> int:
        """Its initiative bonus."""
        if self.args.initiative_bonus is not None:
            return self.args.initiative_bonus
        return effective(self.character).modifier("dex") if self.is_linked else 0

    @property
    def size(self) -> Size:
        """How much room it takes."""
        return effective(self.character, self.overrides).size

    def remembered(self) -> Remembered:
        """Return what it had on joining."""
        character = self.character
        sheet = character.sheet
        pact = sheet.pact_slots if sheet else None
        return Remembered(
            hp=character.hp or 0,
            temp_hp=character.temp_hp,
            death_saves=character.death_saves,
            conditions=character.conditions,
            character_state=character.character_state,
            spell_slots=sheet.spell_slots if sheet else {},
            pact_slots=pact.current if pact else None,
        )


def entrants(world: World, joining: Sequence[JoiningArgs], ctx: Context) -> list[Entrant]:
    """Return the new participants, in the order of the call.

    Raises:
        CallFailed: `invalid_args` for missing or disallowed fields, `not_found` and `ambiguous` for characters,
            `rule_violation` for one without a sheet, `conflict` for one that fights already or an id given twice.
    """
    found: list[Entrant] = []
    faults: list[CallFailed] = []
    for index, args in enumerate(joining):
        where = f"args.participants.{index}"
        try:
            if _is_linked(args):
                entrant = _linked(world, args, where, found)
            else:
                _require_stranger(world, args, where, joining)
                entrant = _made_up(args, where, ctx)
            _require_new_id(entrant, found, where)
            entrant = entrant._replace(position_field=f"{where}.position")
        except CallFailed as fault:
            faults.append(fault)
        else:
            found.append(entrant)
    if faults:
        raise together(faults)
    return found


def _is_linked(args: JoiningArgs) -> bool:
    return args.character_id is not None or args.character_name is not None


def _linked(world: World, args: JoiningArgs, where: str, others: Sequence[Entrant]) -> Entrant:
    place = where.removeprefix("args.")
    character = require_character(world, args.character_id, args.character_name, f"{place}.character")
    for name in _THE_CHARACTERS_OWN:
        if name in args.model_fields_set and getattr(args, name) not in (None, ()):
            detail = f"{where}.{name}: is the character's own; change {character.id} itself"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"{where}.{name}"))
    if args.name is not None and name_tag(args.name) != name_tag(character.label):
        detail = f"{where}.name: {character.id} is called {character.label}"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(f"{where}.name", args.name, [character.label]))
    field, got = f"{where}.character_id", args.character_id
    if got is None:
        field, got = f"{where}.character_name", args.character_name
    if character.max_hp is None:
        # No other ids are offered here and below: another character would fight in place of the intended one.
        detail = f"{character.id} has no sheet, which a fight needs"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(field, got))
    fight = fight_of(world, character.id)
    if fight is not None:
        detail = f"{character.id} fights in {fight.id} already"
        raise CallFailed(Reason.CONFLICT, detail, hint.ask(field, got))
    if any(other.is_linked and other.character.id == character.id for other in others):
        raise CallFailed(Reason.CONFLICT, f"{character.id} joins twice", hint.remove(where))
    return Entrant(args, args.id or character.id, character, True)


def _require_stranger(world: World, args: JoiningArgs, where: str, joining: Sequence[JoiningArgs]) -> None:
    """Refuse to invent a participant in place of the one character of that name or id, who could join."""
    person = _called(world, args.id if args.name is None else args.name)
    if person is None or person.max_hp is None or fight_of(world, person.id) is not None:
        return
    if not any(_is_linked(other) and _means(other, person) for other in joining):
        detail = f"{where}: {person.id} is a character; give character_id, and leave out what is the character's own"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"{where}.character_id", [person.id]))


def _called(world: World, name: str | None) -> Character | None:
    """Return the one character of this id or name."""
    if name is None:
        return None
    found = world.all_tagged(Character, name_tag(name))
    return world.character(name) or (found[0] if len(found) == 1 else None)


def _means(args: JoiningArgs, person: Character) -> bool:
    if args.character_id is not None:
        return args.character_id == person.id
    return name_tag(args.character_name or "") == name_tag(person.label)


def _made_up(args: JoiningArgs, where: str, ctx: Context) -> Entrant:
    missing = [name for name in _MANUAL if getattr(args, name) is None]
    if missing:
        raise together([_missing(args, f"{where}.{name}", name) for name in missing])
    assert args.hp is not None
    assert args.max_hp is not None
    if args.hp > args.max_hp:
        detail = f"{where}.hp: is more than max_hp"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(f"{where}.hp", args.hp))
    return made_up(args, ctx)


def made_up(args: JoiningArgs, ctx: Context) -> Entrant:
    """Return a participant made for the fight alone; it lacks only a square."""
    assert args.id is not None
    assert args.hp is not None
    return Entrant(args, args.id, _body(args, args.id, args.hp, ctx), False)


def _missing(args: JoiningArgs, field: str, name: str) -> CallFailed:
    """Return the failure for fields that an invented participant lacks.

    Given a maximum and no hit points, it is unhurt. Hit points without a maximum imply nothing: it may be hurt.
    """
    is_unhurt = name == "hp" and args.max_hp is not None
    told = hint.supply(field, args.max_hp) if is_unhurt else hint.ask_for(field)
    return CallFailed(Reason.INVALID_ARGS, f"{field}: is required, or character_id for a character", told)


def _body(args: JoiningArgs, identifier: str, hp: int, ctx: Context) -> Character:
    kind: CharacterType = args.character_type or ("enemy" if args.is_enemy else "pc")
    sheet = {
        "race": "Creature",
        "class": "Creature",
        "stats": args.stats or Stats(),
        "ac": _DEFAULT_AC if args.ac is None else args.ac,
        "save_proficiencies": (),
        "resistances": args.resistances,
        "immunities": args.immunities,
        "vulnerabilities": args.vulnerabilities,
        "condition_immunities": args.condition_immunities,
    }
    for name in ("speed", "size", "senses", "halved_weapons", "harmless_weapons"):
        if getattr(args, name) is not None:
            sheet[name] = getattr(args, name)
    body = Character(
        id=identifier,
        name=args.name,
        character_type=kind,
        hp=args.max_hp if hp == 0 else hp,
        max_hp=args.max_hp,
        sheet=Sheet.model_validate(sheet),
    )
    return body if hp > 0 else health.at_zero(body, changes_state=ctx.settings["rules.hp_zero_ends_game"])


def _require_new_id(entrant: Entrant, others: Sequence[Entrant], where: str) -> None:
    taken = {name for other in others for name in _names_of(other)}
    if not taken & _names_of(entrant):
        return
    number = 2
    while f"{entrant.id}_{number}" in taken:
        number += 1
    free = f"{entrant.id}_{number}"
    given = entrant.args.id
    repair = hint.ask_for(f"{where}.id", [free]) if given is None else hint.ask(f"{where}.id", given, [free])
    raise CallFailed(Reason.CONFLICT, f"{where}.id: {entrant.id} is somebody else in this fight", repair)


def _names_of(entrant: Entrant) -> set[str]:
    return {entrant.id, entrant.character.id}
