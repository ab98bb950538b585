"""The tables of single voices besides the world: dice with their prices, deals, scars, cards.

Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from turnwright.game_master.prompts.quoting import Ours
from turnwright.model.clock import Clock
from turnwright.model.crew import Crew, PendingOutcome
from turnwright.model.intrigue import Faction
from turnwright.model.mood import CostType, Position
from turnwright.model.person import CharacterChoices
from turnwright.model.state.overlay import World
from turnwright.rulesets.scenes import tarot
from turnwright.rulesets.scenes.prices import PRICES
from turnwright.rulesets.scenes.scars import ALIASES, TRAUMAS
from turnwright.rulesets.scenes.tiers import COST_GUIDANCE, RESOLUTIONS, tier


class DieRow(NamedTuple):
    """A die of the pool: what it stands for, and what its outcome usually costs."""

    place: int
    face: int
    tier: str
    stress: Ours
    heat: Ours
    feel: Ours


class DiceView(NamedTuple):
    """The pool; the outcome that was chosen and waits, and how it may be resolved; a row for each die until then."""

    pool: tuple[int, ...]
    chosen: PendingOutcome | None
    narrative: str
    resolutions: tuple[str, ...]
    rows: tuple[DieRow, ...]


class PriceView(NamedTuple):
    """A price that can be asked now: how much, for at most how many dice, and what else it names."""

    kind: Ours
    amount: Ours
    dice: Ours
    target: Ours


class Scar(NamedTuple):
    """A trauma that the character does not carry yet, in a line."""

    name: Ours
    meaning: Ours


class CardView(NamedTuple):
    """A card of the spread."""

    position: str
    name: Ours
    meaning: Ours


def die_rows(pool: Sequence[int], position: Position) -> tuple[DieRow, ...]:
    """Return a row for each die, in the order of the pool."""
    return tuple(_die_row(place, face, position) for place, face in enumerate(pool))


def _die_row(place: int, face: int, position: Position) -> DieRow:
    earned = tier(position, face)
    usual = COST_GUIDANCE[earned]
    return DieRow(place, face, earned, _span(usual.stress), _span(usual.heat), Ours(usual.feel))


def _span(ends: tuple[int, int]) -> Ours:
    low, high = ends
    return Ours(str(low) if low == high else f"{low} to {high}")


_TARGETS: Mapping[CostType, str] = {
    "clock": "`cost_target`: id of a threat clock",
    "faction": "`cost_target`: id of a faction that is not hostile; it thinks worse of them, and they owe it",
    "trauma": "`trauma_name`: a scar that they do not carry; stress goes to 0",
    "item": "`cost_target`: what they part with, in words",
}


def dice_of(crew: Crew) -> DiceView:
    """Return the dice as they are now."""
    pending = crew.pending_outcome
    if pending is not None and pending.chosen_tier is not None:
        narrative = pending.outcomes[pending.chosen_index or 0].narrative
        return DiceView(crew.dice_pool, pending, narrative, RESOLUTIONS[pending.chosen_tier], ())
    mood = crew.mood
    rows = die_rows(crew.dice_pool, mood.variant) if mood and mood.mood == "action" else ()
    return DiceView(crew.dice_pool, None, "", (), rows)


def prices_of(world: World, crew: Crew, rules: Mapping[str, Any], *, has_payer: bool) -> tuple[PriceView, ...]:
    """Return the prices that would really cost something now, in the order of the price list.

    Args:
        world: the campaign.
        crew: its crew.
        rules: the settings of the scene game, by their short names.
        has_payer: whether there is a character who can take stress and scars.
    """
    useless: set[CostType] = set() if has_payer else {"stress", "trauma"}
    if crew.heat >= rules["heat_max"]:
        useless.add("heat")
    if crew.wanted >= rules["wanted_max"]:
        useless.add("wanted")
    if not any(clock.type == "threat" and not clock.is_full for clock in world.all(Clock)):
        useless.add("clock")
    if all(faction.attitude == "hostile" for faction in world.all(Faction)):
        useless.add("faction")
    return tuple(_price(kind) for kind in PRICES if kind not in useless)


def _price(kind: CostType) -> PriceView:
    price = PRICES[kind]
    dice = Ours("one for each" if price.flat is None else f"up to {price.flat}")
    return PriceView(Ours(kind), _span((price.low, price.high)), dice, Ours(_TARGETS.get(kind, "-")))


def scars_left(trauma: Sequence[str]) -> tuple[Scar, ...]:
    """Return the known traumas that the character does not carry yet."""
    held = {ALIASES.get(name.casefold(), name.casefold()) for name in trauma}
    return tuple(Scar(Ours(name), Ours(meaning)) for name, meaning in TRAUMAS.items() if name not in held)


def cards_of(choices: CharacterChoices | None) -> tuple[CardView, ...]:
    """Return the spread, with what its cards mean; nothing without choices."""
    if choices is None:
        return ()
    dealt = zip(tarot.POSITIONS, map(tarot.card, choices.tarot_spread), strict=True)
    return tuple(CardView(place, Ours(card.name), Ours(card.meaning)) for place, card in dealt if card)
