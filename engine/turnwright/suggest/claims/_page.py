"""A narration laid open: its clauses, and the scene they are compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turnwright.suggest.clauses import Clause
from turnwright.suggest.lexicon import Lexicon
from turnwright.suggest.names import Names
from turnwright.suggest.scene import Scene
from turnwright.suggest.tokens import Word


@dataclass(frozen=True, slots=True)
class Page:
    """What every kind of claim reads from."""

    lexicon: Lexicon
    scene: Scene
    clauses: tuple[Clause, ...]
    people: Names
    areas: Names
    sentences: Mapping[int, Sequence[Word]]
    named: frozenset[str]
    """Everyone the text names, and the acting character."""
    targets: frozenset[str]
    """Whom this turn's calls name as a target: what a pronoun may be resolved to."""

    @classmethod
    def of(cls, lexicon: Lexicon, scene: Scene, clauses: tuple[Clause, ...], people: Names) -> Page:
        """Return the page for `clauses`; `people` are the names they were analysed with."""
        sentences: dict[int, list[Word]] = {}
        for clause in clauses:
            if clause.sentence >= 0:
                sentences.setdefault(clause.sentence, []).extend(clause.words)
        found = (people.at(clause.words, i) for clause in clauses for i in range(len(clause.words)))
        named = {identifier for mention in found if mention for identifier in mention.ids}
        named.update([] if scene.acting is None else [scene.acting])
        areas = Names(scene.areas, lexicon, last_word_only=True)
        targets = frozenset(target for outcome in scene.outcomes if (target := outcome.target) is not None)
        return cls(lexicon, scene, clauses, people, areas, sentences, frozenset(named), targets)

    def said_in(self, sentence: int, name: str) -> bool:
        """Return whether a word of the list `name` stands in the sentence."""
        return any(self.lexicon.has(name, word) for word in self.sentences.get(sentence, ()))
