"""Words that tell how a roll came out without speaking of it: "the lock clicks open", "to no avail", "goes unnoticed".

They may tell of anything, so they only count where all rolls of a kind came out alike, and nothing in the text tells
what really happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwright.suggest.claims._page import Page
from turnwright.suggest.claims._reading import Reading
from turnwright.suggest.clauses import ClauseKind
from turnwright.suggest.scene import Deed

Cue = tuple[int, int]


def uniform(rolls: Iterable[Deed]) -> Deed | None:
    """Return the first of some rolls if all came out alike, as far as that is known; else None."""
    done = [roll for roll in rolls if roll.applied]
    outcomes = {roll.success for roll in done}
    fresh = [roll for roll in done if not roll.told]
    return fresh[0] if fresh and len(outcomes) == 1 and None not in outcomes else None


def cue_in(reading: Reading, names: Iterable[str]) -> Cue | None:
    """Return where the first of the named lists of phrases occurs in a clause that tells what happens."""
    kind = reading.clause.kind
    if kind is ClauseKind.COMMIT:
        return min((cue for cue in _found(reading, names) if reading.asserts(cue[0])), default=None)
    if kind is ClauseKind.HYPOTHETICAL:  # "can't budge it" tells what happens, as "can budge it" does not
        return min((cue for cue in _found(reading, names) if reading.has("cannot", cue[0])), default=None)
    return None


def _found(reading: Reading, names: Iterable[str]) -> Iterator[Cue]:
    for name in names:
        phrases = reading.lexicon.phrases.get(name)
        if phrases is not None:
            yield from phrases.find(reading.words)


def is_cued_near(reading: Reading, names: Iterable[str]) -> bool:
    """Return whether any of the named lists of phrases occurs in the sentence, or the next one."""
    near = reading.page.words_near(reading.clause.sentence)
    return any(phrases.occur_in(near) for name in names if (phrases := reading.lexicon.phrases.get(name)) is not None)


def is_cued(page: Page, names: Iterable[str]) -> bool:
    """Return whether any of the named lists of phrases occurs anywhere in what the text tells, and is not denied."""
    lists = [phrases for name in names if (phrases := page.lexicon.phrases.get(name)) is not None]
    told = [clause for clause in page.clauses if clause.sentence >= 0]
    found = ((clause, first) for clause in told for phrases in lists for first, _ in phrases.find(clause.words))
    return any(not clause.is_denied(first) for clause, first in found)
