"""Read the words of a speaking character: its words in quotation marks are then the text's own voice.

Only acts done by speaking count, "I hand you the key", "here is your reward"; the rest of speech is only talk.
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.language.asides import sentences_in
from turnwright.language.clause_mood import typed
from turnwright.language.clause_split import ClauseKind, Part, split, without_idioms
from turnwright.language.clauses import Clause
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import AnnotatedText

_SPOKEN = (ClauseKind.QUOTED, ClauseKind.SPEECH)
_NO_SENTENCE = -1


def spoken_readings(page: AnnotatedText) -> Iterator[ClauseView]:
    """Yield the clauses inside quotation marks in which the speaker says what it does now; none without a speaker."""
    if page.scene.speaker is None:
        return
    for quotation in page.clauses:
        if quotation.kind not in _SPOKEN:
            continue
        for words, is_question in sentences_in(quotation.words):
            for part in typed(split(without_idioms(words, page.lexicon), page.lexicon), is_question, page.lexicon):
                if part.kind is ClauseKind.COMMIT and _is_done_now(part, page):
                    yield ClauseView(page, Clause(part.kind, part.words, _NO_SENTENCE, part.elided, part.denied), None)


def _is_done_now(part: Part, page: AnnotatedText) -> bool:
    """Whether it begins with "I" and a verb in the present, or with "here is"."""
    words, lexicon = part.words, page.lexicon
    if len(words) < 2:
        return False
    is_here = lexicon.has("here", words[0]) and lexicon.has("here_is", words[1])
    return is_here or (lexicon.has("first_person", words[0]) and "base" in lexicon.forms(words[1]))
