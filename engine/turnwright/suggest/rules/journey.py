"""Going somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnwright.model.agent import AgentKind
from turnwright.suggest.objects import head_of, noun_phrase, person_of
from turnwright.suggest.places import places_named
from turnwright.suggest.rule import Found, Hit, Look, Rule
from turnwright.suggest.snapshot import Named


class Goal(NamedTuple):
    """Where a clause leads: how well that is known, the place if it is known, and its name.

    One of several known places, when the words do not tell which, is `known` and has neither.
    """

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
    if found.pattern.name == "direction":
        return _direction(look, found)
    text, original = found.group("place"), found.named("place")
    if not text:
        return None
    start, end = found.match.span("place")
    named = places_named(look, text, found.clause.text[:start], found.clause.text[end:])
    beyond = [one for one in named if one.nearness != "current"]
    if len(beyond) > 1:
        return Goal("known", None, "")
    if named:
        return Goal(beyond[0].nearness, beyond[0].place, beyond[0].place.name) if beyond else None
    phrase = noun_phrase(look, text, original)
    givers = (Named(quest.giver) for quest in look.snapshot.quests or () if quest.giver)
    people = (*(look.snapshot.npcs_present or ()), *(look.snapshot.party or ()), *givers)
    if not phrase.words or person_of(look, people, phrase.words):
        return None
    return _unknown_goal(look, found, phrase.words, phrase.original)


def _direction(look: Look, found: Found) -> Goal:
    named = places_named(look, found.clause.text)
    if len(named) == 1 and named[0].nearness == "reachable":
        return Goal("reachable", named[0].place, named[0].place.name)
    return Goal("direction", None, found.group("direction"))


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
