"""Going somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnwright.model.agent import AgentKind
from turnwright.suggest.message import words_of
from turnwright.suggest.objects import head_of, named_of, noun_phrase, person_of
from turnwright.suggest.rule import Found, Hit, Look, Rule
from turnwright.suggest.snapshot import Named


class Goal(NamedTuple):
    """Where a clause leads: how well that is known, the place if it is known, and its name."""

    base: str
    place: Named | None
    name: str


class Travel(Rule):
    """The party goes to a place."""

    id = "r14_travel"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("travel",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read verbs of motion with a place; the nearer it is known, the surer."""
        for found, goal in goals_of(look):
            if goal:
                arguments: dict[str, object] = {"destination": goal.name} if goal.name else {}
                if goal.place and goal.place.id:
                    arguments["area_id"] = goal.place.id
                yield look.hit(found, "travel", goal.base, "the party goes somewhere else", arguments)


class UnknownPlace(Rule):
    """The party goes where nobody has drawn a map yet."""

    id = "r24_unknown_place"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("map.new",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read a way to a place that the campaign does not know."""
        for found, goal in goals_of(look):
            if goal and goal.place is None and goal.base in ("noun", "name"):
                arguments = {"theme": goal.name} if goal.name else {}
                yield look.hit(found, "map.new", "unknown", "the way leads to a place without a map", arguments)


def goals_of(look: Look) -> list[tuple[Found, Goal | None]]:
    """Return where each clause of motion leads; both rules of this file ask, and the answer is kept."""
    asked = ("goals", id(look.words.patterns))
    if asked not in look.message.found:
        look.message.found[asked] = [(found, goal_of(look, found)) for found in look.found()]
    found: list[tuple[Found, Goal | None]] = look.message.found[asked]
    return found


def goal_of(look: Look, found: Found) -> Goal | None:
    """Return where the clause leads; None where it leads to somebody, or nowhere."""
    text, original = found.group("place"), found.named("place")
    areas = look.snapshot.areas
    if found.pattern.name == "direction":
        words = words_of(found.clause.text)
        place = named_of(areas.reachable, words)
        return Goal("reachable" if place else "direction", place, place.name if place else found.group("direction"))
    words = words_of(text)
    if not words:
        return None
    if areas.current and named_of([areas.current], words) and not named_of(areas.reachable, words):
        return None
    for base, places in (("reachable", areas.reachable), ("known", areas.known)):
        if place := named_of(places, words):
            return Goal(base, place, place.name)
    phrase = noun_phrase(look, text, original)
    givers = (Named(quest.giver) for quest in look.snapshot.quests or () if quest.giver)
    people = (*(look.snapshot.npcs_present or ()), *(look.snapshot.party or ()), *givers)
    if not phrase.words or person_of(look, people, phrase.words):
        return None
    return _unknown_goal(look, found, phrase.words, phrase.original)


def _unknown_goal(look: Look, found: Found, words: Sequence[str], name: str) -> Goal | None:
    head = head_of(look, words)
    if found.pattern.name in ("clipped", "inverted", "off_to") and not look.has("place_nouns", head):
        return None
    if look.has_any("near", words):
        return None
    if look.has("place_nouns", head) or look.has("place_nouns", head.removesuffix("s")):
        return Goal("noun", None, name)
    if look.has_any("people", (head, head.removesuffix("s"))):
        return None
    if name[:1].isupper() and found.pattern.name != "leave":
        return Goal("name", None, name)
    return None
