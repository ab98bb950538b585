"""Rests: "you take a short rest", "the party sleeps until morning"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from turnwright.language.clauses import ClauseKind
from turnwright.narration.claims._clause_reader import NP_REACH, ClauseView
from turnwright.narration.claims._cues import cue_in, is_cued, outweighs
from turnwright.narration.claims._finding import Finding, FindingKind, Severity, finding_of, unmet
from turnwright.narration.facts import Effect, EffectKind

CLAIM = "rest"
_REACH = 6
_NIGHT = 6
"""How many hours of sleep make a long rest in a text."""
_SENTENCES = 2
"""How many sentences before a waking the sleep may be mentioned."""


class RestClaims:
    """Claims that the party took a rest."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the rests of this clause that no one took."""
        for at, word in enumerate(reading.words):
            helper = reading.happens(at) if reading.lexicon.forms(word) else None
            if helper is None or reading.is_command(at):
                continue
            kind, past = _rest(reading, at)
            if past and _party_rests(reading, helper):
                finding = _judge(reading, kind, at, past)
                if finding:
                    yield finding
                    return
        finding = _noun(reading) or _slept(reading) or _idle(reading) or _cued(reading)
        if finding:
            yield finding


def _rest(reading: ClauseView, at: int) -> tuple[str | None, int]:
    """Return which rest the verb at `at` tells of, and where its words end; 0 for none."""
    if reading.is_verb("rest.take", at):
        for i in range(at + 1, min(at + 2 + NP_REACH, len(reading.words) - 1)):
            if reading.has("rest_kinds", i) and reading.has("rests", i + 1):
                return reading.words[i].norm, i + 2
            if reading.has("own", i) and reading.has("rests", i + 1) and reading.ends_phrase(i + 2):
                return None, i + 2
            if not reading.has("determiners", i) and not reading.has("rest_fillers", i):
                break
    elif reading.is_verb("rest.rest", at) and not (reading.has("own", at + 1) or _is_broken(reading)):
        quiet = (
            reading.lexicon.phrases["rest_quiet"].length_at(reading.words, at + 1) if at + 1 < len(reading.words) else 0
        )
        if quiet:
            return None, at + 1 + quiet
        through = next((i for i in _following(reading, at) if reading.has("rest_through", i)), len(reading.words))
        for i in _following(reading, through):
            if reading.has("rest_night", i):
                return "long", i + 1
            if reading.has("rest_hour", i):
                return "short", i + 1
    return None, 0


def _slept(reading: ClauseView) -> Finding | None:
    """Read a sleep that is over: "they curl up under the boat, and wake with the sun on their faces"."""
    page, lexicon = reading.page, reading.lexicon
    wakes = lexicon.phrases["rest_wakes"].find(reading.words)
    if page.scene.fight is None:
        wakes = [*wakes, *lexicon.phrases["rest_rises"].find(reading.words)]
    ends = wakes or lexicon.phrases["rest_after"].find(reading.words)
    is_untold = any(lexicon.phrases[name].occur_in(reading.words) for name in ("modal", "conditional", "negators"))
    if not ends or is_untold or reading.clause.kind is ClauseKind.QUESTION or _is_broken(reading):
        return None
    if any("interrupted" in deed.what for deed in page.of_kind(EffectKind.REST)):
        return None
    past = ends[-1][1]
    if wakes and _is_long(reading) and reading.is_by_party():
        return _judge(reading, "long", ends[0][0], past)
    for view in reading.back(_SENTENCES):
        names = ("rest_sleeps", "rest_lies") if wakes else ("rest_sleeps",)
        found = (span for name in names for span in lexicon.phrases[name].find(view.words))
        told = (first for first, past in found if view.tells(first) and not view.has("own", past))  # "rest your eyes"
        sleep = next((first for first in told if not view.is_command(first)), None)
        if sleep is not None and view.is_by_party():
            is_night = any(lexicon.has("rest_nights", word) for word in (*view.words, *reading.words))
            return _judge(reading, "long" if is_night else None, ends[0][0], past)
    return None


def _is_long(reading: ClauseView) -> bool:
    """Whether a clause counts the hours of a night: "it is a full eight hours before she opens her eyes"."""
    hours = (i for i in range(1, len(reading.words)) if reading.has("hours", i))
    return any((reading.lexicon.number(reading.words[i - 1]) or 0) >= _NIGHT for i in hours)


def _idle(reading: ClauseView) -> Finding | None:
    """Read an hour in which the party only recovers: "she gets her breath back for most of an hour"."""
    hour = next((i for i in range(len(reading.words)) if reading.has("rest_hour", i)), None)
    if hour is None or not reading.tells(hour) or not reading.has("hour_before", hour - 1) or _is_broken(reading):
        return None
    is_idle = any(reading.has("rest_doings", i) for i in range(len(reading.words)))
    is_other = any(reading.has("rest_not", i) for i in range(len(reading.words)))
    is_heading = reading.has("particles", hour + 1) or reading.words[hour - 1].norm == ":"
    if (
        not is_idle
        or is_other
        or is_heading
        or not reading.is_by_party()
        or reading.page.once("no_rest", lambda: is_cued(reading.page, ["rest_bad"]))
    ):
        return None
    return _judge(reading, "short", hour, hour + 1)


def _cued(reading: ClauseView) -> Finding | None:
    """Read what tells of no rest, where one was taken, and of a good one, where it was broken off."""
    every = [deed for deed in reading.page.of_kind(EffectKind.REST) if deed.applied and not deed.told]
    named = reading.named() or reading.near()
    rests = [deed for deed in every if deed.who in named] or every
    broken = {"interrupted" in deed.what for deed in rests}
    if len(broken) != 1:
        return None
    wrong, right = ("rest_good", "rest_bad") if True in broken else ("rest_bad", "rest_good")
    cue = cue_in(reading, [wrong])
    if cue is None and wrong == "rest_bad" and reading.clause.kind is ClauseKind.COMMIT:
        denied = (
            i for i in range(len(reading.words)) if reading.clause.is_denied(i) and _is_denied_rest(reading, i, rests)
        )
        at = next(denied, None)
        cue = (at, at + 1) if at is not None else None
    if cue is None or (named and not any(deed.who in named for deed in every)):
        return None
    if not outweighs(reading.page, [wrong], [right]) and len(every) == len(rests) > 1:
        return None
    expected = {"rest_type": None, "rested": True in broken}
    span = reading.span(*cue)
    return Finding(FindingKind.MISMATCH, rests[0].tool, expected, dict(rests[0].shown), Severity.WARN, span)


def _is_denied_rest(reading: ClauseView, at: int, rests: Sequence[Effect]) -> bool:
    """Whether the word at `at` denies the rest taken: "it is no night's sleep" denies no short one."""
    is_night = any(reading.has("rest_nights", i) for i in range(max(at - NP_REACH, 0), at))
    return reading.has("rest_words", at) and not (is_night and all("short" in deed.what for deed in rests))


def _noun(reading: ClauseView) -> Finding | None:
    """Read a rest that is named as had: "After a short rest you feel better", "the long rest does you good"."""
    if _is_broken(reading) or _is_supposed(reading):
        return None
    if any(m.ids and not (m.second or _is_ours(reading, m.ids)) for m in reading.mentions):
        return None
    for at in range(len(reading.words)):
        kind, past = _named(reading, at)
        if past and _is_had(reading, at, past) and (finding := _judge(reading, kind, at, past)):
            return finding
    return None


def _is_had(reading: ClauseView, at: int, past: int) -> bool:
    """Whether a named rest was had; adverbs behind it are about something else: "the sun's still up"."""
    is_now = reading.has("perfect_now", at) and reading.states(at + 1)
    if not (reading.clause.asserts(at) or is_now or _has_done(reading, past)) or _others_sleep(reading):
        return False
    words = enumerate(reading.words)
    return not any(
        reading.has("rest_not", i) and (i < past or not reading.lexicon.is_adverb(word)) for i, word in words
    )


def _others_sleep(reading: ClauseView) -> bool:
    """Whether the clause is about the rest of an unknown creature: "the cat sleeps by the fire the whole night"."""
    verbs = (i for i, word in enumerate(reading.words) if "base" not in reading.lexicon.forms(word))
    verb = next((i for i in verbs if reading.is_verb("rest.rest", i) or reading.is_verb("rest.take", i)), 0)
    first = next((i for i in range(verb) if not reading.has("leads", i)), verb)
    is_noun = reading.has("determiners", first) and not reading.named(0, verb)
    return is_noun and first < verb <= first + NP_REACH and not any(m.ids for m in reading.mentions if m.past == verb)


def _has_done(reading: ClauseView, past: int) -> bool:
    """Whether the text says that a rest has had its effect by now: "the long rest has done its work"."""
    is_past = reading.clause.kind is ClauseKind.PAST and not reading.clause.is_denied(past)
    return is_past and reading.has("perfect_now", past)


def _is_supposed(reading: ClauseView) -> bool:
    """Whether the clause before supposes what this one speaks of: "If you rest .... That's the night"."""
    is_after = reading.before is not None and reading.before.clause.kind is ClauseKind.HYPOTHETICAL
    first = next((i for i in range(len(reading.words)) if not reading.has("leads", i)), 0)
    return is_after and reading.has("echoes", first)


def _named(reading: ClauseView, at: int) -> tuple[str | None, int]:
    """Return which rest the words at `at` name, and where they end; 0 for none."""
    if reading.has("rest_kinds", at) and reading.has("rests", at + 1):
        return reading.words[at].norm, at + 2
    if reading.has("rests", at) and reading.words[min(at + 1, len(reading.words) - 1)].norm == ":":
        return (reading.words[at + 2].norm, at + 3) if reading.has("rest_kinds", at + 2) else (None, 0)
    for name, kind in (("rest_long", "long"), ("rest_short", "short"), ("rest_full", None)):
        length = reading.lexicon.phrases[name].length_at(reading.words, at)
        if length:
            return kind, at + length
    return None, 0


def _is_ours(reading: ClauseView, people: frozenset[str]) -> bool:
    scene = reading.page.scene
    return scene.acting in people or not people.isdisjoint(scene.party or ())


def _is_broken(reading: ClauseView) -> bool:
    """Whether the text says that a person keeps watch or sleeps badly meanwhile, so that not all need have rested."""
    near = reading.page.words_near(reading.clause.sentence)
    is_woken = reading.lexicon.phrases["rest_woken"].occur_in(near)
    return is_woken or any(reading.lexicon.has("rest_broken", word) for word in near)


def _following(reading: ClauseView, at: int) -> Iterator[int]:
    """Return where the next few words of the clause stand."""
    return takewhile(lambda i: not reading.is_end(i), range(at + 1, at + 1 + _REACH))


def _party_rests(reading: ClauseView, at: int) -> bool:
    party = reading.page.scene.party or frozenset()
    ours = party | ({reading.page.scene.acting} if reading.page.scene.acting is not None else set())
    mentions = reading.subjects(at)
    return any(m.second or not ours.isdisjoint(m.ids) for m in mentions) or reading.has("first_plural", at - 1)


def _judge(reading: ClauseView, kind_of_rest: str | None, at: int, past: int) -> Finding | None:
    page = reading.page
    named = reading.named() & (page.scene.party or frozenset())
    is_one = len(named) == 1 and not any(m.second for m in reading.mentions)

    def is_meant(deed: Effect) -> bool:
        return _is_of(kind_of_rest, deed) and (not is_one or deed.who is None or deed.who in named)

    left_out = _left_out(reading, kind_of_rest)
    if left_out is not None:
        expected = {"rest_type": kind_of_rest, "rested": True}
        shown = dict(left_out.shown)
        return Finding(FindingKind.MISMATCH, left_out.tool, expected, shown, Severity.WARN, reading.span(at, past))

    verdict = unmet(page.of_kind(EffectKind.REST), is_meant, lambda _: True)
    return finding_of(page, verdict, page.tools(CLAIM), {"rest_type": kind_of_rest}, reading.span(at, past))


def _is_number(reading: ClauseView, at: int) -> bool:
    return at < len(reading.words) and reading.lexicon.number(reading.words[at]) is not None


def _left_out(reading: ClauseView, kind_of_rest: str | None) -> Effect | None:
    """Return a rest of some, where the text says that all of the party rested, and not all of them did."""
    page, party = reading.page, reading.page.scene.party or frozenset()
    is_all = any(
        reading.has("everybody_of", i)
        or (reading.has("all_of", i) and (reading.has("of", i + 1) or _is_number(reading, i + 1)))
        for i in range(len(reading.words))
    )
    rests = [deed for deed in page.of_kind(EffectKind.REST) if deed.applied and not deed.told]
    rested = {deed.who for deed in rests if _is_of(kind_of_rest, deed)}
    is_known = is_all and bool(rested) and None not in rested
    return rests[0] if is_known and not party <= rested else None


def _is_of(kind_of_rest: str | None, deed: Effect) -> bool:
    """Whether it was a rest of this kind, and was not broken off."""
    return kind_of_rest in deed.what or (kind_of_rest is None and "interrupted" not in deed.what)
