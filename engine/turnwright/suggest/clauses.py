"""Split a text into clauses and say of each what its words commit the speaker to.

Every rule over free text reads clauses, never the raw text: a question, a supposition, a quotation or a recollection
claims nothing. Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from turnwright.suggest.lexicon import Lexicon
from turnwright.suggest.tokens import Region, Word, regions_of, windows, words_of

_DASHES = frozenset({"—", "–"})
_STOPS = frozenset({".", "!", "?", ";", "\n"})


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


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of one sentence. `elided`: its subject is that of the clause before it.

    `denied` are stretches of `words` under a negation or a verb of saying: `(first, past the last)`.
    """

    kind: ClauseKind
    words: tuple[Word, ...]
    sentence: int
    elided: bool = False
    denied: tuple[tuple[int, int], ...] = ()

    def is_denied(self, at: int) -> bool:
        """Return whether the word at `at` is negated or only reported."""
        return any(first <= at < past for first, past in self.denied)

    def asserts(self, at: int) -> bool:
        """Return whether the word at `at` is said to happen."""
        return self.kind is ClauseKind.COMMIT and not self.is_denied(at)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The clauses of a text in order of the text; `truncated` when its middle was not read."""

    clauses: tuple[Clause, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class _Sentence:
    words: list[Word]
    question: bool
    ends_line: bool
    blank_before: bool


@dataclass(slots=True)
class _Part:
    """A clause in the making: `link` is the word list that joined it to the one before."""

    words: tuple[Word, ...]
    link: str
    elided: bool = False
    kind: ClauseKind = ClauseKind.COMMIT
    denied: tuple[tuple[int, int], ...] = ()
    passes_on: bool = False


def analyse(
    text: str, lexicon: Lexicon, names: Collection[str] = frozenset(), tools: Collection[str] = frozenset()
) -> Analysis:
    """Return the clauses of `text`.

    `names` are single words, normalised, that are somebody's name when they begin with a capital, whatever else they
    could mean; a sentence that speaks of one of `tools` by its identifier is `meta`.
    """
    regions = regions_of(text)
    stretches = windows(text)
    clauses: list[Clause] = []
    for start, end in stretches:
        words = [_named(word, names) for word in words_of(text, start, end)]
        voice, asides = _apart(words, regions, text)
        whole = not any(not word.is_mark for word in voice)
        clauses.extend(
            Clause((ClauseKind.SPEECH if whole else ClauseKind.QUOTED) if region.quoted else ClauseKind.META, held, -1)
            for region, held in asides
        )
        clauses.extend(_voice_clauses(voice, text, lexicon, tools, len(clauses)))
    clauses.sort(key=lambda clause: (clause.words[0].start, clause.words[-1].end))
    return Analysis(tuple(clauses), len(stretches) > 1)


def _named(word: Word, names: Collection[str]) -> Word:
    return replace(word, sign="") if word.capital and word.norm in names else word


def _apart(
    words: Sequence[Word], regions: Sequence[Region], text: str
) -> tuple[list[Word], list[tuple[Region, tuple[Word, ...]]]]:
    """Part the narrator's own words from those inside regions; a quoted full sentence ends the one around it."""
    voice: list[Word] = []
    asides: list[tuple[Region, tuple[Word, ...]]] = []
    at = 0
    for region in [*regions, Region(len(text), len(text), quoted=False)]:
        while at < len(words) and words[at].start < region.start:
            voice.append(words[at])
            at += 1
        first = at
        while at < len(words) and words[at].start < region.end:
            at += 1
        if at > first:
            asides.append((region, tuple(words[first:at])))
            ended = text[max(region.end - 2, 0) : region.end - 1] in (".", "!", "?")
            if region.quoted and ended and at < len(words) and words[at].capital:
                voice.append(Word(".", region.end, region.end, sign="."))
    voice.extend(words[at:])
    return voice, asides


def _voice_clauses(
    words: Sequence[Word], text: str, lexicon: Lexicon, tools: Collection[str], number: int
) -> Iterator[Clause]:
    carried: ClauseKind | None = None
    aside = False
    for sentence in _sentences(words, text):
        number += 1
        carried = None if sentence.blank_before else carried
        aside = aside or _is_meta(sentence.words, text, lexicon, tools)
        parts = _typed(_split(_without_idioms(sentence.words, lexicon), lexicon), sentence.question, lexicon)
        for part in parts:
            kind = ClauseKind.META if aside else (carried or part.kind)
            yield Clause(kind, part.words, number, part.elided, part.denied)
        # A list under "You could:" offers what its heading offers.
        if sentence.ends_line and sentence.words[-1].norm == ":" and parts[-1].kind is not ClauseKind.COMMIT:
            carried = parts[-1].kind
        aside = aside and not sentence.ends_line


def _is_meta(words: Sequence[Word], text: str, lexicon: Lexicon, tools: Collection[str]) -> bool:
    if words[0].norm == "/" or (lexicon.has("aside", words[0]) and len(words) > 1 and words[1].norm == ":"):
        return True
    return any(w.norm in tools and ("_" in w.norm or text[w.start - 1 : w.start] == "`") for w in words)


def _sentences(words: Sequence[Word], text: str) -> Iterator[_Sentence]:
    current: list[Word] = []
    newlines = 0
    question = False
    blank = False
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else None
        if word.norm == "\n" and _is_soft(current, following):
            continue
        if not _ends_sentence(word, text):
            if not current:
                blank, newlines = newlines > 1, 0
            current.append(word)
            continue
        question = question or word.norm == "?"
        newlines += word.norm == "\n"
        if current and not (following and following.norm in ("?", "!")):
            ends_line = word.norm == "\n" or following is None or following.norm == "\n"
            yield _Sentence(current, question, ends_line, blank)
            current, question = [], False
    if current:
        yield _Sentence(current, question, ends_line=True, blank_before=blank)


def _ends_sentence(word: Word, text: str) -> bool:
    if word.norm == ".":
        return not text[word.end : word.end + 1].isalnum()
    return word.norm in _STOPS or word.norm.startswith("..")


def _is_soft(current: Sequence[Word], following: Word | None) -> bool:
    """Whether a line break only wraps a sentence that goes on."""
    if not current or following is None or following.is_mark:
        return False
    if current[-1].norm == ",":
        return True
    return not current[-1].is_mark and not following.capital and not following.norm[0].isdigit()


def _without_idioms(words: Sequence[Word], lexicon: Lexicon) -> list[Word]:
    """Blank the function words of fixed phrases that do not mean what their words say ("at once", "no doubt")."""
    plain = list(words)
    for first, past in lexicon.phrases["idioms"].find(words):
        plain[first:past] = [replace(word, sign="") for word in plain[first:past]]
    return plain


def _split(words: Sequence[Word], lexicon: Lexicon) -> list[_Part]:
    parts: list[_Part] = []
    start, link = 0, ""
    for i in range(len(words)):
        joint = _joint(words, i, start, lexicon)
        if joint is None:
            continue
        if i > start:
            parts.append(_Part(tuple(words[start:i]), link))
        start, link = i + (joint == "dash"), joint if parts else ""
    if start < len(words):
        parts.append(_Part(tuple(words[start:]), link))
    for part in parts[1:]:
        part.elided = bool(lexicon.forms(_first_content(part.words, lexicon)))
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
    if lexicon.phrases["compare"].length_at(words, i):
        return "compare"
    if lexicon.has("contrast", word) and not lexicon.has("of", following):
        return "contrast"
    if lexicon.has("sequence", word):
        return "sequence"
    return "and" if lexicon.has("and", word) and _new_verb_follows(words, i + 1, start, lexicon) else None


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
    finite = {"third", "past"} | ({"base"} if lexicon.has("plural_subjects", words[at]) else set())
    return any(lexicon.forms(word) & finite for word in words[at + 1 : at + 4])


def _first_content(words: Sequence[Word], lexicon: Lexicon) -> Word:
    content = (w for w in words if not (w.is_mark or lexicon.is_adverb(w)))
    return next(content, words[0])


def _typed(parts: list[_Part], question: bool, lexicon: Lexicon) -> list[_Part]:
    asked_from = _asked_from(parts, lexicon) if question else len(parts)
    supposed_from = _supposed_from(parts, lexicon)
    sentence_past = any(lexicon.phrases["past_time"].occur_in(part.words) for part in parts)
    before: _Part | None = None
    for i, part in enumerate(parts):
        joined = before if before and part.link in ("and", "sequence", "") else None
        leads = part.link in ("", "dash") and lexicon.has("questions", part.words[0])
        if i >= asked_from or leads:
            part.kind = ClauseKind.QUESTION
        elif i >= supposed_from or part.link == "compare":
            part.kind = ClauseKind.HYPOTHETICAL
        else:
            part.kind = _mood(part, joined, sentence_past, lexicon)
        part.denied, part.passes_on = _denied(part, joined, lexicon)
        before = part
    return parts


def _asked_from(parts: Sequence[_Part], lexicon: Lexicon) -> int:
    """Return the first part a question mark belongs to: all, unless the question stands behind a dash."""
    dashes = [i for i, part in enumerate(parts) if part.link == "dash" and lexicon.has("questions", part.words[0])]
    return dashes[-1] if dashes else 0


def _supposed_from(parts: Sequence[_Part], lexicon: Lexicon) -> int:
    """Return the first part under a condition: all of a sentence with an "if", what follows in "asks if ..."."""
    for i, part in enumerate(parts):
        asked = [past for _, past in lexicon.phrases["complement"].find(part.words)]
        for first, _ in lexicon.phrases["conditional"].find(part.words):
            return i if first + 1 in asked else 0
    return len(parts)


def _mood(part: _Part, joined: _Part | None, sentence_past: bool, lexicon: Lexicon) -> ClauseKind:
    phrases, words = lexicon.phrases, part.words
    inherited = joined.kind if joined else ClauseKind.COMMIT
    if phrases["modal"].occur_in(words) or inherited is ClauseKind.HYPOTHETICAL:
        return ClauseKind.HYPOTHETICAL
    if phrases["future"].occur_in(words) or inherited is ClauseKind.FUTURE:
        return ClauseKind.FUTURE
    now = any(lexicon.has("now", word) for word in words)
    before_now = sentence_past or phrases["past"].occur_in(words) or (part.elided and inherited is ClauseKind.PAST)
    return ClauseKind.PAST if _is_perfect(words, lexicon) or (before_now and not now) else ClauseKind.COMMIT


def _is_perfect(words: Sequence[Word], lexicon: Lexicon) -> bool:
    for first, past in lexicon.phrases["perfect"].find(words):
        following = (w for w in words[past : past + 3] if not lexicon.is_adverb(w))
        verb = next(following, words[first])
        if "participle" in lexicon.forms(verb) or (verb.sign.endswith("ed") and not verb.is_mark):
            return True
    return False


def _denied(part: _Part, joined: _Part | None, lexicon: Lexicon) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Return the stretches that are negated or reported, and whether a coordinate clause shares the last of them."""
    words, phrases = part.words, lexicon.phrases
    if joined and joined.passes_on and _shares_denial(part, joined, lexicon):
        return ((0, len(words)),), True
    negated = [(past, _scope_end(words, past, lexicon)) for _, past in phrases["negators"].find(words)]
    near = [(past, _comma(words, past)) for _, past in phrases["negators_near"].find(words)]
    reported = [(past, len(words)) for _, past in phrases["reports"].find(words)]
    if any(past == len(words) and "," in (w.norm for w in words[-4:]) for past, _ in reported):
        reported.append((0, len(words)))
    spans = tuple(sorted([*negated, *near, *reported]))
    return spans, any(past == len(words) for _, past in spans)


def _shares_denial(part: _Part, joined: _Part, lexicon: Lexicon) -> bool:
    """Whether "does not fall and [take]" goes on denying: without a subject, and not in a finite form of its own."""
    complement = any(
        first < len(joined.words)
        and (lexicon.has("that", joined.words[first]) or _opens_subject(joined.words[first], lexicon))
        for first, _ in joined.denied
    )
    if complement:
        return True
    return part.elided and not _is_finite(_first_content(part.words, lexicon), lexicon)


def _is_finite(word: Word, lexicon: Lexicon) -> bool:
    forms: Iterable[str] = lexicon.forms(word)
    return "base" not in forms and ("third" in forms or "past" in forms)


def _opens_subject(word: Word, lexicon: Lexicon) -> bool:
    return (not word.sign and word.capital) or lexicon.has("subjects", word)


def _comma(words: Sequence[Word], at: int) -> int:
    return next((i for i in range(at, len(words)) if words[i].norm == ","), len(words))


def _scope_end(words: Sequence[Word], at: int, lexicon: Lexicon) -> int:
    """Return where a negation ends: with the clause, or at a comma before a new subject."""
    for i in range(at, len(words) - 1):
        if words[i].norm == "," and (_opens_subject(words[i + 1], lexicon) or lexicon.has("definite", words[i + 1])):
            return i
    return len(words)
