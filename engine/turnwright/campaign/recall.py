"""Search the log for the parts of past turns that one viewer may know, in words.

A record is projected and rendered in words first, and only these words are compared with the search, so that no match
depends on what the viewer may not see.
Source: docs/stages/6-publish.md, "Recall".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from turnwright.campaign.record_text import TurnTeller
from turnwright.model.errors import BadRequest
from turnwright.model.knowledge import Knowledge
from turnwright.model.state.overlay import World
from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.render.finding import marked
from turnwright.store.store import Store

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

Json = Mapping[str, Any]
MAX_MATCHES = 100
MAX_RECORDS = 1000
"""Number of records one search reads; `before` of its reply continues from there."""
_MAX_QUERY_LENGTH = 400
_MAX_LINE_LENGTH = 600
_WORD = re.compile(r"\w[\w\u0300-\u036f\u3099\u309a]*")
"""A word, with the marks that may be written after a letter instead of a letter that has them."""


class RecallMatch(TypedDict):
    """One matching turn.

    Attributes:
        seq: the number of its record.
        turn_id: its id.
        timestamp: when it was taken: UTC, whole seconds.
        place: its acting character's location afterwards; None if the viewer does not know it.
        text: its messages and events, a line for each; a long one is cut to the words around the match.
        is_disputed: whether the narration claims more than the turn did.
    """

    seq: int
    turn_id: str
    timestamp: str
    place: str | None
    text: str
    is_disputed: bool


class RecallReply(TypedDict):
    """The result of a search of the log.

    Attributes:
        matches: the turns, newest first; none that was undone.
        more: whether older records were not searched.
        before: where to continue, as the argument of that name; None when all were searched.
    """

    matches: list[RecallMatch]
    more: bool
    before: int | None


class Search(NamedTuple):
    """The search criteria. Words match case-insensitively, as prefixes.

    Attributes:
        query: words that all have to occur.
        person: the name or id of a character who is named or speaks.
        place: the name or id of an area that is named, or where the turn ended.
        thing: the name of something that is named.
        limit: the number of matches, at most `MAX_MATCHES`.
        before: search only records with a lower number.
    """

    query: str | None = None
    person: str | None = None
    place: str | None = None
    thing: str | None = None
    limit: int = 20
    before: int | None = None

    def require_valid(self) -> None:
        """Refuse a search that nothing can be found by.

        Raises:
            BadRequest: naming the argument.
        """
        for name in ("query", "person", "place", "thing"):
            value = getattr(self, name)
            if value is None:
                continue
            if type(value) is not str or not 0 < len(value.strip()) <= _MAX_QUERY_LENGTH:
                raise BadRequest(f"{name} must be a text of 1 to {_MAX_QUERY_LENGTH} characters, or absent")
            if not _words(value):
                raise BadRequest(f"{name} must hold a word")
        if type(self.limit) is not int or not 1 <= self.limit <= MAX_MATCHES:
            raise BadRequest(f"limit must be an integer from 1 to {MAX_MATCHES}")
        if self.before is not None and (type(self.before) is not int or self.before < 0):
            raise BadRequest("before must be the number of a record, or absent")


def recall(store: Store, world: World, viewer: Viewer, search: Search) -> RecallReply:
    """Return the turns that a search finds.

    Args:
        store: the campaign, loaded for reading.
        world: its documents as of the last record.
        viewer: the reader.
        search: the valid search criteria.
    """
    teller, matcher = _Teller(world, viewer), _Matcher(search, WorldKnowledge(world, viewer))
    matches: list[RecallMatch] = []
    lowest = None
    for looked_at, record in enumerate(_standing(store, search.before), 1):
        lowest = record["seq"]
        told = teller.tell(record) if record["kind"] == "turn" else None
        if told is not None and matcher.fits(told):
            matches.append(told.match(record, matcher))
        if len(matches) == search.limit or looked_at == MAX_RECORDS:
            break
    else:
        lowest = None
    more = lowest is not None and lowest > 0
    return {"matches": matches, "more": more, "before": lowest if more else None}


def _standing(store: Store, before: int | None) -> Iterator[Record]:
    """Yield the records that are not undone, newest first; those that are, are not read."""
    undone_from = dict(store.history.undos)
    seq = store.history.seq
    while seq >= 0:
        if before is None or seq < before:
            record = store.record(seq)
            if record is not None:
                yield record
        seq = undone_from.get(seq, seq) - 1


class _Told(NamedTuple):
    """A turn in words for one viewer."""

    lines: list[str]
    place: str | None
    is_disputed: bool

    def match(self, record: Record, matcher: _Matcher) -> RecallMatch:
        return {
            "seq": record["seq"],
            "turn_id": record["turn_id"],
            "timestamp": record["timestamp"],
            "place": self.place,
            "text": "\n".join(map(matcher.excerpt, self.lines)),
            "is_disputed": self.is_disputed,
        }


class _Teller:
    """Tells one viewer of turns."""

    def __init__(self, world: World, viewer: Viewer) -> None:
        self._viewer = viewer
        self._teller = TurnTeller(world, viewer)
        self._knowledge = self._teller.knowledge

    def tell(self, record: Record) -> _Told | None:
        """Return a turn in words for the viewer; None where there are none."""
        told = self._teller.tell(record)
        events, deeds = (line.text for line in told.events), (deed.words for deed in told.deeds)
        lines = [line for line in (told.said, *events, *deeds, told.narrated) if line.strip()]
        if not lines:
            return None
        is_disputed = bool(told.narrated) and bool(marked(record["findings"]))
        return _Told(lines, self._place(record), is_disputed)

    def _place(self, record: Record) -> str | None:
        """Return where the acting character was after the turn, in a place that the viewer knows now."""
        actor_id = record["actor_id"]
        at = record["state_summary"]["positions"].get(actor_id) if actor_id else None
        if (
            at is None
            or actor_id is None
            or (not self._viewer.is_game_master and self._knowledge.whereabouts(actor_id) is None)
        ):
            return None
        return self._knowledge.area(at)


class _Prefixes:
    """Some words, to each of which another word is compared at once: it fits those that it begins with.

    The time depends on the text that is searched, and not on how many words are looked for.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.all = (1 << len(words)) - 1
        self._places: dict[str, int] = {}
        for place, word in enumerate(words):
            self._places[word] = self._places.get(word, 0) | 1 << place
        self._lengths = sorted({*map(len, words)})

    def fit(self, word: str) -> int:
        """Return the places of the words that fit, as bits; 0 where none does."""
        places = 0
        for length in self._lengths:
            if length > len(word):
                break
            places |= self._places.get(word[:length], 0)
        return places

    def all_in(self, words: Iterable[str]) -> bool:
        """Return whether each of the words fits somewhere in a text."""
        found = 0
        for word in words:
            found |= self.fit(word)
            if found == self.all:
                return True
        return found == self.all

    def in_order(self, words: Iterable[str]) -> bool:
        """Return whether the words fit in a text one after the other."""
        begun, end = 0, self.all ^ self.all >> 1  # a bit for each beginning of the words that ends here
        for word in words:
            begun = (begun << 1 | 1) & self.fit(word)
            if begun & end:
                return True
        return False


class _Matcher:
    """Compares a turn in words with a search. A name replaces an id only where the viewer knows both."""

    def __init__(self, search: Search, knowledge: Knowledge) -> None:
        query = _words(search.query or "")
        person = _names(search.person, knowledge.person(search.person) if search.person else None)
        place = _names(search.place, knowledge.area(search.place) if search.place else None)
        thing = _names(search.thing, knowledge.thing(search.thing) if search.thing else None)
        self._query = _Prefixes(query)
        self._person, self._place, self._thing = ([*map(_Prefixes, names)] for names in (person, place, thing))
        self._any = _Prefixes([*query, *chain.from_iterable((*person, *place, *thing))])

    def fits(self, told: _Told) -> bool:
        """Return whether a turn is one of those looked for."""
        words = _words("\n".join(told.lines))
        return (
            self._query.all_in(words)
            and _has_name(words, self._person)
            and _has_name([*words, *_words(told.place or "")], self._place)
            and _has_name(words, self._thing)
        )

    def excerpt(self, line: str) -> str:
        """Return a line, or of a long one the part around the first word that was looked for."""
        if len(line) <= _MAX_LINE_LENGTH:
            return line
        places = (found.start() for found in _WORD.finditer(line) if self._any.fit(_folded(found[0])))
        first = next(places, 0)
        start = max(0, min(first - _MAX_LINE_LENGTH // 3, len(line) - _MAX_LINE_LENGTH))
        end = start + _MAX_LINE_LENGTH
        return f"{'...' if start else ''}{line[start:end].strip()}{'...' if end < len(line) else ''}"


def _words(text: str) -> list[str]:
    return [_folded(word) for word in _WORD.findall(text)]


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


def _names(given: str | None, known: str | None) -> list[list[str]]:
    """Return the words of each name that something may be called by."""
    return [words for name in dict.fromkeys((given, known)) if name and (words := _words(name))]


def _has_name(words: list[str], names: list[_Prefixes]) -> bool:
    """Return whether a text has one of some names, its words one after the other; true where no name is asked for."""
    return not names or any(name.in_order(words) for name in names)
