"""Monsters that actions of stat blocks bring into a fight: from corpses, or from objects nearby.

Source: SRD 5.1, "Monsters" (Wraith, Treant); docs/content.md, "Summoned".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwright.model.encounter import Participant, Position
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.battlefield import (
    body_on_grid,
    feet_between,
    free_near,
    is_down,
    position_of,
    square_of,
)
from turnwright.rulesets.fifth_edition.fights._action import (
    ActionContext,
    Prepared,
    instead_of_target,
    require_target,
)
from turnwright.rulesets.fifth_edition.fights._adding import Adding, add
from turnwright.rulesets.fifth_edition.fights._deeds import Deed
from turnwright.rulesets.fifth_edition.fights._inflicting import add_proof, is_one_of
from turnwright.rulesets.fifth_edition.fights._monsters import MonstersArgs
from turnwright.rulesets.fifth_edition.fights.traits import figures, with_use
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import Body, Square
from turnwright.rulesets.fifth_edition.targets import body_of

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, CorpseFigures, SummonFigures
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_NEAR = 30
"""Maximum distance in feet between the summoning point and a summoned creature."""


def summoning(act: ActionContext, deed: Deed) -> Prepared:
    """Bring the monsters of a part into the fight, on the side of the actor.

    Raises:
        CallFailed: `rule_violation` for a corpse that cannot rise, for more than the actor can command, and for a point
            too far off.
    """
    said = figures(deed.part)["summons"]
    _require_command(act, deed.part, said)
    around = _around(act, deed.part, said)

    def carry_out() -> ActionReport:
        before = {person.id for person in act.encounter.participants}
        wanted = MonstersArgs(
            monster=said.get("monster") or act.actor.stat_block or "",
            count=said["count"],
            is_enemy=act.actor.is_enemy,
            positions=tuple(_places(act, around, said["count"])),
        )
        done = add(act.world, Adding(act.encounter.id, (), [wanted], ()), act.ctx)
        act.packs.update(done.packs)
        come = [person.id for person in act.encounter.participants if person.id not in before]
        for each in come:
            _command(act, each, said)
        use = act.actor.block_use
        act.change(act.actor_id, block_use=with_use(use, deed.counted))
        if "corpse" in said and act.target_id is not None:
            add_proof(act, deed.part, act.target_id)
        return {"action": deed.name, "summoned": come}

    return Prepared(carry_out)


def _require_command(act: ActionContext, part: BlockPart, said: SummonFigures) -> None:
    own = [each for each in act.encounter.participants if each.summoned_by == act.actor_id and _lives(act, each)]
    if "most" in said and len(own) + said["count"] > said["most"]:
        detail = f"{act.actor_id} commands {len(own)} by {part['name']} already, of at most {said['most']}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.action", act.args.action))


def _lives(act: ActionContext, person: Participant) -> bool:
    body = body_of(act.world, person)
    return not body.is_dead and not is_down(body)


def _around(act: ActionContext, part: BlockPart, said: SummonFigures) -> Body:
    """Return what the summoned creatures appear beside: a corpse, the point that the call names, or the actor."""
    if "corpse" in said:
        return body_on_grid(act.world, _require_corpse(act, part, said["corpse"]))
    point = act.args.target_position
    if point is None:
        return body_on_grid(act.world, act.actor)
    at = Body(square_of(point))
    apart = between(body_on_grid(act.world, act.actor), at)
    if apart > said["within"]:
        detail = f"args.target_position: is {apart} feet away, and {part['name']} reaches {said['within']} feet"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_position", point.as_written))
    return at


def _require_corpse(act: ActionContext, part: BlockPart, said: CorpseFigures) -> Participant:
    target = require_target(act)
    body, apart = body_of(act.world, target), feet_between(act.world, act.actor, target)
    why = None
    if not (body.is_dead or (is_down(body) and target.has_block)):
        why = f"{target.id} is not dead, which {part['name']} needs"
    elif not is_one_of(act, target, said["kind"]):
        why = f"{target.id} is not {said['kind']}, which {part['name']} needs"
    elif apart > said["within"]:
        why = f"{target.id} is {apart} feet away, and {part['name']} reaches {said['within']} feet"
    elif target.id in act.actor.block_use.proof.get(part["id"], ()):
        why = f"{part['name']} has called {target.id} already"
    if why is not None:
        raise CallFailed(Reason.RULE_VIOLATION, why, instead_of_target(act, ()))
    return target


def _places(act: ActionContext, around: Body, count: int) -> list[Position]:
    """Return the square nearest to where they are called, if it is one that comes; several are placed by the fight."""
    if count > 1 and act.args.target_position is None:
        return []
    there = free_near(act.world, act.encounter, around, Body(Square(0, 0)), _NEAR)
    return [] if there is None else [position_of(there)]


def _command(act: ActionContext, identifier: str, said: SummonFigures) -> None:
    """Bind a monster to the actor, and change of its stat block what the part says: scores, and the actions it has."""
    person = act.person(identifier)
    changes: dict[str, Any] = {"summoned_by": act.actor_id}
    block = act.encounter.block_of(person)
    body = person.body
    if block is not None and body is not None and {"stats", "actions"} & said.keys():
        stats = {**block["stats"], **said.get("stats", {})}
        kept = [each for each in block["actions"] if each["id"] in said.get("actions", (each["id"],))]
        lesser = {key: value for key, value in block.items() if key != "multiattack"} | {
            "stats": stats,
            "actions": kept,
        }
        key = f"{person.stat_block}.summoned"
        blocks = {**act.encounter.stat_blocks, key: lesser}
        act.world.put(act.encounter.replace(stat_blocks=blocks))
        sheet = sheet_of(body)
        changed = body.replace(sheet=sheet.replace(stats=sheet.stats.replace(**said.get("stats", {}))))
        changes |= {"stat_block": key, "body": changed}
    act.change(identifier, **changes)
