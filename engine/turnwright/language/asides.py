"""Split bracketed text into clauses: rolls and hit points are often written there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from turnwright.language.clause_mood import typed
from turnwright.language.clause_split import ClauseKind, split, without_idioms
from turnwright.language.clauses import Clause
from turnwright.language.lexicon import Lexicon
from turnwright.language.tokens import Word

_BRACKETS = ("(", "[")
_NO_SENTENCE = -1


def aside_clauses(clauses: Iterable[Clause], lexicon: Lexicon) -> Iterator[Clause]:
    """Yield the clauses inside brackets."""
    for aside in clauses:
        if aside.kind is not ClauseKind.META or aside.sentence >= 0 or aside.words[0].norm not in _BRACKETS:
            continue
        for words, is_question in sentences_in(aside.words):
            for part in typed(split(without_idioms(words, lexicon), lexicon), is_question, lexicon):
                yield Clause(part.kind, part.words, _NO_SENTENCE, part.elided, part.denied)


def sentences_in(words: Sequence[Word]) -> Iterator[tuple[list[Word], bool]]:
    """Yield the sentences of a stretch set apart, without its marks, each with whether it is a question."""
    current: list[Word] = []
    for word in words:
        if not word.is_stop:
            if current or not word.is_mark:
                current.append(word)
            continue
        if current:
            yield current, word.norm == "?"
        current = []
    if current:
        yield current, False
