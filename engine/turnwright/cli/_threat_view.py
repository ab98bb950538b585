"""How hard a fight would be, for a terminal: the monsters as words name them, and both measures as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.model.errors import BadRequest
from turnwright.rulesets.fifth_edition.fights.monster_words import monsters_in

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.fights.monster_words import CountedMonster

_MAX_TEXT = 1000


def monsters_named(text: str) -> list[CountedMonster]:
    """Return the monsters of a list in words, each with its number.

    Raises:
        BadRequest: when it names none, or a part of it has only a number.
    """
    if len(text) > _MAX_TEXT:
        raise BadRequest(f"the monsters are at most {_MAX_TEXT} characters")
    try:
        found = monsters_in(text)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    if not found:
        raise BadRequest('name the monsters, such as "goblin x 3, ogre"')
    return found


def threat_lines(threat: Mapping[str, Any]) -> Iterator[str]:
    """Yield a threat check as lines for people."""
    rules, played = threat["by_rules"], threat["by_simulation"]
    yield ", ".join(f"{row['count']} x {row['name']} (CR {_rating(row['cr'])})" for row in threat["monsters"])
    yield "against " + ", ".join(
        f"{row['name']} (level {row['level']}, {row['hp']}/{row['max_hp']} hp)" for row in threat["party"]
    )
    yield ""
    verdict = "no more than" if rules["verdict"] == "within" else "more than"
    yield (
        f"By the rules: {rules['xp']} XP, {rules['percent']} % of {rules['party_xp']}, {verdict} such a party, rested, "
        "should defeat without a death (SRD 5.1, Challenge: a monster of a rating is for four of that level)."
    )
    if rules["above_level"]:
        yield f"Rated above the level of everybody: {', '.join(rules['above_level'])}."
    yield ""
    rounds = f"{played['mean_rounds']} rounds at the mean ({played['least_rounds']} to {played['most_rounds']})"
    yield (
        f"By {played['runs']} simulations (seed {played['seed']}): {rounds}; the party wins "
        f"{played['party_wins_percent']} %, somebody falls in {played['somebody_falls_percent']} %, somebody dies in "
        f"{played['somebody_dies_percent']} %."
    )
    if played["undecided_percent"]:
        yield f"{played['undecided_percent']} % were left undecided."
    falls = [f"{row['name']} {row['falls_percent']} %" for row in threat["party"] if row["falls_percent"]]
    yield f"Who falls: {', '.join(falls) or 'nobody'}."
    yield ""
    yield f"How it is played: {played['plays']}."


_FRACTIONS = {0.125: "1/8", 0.25: "1/4", 0.5: "1/2"}


def _rating(cr: float) -> str:
    return _FRACTIONS.get(cr) or f"{cr:g}"
