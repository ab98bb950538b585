"""Going somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.entities import head_of, noun_phrase, person_after, person_of, spelling_of
from turnwright.suggestions.places import only_way_out, places_named
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import Named


class Goal(NamedTuple):
    """The goal of a clause: how well it is known, and the place and its name if known.

    Place and name are missing if the words do not tell which place is meant: one of several known places, or whatever
    is in a direction, behind a door or outside of a place that is left.
    """

    base: str
    place: Named | None
    name: str


_SOMEWHERE = Goal("direction", None, "")
_LEAVING = ("leave_place", "leave_named")
"""Patterns of leaving: a place by its kind, and a place that is known."""


class Travel(Rule):
    """The party goes to a place."""

    id = "r14_travel"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("travel",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Find verbs of motion with a place; the nearer the place, the higher the confidence."""
        goals = [(found, goal) for found, goal in goals_of(look) if goal]
        for found, goal in sorted(goals, key=lambda one: not one[1].name):  # of equals the one that names a place
            arguments: dict[str, object] = {"destination": goal.name} if goal.name else {}
            if goal.place and goal.place.id:
                arguments["area_id"] = goal.place.id
            yield look.hit(found, "travel", goal.base, "the party goes somewhere else", arguments)


class UnknownPlace(Rule):
    """The party goes to a place that is not on a map yet."""

    id = "r24_unknown_place"
    agents = frozenset({AgentKind.NARRATIVE})
    intents = ("map.new",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read a way to a place that the campaign does not know."""
        for found, goal in goals_of(look):
            if goal and goal.name and goal.place is None:
                arguments = {"theme": goal.name}
                yield look.hit(found, "map.new", "unknown", "the way leads to a place without a map", arguments)


def goals_of(look: RuleContext) -> list[tuple[Found, Goal | None]]:
    """Return the goal of each clause of motion; both rules of this file ask, and the answer is kept."""
    asked = ("goals", id(look.words.patterns))
    if asked not in look.message.found:
        look.message.found[asked] = [(found, goal_of(look, found)) for found in look.found()]
    found: list[tuple[Found, Goal | None]] = look.message.found[asked]
    return found


def goal_of(look: RuleContext, found: Found) -> Goal | None:
    """Return the goal of a clause; None if it leads to a character, or nowhere."""
    if found.pattern.name == "direction":
        return _direction(look, found)
    text, original = found.group("place"), found.named("place")
    if not text:
        return None
    if found.pattern.name in _LEAVING:
        return _way_out(look, found)
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


def _direction(look: RuleContext, found: Found) -> Goal:
    named = places_named(look, found.clause.text)
    if len(named) == 1 and named[0].nearness == "reachable":
        return Goal("reachable", named[0].place, named[0].place.name)
    return _SOMEWHERE


def _way_out(look: RuleContext, found: Found) -> Goal | None:
    """Return where a way out of a place leads; the place that is left is not the goal."""
    text = found.clause.text[found.match.start("place") :]
    left = noun_phrase(look, found.group("place"), found.named("place"))
    named = places_named(look, " ".join(left.words))
    here = [one.place for one in named if one.nearness == "current"]
    if person_after(look, "to_words", text):
        return None
    if found.pattern.name == "leave_named" and not (here and _is_all(look, here[0].name, text)):
        return None
    out = only_way_out(look.snapshot.areas, here[0]) if here else None
    return Goal("direction", out, out.name) if out else _SOMEWHERE


def _is_all(look: RuleContext, name: str, text: str) -> bool:
    """Return whether a text is a name and at most a way to leave: "at dawn", but not "to Lena", "out of the story"."""
    own = {*spelling_of(name).full.split(), *spelling_of(name).tails}
    words = text.replace(",", " , ").split()
    past = next((at for at in range(len(words), 0, -1) if words[at - 1] in own), 0)
    allowed = look.words.lists.get("leaving")
    return allowed is None or not words[past:] or words[past] == "," or words[past] in allowed


def _unknown_goal(look: RuleContext, found: Found, words: Sequence[str], name: str) -> Goal | None:
    head = head_of(look, words)
    if found.pattern.name in ("clipped", "inverted", "off_to") and not look.has("place_nouns", head):
        return None
    if look.has_any("near", words):
        return None
    if look.has("place_nouns", head) or look.has("place_nouns", head.removesuffix("s")):
        return Goal("noun", None, "" if look.has("passages", head) else name)
    if look.has_any("people", (head, head.removesuffix("s"))):
        return None
    if name[:1].isupper() and found.pattern.name != "leave":
        return Goal("name", None, name)
    return None
