"""Entanglement: with all the heat there is, the law closes in between two scenes, and leaves three ways out.

Source: docs/tools/scenes.md, "Entanglements".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from turnwright.model.base import ListOf, Model, Text
from turnwright.model.crew import BetweenScenes, Entanglement, EntanglementOption
from turnwright.model.prose import Narration
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.beats import add_threat
from turnwright.rulesets.scenes.choices import picked
from turnwright.rulesets.scenes.interlude import context_of, go_on
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.stats import change_coin, change_heat, change_stress, change_wanted
from turnwright.rulesets.scenes.waiting import ask_choice

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import EntanglementBegun, ShownOption, WayOutTaken

Price = tuple[Literal["coin", "stress"], int]
WAYS: dict[str, tuple[Price, ...]] = {
    "cheap": (("coin", 1), ("coin", 2), ("stress", 1)),
    "moderate": (("coin", 2), ("coin", 3), ("stress", 2)),
    "desperate": (("stress", 3), ("stress", 4)),
}
"""The possible prices of each of the three ways out, the plainest first."""
HOLDING_LINE = "The law comes close, takes its time, and leaves with your names."
MANHUNT = "manhunt"
PROMPT = "How do you get out of it?"


class WayOut(Model):
    """A way out and its price. Its result is hidden from players until they take it."""

    eo_label: Annotated[Text, Field(min_length=1, max_length=80, pattern=r"\S")] = Field(
        description="The name of the way out."
    )
    eo_cost_type: Literal["coin", "stress"] = Field(description="The kind of price.")
    eo_cost_amount: Annotated[int, Field(strict=True, ge=1, le=4)] = Field(description="The amount of the price.")
    eo_resolution: Narration = Field(description="The text told when it is taken.")


class EntanglementOutput(Model):
    """The law's move against the crew, and three ways out."""

    eo_type: Literal["raid", "shakedown", "warrant", "informant", "reprisal"] = Field(
        description="The kind of entanglement."
    )
    eo_narration: Narration = Field(description="The text that the player reads before choosing.")
    eo_options: Annotated[ListOf[WayOut], Field(min_length=3, max_length=3)] = Field(
        description="Exactly three, in any order: a cheap one (1 or 2 coin, or 1 stress), a moderate one (2 or 3 coin, "
        "or 2 stress), and a desperate one (3 or 4 stress)."
    )


def apply(play: Play, output: EntanglementOutput) -> EntanglementBegun:
    """Commit the ways out and ask the table to choose.

    Raises:
        CallFailed: `invalid_args` for other prices; `invalid_actor_state` when there is no character who could pay.
    """
    _require_prices(output.eo_options)
    play.require_actor()

    ways = tuple(_committed(way) for way in output.eo_options)
    told = output.eo_narration
    entanglement = Entanglement(type=output.eo_type, narration=told, options=ways)
    play.set_crew(phase=BetweenScenes(context=context_of(play).replace(entanglement=entanglement)))
    play.emit("EntanglementStarted", type=output.eo_type)
    play.tell(told)
    ask_choice(play, [_shown(play, key, way) for key, way in keyed(ways).items()], PROMPT)
    return {"type": output.eo_type, "options": list(keyed(ways))}


def answer(play: Play, value: Any) -> WayOutTaken:
    """Take a way out: pay, narrate its result, raise the wanted level, and continue.

    Raises:
        CallFailed: `option_unavailable` for a price that cannot be paid; `answer_invalid`; `invalid_actor_state`.
    """
    pending = context_of(play).entanglement
    assert pending is not None
    ways = keyed(pending.options)
    # A price that was too high when offered may be affordable by now, and the other way round.
    key = picked(play, value, [key for key, way in ways.items() if _can_pay(play, way)])
    way = ways[key]
    play.require_actor()

    _pay(play, way)
    play.tell(way.resolution)
    _settle(play)
    play.emit("EntanglementResolved", option=way.label)
    go_on(play)
    return {"chosen": key, "cost_type": way.cost_type, "cost_amount": way.cost_amount, "resolution": way.resolution}


def fallback(play: Play) -> None:
    """Let the law pass by in place of a missing entanglement: it costs nothing but a name."""
    play.emit("TurnFallback", reason="no entanglement could be applied")
    play.tell(HOLDING_LINE, "system")
    _settle(play)
    go_on(play)


def _require_prices(ways: Sequence[WayOut]) -> None:
    """Require one cheap, one moderate and one desperate way out, in any order."""
    given = [(way.eo_cost_type, way.eo_cost_amount) for way in ways]
    # Assign the ways so that most prices fit as they are: only the others need a repair.
    best = max(permutations(WAYS), key=lambda names: sum(map(_costs, names, given)))
    for place, (name, price, way) in enumerate(zip(best, given, ways, strict=True)):
        if not _costs(name, price):
            where = f"output.eo_options.{place}"
            repaired = [
                {**way.as_written, "eo_cost_type": kind, "eo_cost_amount": amount} for kind, amount in WAYS[name]
            ]
            detail = f"{where}: wants the price of the {name} way out, which is missing"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(where, way.as_written, repaired))


def _costs(name: str, price: Price) -> bool:
    return price in WAYS[name]


def _committed(way: WayOut) -> EntanglementOption:
    return EntanglementOption(
        label=way.eo_label.strip(),
        cost_type=way.eo_cost_type,
        cost_amount=way.eo_cost_amount,
        resolution=way.eo_resolution,
    )


def keyed(ways: Sequence[EntanglementOption]) -> dict[str, EntanglementOption]:
    """Return ways out by the keys of their options."""
    return {f"option_{number}": way for number, way in enumerate(ways, start=1)}


def _shown(play: Play, key: str, way: EntanglementOption) -> ShownOption:
    return {"key": key, "label": way.label, "hint": _price(way), "disabled": not _can_pay(play, way)}


def _price(way: EntanglementOption) -> str:
    return f"{way.cost_amount} {way.cost_type}"


def _can_pay(play: Play, way: EntanglementOption) -> bool:
    """Return whether the acting character has the coin; stress can always be had."""
    return way.cost_type == "stress" or (play.actor is not None and play.actor.coin >= way.cost_amount)


def _pay(play: Play, way: EntanglementOption) -> None:
    if way.cost_type == "coin":
        change_coin(play, -way.cost_amount, "entanglement")
        return
    change_stress(play, way.cost_amount, "entanglement")
    actor = play.require_actor()
    if actor.stress >= play.rule("stress_max"):
        play.world.put(actor.replace(pending_trauma=True))


def _settle(play: Play) -> None:
    """Clear the heat, at the price of a higher wanted level, or of being hunted if that is not possible."""
    if play.crew.wanted < play.rule("wanted_max"):
        change_wanted(play, 1, "entanglement")
    else:
        add_threat(play, MANHUNT)
    change_heat(play, -play.crew.heat, "entanglement")
