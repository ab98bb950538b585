"""Monsters by name: make participants from content entries, and the parts of an entry that a fight executes.

A fight keeps the stat blocks that it took, so that it can be played on and read without the pack.
Source: docs/content.md, "Monsters in a fight".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import Field

from turnwright.content.names import key_of
from turnwright.content.pack import Found
from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text, name_tag
from turnwright.model.character import Character
from turnwright.model.creature import Condition
from turnwright.model.encounter import Participant, Position, TrueShape
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason, together
from turnwright.rulesets.content_library import packs_of, require_entry
from turnwright.rulesets.fifth_edition.fights._deeds import deeds
from turnwright.rulesets.fifth_edition.fights._joining import Entrant, made_up
from turnwright.rulesets.fifth_edition.fights._participant_args import JoiningArgs
from turnwright.rulesets.fifth_edition.fights.executable import CHANGE_SHAPE, block_not_executed
from turnwright.rulesets.fifth_edition.fights.traits import attack_of, block_in, figures, trait, type_of
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier
from turnwright.rulesets.references import Choice, Name, NewLabel
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockHitPoints, BlockPart, ResistanceShape, StatBlock
    from turnwright.model.wire.shapes import Correction

_OVERRIDES = ("ac", "max_hp")
"""Figures of the entry that a call may give itself."""


class MonstersArgs(Model):
    """Some monsters of one kind, by name; values not given come from the entry."""

    monster: Name = Field(description="Name or id, such as goblin.")
    count: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(default=1, description="How many of them.")
    name: NewLabel | None = Field(default=None, description="The displayed name.")
    is_enemy: Flag = Field(default=True, description="True: against the party.")
    hp: Annotated[
        Literal["average", "roll"], Choice({"average": ("mean", "fixed"), "roll": ("rolled", "dice", "random")})
    ] = Field(default="average", description="Hit points.")
    max_hp: Annotated[SafeInt, Field(ge=1)] | None = Field(default=None, description="In place of the entry's.")
    ac: Count | None = Field(default=None, description="In place of the entry's.")
    positions: ListOf[Position] = Field(default=(), description="Of the first ones; the others are placed.")


class MonsterRow(Model):
    """The parts of a monster's entry that a fight took."""

    monster: Id = Field(description="The id of the entry.")
    name: Text
    tier: Literal["full", "partly", "reference"] = Field(description="How much the engine can execute.")
    ids: ListOf[Id] = Field(description="Of participants.")
    attacks_with: Text | None = Field(description="Its usual attack.")
    actions: ListOf[Text] = Field(description="Names for `action` of execute_action.")
    not_executed: ListOf[Text] = Field(description="Parts that the engine leaves to the table.")


class Recruited(NamedTuple):
    """The monsters of a call.

    Attributes:
        entrants: each monster, in the order of the call.
        hp_dice: dice of hit points to roll, for those that roll them, by their place among the entrants.
        stat_blocks: the entries, by id, as the fight keeps them.
        corrections: figures in the call that replaced the entry's.
        rows: the parts that the fight took of each entry, for the game master.
        packs: where the entries are from.
    """

    entrants: list[Entrant]
    hp_dice: dict[int, tuple[int, int, int]]
    stat_blocks: dict[str, StatBlock]
    corrections: list[Correction]
    rows: list[MonsterRow]
    packs: dict[str, str]


def recruit(
    world: World,
    groups: Sequence[MonstersArgs],
    others: Sequence[Entrant],
    ctx: Context,
    taken: Iterable[str] = (),
) -> Recruited:
    """Return the monsters that a call names.

    Args:
        world: the campaign.
        groups: the monsters of the call.
        others: the other new participants.
        ctx: the context of the call.
        taken: ids and names of the present participants.

    Raises:
        CallFailed: `not_found` and `ambiguous` for names, `not_executable` for an entry that can only be read,
            `invalid_args` for more squares than monsters.
    """
    found = _entries(world, groups, ctx)
    names = _Names(
        world, others, [_base_name(args, entry) for args, (entry, _) in zip(groups, found, strict=True)], groups, taken
    )
    made = Recruited([], {}, {}, [], [], {})
    for index, (args, (entry, packs)) in enumerate(zip(groups, found, strict=True)):
        where = f"args.monsters.{index}"
        made.stat_blocks[entry.id] = block_in(entry)
        made.packs.update(packs)
        made.corrections.extend(_overrides(args, block_in(entry), where))
        ids: list[str] = []
        for number in range(args.count):
            is_given = number < len(args.positions)
            field = f"{where}.positions.{number}" if is_given else f"{where}.positions"
            joining = _joining(args, entry, names.next(index), args.positions[number] if is_given else None)
            if args.hp == "roll" and args.max_hp is None:
                made.hp_dice[len(made.entrants)] = _dice_of(block_in(entry)["hp"])
            entrant = _with_block(made_up(joining, ctx), entry)._replace(position_field=field)
            made.entrants.append(_with_true_shape(world, entrant, entry, made, args.is_enemy, ctx))
            ids.append(made.entrants[-1].id)
        made.rows.append(_row(entry, ids))
    return made


def _with_block(entrant: Entrant, entry: Found) -> Entrant:
    """Return a monster with the parts of its entry that a call cannot give: other speeds, and how it casts."""
    value, sheet = block_in(entry), entrant.character.sheet
    assert sheet is not None
    speeds = value["speeds"]
    moves = {"fly_speed": speeds.get("fly"), "swim_speed": speeds.get("swim"), "climb_speed": speeds.get("climb")}
    changes: dict[str, Any] = {name: feet for name, feet in moves.items() if feet is not None}
    casting = next((each["spellcasting"] for each in value.get("traits", ()) if "spellcasting" in each), None)
    if casting is not None:
        changes["spellcasting_ability"] = casting["ability"]
        changes["spell_slots"] = {level: {"current": n, "max": n} for level, n in casting.get("slots", {}).items()}
        changes["level"] = casting.get("caster_level", 1)
    body = entrant.character.replace(sheet=sheet.replace(**changes)) if changes else entrant.character
    if any(each.get("kind") == "invisible" for each in value.get("traits", ())):
        body = body.replace(conditions=(Condition(condition="invisible"),))
    return entrant._replace(character=body, stat_block=entry.id)


def shaped(found: Found, person: Participant, ctx: Context) -> Entrant:
    """Return a participant in the shape of a stat block; the hit points stay its own."""
    body = person.body
    assert body is not None
    args = MonstersArgs(monster=found.id, is_enemy=person.is_enemy)
    joining = _joining(args, found, person.name, person.position)
    return _with_block(made_up(joining.replace(id=person.id), ctx), found)


def _with_true_shape(
    world: World, entrant: Entrant, entry: Found, made: Recruited, is_enemy: bool, ctx: Context
) -> Entrant:
    """Return a monster that comes in another shape than its own, which it has again when it dies."""
    part = trait(block_in(entry), CHANGE_SHAPE)
    true_id = figures(part).get("true_form") if part is not None else None
    if true_id is None or true_id == entry.id:
        return entrant
    match = require_entry(world, ctx, true_id, "monsters", "args.monsters")
    made.packs.update(packs_of(match, ctx))
    made.stat_blocks[match.found.id] = block_in(match.found)
    args = MonstersArgs(monster=true_id, is_enemy=is_enemy)
    own = _with_block(made_up(_joining(args, match.found, entrant.id, None), ctx), match.found)
    assert own.character.sheet is not None
    true = TrueShape(stat_block=true_id, sheet=own.character.sheet, strike=own.strike, save_bonuses=own.save_bonuses)
    return entrant._replace(true_shape=true)


def rolled(made: Recruited, ctx: Context) -> list[Entrant]:
    """Return the monsters with the hit points that they rolled; players do not see the dice of foes."""
    entrants = list(made.entrants)
    for place, (count, sides, bonus) in made.hp_dice.items():
        entrant = entrants[place]
        faces = [ctx.dice.draw(sides, _why(entrant), hidden=entrant.is_enemy) for _ in range(count)]
        hp = max(1, sum(faces) + bonus)
        entrants[place] = entrant._replace(character=entrant.character.replace(hp=hp, max_hp=hp))
    return entrants


def dice_to_roll(made: Recruited) -> Iterator[tuple[int, str] | None]:
    """Yield the dice of `rolled`, to expect them."""
    for place, (count, sides, _) in made.hp_dice.items():
        entrant = made.entrants[place]
        yield from [None if entrant.is_enemy else (sides, _why(entrant))] * count


def _why(entrant: Entrant) -> str:
    return f"{entrant.id} hit points"


def _dice_of(hp: BlockHitPoints) -> tuple[int, int, int]:
    count, _, sides = hp["dice"].partition("d")
    return int(count), int(sides), hp.get("bonus", 0)


def _entries(world: World, groups: Sequence[MonstersArgs], ctx: Context) -> list[tuple[Found, dict[str, str]]]:
    found: list[tuple[Found, dict[str, str]]] = []
    faults: list[CallFailed] = []
    for index, args in enumerate(groups):
        where = f"args.monsters.{index}"
        try:
            match = require_entry(world, ctx, args.monster, "monsters", f"{where}.monster")
            _require_executable(match.found, f"{where}.monster", args.monster)
            if len(args.positions) > args.count:
                detail = f"{where}.positions: are {len(args.positions)}, for {args.count} monsters"
                raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(f"{where}.positions", len(args.positions)))
        except CallFailed as fault:
            faults.append(fault)
        else:
            found.append((match.found, packs_of(match, ctx)))
    if faults:
        raise together(faults)
    return found


def _require_executable(found: Found, field: str, got: str) -> None:
    if found.value["tier"] != "reference":
        return
    missing = ", ".join(found.value.get("missing", ())) or "its figures"
    detail = (
        f"{field}: {found.name} can only be read: the engine cannot execute {missing}; "
        "give its figures as one of participants"
    )
    raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask(field, got))


def _base_name(args: MonstersArgs, entry: Found) -> str:
    return args.name or entry.name


class _Names:
    """Names and ids that no other participant has: numbered where several monsters share one, or where it is taken."""

    def __init__(
        self,
        world: World,
        others: Iterable[Entrant],
        bases: Sequence[str],
        groups: Sequence[MonstersArgs],
        taken: Iterable[str],
    ) -> None:
        self._world = world
        self._before = frozenset(map(key_of, taken))
        self._taken = {
            key_of(name) for other in others for name in (other.id, other.character.id, other.character.label)
        } | self._before
        self._bases = bases
        self._counts: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        for base, args in zip(bases, groups, strict=True):
            key = key_of(base)
            self._counts[key] = self._counts.get(key, 0) + args.count

    def next(self, index: int) -> str:
        """Return a name for the next monster of a group; its key is the id."""
        base = self._bases[index]
        if self._counts[key_of(base)] == 1 and self._is_free(base) and not self._is_numbered(base):
            return self._take(base)
        while True:
            number = self._numbers[key_of(base)] = self._numbers.get(key_of(base), 0) + 1
            if self._is_free(f"{base} {number}"):
                return self._take(f"{base} {number}")

    def _is_numbered(self, base: str) -> bool:
        """Return whether others of this name, numbered, fight already."""
        start = f"{key_of(base)}-"
        return any(key.startswith(start) and key.removeprefix(start).isdecimal() for key in self._before)

    def _is_free(self, name: str) -> bool:
        key = key_of(name)
        if key in self._taken or self._world.character(key) is not None or self._world.character(name) is not None:
            return False
        return not self._world.tagged(Character.collection, name_tag(name))

    def _take(self, name: str) -> str:
        self._taken.add(key_of(name))
        return name


def _overrides(args: MonstersArgs, value: StatBlock, where: str) -> Iterator[Correction]:
    """Yield figures in the call that replace the entry's."""
    own = {"ac": value["ac"]["value"], "max_hp": value["hp"]["average"]}
    for name in _OVERRIDES:
        given = getattr(args, name)
        if given is not None and given != own[name]:
            yield {"field": f"{where}.{name}", "from": own[name], "to": given, "how": "override"}


def _joining(args: MonstersArgs, entry: Found, name: str, position: Position | None) -> JoiningArgs:
    """Return what the call would say of one monster if it gave every figure itself."""
    value = block_in(entry)
    hp = value["hp"]["average"] if args.max_hp is None else args.max_hp
    given: dict[str, Any] = {
        "id": key_of(name),
        "name": name,
        "hp": hp,
        "max_hp": hp,
        "ac": value["ac"]["value"] if args.ac is None else args.ac,
        "initiative_bonus": ability_modifier(value["stats"]["dex"]),
        "is_enemy": args.is_enemy,
        "character_type": "enemy" if args.is_enemy else "npc",
        "size": value["size"],
        "speed": max(value["speeds"].get("walk", 0), value["speeds"].get("fly", 0)) or max(_speeds(value), default=0),
        "stats": value["stats"],
        "save_bonuses": value.get("saves", {}),
        "senses": {key: feet for key, feet in value.get("senses", {}).items() if key in _SENSES},
        "condition_immunities": value.get("condition_immunities", []),
        "resistances": list(_unconditional(value.get("resistances", ()))),
        "immunities": list(_unconditional(value.get("immunities", ()))),
        "vulnerabilities": list(_unconditional(value.get("vulnerabilities", ()))),
        **_strike(value),
    }
    if position is not None:
        given["position"] = position
    return JoiningArgs.model_validate(given)


def _speeds(value: StatBlock) -> Iterator[int]:
    speeds = value["speeds"]
    yield from (speeds.get("walk", 0), speeds.get("burrow", 0), speeds.get("climb", 0))
    yield from (speeds.get("fly", 0), speeds.get("swim", 0))


_SENSES = ("blindsight", "darkvision", "tremorsense", "truesight")


def _unconditional(rows: Iterable[ResistanceShape]) -> Iterator[str]:
    """Yield the types of damage of which no source and no weapon is excepted."""
    return (row["type"] for row in rows if row["type"] != "all" and not ({"source", "unless"} & row.keys()))


def usual_attack(value: StatBlock) -> BlockPart | None:
    """Return the first action of a stat block that is an attack with damage of one type; None where there is none."""
    return next((action for action in value.get("actions", ()) if _is_plain_attack(action)), None)


def _is_plain_attack(action: BlockPart) -> bool:
    parts = [part for part in action.get("damage", ()) if "when" not in part]
    attack = action.get("attack")
    is_attack = isinstance(attack, Mapping) and attack["kind"].startswith("melee")
    return is_attack and len(parts) == 1 and isinstance(parts[0].get("type"), str) and parts[0]["type"] != "weapon"


def _strike(value: StatBlock) -> Mapping[str, int | str]:
    """Return the usual attack as call arguments; empty where no attack deals damage of one type alone."""
    action = usual_attack(value)
    if action is None:
        return {}
    (part,) = (part for part in action["damage"] if "when" not in part)
    bonus, attack = part.get("bonus", 0), attack_of(action)
    dice = str(part["flat"]) if "flat" in part else f"{part['dice']}{f'{bonus:+d}' if bonus else ''}"
    return {
        "attack_bonus": attack["to_hit"],
        "damage": dice,
        "damage_type": type_of(part),
        "reach": attack.get("reach", 5),
        "attacks": _attacks(value, action),
    }


def _attacks(value: StatBlock, action: BlockPart | None) -> int:
    """Return how often one action makes the usual attack: several times where Multiattack is just that."""
    ways = value.get("multiattack", ())
    if action is None or len(ways) != 1:
        return 1
    counts = [use.get("count", 1) for use in ways[0] if use["action"] == action["id"] and "when" not in use]
    return counts[0] if len(counts) == len(ways[0]) == 1 and isinstance(counts[0], int) else 1


def _row(entry: Found, ids: list[str]) -> MonsterRow:
    block = block_in(entry)
    action = usual_attack(block)
    return MonsterRow(
        monster=entry.id,
        name=entry.name,
        tier=block["tier"],
        ids=tuple(ids),
        attacks_with=action["name"] if action else None,
        actions=tuple(each.name for each in deeds(block)),
        not_executed=tuple(block_not_executed(block)),
    )
