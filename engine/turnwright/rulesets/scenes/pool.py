"""Precommitted dice: one future for each die, written before the player spends one.

Source: docs/tools/scenes.md, "Precommitted dice".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from turnwright.model.crew import Costs, DieOutcome, PendingOutcome
from turnwright.model.mood import ActionControlled, ActionDesperate, ActionMood, ActionRisky, Position
from turnwright.model.scene import DiceRoll
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.moods import check_trauma, enter_bargain
from turnwright.rulesets.scenes.outcomes import aligned, fault, lints
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.stats import change_coin, change_heat, change_stress
from turnwright.rulesets.scenes.tiers import tier
from turnwright.rulesets.scenes.waiting import ask_dice, next_segment, same_segment

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import OfferedDice, ShownDie, SpentDie


def stakes_of(mood: ActionMood) -> str:
    """Return the possible costs of an action."""
    if isinstance(mood, ActionControlled):
        return mood.risk_if_fails
    return mood.threat if isinstance(mood, ActionRisky) else mood.stakes


def action_of(play: Play) -> ActionMood:
    """Return the action that is on; only in that mood."""
    mood = play.mood
    assert isinstance(mood, (ActionControlled, ActionRisky, ActionDesperate))
    return mood


def offer(play: Play, situation: str, position: str | None, outcomes: Sequence[DieOutcome]) -> OfferedDice:
    """Commit one outcome for each die and ask the player which die to spend."""
    mood, pool = action_of(play), play.crew.dice_pool
    _require_offer(play, mood, position, outcomes)
    bound = aligned(pool, outcomes)
    play.warnings.extend(lints(outcomes))

    dice = shown_dice(mood.variant, pool, bound)
    play.emit("DiceOffered", situation=situation, position=mood.variant, dice=dice)
    request_id = ask_dice(play, situation, mood.variant, dice)
    pending = {
        "situation": situation,
        "position": mood.variant,
        "stakes": stakes_of(mood),
        "domain": mood.domain,
        "outcomes": [outcome.as_written for outcome in bound],
        "request_id": request_id,
        "for": play.acting_id,
    }
    play.set_crew(pending_outcome=PendingOutcome.model_validate(pending))
    return {"request_id": request_id, "dice": dice}


def shown_dice(position: Position, pool: Sequence[int], outcomes: Sequence[DieOutcome]) -> list[ShownDie]:
    """Return the part of each die and its outcome that a player sees: everything but the narrative."""
    return [
        {
            "index": index,
            "value": face,
            "tier": tier(position, face),
            "hint": outcome.hint.strip(),
            "stress_cost": outcome.stress_cost,
            "heat_cost": outcome.heat_cost,
            "coin_delta": outcome.coin_delta,
        }
        for index, (face, outcome) in enumerate(zip(pool, outcomes, strict=True))
    ]


def _require_offer(play: Play, mood: ActionMood, position: str | None, outcomes: Sequence[DieOutcome]) -> None:
    pool = play.crew.dice_pool
    if not pool:
        raise CallFailed(Reason.POOL_EMPTY, "there are no dice to spend")
    if play.crew.pending_outcome is not None:
        raise CallFailed(Reason.OUTCOME_PENDING, "a die was chosen; resolve it before another is spent")
    if position is not None and position != mood.variant:
        repair = hint.ask("args.position", position, [mood.variant])
        raise CallFailed(Reason.POSITION_MISMATCH, f"the action is {mood.variant}, not {position}", repair)
    if found := fault(pool, outcomes):
        repair = hint.ask(f"args.{found.field}", found.got, found.choices)
        raise CallFailed(found.reason, f"args.{found.field}: {found.detail}", repair)
    if any(outcome.stress_cost or outcome.coin_delta for outcome in outcomes):
        play.require_actor()


def spend(play: Play, value: Any) -> SpentDie:
    """Spend the die at this index: its costs are paid now, its narrative is told, and the others never are."""
    crew = play.crew
    pending, pool = crew.pending_outcome, crew.dice_pool
    assert pending is not None
    if type(value) is not int or not 0 <= value < len(pool):
        repair = hint.ask("answer.value", value, range(len(pool)))
        raise CallFailed(Reason.ANSWER_INVALID, f"answer.value: wants the index of a die, 0 to {len(pool) - 1}", repair)
    mood, outcome, face = action_of(play), pending.outcomes[value], pool[value]
    earned = tier(pending.position, face)
    rest = (*pool[:value], *pool[value + 1 :])
    if outcome.stress_cost or outcome.coin_delta:
        play.require_actor()

    play.set_crew(dice_pool=rest)
    narrative = outcome.narrative.strip()
    play.emit("DieSpent", value=face, tier=earned, narrative=narrative)
    paid = Costs(
        stress=change_stress(play, outcome.stress_cost, "dice"),
        heat=change_heat(play, outcome.heat_cost, "dice"),
        coin=change_coin(play, outcome.coin_delta, "dice"),
    )
    chosen = {"chosen_index": value, "chosen_die": face, "chosen_tier": earned}
    play.set_crew(pending_outcome=pending.replace(**chosen, other_dice=rest, applied_costs=paid))
    add_beat(play, DiceRoll(value=face, tier=earned, situation=pending.situation, seq=play.seq, turn=play.crew.turn))
    if not rest:
        play.emit("DicePoolDepleted", context=pending.situation)
    result: SpentDie = {
        "chosen_die_value": face,
        "tier": earned,
        "stress_applied": paid.stress,
        "heat_applied": paid.heat,
        "coin_applied": paid.coin,
        "result_narrative": narrative,
    }
    if check_trauma(play, "dice", pending.situation):
        next_segment(play)
        return result | {"transition": {"from": "action", "to": "trauma"}}
    if not rest:
        can_retreat = pending.position != "desperate"
        enter_bargain(play, "spend_die", mood, pending.situation, can_retreat=can_retreat)
        next_segment(play)
        return result | {"transition": {"from": "action", "to": "bargain"}}
    same_segment(play)
    return result
