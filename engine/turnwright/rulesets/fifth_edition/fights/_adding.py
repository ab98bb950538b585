"""Add participants to a running fight: reinforcements, summoned creatures, late players.

Source: docs/toolkit.md, "Fights"; SRD 5.1, "Initiative".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.base import Count, Id, ListOf, Model
from turnwright.model.encounter import Encounter, Participant, Position
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import living, solid_squares, square_of, values_of
from turnwright.rulesets.fifth_edition.fights._joining import Entrant, entrants
from turnwright.rulesets.fifth_edition.fights._monsters import (
    MonsterRow,
    MonstersArgs,
    Recruited,
    recruit,
)
from turnwright.rulesets.fifth_edition.fights._participant_args import JoiningArgs
from turnwright.rulesets.fifth_edition.fights._placing import Standing, placed
from turnwright.rulesets.fifth_edition.fights._views import Named, OrderRow, named, order_row
from turnwright.rulesets.fifth_edition.fights.create_encounter import (
    MAX_PARTICIPANTS,
    brought_in,
    namesakes,
    surprised_among,
)
from turnwright.rulesets.fifth_edition.targets import require_running
from turnwright.rulesets.tool import Applied, Context

if TYPE_CHECKING:
    from turnwright.model.content_shapes import StatBlock
    from turnwright.model.wire.shapes import Correction


class Adding(NamedTuple):
    """The participants to add: as in create_encounter, monsters by name, ids of those who are surprised."""

    encounter_id: str
    participants: Sequence[JoiningArgs]
    monsters: Sequence[MonstersArgs]
    surprise: Sequence[str]


class AddResult(Model):
    """The fight with the new participants."""

    encounter_id: Id
    round: Count
    current_turn: Named
    added: ListOf[Id]
    order: ListOf[OrderRow]
    monsters: ListOf[MonsterRow] | None = None


def add(world: World, wanted: Adding, ctx: Context) -> Applied:
    """Add participants to a running fight, each with its own initiative; the current turn stays.

    Raises:
        CallFailed: `invalid_args` where the call names no participant; otherwise as create_encounter.
    """
    encounter = require_running(world, wanted.encounter_id)
    if not wanted.participants and not wanted.monsters:
        raise CallFailed(Reason.INVALID_ARGS, "args.monsters: nobody is named", hint.ask_for("args.monsters"))
    _require_room(encounter, wanted)
    described = entrants(world, wanted.participants, ctx)
    _require_new_ids(encounter, described)
    taken = [each for person in encounter.participants for each in (*person.ids, person.name)]
    recruited = recruit(world, wanted.monsters, described, ctx, taken) if wanted.monsters else None
    if recruited is not None:
        recruited = apart(encounter, recruited)
    joining = [*described, *(recruited.entrants if recruited else ())]
    surprised = surprised_among(world, wanted.surprise, joining)
    positions = placed(joining, encounter.terrain, _standing(world, encounter), solid_squares(encounter))
    joining, people = brought_in(described, recruited, positions, surprised, ctx)
    encounter = with_newcomers(encounter, people, recruited.stat_blocks if recruited else {})
    world.put(encounter)
    result = AddResult(
        encounter_id=encounter.id,
        round=encounter.round,
        current_turn=named(encounter.current),
        added=tuple(person.id for person in people),
        order=tuple(order_row(world, encounter, person) for person in encounter.participants),
        monsters=tuple(recruited.rows) if recruited else None,
    ).as_written
    if result["monsters"] is None:
        del result["monsters"]
    told = [*(recruited.corrections if recruited else ()), *_placed(joining, positions)]
    packs = recruited.packs if recruited else {}
    return Applied(result, namesakes(world, described), packs=packs, corrections=tuple(told))


def _require_room(encounter: Encounter, wanted: Adding) -> None:
    more = len(wanted.participants) + sum(group.count for group in wanted.monsters)
    count = len(encounter.participants) + more
    if count > MAX_PARTICIPANTS:
        detail = f"{count} would fight, of at most {MAX_PARTICIPANTS}"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask("args.monsters", more))


def _require_new_ids(encounter: Encounter, joining: Sequence[Entrant]) -> None:
    """Refuse the id of a character who already fights, also of one who was deleted since."""
    taken = {each for person in encounter.participants for each in person.ids}
    for entrant in joining:
        if entrant.id in taken:
            number = 2
            while f"{entrant.id}_{number}" in taken:
                number += 1
            field = entrant.position_field.removesuffix("position") + "id"
            free = [f"{entrant.id}_{number}"]
            repair = hint.ask_for(field, free) if entrant.args.id is None else hint.ask(field, entrant.args.id, free)
            raise CallFailed(Reason.CONFLICT, f"{field}: {entrant.id} is somebody else in this fight", repair)


def apart(encounter: Encounter, made: Recruited) -> Recruited:
    """Return the monsters; a stat block gets a new id where the fight has a different block under the same id."""
    ids: dict[str, str] = {}
    for block_id, block in made.stat_blocks.items():
        number, own = 1, block_id
        while own in encounter.stat_blocks and encounter.stat_blocks[own] != block:
            number += 1
            own = f"{block_id}#{number}"
        ids[block_id] = own
    blocks = {ids[each]: block for each, block in made.stat_blocks.items()}
    people = [
        each if each.stat_block is None else each._replace(stat_block=ids[each.stat_block]) for each in made.entrants
    ]
    return made._replace(entrants=people, stat_blocks=blocks)


def _standing(world: World, encounter: Encounter) -> list[Standing]:
    return [
        Standing(square_of(person.position), values_of(world, person).size, person.is_enemy)
        for person in living(world, encounter)
    ]


def with_newcomers(encounter: Encounter, people: Sequence[Participant], blocks: Mapping[str, StatBlock]) -> Encounter:
    """Return the fight with newcomers in the order of turns, behind those of the same initiative."""
    current = encounter.current.id
    order = [*encounter.participants]
    for person in sorted(people, key=_rank):
        place = next((n for n, other in enumerate(order) if _rank(other) > _rank(person)), len(order))
        order.insert(place, person)
    turn = next(n for n, person in enumerate(order) if person.id == current)
    stat_blocks = {**encounter.stat_blocks, **blocks}
    return encounter.replace(participants=tuple(order), turn_index=turn, stat_blocks=stat_blocks)


def _rank(person: Participant) -> tuple[int, int]:
    return -person.initiative, -person.initiative_bonus


def _placed(joining: Sequence[Entrant], positions: Sequence[Position]) -> Iterator[Correction]:
    """Yield the placement of each participant for which the call names no square."""
    for entrant, position in zip(joining, positions, strict=True):
        if entrant.args.position is None:
            yield {"field": entrant.position_field, "from": entrant.id, "to": position.as_written, "how": "placed"}
