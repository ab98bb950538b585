"""Extra damage and further effects of a hit that traits bring: charges, sneak attacks, surprise.

Source: SRD 5.1, "Monsters"; docs/content.md, "Traits that the dice know".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.encounter import Participant
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, square_of
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights.traits import attack_of, figures, has_ally_beside
from turnwright.rulesets.fifth_edition.space.grid.distance import between
from turnwright.rulesets.fifth_edition.space.grid.space import Square

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, DamageShape


class Extra(NamedTuple):
    """Additions of a trait to a hit: parts of damage, and for a charge the trait itself, with its save."""

    part: BlockPart
    damage: Sequence[DamageShape]


def extras(act: ActionContext, part: BlockPart, target_id: str, *, has_advantage: bool) -> Iterator[Extra]:
    """Yield what traits of the actor add to a hit with one of its attacks."""
    block, target = act.encounter.block_of(act.actor) or {}, act.person(target_id)
    for each in block.get("traits", ()):
        is_due = each.get("kind") == "charge" and _charges(act, each, part, target)
        is_due = is_due or (
            each.get("kind") == "extra_damage" and _is_due(act, each, part, target, has_advantage=has_advantage)
        )
        if is_due:
            yield Extra(each, [own for own in each.get("damage", ()) if own.get("when") == "extra"])


def _charges(act: ActionContext, each: BlockPart, part: BlockPart, target: Participant) -> bool:
    """Return whether the actor has come far enough straight at its target, in its last move of this turn."""
    start, wanted = act.actor.economy.ran_from, figures(each).get("move")
    if each.get("attack") != part["id"] or start is None or wanted is None:
        return False
    now, goal = body_on_grid(act.world, act.actor), body_on_grid(act.world, target)
    before = now._replace(at=square_of(start))
    return between(before, goal) - between(now, goal) >= int(wanted)


def _is_due(act: ActionContext, each: BlockPart, part: BlockPart, target: Participant, *, has_advantage: bool) -> bool:
    said, attack = figures(each), each.get("attack")
    if attack == "melee_weapon" and "melee" not in attack_of(part)["kind"]:
        return False
    if said.get("per") == "turn" and each["id"] in act.actor.economy.extras:
        return False
    match said.get("when"):
        case "advantage_or_ally_within_5":
            return has_advantage or has_ally_beside(act.world, act.encounter, act.actor, target)
        case "target_within_5_of_ally":
            return has_ally_beside(act.world, act.encounter, act.actor, target)
        case "first_round_target_surprised":
            return act.encounter.round == 1 and target.surprised
    return False


def straight_run(squares: Sequence[Square]) -> Square | None:
    """Return where a move began that made no detour, or None for one that did."""
    first, last = squares[0], squares[-1]
    apart = max(abs(last.x - first.x), abs(last.y - first.y), abs(last.z - first.z))
    return first if apart and len(squares) == apart + 1 else None
