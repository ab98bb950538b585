"""Cut one sentence into clauses: at dashes, at "but" and "then", and at an "and" that a new verb follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from turnwright.suggest.lexicon import Lexicon
from turnwright.suggest.tokens import Word

_DASHES = frozenset({"—", "–"})


class ClauseKind(StrEnum):
    """What a clause is; the first that fits, in this order."""

    META = "meta"
    """An aside, code, or a sentence about the tools themselves."""
    QUOTED = "quoted"
    """Somebody else's words."""
    SPEECH = "speech"
    """Nothing but one quotation: the whole text is spoken."""
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    FUTURE = "future"
    PAST = "past"
    """Perfect tense, or a word that puts it before now. Plain past is how many tables tell the present."""
    COMMIT = "commit"
    """Said to happen."""


@dataclass(slots=True)
class Part:
    """A clause in the making. `link` is how it is joined to the one before; empty for the first of a sentence."""

    words: tuple[Word, ...]
    link: str
    elided: bool = False
    kind: ClauseKind = ClauseKind.COMMIT
    denied: tuple[tuple[int, int], ...] = ()
    passes_on: bool = False


def without_idioms(words: Sequence[Word], lexicon: Lexicon) -> list[Word]:
    """Blank the function words of fixed phrases that do not mean what their words say ("at once", "no doubt")."""
    plain = list(words)
    for first, past in lexicon.phrases["idioms"].find(words):
        plain[first:past] = [replace(word, sign="") for word in plain[first:past]]
    return plain


def split(words: Sequence[Word], lexicon: Lexicon) -> list[Part]:
    """Return the clauses of a sentence, in order, their kind not yet told."""
    parts: list[Part] = []
    start, link = 0, ""
    for i in range(len(words)):
        joint = _joint(words, i, start, lexicon)
        if joint is None:
            continue
        if i > start:
            parts.append(Part(tuple(words[start:i]), link))
        start, link = i + (joint == "dash"), joint if parts else ""
    if start < len(words):
        parts.append(Part(tuple(words[start:]), link))
    for part in parts[1:]:
        part.elided = bool(lexicon.forms(first_content(part.words, lexicon)))
    return parts


def _joint(words: Sequence[Word], i: int, start: int, lexicon: Lexicon) -> str | None:
    word = words[i]
    following = words[i + 1] if i + 1 < len(words) else None
    if word.norm in _DASHES or word.norm.startswith("--"):
        return "dash"
    if following is None:
        return None
    if word.norm == "-" and i > 0 and words[i - 1].end < word.start and word.end < following.start:
        return "dash"
    if word.norm == "," and i > start + 1 and is_fronted(words[start:i], lexicon):
        return "main"
    if lexicon.phrases["compare"].length_at(words, i) or (i and lexicon.phrases["before_can"].length_at(words, i)):
        return "compare"
    if lexicon.has("contrast", word) and not (lexicon.has("of", following) or _is_not_yet(words, i, start, lexicon)):
        return "contrast"
    if lexicon.has("sequence", word):
        return "sequence"
    return "and" if lexicon.has("and", word) and _new_verb_follows(words, i + 1, start, lexicon) else None


def is_fronted(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether words are a clause of time that stands before its main clause: "When the smoke clears, ..."."""
    first = first_content(words, lexicon)
    return lexicon.has("fronted_open", first) or (
        lexicon.has("fronted", first) and any(lexicon.forms(word) for word in words[1:])
    )


def _is_not_yet(words: Sequence[Word], i: int, start: int, lexicon: Lexicon) -> bool:
    """Whether a negation goes on over the word at `i`: "has not yet joined"."""
    return i > start and lexicon.phrases["negators"].length_at(words, i - 1) > 0


def _new_verb_follows(words: Sequence[Word], at: int, start: int, lexicon: Lexicon) -> bool:
    while at < len(words) and lexicon.is_adverb(words[at]):
        at += 1
    if at >= len(words):
        return False
    if lexicon.forms(words[at]):
        return not (at + 1 < len(words) and lexicon.has("points", words[at + 1]))
    # "Mira and Bran take 5 damage" is one clause: a second subject counts only where a first verb stands.
    if not any(lexicon.forms(word) for word in words[start : at - 1]):
        return False
    if lexicon.has("subjects", words[at]) and at + 1 < len(words) and lexicon.has("modal_words", words[at + 1]):
        return True
    finite = {"third", "past"} | ({"base"} if lexicon.has("plural_subjects", words[at]) else set())
    return any(lexicon.forms(word) & finite for word in words[at + 1 : at + 4])


def first_content(words: Sequence[Word], lexicon: Lexicon) -> Word:
    """Return the first word that is neither a mark nor an adverb, or else the first of all."""
    content = (w for w in words if not (w.is_mark or lexicon.is_adverb(w)))
    return next(content, words[0])
