"""create_encounter: begin a fight."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from turnwright.model.base import Count, Id, ListOf, Model, is_none, name_tag
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant, Position, Summoning
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Lighting
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import has_content
from turnwright.rulesets.fifth_edition.fights._joining import Entrant, entrants
from turnwright.rulesets.fifth_edition.fights._monsters import (
    MonsterRow,
    MonstersArgs,
    Recruited,
    dice_to_roll,
    recruit,
    rolled,
)
from turnwright.rulesets.fifth_edition.fights._participant_args import JoiningArgs
from turnwright.rulesets.fifth_edition.fights._placing import placed
from turnwright.rulesets.fifth_edition.fights._terrain import TerrainArgs, laid_out
from turnwright.rulesets.fifth_edition.fights._turns import takes_turns
from turnwright.rulesets.fifth_edition.fights._views import (
    Named,
    OrderRow,
    TerrainCounts,
    named,
    order_row,
    terrain_counts,
)
from turnwright.rulesets.fifth_edition.fights.advantage import Sources, d20_count
from turnwright.rulesets.fifth_edition.magic.summons import groups_of
from turnwright.rulesets.fifth_edition.rolls import throw
from turnwright.rulesets.fifth_edition.sheets.checks import initiative_sources
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.sheets.race_traits import is_lucky
from turnwright.rulesets.fifth_edition.targets import body_of, name_in_fight
from turnwright.rulesets.reference_lookup import people_called
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

MAX_PARTICIPANTS = 100
if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Correction

EXAMPLE: dict[str, Any] = {
    "participants": [
        {"character_id": "aria"},
        {
            "id": "goblin",
            "name": "Goblin",
            "hp": 7,
            "max_hp": 7,
            "ac": 15,
            "initiative_bonus": 2,
            "position": {"x": 6, "y": 2},
            "is_enemy": True,
        },
    ],
    "terrain": {"width": 12, "height": 8, "obstacles": ["3,0", "3,1"]},
}


class CreateEncounterArgs(ToolkitArgs):
    """Arguments of `create_encounter`."""

    participants: ListOf[JoiningArgs] = Field(
        default=(),
        description="Participants, by character_id or described; at most 100. Default beside `monsters`: the party.",
    )
    monsters: ListOf[MonstersArgs] = Field(default=(), description="Monsters by name, from the campaign's content.")
    terrain: TerrainArgs = Field(default=TerrainArgs(), description="The grid; 20 x 20 squares of open floor at first.")
    lighting: Lighting = Field(default="bright", description="The light everywhere on the grid.")
    surprise: ListOf[Id] = Field(default=(), description="Ids of the participants who are surprised.")


class CreateEncounterResult(Model):
    """The fight as it begins."""

    encounter_id: Id
    round: Count
    lighting: Lighting
    current_turn: Named
    order: ListOf[OrderRow] = Field(description="In the order of their turns.")
    terrain: TerrainCounts
    monsters: ListOf[MonsterRow] | None = Field(
        default=None, exclude_if=is_none, description="The parts taken of each entry."
    )


@toolkit(CreateEncounterArgs, CreateEncounterResult, example=EXAMPLE)
def create_encounter(world: World, args: CreateEncounterArgs, ctx: Context) -> Applied:
    """Begin a fight on a grid: participants, positions and terrain.

    Initiative is rolled for you; never make it up. Bring every known character in by `character_id`: its hit points and
    conditions stay its own, so do not repeat them. Monsters that the rules name come by name, in `monsters`. Other
    creatures without a character are described in full and, like monsters, are gone when the fight ends. Positions
    count squares of 5 feet from 0; x grows right, y grows down. Then take turns in the order that comes back, with
    `execute_action` and `advance_turn`, and finish with `end_encounter`.
    """
    return begin(world, args, ctx)


def begin(world: World, args: CreateEncounterArgs, ctx: Context) -> Applied:
    """Begin a fight as the call says; monsters alone fight the party."""
    if not args.participants:
        args = args.model_copy(update={"participants": _party(world, args, ctx)})
    if len(args.participants) > MAX_PARTICIPANTS:
        detail = f"args.participants: are {len(args.participants)}, of at most {MAX_PARTICIPANTS}"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask("args.participants", len(args.participants)))
    terrain = laid_out(args.terrain)
    described = entrants(world, args.participants, ctx)
    groups, summonings = followers(world, described)
    recruited = _recruited(world, [*args.monsters, *groups], described, ctx) if args.monsters or groups else None
    joining = [*described, *(recruited.entrants if recruited else ())]
    surprised = surprised_among(world, args.surprise, joining)
    positions = placed(joining, terrain)
    joining, people = brought_in(described, recruited, positions, surprised, ctx)
    people = as_followers(people, len(groups), recruited, summonings)
    # A sort keeps the order of the call among equals.
    people.sort(key=lambda person: (-person.initiative, -person.initiative_bonus))
    encounter = Encounter(
        id=world.new_id("encounter", Encounter),
        lighting=args.lighting,
        terrain=terrain,
        participants=tuple(people),
        stat_blocks=recruited.stat_blocks if recruited else {},
    )
    world.put(encounter)
    able = (index for index, person in enumerate(people) if takes_turns(body_of(world, person)))
    encounter = encounter.replace(turn_index=next(able, 0))
    world.put(encounter)
    result = CreateEncounterResult(
        encounter_id=encounter.id,
        round=encounter.round,
        lighting=encounter.lighting,
        current_turn=named(encounter.current),
        order=tuple(order_row(world, encounter, person) for person in encounter.participants),
        terrain=terrain_counts(terrain),
        monsters=tuple(recruited.rows) if recruited else None,
    )
    if recruited is None:
        return Applied(result.as_written, namesakes(world, joining))
    corrections = [*recruited.corrections, *_placed_by_us(joining, positions)]
    return Applied(
        result.as_written, namesakes(world, described), packs=recruited.packs, corrections=tuple(corrections)
    )


def fighting_party(world: World, ctx: Context) -> list[Character]:
    """Return the members of the party who can fight where the acting character stands, or all of them."""
    acting = world.character(ctx.acting_id) if ctx.acting_id is not None else None
    here = acting.position if acting is not None else None
    return [
        member
        for member in world.party()
        if member.max_hp is not None and not member.is_dead and (here is None or member.position == here)
    ]


def _party(world: World, args: CreateEncounterArgs, ctx: Context) -> tuple[JoiningArgs, ...]:
    """Return the party members who join a fight whose call names no participants."""
    members = fighting_party(world, ctx)
    if not args.monsters or not members:
        raise CallFailed(Reason.INVALID_ARGS, "args.participants: is required", hint.ask_for("args.participants"))
    return tuple(JoiningArgs(character_id=member.id) for member in members)


def _recruited(world: World, groups: Sequence[MonstersArgs], joining: Sequence[Entrant], ctx: Context) -> Recruited:
    """Return the monsters of the call and those who come along, up to the limit."""
    count = len(joining) + sum(group.count for group in groups)
    if count > MAX_PARTICIPANTS:
        detail = f"args.monsters: {count} would fight, of at most {MAX_PARTICIPANTS}"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask("args.monsters", count))
    return recruit(world, groups, joining, ctx)


def followers(world: World, described: Sequence[Entrant]) -> tuple[list[MonstersArgs], list[Summoning]]:
    """Return the creatures summoned by spells of the new participants, and what keeps each group with them."""
    groups: list[MonstersArgs] = []
    keeping: list[Summoning] = []
    if not has_content(world):
        return groups, keeping
    for entrant in described:
        for effect, group in groups_of(entrant.character.effects):
            groups.append(MonstersArgs(monster=group.monster, count=group.count, is_enemy=entrant.is_enemy))
            keeping.append(
                Summoning(
                    spell=effect.name,
                    source=entrant.character.id,
                    monster=group.monster,
                    then=group.then,
                    ends_on=group.ends_on,
                )
            )
    return groups, keeping


def as_followers(
    people: Sequence[Participant], count: int, recruited: Recruited | None, keeping: Sequence[Summoning]
) -> list[Participant]:
    """Return the participants, those of the last groups as summoned by a spell."""
    if recruited is None or not count:
        return list(people)
    by_id = {each: said for row, said in zip(recruited.rows[-count:], keeping, strict=True) for each in row.ids}
    return [person.replace(summoned=by_id[person.id]) if person.id in by_id else person for person in people]


def _placed_by_us(joining: Sequence[Entrant], positions: Sequence[Position]) -> Iterator[Correction]:
    """Yield where monsters stand that the call named no square for."""
    for entrant, position in zip(joining, positions, strict=True):
        if entrant.stat_block is not None and entrant.args.position is None:
            yield {"field": entrant.position_field, "from": entrant.id, "to": position.as_written, "how": "placed"}


def surprised_among(world: World, ids: Sequence[str], joining: Sequence[Entrant]) -> frozenset[str]:
    """Return the ids of the participants that are surprised; characters may be named by their own ids."""
    known = {entrant.id: entrant.id for entrant in joining}
    known |= {entrant.character.id: entrant.id for entrant in joining if entrant.character.id not in known}
    for index, identifier in enumerate(ids):
        if identifier not in known:
            field = f"args.surprise.{index}"
            ids_here = [entrant.id for entrant in joining]
            called = {each.id for each in joining if name_tag(each.character.label) == name_tag(identifier)}
            repair = hint.identifier(field, identifier, ids_here, called or people_called(world, identifier))
            raise CallFailed(Reason.NOT_FOUND, f"{field}: {identifier} takes no part", repair)
    return frozenset(known[identifier] for identifier in ids)


def brought_in(
    described: Sequence[Entrant],
    recruited: Recruited | None,
    positions: Sequence[Position],
    surprised: Collection[str],
    ctx: Context,
) -> tuple[list[Entrant], list[Participant]]:
    """Roll hit points and initiative of the new participants; return them, and their places in the fight, in one order.

    Args:
        described: the participants of the call.
        recruited: its monsters by name.
        positions: where each of them stands, the monsters last.
        surprised: the ids of the surprised participants.
        ctx: of the call.
    """
    joining = [*described, *(recruited.entrants if recruited else ())]
    hp_dice = [] if recruited is None else list(dice_to_roll(recruited))
    ctx.dice.expect([*hp_dice, *(die for entrant in joining for die in initiative_dice(entrant))])
    if recruited is not None:
        joining = [*described, *rolled(recruited, ctx)]
    people = [
        joined(entrant, position, entrant.args.surprised or entrant.id in surprised, ctx)
        for entrant, position in zip(joining, positions, strict=True)
    ]
    return joining, people


def initiative_dice(entrant: Entrant) -> list[tuple[int, str] | None]:
    """Return the dice of a participant's initiative; enemies' rolls are hidden from players."""
    if entrant.args.manual_initiative is not None:
        return [None]  # it has fallen
    die = None if entrant.is_enemy else (20, _why(entrant))
    return [die] * d20_count(_sources(entrant).mode)


def _why(entrant: Entrant) -> str:
    return f"{entrant.id} initiative"


def _sources(entrant: Entrant) -> Sources:
    """Return what helps and hinders a participant's initiative."""
    return initiative_sources(effective(entrant.character, entrant.overrides))


def joined(entrant: Entrant, position: Position, surprised: bool, ctx: Context) -> Participant:
    """Roll a participant's initiative and return its place in the fight."""
    lucky = is_lucky(entrant.character, "check")
    given = entrant.args.manual_initiative
    d20 = throw(ctx, _why(entrant), _sources(entrant), given, hidden=entrant.is_enemy, lucky=lucky)
    bonus = entrant.initiative_bonus
    return Participant(
        id=entrant.id,
        name=name_in_fight(entrant.character),
        character_id=entrant.character.id if entrant.is_linked else None,
        body=None if entrant.is_linked else entrant.character,
        is_enemy=entrant.is_enemy,
        position=position,
        initiative=d20.natural + bonus,
        natural=d20.natural,
        initiative_given=given is not None,
        initiative_bonus=bonus,
        surprised=surprised and not any(each.never_surprised for each in entrant.character.effects),
        overrides=entrant.overrides,
        strike=entrant.strike,
        stat_block=entrant.stat_block,
        true_shape=entrant.true_shape,
        save_bonuses=entrant.save_bonuses,
        remembered=entrant.remembered(),
    )


def namesakes(world: World, joining: Sequence[Entrant]) -> tuple[str, ...]:
    """Return a warning for each made-up participant that has the id of a character, that does not fight here."""
    return tuple(
        f"{entrant.id} is not the character of this id; to bring that one, give character_id"
        for entrant in joining
        if not entrant.is_linked and world.character(entrant.id) is not None
    )
