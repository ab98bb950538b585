"""The output of a bargain: offers that are committed before the player chooses among them.

Source: docs/tools/scenes.md, "Bargains".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from turnwright.model.base import Id, ListOf, Model, SafeInt, Text
from turnwright.model.clock import Clock
from turnwright.model.mood import BargainMood, BargainOffer, CostType, Label, Plan, TraumaName
from turnwright.model.prose import Line, Narration, Note
from turnwright.model.scene import DmNarration
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.bargains import Places, Terms, require_terms, take, target_name, terms_of
from turnwright.rulesets.scenes.beats import add_beat
from turnwright.rulesets.scenes.choices import picked
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.prices import offer_in_words
from turnwright.rulesets.scenes.turn_output import ranged
from turnwright.rulesets.scenes.waiting import ask_choice
from turnwright.rulesets.scenes.ways_out import MAX_CLOCKS, pass_out, require_clocks, require_place, retreat

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import CommittedOffers, MoodChanged, PassedOut, ShownOffer, ShownOption


class Offer(Model):
    """A deal: its cost and the number of dice it brings. All of it is committed before the player chooses."""

    label: Label = Field(description="The name of the deal.")
    hint: Label = Field(description="What the player learns before choosing.")
    cost_type: CostType = Field(description="How the deal is paid.")
    cost_amount: SafeInt = ranged(1, 3, "How much is paid; see the price list.", 1)
    cost_target: Note | None = Field(
        default=None, description="Id of the threat clock or faction, or a description of the item."
    )
    trauma_name: TraumaName | None = Field(default=None, description="The scar, if that is the price.")
    dice_gained: SafeInt = ranged(1, 3, "How many dice it brings; see the price list.", 1)
    narrative: Line = Field(description="The text told when the deal is taken; hidden until then.")


class RetreatPlan(Model):
    """The consequences of a retreat of the crew."""

    narration: Line


class PassOutPlan(Model):
    """The consequences of the acting character passing out."""

    narration: Line
    wake_up_location: Annotated[Text, Field(min_length=1, max_length=100)] = Field(
        description="Id of a place, or the name of a new one."
    )
    clocks_to_advance: ListOf[Id] = Field(
        default=(), description="Ids of up to 2 threat clocks.", json_schema_extra={"maxItems": MAX_CLOCKS}
    )


class BargainOutput(Model):
    """The city's offer: 2 to 4 deals, and the consequences of the ways out."""

    narration: Narration = Field(description="The text that the player reads before the offers.")
    offers: Annotated[ListOf[Offer], Field(min_length=2, max_length=4)]
    retreat_plan: RetreatPlan | None = Field(default=None, description="Only if there is a way back.")
    pass_out_plan: PassOutPlan | None = None


def apply(play: Play, output: BargainOutput) -> CommittedOffers:
    """Commit the offers and ask the table to choose."""
    mood = _bargain(play)
    for place, offer in enumerate(_committed(output, "dm")):
        _require_offer(play, offer, place)
    if output.retreat_plan is not None and not mood.can_retreat:
        raise CallFailed(
            Reason.RETREAT_UNAVAILABLE,
            "there is no way back",
            hint.ask("output.retreat_plan", output.retreat_plan.as_written),
        )
    if plan := output.pass_out_plan:
        require_place("output.pass_out_plan.wake_up_location", plan.wake_up_location)
        require_clocks(play, plan.clocks_to_advance, "output.pass_out_plan.clocks_to_advance")
    present(play, output)
    return {"offers": [offer.id for offer in _bargain(play).offers]}


def _committed(output: BargainOutput, source: Literal["dm", "system"]) -> list[BargainOffer]:
    return [
        BargainOffer.model_validate({"id": f"offer_{number}", **offer.as_written, "source": source})
        for number, offer in enumerate(output.offers, start=1)
    ]


def _require_offer(play: Play, offer: BargainOffer, place: int) -> None:
    where = f"output.offers.{place}"
    places = Places(f"{where}.cost_amount", f"{where}.cost_target", f"{where}.dice_gained", f"{where}.trauma_name")
    try:
        require_terms(play, terms_of(offer), places)
    except CallFailed as failure:
        raise CallFailed(failure.reason, failure.detail, {**failure.hint, "index": place}) from None


def present(play: Play, output: BargainOutput, source: Literal["dm", "system"] = "dm") -> None:
    """Offer the valid deals to the table."""
    mood = _bargain(play)
    offers = _committed(output, source)
    plans = {
        "retreat_plan": output.retreat_plan.as_written if output.retreat_plan else None,
        "pass_out_plan": output.pass_out_plan.as_written if output.pass_out_plan else None,
    }
    phase = play.crew.phase
    play.set_crew(phase=phase.replace(mood=mood.replace(offers=offers, **plans)))
    narration = output.narration
    add_beat(play, DmNarration(text=narration, mood="bargain", seq=play.seq, turn=play.crew.turn))
    shown = [_shown(play, offer) for offer in offers]
    play.emit("BargainOptionsPresented", offers=shown)
    play.tell(narration, source)
    ask_choice(play, _options(mood, shown), "What will it cost you?")


def _shown(play: Play, offer: BargainOffer) -> ShownOffer:
    """Return the part of an offer that players see: all but its narrative, with names in place of ids."""
    terms = terms_of(offer)
    return {
        "id": offer.id,
        "label": offer.label,
        "hint": offer.hint,
        "cost_type": offer.cost_type,
        "cost_amount": offer.cost_amount,
        "cost_target": target_name(play, terms),
        "trauma_name": terms.trauma,
        "dice_gained": offer.dice_gained,
    }


def _options(mood: BargainMood, offers: Sequence[ShownOffer]) -> list[ShownOption]:
    options: list[ShownOption] = [
        {"key": offer["id"], "label": offer["label"], "hint": f"{offer['hint']} ({offer_in_words(offer)})"}
        for offer in offers
    ]
    if mood.can_retreat:
        options.append({"key": "retreat", "label": mood.retreat_desc or "retreat"})
    return [*options, {"key": "pass_out", "label": mood.pass_out_desc or "pass out"}]


def fallback(play: Play) -> None:
    """Offer plain deals in place of an output that stayed invalid, so that the game can always continue."""
    play.emit("TurnFallback", reason="no output of this bargain could be applied")
    plain = {"hint": "nothing more, nothing less", "cost_amount": 1, "dice_gained": 1}
    offers = []
    if play.actor is not None and play.actor.stress < play.rule("stress_max") - 1:
        offers.append(
            {**plain, "label": "grit your teeth", "cost_type": "stress", "narrative": "You find one more breath."}
        )
    if play.crew.heat < play.rule("heat_max"):
        offers.append({**plain, "label": "be seen", "cost_type": "heat", "narrative": "Somebody will remember you."})
    # Fewer than two deals are fine here: the ways out are offered, too.
    output = BargainOutput.model_construct(
        narration="The city waits, and names its price.",
        offers=tuple(Offer.model_validate(offer) for offer in offers),
        retreat_plan=None,
        pass_out_plan=None,
    )
    present(play, output, "system")


def answer(play: Play, value: Any) -> MoodChanged:
    """Apply the table's choice, with the committed arguments."""
    mood = _bargain(play)
    key = picked(play, value)
    if key == "retreat":
        return _retreat(play, mood.retreat_plan)
    if key == "pass_out":
        return _pass_out(play, mood.pass_out_plan)
    terms = terms_of(next(offer for offer in mood.offers if offer.id == key))
    if failure := _spoilt(play, terms):
        ways_out = ["retreat", "pass_out"] if mood.can_retreat else ["pass_out"]
        left = [offer.id for offer in mood.offers if _spoilt(play, terms_of(offer)) is None]
        repair = hint.ask("answer.value", value, [*left, *ways_out])
        raise CallFailed(failure.reason, failure.detail, repair)
    return take(play, terms)


def _spoilt(play: Play, terms: Terms) -> CallFailed | None:
    """Return why an offered deal can no longer be taken; None when it can."""
    try:
        require_terms(play, terms, Places(*["answer.value"] * 4))
    except CallFailed as failure:
        return failure
    return None


def _retreat(play: Play, plan: Plan | None) -> MoodChanged:
    if plan is None:
        return retreat(play, "You slip away while there is still a way.", "system")
    return retreat(play, plan.narration)


def _pass_out(play: Play, plan: Plan | None) -> PassedOut:
    if plan is None:
        clocks = require_clocks(play, (), "answer.value")
        return pass_out(play, "The dark takes you.", play.scene.location, clocks, source="system")
    place = plan.wake_up_location or play.scene.location
    return pass_out(play, plan.narration, place, _planned(play, plan.clocks_to_advance))


def _planned(play: Play, clock_ids: Sequence[str]) -> Sequence[Clock]:
    """Return the clocks that a plan advances: those that still threaten, as passing out is always possible."""
    clocks = ((clock_id, play.world.find(Clock, clock_id)) for clock_id in clock_ids)
    return require_clocks(play, [known for known, clock in clocks if clock and clock.type == "threat"], "answer.value")


def _bargain(play: Play) -> BargainMood:
    mood = play.mood
    assert isinstance(mood, BargainMood)
    return mood
