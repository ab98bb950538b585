"""Say of each clause of a sentence what it commits its speaker to, and which of its words are denied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from turnwright.language.clause_split import ClauseKind, Part, first_content, is_fronted
from turnwright.language.lexicon import Lexicon
from turnwright.language.tokens import Word

_APART = ("contrast", "and", "sequence")
_TAIL = 3
"""Maximum number of words in a phrase like "says old Bran"."""
_TAG = 5
"""Maximum number of words in a phrase like ", the old landlord tells"."""


def typed(parts: list[Part], question: bool, lexicon: Lexicon) -> list[Part]:
    """Set kind and denials of the parts of one sentence, and return them."""
    asked_from = _asked_from(parts, lexicon) if question else len(parts)
    supposed_from = _supposed_from(parts, lexicon)
    sentence_past = any(lexicon.phrases["past_time"].occur_in(part.words) for part in parts)
    before: Part | None = None
    for i, part in enumerate(parts):
        joined = before if before and part.link in ("and", "sequence", "") and not _is_set_off(before) else None
        leads = (
            part.link in ("", "dash") and lexicon.has("questions", part.words[0]) and not _exclaims(part.words, lexicon)
        )
        if i >= asked_from or leads:
            part.kind = ClauseKind.QUESTION
        elif i >= supposed_from or part.link == "compare" or _is_open(part.words, lexicon):
            part.kind = ClauseKind.HYPOTHETICAL
        else:
            part.kind = _mood(part, joined, sentence_past, lexicon)
        part.denied, part.passes_on = _denied(part, joined, lexicon)
        before = part
    return parts


def _asked_from(parts: Sequence[Part], lexicon: Lexicon) -> int:
    """Return the first part a question mark belongs to: all, unless it is asked behind a statement."""
    found = [
        i
        for i, part in enumerate(parts)
        if part.link == "asked" or (part.link == "dash" and lexicon.has("questions", part.words[0]))
    ]
    return found[-1] if found else 0


def _exclaims(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a clause that begins like a question is none: "What a throw from the wolf"."""
    return len(words) > 1 and lexicon.has("exclaims", words[0]) and lexicon.has("indefinite", words[1])


def _supposed_from(parts: Sequence[Part], lexicon: Lexicon) -> int:
    """Return the first part under a condition: all of a sentence with an "if", what follows in "asks if ..."."""
    for i, part in enumerate(parts):
        asked = [past for _, past in lexicon.phrases["complement"].find(part.words)]
        rests = lexicon.phrases["rest_until"].find(part.words)
        for first, _ in lexicon.phrases["conditional"].find(part.words):
            if any(start <= first < past for start, past in rests):
                continue  # a time, and no condition: "you rest until dawn"
            if first == 1 and part.link in _APART and any(word.norm == "," for word in part.words[2:]):
                return i  # "Odo falls, but if you jump, he lives"
            if part.link != "compare" or first > 1:  # the "if" of "as if" supposes nothing but its own clause
                return i if first + 1 in asked else 0
    return len(parts)


def _mood(part: Part, joined: Part | None, sentence_past: bool, lexicon: Lexicon) -> ClauseKind:
    phrases, words = lexicon.phrases, part.words[: _subordinate_from(part.words, lexicon)]
    inherited = joined.kind if joined else ClauseKind.COMMIT
    if phrases["modal"].occur_in(words) or inherited is ClauseKind.HYPOTHETICAL:
        return ClauseKind.HYPOTHETICAL
    if phrases["future"].occur_in(words) or inherited is ClauseKind.FUTURE:
        return ClauseKind.FUTURE
    now = any(lexicon.has("now", word) for word in words)
    before_now = sentence_past or phrases["past"].occur_in(words) or (part.elided and inherited is ClauseKind.PAST)
    return ClauseKind.PAST if _is_perfect(words, lexicon) or (before_now and not now) else ClauseKind.COMMIT


def _is_set_off(part: Part) -> bool:
    """Whether a comparison is over with its comma: "as if it knew the way, and [it hit]"."""
    return part.link == "compare" and part.words[-1].norm == ","


def _is_open(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether a clause of time before its main clause may tell of what is yet to come: "Before she can move, ..."."""
    return is_fronted(words, lexicon) and lexicon.has("fronted_open", first_content(words, lexicon))


def _subordinate_from(words: Sequence[Word], lexicon: Lexicon) -> int:
    """Return where a clause begins that depends on the one before it and says what may be, or was; else the end.

    "You arrive as the bell begins to toll" tells of the arrival, and of nothing that the bell does.
    """
    found = [first for name in ("modal", "future", "perfect") for first, _ in lexicon.phrases[name].find(words)]
    begins = (i for i in range(min(found, default=0) - 1, 1, -1) if _is_subordinate(words, i, lexicon))
    rests = lexicon.phrases["rest_until"].find(words)
    goes = next((i for i, word in enumerate(words) if _is_going(word, lexicon)), len(words))
    limits = (i for i in range(2, len(words)) if lexicon.has("limits", words[i]) and i < goes)
    open_end = (i for i in limits if not any(first <= i < past for first, past in rests))
    return min(next(begins, len(words)), next(open_end, len(words)))


def _is_going(word: Word, lexicon: Lexicon) -> bool:
    """Whether a verb tells of a way that goes on to its end: "they climb until they come to the chapel"."""
    return _is_finite(word, lexicon) and any(lexicon.is_verb(word, group) for group in ("go", "climb", "follow"))


def _is_subordinate(words: Sequence[Word], at: int, lexicon: Lexicon) -> bool:
    """Whether a clause that depends on the one before it begins at `at`; the "that" of "that's a hit" begins none."""
    is_pointing = lexicon.has("that", words[at]) and at + 1 < len(words) and lexicon.is_verb(words[at + 1], "be")
    return lexicon.has("subordinates", words[at]) and not (is_pointing and words[at + 1].norm.startswith("'"))


def _joined_on(words: Sequence[Word], at: int, lexicon: Lexicon) -> int:
    """Return where a clause that depends on the one before it ends: at a colon, or at ", and" with a subject behind it.

    "It clacks in what might be laughter, and her sword splits the air" tells what the sword does.
    """
    for i in range(at, len(words) - 2):
        if words[i].norm == ":" and not any(
            lexicon.phrases[name].occur_in(words[at:i]) for name in ("modal", "future")
        ):
            return i
        if words[i].norm == "," and lexicon.has("and", words[i + 1]):
            subject = words[i + 2]
            names = ("subjects", "definite", "own")
            if _opens_subject(subject, lexicon) or any(lexicon.has(name, subject) for name in names):
                return i
    return len(words)


def _is_perfect(words: Sequence[Word], lexicon: Lexicon) -> bool:
    for first, past in lexicon.phrases["perfect"].find(words):
        following = (w for w in words[past : past + 3] if not lexicon.is_adverb(w))
        verb = next(following, words[first])
        if "participle" in lexicon.forms(verb) or (verb.sign.endswith("ed") and not verb.is_mark):
            return True
    return False


def _denied(part: Part, joined: Part | None, lexicon: Lexicon) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Return the stretches that are negated or reported, and whether a coordinate clause shares the last of them."""
    words, phrases = part.words, lexicon.phrases
    if joined and joined.passes_on and _shares_denial(part, joined, lexicon):
        return ((0, len(words)),), True
    negated = [(past, _scope_end(words, past, lexicon)) for _, past in phrases["negators"].find(words)]
    near = [(past, _comma(words, past)) for _, past in phrases["negators_near"].find(words)]
    reports = phrases["reports"].find(words)
    said = [past for first, past in reports if _says(words, first, past, lexicon)]
    reported = [(_reported_from(words, past, lexicon), _tag_past(words, past, lexicon)) for past in said]
    if any(_closes_speech(words, past, lexicon) for past in said):
        reported.append((0, len(words)))
    depends = _subordinate_from(words, lexicon)
    supposed = [(depends, _joined_on(words, depends, lexicon))] if depends < len(words) else []
    spans = tuple(sorted([*negated, *near, *reported]))
    return (*spans, *supposed), any(past == len(words) for _, past in spans)


def _says(words: Sequence[Word], first: int, past: int, lexicon: Lexicon) -> bool:
    """Whether words of saying report what stands behind them.

    The die of "the die says 9" does not, nor what is only heard: "the blade sings, the wolf yelps".
    """
    if first and lexicon.has("dice", words[first - 1]):
        return False
    is_heard = lexicon.is_verb(words[past - 1], "sound") and past < len(words) and words[past].norm == ","
    return not is_heard


def _reported_from(words: Sequence[Word], past: int, lexicon: Lexicon) -> int:
    """Return where begins what is reported by the verb that ends at `past`: behind what is given meanwhile.

    "'Take this,' she says, handing you the key" reports no handing; "handing you the key to hold" hands over nothing.
    """
    speaks = lexicon.is_verb(words[past - 1], "speak") and past + 1 < len(words) and words[past].norm == ","
    if not speaks or "gerund" not in lexicon.forms(words[past + 1]):
        return past
    end = _comma(words, past + 1)
    gives = any(lexicon.is_verb(words[past + 1], group) for group in ("goods.give", "goods.press"))
    return end if gives and not _has_infinitive(words[past + 1 : end], lexicon) else past


def _tag_past(words: Sequence[Word], past: int, lexicon: Lexicon) -> int:
    """Return where what a verb of saying reports ends: behind the speaker, where it only tells who spoke before it.

    Nothing is left of a quotation but its tag: "says Bran, and walks off".
    """
    comma = _comma(words, past)
    is_of_thing = past < len(words) and lexicon.has("spoken_of", words[past])
    if is_of_thing and comma + 1 < len(words) and lexicon.has("and", words[comma + 1]):
        return comma  # "the one they warn about, and sinks to the gums" tells of the sinking
    is_tag = past < _TAIL and lexicon.is_verb(words[past - 1], "speak") and past < len(words)
    if is_tag and (_opens_subject(words[past], lexicon) or lexicon.has("definite", words[past])):
        return min(_comma(words, past), past + _TAIL)
    return len(words)


def _has_infinitive(words: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether "to" precedes a verb and not a person: "to hold", but not "to Bran", "to you", "to the guard"."""
    people = ("subjects", "pronouns", "first_person", "determiners")
    behind = (word for to, word in pairwise(words) if lexicon.has("infinitive", to))
    return any(not (word.capital or any(lexicon.has(name, word) for name in people)) for word in behind)


def _closes_speech(words: Sequence[Word], past: int, lexicon: Lexicon) -> bool:
    """Whether a verb of saying that ends at `past` tells who said all before it: "..., says Bran", "..., Bran says"."""
    if len(words) - past >= _TAIL:
        return False
    if any(word.norm == "," for word in words[max(past - _TAIL, 0) : past]):
        return True
    comma = next((i for i in range(past - 1, max(past - _TAG, 0), -1) if words[i].norm == ","), None)
    return comma is not None and lexicon.has("definite", words[comma + 1]) and past - comma > 2


def _shares_denial(part: Part, joined: Part, lexicon: Lexicon) -> bool:
    """Whether the negation in "does not fall and [take]" continues: no subject and no finite verb form follows."""
    complement = any(
        first < len(joined.words)
        and (lexicon.has("that", joined.words[first]) or _opens_subject(joined.words[first], lexicon))
        for first, _ in joined.denied
    )
    if complement:
        return True
    return part.elided and not _is_finite(first_content(part.words, lexicon), lexicon)


def _is_finite(word: Word, lexicon: Lexicon) -> bool:
    forms: Iterable[str] = lexicon.forms(word)
    return "base" not in forms and ("third" in forms or "past" in forms)


def _opens_subject(word: Word, lexicon: Lexicon) -> bool:
    return (not word.sign and word.capital) or lexicon.has("subjects", word)


def _comma(words: Sequence[Word], at: int) -> int:
    return next((i for i in range(at, len(words)) if words[i].norm == ","), len(words))


def _scope_end(words: Sequence[Word], at: int, lexicon: Lexicon) -> int:
    """Return where a negation ends: with the clause, or at a comma before a new subject; of ", not ran," at its own."""
    comma = _comma(words, at)
    if at > 1 and words[at - 2].norm == "," and comma < len(words) and comma - at <= _TAIL:
        return comma
    for i in range(at, len(words) - 1):
        if words[i].norm == "," and (_opens_subject(words[i + 1], lexicon) or lexicon.has("definite", words[i + 1])):
            return i
        if words[i].norm == ":" and i > at + 1:
            return i
    return len(words)
