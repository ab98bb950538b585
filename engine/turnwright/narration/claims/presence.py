"""The dead and the absent: "the dead goblin attacks", "Mira says" of a character who cannot act or is not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from turnwright.language.clauses import ClauseKind
from turnwright.language.tokens import words_of
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import SILENT, AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind
from turnwright.narration.facts import Person
from turnwright.narration.names import Mention

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

_GONE = "dead"
_CAREFREE = frozenset({ClauseKind.COMMIT})


class PresenceClaims:
    """Claims that a character speaks or acts who was dead before the turn and still is, or who is elsewhere."""

    name = "presence"

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield characters who cannot have done what this clause says."""
        page = reading.page
        if (
            not page.doubtful
            or reading.clause.kind not in _CAREFREE
            or page.said_in(reading.clause.sentence, "elsewhere")
        ):
            return
        for at, word in enumerate(reading.words):
            if not reading.lexicon.forms(word) or _is_denied(reading, at):
                continue
            for mention in _actors(reading, at):
                person = _only(reading, mention)
                actual = _why_not(page, reading, person, at) if person else None
                if person and actual:
                    span = reading.span(min(mention.first, at), max(mention.past, at + 1))
                    kind = FindingKind.CONTRADICTION
                    yield Finding(kind, None, {"character_id": person.id, "acts": True}, actual, SEVERITY[kind], span)
                    return


def _actors(reading: ClauseView, at: int) -> list[Mention]:
    """Return the subject of the verb at `at`, also in "says Mira" behind a quotation."""
    if not reading.is_verb("act", at):
        return []
    if at == 0 and reading.is_verb("speak", at) and "base" not in reading.lexicon.forms(reading.words[at]):
        found = [m for m in reading.mentions if m.first in (1, 2) and not m.owner]
        if found and (reading.is_end(found[0].past) or reading.has("function", found[0].past)):
            return found[:1]
    return [mention for mention in reading.subjects(at) if mention in reading.mentions and abs(at - mention.past) <= 2]


def _is_denied(reading: ClauseView, at: int) -> bool:
    """Whether the verb is negated or only reported. The words that name the speaker of a quotation are neither."""
    if not reading.is_verb("speak", at):
        return not reading.asserts(at)
    if reading.has("nothing", at + 1):
        return True
    return any(0 < first <= at < past for first, past in reading.clause.denied)


def _only(reading: ClauseView, mention: Mention) -> Person | None:
    """Return the character meant, if known; None for a pronoun, a group or one of several."""
    if len(mention.ids) != 1 or mention.plural or mention.second or reading.has("others", mention.first - 1):
        return None
    (identifier,) = mention.ids
    said = {word.norm for word in reading.words[mention.first : mention.past]}
    for other in reading.page.scene.people:
        if other.id != identifier and not said.isdisjoint(w.norm for w in words_of(f"{other.id} {other.name or ''}")):
            return None
    return reading.page.doubtful.get(identifier)


def _why_not(page: AnnotatedText, reading: ClauseView, person: Person, at: int) -> JsonObject | None:
    if person.state is not None and person.was == person.state and person.state in SILENT:
        return {"state": person.state} if person.state == _GONE or reading.is_verb("speak", at) else None
    is_away = person.away is not None and person.id not in page.arrived
    return {"area_id": person.away} if is_away else None
