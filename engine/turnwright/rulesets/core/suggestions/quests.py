"""Quests: taking one on, and getting on with one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.entities import mentioned, spelling_of
from turnwright.suggestions.rule import Found, Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import Named, QuestView

TALKERS = frozenset({AgentKind.NARRATIVE, AgentKind.NPC_INDIVIDUAL, AgentKind.NPC_PUPPETEER})
_TELLING = 4
"""The least number of letters in a word that distinguishes one quest title from another."""


class QuestAccept(Rule):
    """An offer is accepted: in explicit words, or by a bare yes while an offer is open."""

    id = "r01_quest_accept"
    agents = TALKERS
    requires = ("speaker_is_player",)
    intents = ("quest.accept",)

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read assent; without an offer only the word for the thing itself counts."""
        offer = look.snapshot.pending_offer
        is_offered = offer is not None and offer.kind == "quest"
        arguments = {"quest_id": offer.id} if offer is not None and is_offered and offer.id else {}
        for found in look.found("accept_quest", spoken=True):
            base = "offered" if is_offered else "explicit"
            if offer is None or is_offered:
                yield look.hit(found, "quest.accept", base, "the player takes on a quest", arguments)
        if is_offered and not look.refuses():
            for found in look.found("accept_named", "agree", "promise", spoken=True):
                yield look.hit(found, "quest.accept", "offered", "the player agrees to the offered quest", arguments)
            for found in look.found("assent", "not_refused", spoken=True):
                if look.is_questioned(found):
                    continue
                yield look.hit(found, "quest.accept", "assent", "the player says yes to the offered quest", arguments)


class QuestProgress(Rule):
    """A task of an active quest is done, or the quest is handed in."""

    id = "r02_quest_progress"
    agents = frozenset({AgentKind.NARRATIVE, AgentKind.NPC_INDIVIDUAL})
    requires = ("has_active_quest",)
    intents = ("quest.objective", "quest.complete")

    def evaluate(self, look: RuleContext) -> Iterable[Hit]:
        """Read reports and deliveries; one that names something of the quest counts more."""
        for found in look.found("complete", "done", "reward", spoken=True):
            yield self._hit(look, found, "quest.complete", _meant(look, _words(found)))
        for found in look.found("report", "told_done", "deliver", "objective", spoken=True):
            words = _words(found)
            if found.pattern.name in ("report", "told_done"):
                meant = _meant(look, words)
                if meant is None and any(_is_of_a_place(look, word) for word in words):
                    continue  # the way back, and no report
            else:
                meant = _meant(look, _things(look, words), by_giver=False, by_title=found.pattern.name == "deliver")
                if meant is None:
                    continue
            is_last = meant is not None and not meant.quest.objectives
            yield self._hit(look, found, "quest.complete" if is_last else "quest.objective", meant)
        for found in look.found("back", spoken=True):
            if meant := _meant(look, list(look.message.words)):
                yield self._hit(look, found, "quest.objective", meant)

    def _hit(self, look: RuleContext, found: Found, intent: str, meant: Meant | None) -> Hit:
        active = [one for one in look.snapshot.quests or () if one.status == "active"]
        only = Meant(active[0], None) if len(active) == 1 else None
        known = meant or only
        arguments = {"quest_id": known.quest.id} if known and known.quest.id else {}
        if known and known.objective and known.objective.id and intent == "quest.objective":
            arguments["objective_id"] = known.objective.id
        return look.hit(found, intent, "named" if meant else "unnamed", "the party gets on with a quest", arguments)


class Meant(NamedTuple):
    """The quest that words refer to, and its objective, if they refer to exactly one."""

    quest: QuestView
    objective: Named | None


def _words(found: Found) -> list[str]:
    return found.clause.text.replace(",", "").split()


def _things(look: RuleContext, words: list[str]) -> list[str]:
    """Return the words that do not name a character."""
    return [word for word in words if not look.has("people", word)]


def _nameless(look: RuleContext, words: list[str], quest: QuestView) -> list[str]:
    """Return the words without the names of characters present and of quest givers."""
    names = (*(one.name for one in look.snapshot.npcs_present or ()), quest.giver or "")
    people = {word for name in names for word in spelling_of(name).full.split()}
    return [word for word in words if word not in people]


def _meant(look: RuleContext, said: list[str], *, by_giver: bool = True, by_title: bool = True) -> Meant | None:
    """Return the active quest of which the words name an objective, its giver or its title.

    An action in a place that a title names does not advance the quest: actions are compared with the objectives, and
    with the title of a quest without any. The person spoken to is not part of an objective: "bring Lena the crown".
    """
    for quest in look.snapshot.quests or ():
        if quest.status != "active":
            continue
        things = _nameless(look, said, quest)
        named = [one for one in quest.objectives if _speaks_of(look, one.name, things)]
        is_titled = (by_title or not quest.objectives) and _speaks_of(look, quest.title, things)
        if named or is_titled or (by_giver and quest.giver and mentioned([quest.giver], said)):
            return Meant(quest, named[0] if len(named) == 1 else None)
    return None


def _speaks_of(look: RuleContext, text: str, said: list[str]) -> bool:
    """Return whether the words share a distinctive one with a text; words for places count only with its verb."""
    words = [word.strip(".,!?'\"") for word in text.lower().split()]
    telling = [word for word in words if len(word) >= _TELLING and word not in _COMMON]
    forms = {form for word in said for form in (word, word.removesuffix("s"))}
    shared = [word for word in telling if word.removesuffix("s") in forms]
    if not all(_is_of_a_place(look, word) for word in shared):
        return True
    return bool(shared) and len(words[0]) >= _TELLING and any(word.startswith(words[0][:_TELLING]) for word in said)


def _is_of_a_place(look: RuleContext, word: str) -> bool:
    """Return whether a word is a noun for places, or part of the name of one that is known."""
    forms = (word, word.removesuffix("s"))
    return look.has_any("place_nouns", forms) or not _place_words(look).isdisjoint(forms)


def _place_words(look: RuleContext) -> frozenset[str]:
    """Return the words of the names of all places that are known."""
    if "place words" not in look.message.found:
        areas = look.snapshot.areas
        here = (place for place in (areas.current, areas.place) if place)
        known = (*(areas.reachable or ()), *(areas.known or ()), *here)
        look.message.found["place words"] = frozenset(word for one in known for word in one.name.lower().split())
    found: frozenset[str] = look.message.found["place words"]
    return found


_COMMON = frozenset(
    {
        "find",
        "bring",
        "back",
        "return",
        "with",
        "from",
        "that",
        "this",
        "take",
        "into",
        "quest",
        "reach",
        "rescue",
        "their",
        "them",
    }
)
