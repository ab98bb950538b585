"""Cut one sentence into clauses: at dashes, at "but" and "then", and at an "and" that a new verb follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from turnwright.language.lexicon import Lexicon
from turnwright.language.tokens import Word

_DASHES = frozenset({"—", "–"})
_LEFT_OUT = frozenset({"dash", "colon", "asked"})
"""Joints whose mark belongs to no clause."""
_FINITE = frozenset({"third", "past"})
_REACH = 24
"""How many words are examined on either side of a mark; the bound keeps reading time linear in the text."""
_SHORTEST = 3
"""Minimum number of words in an insertion: a bare ", perhaps," hedges the sentence around it."""


class ClauseKind(StrEnum):
    """The kind of a clause; the first that fits, in this order."""

    META = "meta"
    """An aside, code, or a sentence about the tools themselves."""
    QUOTED = "quoted"
    """Another character's words."""
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


def split(words: Sequence[Word], lexicon: Lexicon, *, is_question: bool = False) -> list[Part]:
    """Return the clauses of a sentence, in order, not yet classified.

    A question that follows a statement is a separate clause: "Mira falls, what do you do?".
    """
    words, inserted = _without_insertion(words, lexicon)
    asked = _asked_at(words, lexicon) if is_question else len(words)
    parts: list[Part] = []
    start, link = 0, ""
    for i in range(len(words)):
        joint = "asked" if i == asked else _joint(words, i, start, lexicon)
        if joint is None:
            continue
        if i > start:
            parts.append(Part(tuple(words[start:i]), link))
        start, link = i + (joint in _LEFT_OUT), joint if parts else ""
    if start < len(words):
        parts.append(Part(tuple(words[start:]), link))
    for part in parts[1:]:
        part.elided = bool(lexicon.forms(first_content(part.words, lexicon)))
    return [*parts, Part(tuple(inserted), "inserted")] if inserted else parts


def _without_insertion(words: Sequence[Word], lexicon: Lexicon) -> tuple[Sequence[Word], Sequence[Word]]:
    """Separate a sentence from an insertion between commas whose hedge or denial does not affect the rest.

    "Odo, who would never run, falls"; "suddenly, perhaps too late to matter, Odo falls".
    """
    commas = [i for i, word in enumerate(words) if word.norm == ","]
    for first, past in pairwise(commas):
        inner = words[first + 1 : past]
        if past - first <= _SHORTEST or past + 1 >= len(words):
            continue
        is_hedge = lexicon.has("hedges", inner[0]) and not any(lexicon.forms(w) & _FINITE for w in inner)
        is_relative = lexicon.has("inserted", inner[0]) and any(
            lexicon.phrases[name].occur_in(inner) for name in ("modal", "future", "negators", "past")
        )
        if is_hedge or is_relative:
            return [*words[:first], *words[past + is_relative :]], inner
    return words, ()


def _asked_at(words: Sequence[Word], lexicon: Lexicon) -> int:
    """Return the last comma behind which something is asked, or behind which a tag only begs assent; else the end."""
    if lexicon.has("questions", words[0]):
        return len(words)
    commas = (i for i in range(len(words) - 2, 0, -1) if words[i].norm == ",")
    return next((i for i in commas if lexicon.has("asks", words[i + 1])), len(words))


def _joint(words: Sequence[Word], i: int, start: int, lexicon: Lexicon) -> str | None:
    word = words[i]
    following = words[i + 1] if i + 1 < len(words) else None
    if word.norm in _DASHES or word.norm.startswith("--"):
        return "dash"
    if following is None:
        return None
    if word.norm == "-" and i > 0 and words[i - 1].end < word.start and word.end < following.start:
        return "dash"
    if (
        word.norm == ","
        and i > start + 1
        and (is_fronted(words[start:i], lexicon) or _is_scenery(words[start:i], lexicon))
    ):
        return "main"
    if word.norm == ":" and i > start and _announces(words[start:i], words[i + 1 : i + 1 + _REACH], lexicon):
        return "colon"
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


def _is_scenery(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether words before a comma hedge or deny something of a thing alone: "With a roar that may wake the dead,"."""
    if len(words) > _REACH or not (lexicon.has("prepositions", words[0]) or lexicon.has("with", words[0])):
        return False
    about = next((i for i, word in enumerate(words) if i > 1 and lexicon.has("relatives", word)), len(words))
    names = ("modal", "future", "negators")
    return not lexicon.phrases["conditional"].occur_in(words) and any(
        lexicon.phrases[name].occur_in(words[about:]) for name in names
    )


def _announces(head: Sequence[Word], told: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether words before a colon only announce the text after it: "What comes next:", "Remember:".

    A question, denial or prediction ends at the colon; a supposition or reported speech continues after it.
    """
    if len(head) > _REACH or not any(lexicon.forms(word) & _FINITE for word in told):
        return False
    phrases = lexicon.phrases
    if phrases["conditional"].occur_in(head) or any(lexicon.has("supposing", word) for word in head):
        return False
    says = [first for first, _ in phrases["reports"].find(head)]
    if says:
        is_command = "base" in lexicon.forms(head[says[0]])
        is_rule = lexicon.has("indefinite", told[0])  # "Remember: a natural 20 is a critical hit."
        return is_command and not is_rule and (says[0] == 0 or phrases["future"].occur_in(head[: says[0]]))
    return lexicon.has("questions", head[0]) or any(phrases[name].occur_in(head) for name in ("negators", "future"))


def _is_not_yet(words: Sequence[Word], i: int, start: int, lexicon: Lexicon) -> bool:
    """Whether a negation continues past the word at `i`: "has not yet joined"."""
    return i > start and lexicon.phrases["negators"].length_at(words, i - 1) > 0


def _new_verb_follows(words: Sequence[Word], at: int, start: int, lexicon: Lexicon) -> bool:
    while at < len(words) and lexicon.is_adverb(words[at]):
        at += 1
    if at >= len(words):
        return False
    if lexicon.has("modal_words", words[at]) and at + 1 < len(words):
        return any(lexicon.forms(word) & _FINITE for word in words[start : at - 1])
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
