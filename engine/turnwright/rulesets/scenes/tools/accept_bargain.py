"""accept_bargain: dice, at a price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Id, Model, SafeInt, Text
from turnwright.model.mood import BargainMood, CostType, TraumaName
from turnwright.model.prose import Line, Note
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.bargains import Places, Terms, require_numbers, require_terms, take, terms_of
from turnwright.rulesets.scenes.moods import require_transition
from turnwright.rulesets.scenes.play import Play, find_crew
from turnwright.rulesets.scenes.tools._scene_tool import Moved, SceneArgs, scene_tool
from turnwright.rulesets.tool import Context, Legal

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import DealTaken

_PLACES = Places(
    "args.bargain_cost_amount", "args.bargain_cost_target", "args.bargain_dice_gained", "args.bargain_trauma_name"
)
_OWN = ("bargain_description", "bargain_cost_type", "bargain_dice_gained")


class AcceptBargainArgs(SceneArgs):
    """Arguments of `accept_bargain`: the id of an offer, or the whole deal."""

    offer_id: Id | None = Field(default=None, description="The id of an offer.")
    bargain_description: Line | None = Field(default=None, description="The deal in words.")
    bargain_cost_type: CostType | None = Field(default=None, description="How the deal is paid.")
    bargain_cost_amount: Annotated[SafeInt, Field(ge=1, le=3)] = Field(
        default=1, description="How much is paid; see the price list."
    )
    bargain_cost_target: Note | None = Field(
        default=None, description="Id of the threat clock or faction, or a description of the item."
    )
    bargain_dice_gained: SafeInt | None = Field(default=None, description="1 to 3; the price list limits it.")
    bargain_trauma_name: TraumaName | None = Field(default=None, description="The scar, if that is the price.")


class CostApplied(Model):
    """The price that was really paid."""

    type: CostType
    amount: SafeInt
    target: Text | None


class AcceptBargainResult(Model):
    """The pool, and the price paid."""

    new_pool_size: Count
    cost_applied: CostApplied
    transition: Moved = ABSENT


def _legal(world: World, ctx: Context) -> Legal:
    del ctx
    crew = find_crew(world)
    mood = crew.mood if crew else None
    offers = [offer.id for offer in mood.offers] if isinstance(mood, BargainMood) else []
    return {"offer_id": offers} if offers else {}


@scene_tool(
    AcceptBargainArgs,
    AcceptBargainResult,
    legal=_legal,
    example={
        "bargain_description": "The lamplighter looks away, and will want a favor",
        "bargain_cost_type": "heat",
        "bargain_cost_amount": 1,
        "bargain_dice_gained": 1,
    },
)
def accept_bargain(play: Play, args: AcceptBargainArgs) -> DealTaken:
    """Take a deal of the city: pay its price, and continue with new dice.

    Prices: stress 1-3 or heat 1-2, a die for each; wanted 1, up to 2 dice; 1-2 ticks of a threat clock, a die for each;
    a debt to a faction, up to 2 dice; something dear, up to 2 dice; a trauma, up to 3 dice. Existing offers are
    binding.
    """
    mood = play.mood
    assert isinstance(mood, BargainMood)
    stated = _stated(args) if args.offer_id is None else None
    require_transition(play)
    terms = _offered(mood, args) if stated is None else _agreed(mood, stated)
    require_terms(play, terms, _PLACES)
    return take(play, terms)


def _offered(mood: BargainMood, args: AcceptBargainArgs) -> Terms:
    found = [offer for offer in mood.offers if offer.id == args.offer_id]
    if not found:
        repair = hint.name("args.offer_id", args.offer_id, [offer.id for offer in mood.offers])
        raise CallFailed(Reason.BARGAIN_NOT_OFFERED, f"there is no offer {args.offer_id}", repair)
    return terms_of(found[0])


def _stated(args: AcceptBargainArgs) -> Terms:
    """Return the deal that the arguments state themselves."""
    missing = next((name for name in _OWN if getattr(args, name) is None), None)
    if missing is not None:
        raise CallFailed(Reason.INVALID_ARGS, f"args.{missing}: is required", hint.ask_for(f"args.{missing}"))
    assert args.bargain_cost_type is not None
    assert args.bargain_dice_gained is not None
    terms = Terms(
        args.bargain_description or "",
        args.bargain_cost_type,
        args.bargain_cost_amount,
        args.bargain_cost_target,
        args.bargain_dice_gained,
        args.bargain_trauma_name,
    ).pruned()
    require_numbers(terms, _PLACES)
    return terms


def _agreed(mood: BargainMood, terms: Terms) -> Terms:
    """Return a stated deal, which must be one of the offers if there are any."""
    if not mood.offers:
        return terms
    matching = next((offer for offer in map(terms_of, mood.offers) if _key(offer) == _key(terms)), None)
    if matching is None:
        repair = hint.ask_for("args.offer_id", [offer.id for offer in mood.offers])
        raise CallFailed(Reason.BARGAIN_NOT_OFFERED, "other deals were offered", repair)
    return terms._replace(narrative=matching.narrative, source=matching.source)


def _key(terms: Terms) -> tuple[Any, ...]:
    return terms.cost_type, terms.amount, terms.target, terms.dice
