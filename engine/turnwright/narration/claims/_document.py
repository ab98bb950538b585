"""A parsed narration: its clauses, and the scene they are compared with."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from turnwright.language.asides import aside_clauses
from turnwright.language.clauses import Analysis, Clause
from turnwright.language.inflect import singulars_of
from turnwright.language.lexicon import Lexicon
from turnwright.language.tokens import Word, words_of
from turnwright.model.coin import denomination
from turnwright.narration.effects import identified_effects
from turnwright.narration.facts import ROLLS, Effect, EffectKind, Facts, Person
from turnwright.narration.names import Names
from turnwright.narration.result_shapes import walk
from turnwright.narration.rolled_numbers import d20_faces_of, faces_of, totals_of

_T = TypeVar("_T")
_MODIFIERS = re.compile(r"[+-] ?(\d{1,3})")
_MAX_TEXT_LENGTH = 60
SILENT = ("dead", "dying", "unconscious")
"""The states in which a character cannot speak."""


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """The text and scene that every kind of claim reads."""

    lexicon: Lexicon
    scene: Facts
    clauses: tuple[Clause, ...]
    people: Names
    areas: Names
    far: Names
    """The names of areas and places that are not near, and may be named."""
    sentences: Mapping[int, Sequence[Word]]
    named: frozenset[str]
    """Everyone the text names, and the acting character."""
    naming: Mapping[int, Sequence[tuple[int, frozenset[str]]]]
    """The people each sentence names, with their places in the text; "you" names the acting character."""
    targets: frozenset[str]
    """The targets that this turn's calls name: a pronoun may refer to them."""
    things: Names
    """The names of what people carry, and of the subjects of the calls."""
    heads: frozenset[str]
    """The last words of those names, in the singular: "torch" of "2 torches"."""
    deeds: tuple[Effect, ...]
    rolled: frozenset[int]
    """All results of dice: the faces rolled, and the totals in the results."""
    naturals: frozenset[int]
    """The faces of d20s; where no result names the die, all faces rolled."""
    quests: Names
    """The titles of quests, by themselves."""
    doubtful: Mapping[str, Person]
    """Characters who could not act: the dead and the absent, except those whom the turn itself concerned."""
    arrived: frozenset[str]
    """Characters that the text says are coming."""
    asides: tuple[Clause, ...]
    """The clauses inside brackets."""
    voice: tuple[Word, ...]
    """Every word that is not quoted, in text order: its clauses, and the text in brackets."""
    asserted: frozenset[int]
    """Where the words of `voice` begin that are said to happen."""
    dice: frozenset[int]
    """Every number that the calls and the dice have to do with, whatever it counts."""
    known: dict[Hashable, Any] = field(default_factory=dict)
    """Cached answers about the whole text, by question: many clauses ask the same."""

    @classmethod
    def of(cls, lexicon: Lexicon, scene: Facts, analysis: Analysis, people: Names) -> AnnotatedText:
        """Return the page for the clauses of `analysis`; `people` are the names they were analysed with."""
        clauses = analysis.clauses
        sentences: dict[int, list[Word]] = {}
        for clause in clauses:
            if clause.sentence >= 0:
                sentences.setdefault(clause.sentence, []).extend(clause.words)
        found = (people.at(clause.words, i) for clause in clauses for i in range(len(clause.words)))
        named = {identifier for mention in found if mention for identifier in mention.ids}
        named.update([] if scene.acting is None else [scene.acting])
        areas = Names(scene.areas, lexicon, last_word_only=True)
        deeds = identified_effects(scene)
        targets = frozenset(target for outcome in scene.outcomes if (target := outcome.target) is not None)
        targets |= {
            deed.who for deed in deeds if deed.kind is EffectKind.HP and deed.who is not None and not deed.is_net
        }
        goods = {name for deed in deeds if deed.kind is EffectKind.GOODS for name in deed.what}
        goods.update(item for person in scene.people for item in person.items or ())
        things = Names({name: name for name in sorted(goods) if not denomination(name)}, lexicon, last_word_only=True)
        fell = frozenset(scene.faces) | faces_of(scene.outcomes)
        rolled = fell | totals_of(scene.outcomes) if fell else fell
        asides = tuple(aside_clauses(clauses, lexicon))
        told = (*(clause for clause in clauses if clause.sentence >= 0), *asides)
        return cls(
            lexicon,
            scene,
            clauses,
            people,
            areas,
            Names(_told_of(scene.far, lexicon, clauses), lexicon),
            sentences,
            frozenset(named),
            _naming(lexicon, scene, clauses, people),
            targets,
            things,
            frozenset(form for name in goods if not denomination(name) for form in singulars_of(_head(name))),
            deeds,
            rolled,
            d20_faces_of(scene.outcomes) or fell,
            Names({quest.title: quest.title for quest in scene.quests}, lexicon),
            _doubtful(scene, deeds),
            _arrived(lexicon, clauses, people),
            asides,
            analysis.words,
            frozenset(c.words[i].start for c in told for i in range(len(c.words)) if c.asserts(i)),
            rolled | _numbers(scene, deeds),
        )

    def once(self, question: Hashable, answer: Callable[[], _T]) -> _T:
        """Return the result of `answer`, called once for each question."""
        if question not in self.known:
            self.known[question] = answer()
        found: _T = self.known[question]
        return found

    def person(self, identifier: str) -> Person | None:
        """Return the nearby person with this id, or None."""
        return next((person for person in self.scene.people if person.id == identifier), None)

    def of_kind(self, kind: EffectKind) -> list[Effect]:
        """Return the deeds of one kind, done or refused."""
        return [deed for deed in self.deeds if deed.kind is kind]

    def rolls(self) -> list[Effect]:
        """Return every d20 roll, made or refused."""
        return [deed for deed in self.deeds if deed.kind in ROLLS]

    def may_call(self, *tools: str) -> bool:
        """Return whether any of the tools could be called, as far as that is known."""
        return self.scene.permitted is None or not self.scene.permitted.isdisjoint(tools)

    def tools(self, claim: str) -> tuple[str, ...]:
        """Return the tools any of which can make a kind of claim true."""
        return self.scene.tools.get(claim, ())

    def may_make(self, claim: str) -> bool:
        """Return whether a tool that can make a kind of claim true could be called, as far as that is known."""
        return self.may_call(*self.tools(claim))

    def tool_for(self, claim: str) -> str | None:
        """Return the tool that a claim of a kind asks for: see `tool_among`."""
        return self.tool_among(*self.tools(claim))

    def tool_among(self, *tools: str) -> str | None:
        """Return the first of the tools that could be called, or else the first of all; None where there is none."""
        permitted = self.scene.permitted or frozenset()
        return next((tool for tool in tools if tool in permitted), tools[0] if tools else None)

    def said_in(self, sentence: int, name: str) -> bool:
        """Return whether the sentence holds a word of the list `name`."""
        words = self.sentences.get(sentence, ())
        return self.once(("said_in", sentence, name), lambda: any(self.lexicon.has(name, word) for word in words))

    def place_of(self, start: int) -> int:
        """Return the index in `voice` of the word that begins at `start`."""
        return bisect_left(self.voice, start, key=lambda word: word.start)

    def has_voice(self, name: str, at: int) -> bool:
        """Return whether there is a word at `at` of `voice` that the list `name` holds."""
        return 0 <= at < len(self.voice) and self.lexicon.has(name, self.voice[at])

    def norm(self, at: int) -> str:
        """Return the word at `at` of `voice` as it is compared; "" where there is none."""
        return self.voice[at].norm if 0 <= at < len(self.voice) else ""

    def is_mark(self, at: int) -> bool:
        """Return whether there is a punctuation mark at `at` of `voice`."""
        return 0 <= at < len(self.voice) and self.voice[at].is_mark

    def is_asserted(self, word: Word) -> bool:
        """Return whether a word of `voice` is said to happen."""
        return word.start in self.asserted

    def words_about(self, sentence: int) -> list[Word]:
        """Return the words of a sentence and of those before and behind it."""
        return [word for i in (sentence - 1, sentence, sentence + 1) for word in self.sentences.get(i, ())]

    def words_near(self, sentence: int) -> list[Word]:
        """Return the words of a sentence and of the next one, which may name exceptions."""
        return [*self.sentences.get(sentence, ()), *self.sentences.get(sentence + 1, ())]


def _head(name: str) -> str:
    words = [word.norm for word in words_of(name) if not word.is_mark]
    return next((a for a, b in pairwise(words) if b == "of"), words[-1] if words else "")


def _naming(
    lexicon: Lexicon, scene: Facts, clauses: Iterable[Clause], people: Names
) -> dict[int, list[tuple[int, frozenset[str]]]]:
    found: dict[int, list[tuple[int, frozenset[str]]]] = {}
    party = (scene.party or frozenset()) | ({scene.acting} if scene.acting is not None else set())
    for clause in clauses:
        row = found.setdefault(clause.sentence, [])
        for i, word in enumerate(clause.words):
            mention = people.at(clause.words, i)
            if mention:
                row.append((word.start, mention.ids))
            elif lexicon.has("you", word) or lexicon.has("your", word):
                row.append((word.start, party))
    return found


def _numbers(scene: Facts, deeds: Iterable[Effect]) -> frozenset[int]:
    found: set[int | None] = set()
    for outcome in scene.outcomes:
        for source in (outcome.args, outcome.result):
            found.update(v for part in walk(source) for v in part.values() if type(v) is int)
            texts = (v for part in walk(source) for v in part.values() if isinstance(v, str))
            found.update(int(digits) for text in texts for digits in _MODIFIERS.findall(text[:_MAX_TEXT_LENGTH]))
    for deed in deeds:
        found |= {deed.total, deed.dc, deed.natural, *deed.amounts, deed.delta}
        if deed.total is not None and deed.natural is not None:
            found.add(deed.total - deed.natural)
    if scene.fight is not None:
        found.update(scene.fight.initiatives)
    return frozenset(abs(number) for number in found if number is not None)


def _told_of(named: Mapping[str, str], lexicon: Lexicon, clauses: Iterable[Clause]) -> dict[str, str]:
    """Return what may be named in full: there can be many places, and looking for each of them by name takes time."""
    said = {word.norm for clause in clauses for word in clause.words}

    def is_told(name: str) -> bool:
        words = (word for word in words_of(name) if not word.is_mark)
        return all(word.norm in said or lexicon.has("determiners", word) for word in words)

    return {identifier: name for identifier, name in named.items() if is_told(name)}


def _doubtful(scene: Facts, deeds: Iterable[Effect]) -> dict[str, Person]:
    touched = {who for deed in deeds for who in (deed.who, deed.other)}
    moved = any(deed.applied for deed in deeds if deed.kind is EffectKind.TRAVEL)
    return {
        person.id: person
        for person in scene.people
        if person.id not in touched
        and ((person.was == person.state and person.state in SILENT) or (person.away is not None and not moved))
    }


def _arrived(lexicon: Lexicon, clauses: Iterable[Clause], people: Names) -> frozenset[str]:
    found: set[str] = set()
    for clause in clauses:
        if any(lexicon.is_verb(word, "arrive.back") for word in clause.words):
            mentions = (people.at(clause.words, i) for i in range(len(clause.words)))
            found.update(identifier for mention in mentions if mention for identifier in mention.ids)
    return frozenset(found)
