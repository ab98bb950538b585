"""Quests: taking one on, and getting on with one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.model.agent import AgentKind
from turnwright.suggest.objects import mentioned
from turnwright.suggest.rule import Found, Hit, Look, Rule
from turnwright.suggest.snapshot import QuestView

TALKERS = frozenset({AgentKind.NARRATIVE, AgentKind.NPC_INDIVIDUAL, AgentKind.NPC_PUPPETEER})
_TELLING = 4
"""Letters from which on a word of a title tells one quest from another."""


class QuestAccept(Rule):
    """An offer is taken: in so many words, or by a bare yes while an offer is open."""

    id = "r01_quest_accept"
    agents = TALKERS
    requires = ("speaker_is_player",)
    intents = ("quest.accept",)

    def evaluate(self, look: Look) -> Iterable[Hit]:
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
            for found in look.found("assent", spoken=True):
                if look.is_questioned(found):
                    continue
                yield look.hit(found, "quest.accept", "assent", "the player says yes to the offered quest", arguments)


class QuestProgress(Rule):
    """Something of an active quest is done, or it is handed in."""

    id = "r02_quest_progress"
    agents = frozenset({AgentKind.NARRATIVE, AgentKind.NPC_INDIVIDUAL})
    requires = ("has_active_quest",)
    intents = ("quest.objective", "quest.complete")

    def evaluate(self, look: Look) -> Iterable[Hit]:
        """Read reports and deliveries; one that names something of the quest counts more."""
        for found in look.found("complete", "done", "reward", spoken=True):
            yield self._hit(look, found, "quest.complete")
        for found in look.found("report", "told_done", "deliver", "objective", spoken=True):
            is_report = found.pattern.name in ("report", "told_done")
            quest = _named_quest(look, _words(found), by_giver=is_report)
            if not is_report and quest is None:
                continue
            is_last = quest is not None and not quest.objectives
            yield self._hit(look, found, "quest.complete" if is_last else "quest.objective")
        for found in look.found("back", spoken=True):
            if _named_quest(look, list(look.message.words), by_giver=True):
                yield self._hit(look, found, "quest.objective")

    def _hit(self, look: Look, found: Found, intent: str) -> Hit:
        quest = _named_quest(look, _words(found), by_giver=True)
        active = [one for one in look.snapshot.quests or () if one.status == "active"]
        only = active[0] if len(active) == 1 else None
        known = quest or only
        arguments = {"quest_id": known.id} if known and known.id else {}
        return look.hit(found, intent, "named" if quest else "unnamed", "the party gets on with a quest", arguments)


def _words(found: Found) -> list[str]:
    return found.clause.text.replace(",", "").split()


def _named_quest(look: Look, said: list[str], *, by_giver: bool) -> QuestView | None:
    """Return the active quest whose title or objectives, or whose giver, the words speak of."""
    people = {name for one in look.snapshot.npcs_present or () for name in one.name.lower().split()}
    words = [word for word in said if by_giver or not (word in people or look.has("people", word))]
    for quest in look.snapshot.quests or ():
        if quest.status == "active" and any(_speaks_of(text, words) for text in _texts(quest)):
            return quest
        if by_giver and quest.status == "active" and quest.giver and mentioned([quest.giver], said):
            return quest
    return None


def _texts(quest: QuestView) -> Iterator[str]:
    yield quest.title
    yield from (objective.name for objective in quest.objectives)


def _speaks_of(text: str, words: list[str]) -> bool:
    telling = {word.strip(".,!?'\"") for word in text.lower().split() if len(word) >= _TELLING} - _COMMON
    said = {form for word in words for form in (word, word.removesuffix("s"))}
    return bool({word.removesuffix("s") for word in telling} & said)


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
