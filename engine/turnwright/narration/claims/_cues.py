"""Words that imply a roll's outcome without mentioning the roll: "the lock clicks open", "to no avail", "unnoticed".

They may refer to anything, so they only count where all rolls of a kind had the same outcome, and the text does not
say what really happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from turnwright.language.clauses import Clause, ClauseKind
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.facts import Effect

Cue = tuple[int, int]
_FAR_MORE = 2
_UNTOLD = (ClauseKind.QUESTION, ClauseKind.META, ClauseKind.FUTURE)


def uniform(rolls: Iterable[Effect]) -> Effect | None:
    """Return the first of some rolls if all came out alike, as far as that is known; else None."""
    done = [roll for roll in rolls if roll.applied]
    outcomes = {roll.success for roll in done}
    fresh = [roll for roll in done if not roll.told]
    return fresh[0] if fresh and len(outcomes) == 1 and None not in outcomes else None


def concerned(rolls: Sequence[Effect], reading: ClauseView) -> Sequence[Effect]:
    """Return the rolls of people the clause names, else those against them; else of people named nearby; or all."""
    for named in (reading.named(), reading.near()):
        own = [roll for roll in rolls if roll.who in named]
        found = own if len({roll.who for roll in own}) == 1 else [roll for roll in own or rolls if roll.other in named]
        if found:
            return found
    return rolls


def is_of_other(reading: ClauseView, rolls: Iterable[Effect]) -> bool:
    """Return whether the clause's subject is a named party member who made none of the rolls and was no target of them.

    Actions of others may show the outcome: "Odo shakes his head".
    """
    doers = {identifier for mention in reading.subject for identifier in mention.ids if not mention.second}
    known = {who for roll in rolls for who in (roll.who, roll.other)}
    is_ours = bool(doers) and doers <= (reading.page.scene.party or frozenset())
    return is_ours and None not in {roll.who for roll in rolls} and doers.isdisjoint(known)


def cue_in(reading: ClauseView, names: Iterable[str]) -> Cue | None:
    """Return where the first of the named lists of phrases occurs in a clause that says what happens.

    For a list "x_bad", the denial of a phrase in "x_denied" counts too.
    """
    names = tuple(names)
    kind = reading.clause.kind
    denied = [name.removesuffix("_bad") + "_denied" for name in names if name.endswith("_bad")]
    if kind is not ClauseKind.QUESTION and (flipped := _denied_in(reading, denied)) is not None:
        return flipped
    if kind in (ClauseKind.COMMIT, ClauseKind.PAST):
        return min((cue for cue in _found(reading, names) if reading.tells(cue[0])), default=None)
    if kind is ClauseKind.HYPOTHETICAL:  # "can't budge it" tells what happens, as "can budge it" does not
        return min((cue for cue in _found(reading, names) if reading.has("cannot", cue[0])), default=None)
    return None


def _denied_in(reading: ClauseView, names: Iterable[str]) -> Cue | None:
    """Return where the text denies something, and the denial implies the outcome: "neither of them gets through"."""
    if reading.clause.kind not in (ClauseKind.COMMIT, ClauseKind.HYPOTHETICAL):
        return None
    is_able = any(reading.has("cannot", i) for i in range(len(reading.words)))
    if reading.clause.kind is ClauseKind.HYPOTHETICAL and not is_able:
        return None
    found = (cue for cue in _found(reading, names) if any(a <= cue[0] < b for a, b in reading.clause.denied))
    return next(found, None)


def _found(reading: ClauseView, names: Iterable[str]) -> Iterator[Cue]:
    for name in names:
        phrases = reading.lexicon.phrases.get(name)
        if phrases is not None:
            yield from (cue for cue in phrases.find(reading.words) if not _is_name(reading, cue[0]))


def _is_name(reading: ClauseView, at: int) -> bool:
    """Whether a word belongs to the name of a place: "Market Square" is not square."""
    word = reading.words[at]
    return word.capital and any(reading.page.areas.at(reading.words, i) for i in range(max(at - 2, 0), at + 1))


def outweighs(page: AnnotatedText, wrong: Iterable[str], right: Iterable[str]) -> bool:
    """Return whether the text has more of the first lists' phrases than of the second's, or has one of them last.

    Of phrases that share words only the longest counts: "notices nothing" is not "notices".
    """
    question = ("outweighs", tuple(wrong), tuple(right))
    return page.once(question, lambda: _outweighs(page, *question[1:]))


def _outweighs(page: AnnotatedText, wrong: tuple[str, ...], right: tuple[str, ...]) -> bool:
    lists = [(name, True) for name in wrong] + [(name, False) for name in right]
    found = [(phrases, is_wrong) for name, is_wrong in lists if (phrases := page.lexicon.phrases.get(name)) is not None]
    votes: list[bool] = []
    for clause in page.clauses:
        if clause.sentence >= 0 and clause.kind not in _UNTOLD:
            cues = [
                (past - first, first, is_wrong) for one, is_wrong in found for first, past in one.find(clause.words)
            ]
            votes.extend(_longest(cue for cue in cues if not clause.is_denied(cue[1])))
    against = len(votes) - sum(votes)
    return sum(votes) > against and (not against or votes[-1] or sum(votes) >= _FAR_MORE + against)


def _longest(cues: Iterable[tuple[int, int, bool]]) -> list[bool]:
    """Return the side of each cue not covered by a longer one, in text order."""
    kept: list[tuple[int, int, bool]] = []
    for length, first, is_wrong in sorted(cues, key=lambda cue: (-cue[0], cue[1])):
        if all(first >= at + size or first + length <= at for size, at, _ in kept):
            kept.append((length, first, is_wrong))
    return [is_wrong for _, _, is_wrong in sorted(kept, key=lambda cue: cue[1])]


def is_cued(page: AnnotatedText, names: Iterable[str], but: Clause | None = None) -> bool:
    """Return whether any of the named lists of phrases occurs in what the text tells, and is not denied.

    The clause `but` does not count.
    """
    lists = [phrases for name in names if (phrases := page.lexicon.phrases.get(name)) is not None]
    told = [clause for clause in page.clauses if clause.sentence >= 0 and clause is not but]
    found = ((clause, first) for clause in told for phrases in lists for first, _ in phrases.find(clause.words))
    return any(not clause.is_denied(first) for clause, first in found)
