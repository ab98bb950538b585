"""The crew's activities between two scenes, and their effects.

Source: docs/tools/scenes.md, "Interludes".
"""

from __future__ import annotations

from turnwright.model.base import file_stem
from turnwright.model.clock import Clock
from turnwright.model.crew import InterludeOption
from turnwright.rulesets.scenes.clocks import check_completion, tick, unfilled
from turnwright.rulesets.scenes.closing import roll_into_pool
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.stats import change_coin, change_heat, change_stress

_MAX_KEY_LENGTH = 200


def options(play: Play) -> list[InterludeOption]:
    """Return the activities that are available now, in the order in which they are offered."""
    dice, eases = _missing_dice(play), _eases(play)
    offered = []
    if play.crew.heat > 0:
        offered.append({"option": "lay_low", "label": f"lay low: {play.rule('lay_low_heat')} heat less"})
    if dice or eases:
        offered.append({"option": "recover", "label": _recovery(play, dice, eases)})
    for clock in unfilled(play):
        if clock.type == "goal" and clock.visible:
            label = f"work on {clock.name} ({clock.filled} of {clock.segments})"
            offered.append({"option": "work_goal", "key": _goal_key(clock), "label": label, "clock_id": clock.id})
    offered.append({"option": "new_scene", "label": "go on to the next scene"})
    offered.append({"option": "end_session", "label": "end the session here"})
    return [InterludeOption.model_validate({"key": option["option"], **option}) for option in offered]


def spend_time(play: Play, option: InterludeOption) -> list[Clock]:
    """Perform the chosen activity; return the clocks that it completed."""
    if option.option == "lay_low":
        change_heat(play, -play.rule("lay_low_heat"), "lay_low")
    elif option.option == "recover":
        _recover(play)
    elif option.option == "work_goal":
        clock = play.world.find(Clock, option.clock_id or "")
        assert clock is not None
        tick(play, clock, 1, "work_goal")
        return check_completion(play)
    return []


def _goal_key(clock: Clock) -> str:
    key = f"work_goal:{clock.id}"
    return key if len(key) <= _MAX_KEY_LENGTH else f"work_goal:{file_stem(clock.id)}"


def _missing_dice(play: Play) -> int:
    """Return how many dice recovering rolls."""
    wanted: int = min(play.rule("pool_start"), play.rule("pool_max"))
    return max(0, wanted - len(play.crew.dice_pool))


def _eases(play: Play) -> bool:
    """Return whether the acting character has stress and could pay for recovering from it."""
    actor = play.actor
    return actor is not None and actor.coin >= play.rule("recover_coin") and actor.stress > 0


def _is_breaking(play: Play) -> bool:
    """Return whether the acting character is yet to break; stress relief cannot prevent that."""
    return play.actor is not None and play.actor.pending_trauma


def _recovery(play: Play, dice: int, eases: bool) -> str:
    gains = [f"{dice} dice" if dice > 1 else "1 die"] if dice else []
    if eases and not _is_breaking(play):
        gains.append(f"{play.rule('recover_stress')} stress less for {play.rule('recover_coin')} coin")
    return f"recover: {', '.join(gains)}" if gains else "recover"


def _recover(play: Play) -> None:
    """Pay to recover, if possible, and roll the dice that the pool lacks."""
    if _eases(play) and not _is_breaking(play):
        change_stress(play, -play.rule("recover_stress"), "recover")
        change_coin(play, -play.rule("recover_coin"), "recover")
    if dice := _missing_dice(play):
        roll_into_pool(play, dice, "recover")
