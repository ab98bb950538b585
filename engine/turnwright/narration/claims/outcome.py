"""How a check, a save or a death save came out: "Ada succeeds on her Stealth check", "Success!", "the save fails"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from turnwright.language.clauses import Clause, ClauseKind
from turnwright.language.tokens import Word
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._cues import concerned, cue_in, is_cued, is_of_other, outweighs, uniform
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import Finding, FindingKind, Severity, finding_of, some_of
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

CLAIM = "check_outcome"
_KINDS = (EffectKind.CHECK, EffectKind.SAVE, EffectKind.DEATH_SAVE)
_REACH = 7


@dataclass(frozen=True, slots=True)
class _Claim:
    """The text says that a roll succeeded or failed.

    Attributes:
        kinds: what was rolled, as far as the text says.
        words: the skill or ability.
        who: the roller; empty for anyone.
        success: the outcome that the text states.
        is_critical: whether the text calls it critical.
        is_named: whether the text mentions a roll, so that one must exist.
    """

    kinds: tuple[EffectKind, ...]
    words: frozenset[str]
    who: frozenset[str]
    success: bool
    is_critical: bool
    is_named: bool
    span: tuple[int, int]

    def is_about(self, roll: Effect) -> bool:
        """Whether it may be the roll that is meant."""
        if roll.kind not in self.kinds or (self.who and roll.who is not None and roll.who not in self.who):
            return False
        return not (self.words and roll.what) or not roll.what.isdisjoint(self.words)

    def fits(self, roll: Effect) -> bool:
        """Whether the roll came out as the text says, or in no way that is known."""
        if not roll.applied or roll.success is None:
            return True
        return roll.success is self.success and (roll.is_critical or not self.is_critical)


class OutcomeClaims:
    """Claims that a check, a saving throw or a death save succeeded or failed.

    expected: `{"outcome": "success", "check": "stealth", "character_id": ...}`, where `outcome` is "success",
    "failure", "critical success" or "critical failure", and `check` the skill, the ability, or what was rolled. actual:
    `{"outcome": "failure", "check": ..., "character_id": ..., "natural": 4, "total": 7, "dc": 15}`; of a refused call
    `{"character_id": ..., "reason": ...}`; null where no dice were rolled.
    """

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the outcomes of this clause that no roll had."""
        for claim in _claims(reading) if reading.may_tell(self.name) else ():
            finding = _judge(claim, reading.page)
            if finding:
                yield finding
                return
        if reading.clause.sentence >= 0:
            yield from _cued(reading)


def answers(page: AnnotatedText) -> Iterator[Finding]:
    """Yield what people answer, where it was rolled how they would: "All right, you win" of a check that failed."""
    rolls = [roll for roll in page.of_kind(EffectKind.CHECK) if roll.applied]
    roll = uniform(rolls)
    groups = [name for name in ("talking", "hiding") if roll and name in _groups(roll, page)]
    if roll is None or not groups:
        return
    wrong, right = ("no", "yes") if roll.success else ("yes", "no")
    told = [f"{name}_{'good' if roll.success else 'bad'}" for name in ("check", *groups)]
    said = (clause for clause in page.clauses if clause.kind is ClauseKind.QUOTED)
    clause = next((one for one in said if _says(page, one, groups, wrong)), None)
    if clause is not None and not _says(page, clause, groups, right) and not is_cued(page, told):
        outcome = "failure" if roll.success else "success"
        expected = {"outcome": outcome, "check": roll.shown.get("check"), "character_id": roll.who}
        span = clause.words[0].start, clause.words[-1].end
        yield Finding(FindingKind.MISMATCH, roll.tool, expected, dict(roll.shown), Severity.WARN, span)


def _says(page: AnnotatedText, clause: Clause, groups: Sequence[str], answer: str) -> bool:
    return any(page.lexicon.phrases[f"{name}_{answer}"].occur_in(clause.words) for name in groups)


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield outcomes of rolls that the sentence names, told by any word of success or failure in it."""
    words = reading.page.sentences.get(reading.clause.sentence, ())
    named = next((found for i in range(len(words)) if (found := _named_in(reading, words, i)) is not None), None)
    unsaid = ("roll_wanted_of", "roll_fixed")
    if (
        named is None
        or reading.is_command(0)
        or any(reading.has(name, i) for name in unsaid for i in range(len(reading.words)))
    ):
        return
    for good, at, past in _outcomes_told(reading):
        who = reading.named() or reading.near()
        claim = _Claim(*named, who, good, False, True, reading.span(at, past))
        finding = _judge(claim, reading.page)
        if finding:
            yield replace(finding, severity=Severity.WARN)
        return


def _named_in(
    reading: ClauseView, words: Sequence[Word], at: int
) -> tuple[tuple[EffectKind, ...], frozenset[str]] | None:
    """Return the roll named by a skill, "check" or "save" at `at` of a sentence; None where it names no roll."""
    has = reading.lexicon.has
    behind = words[at + 1 : at + 4]
    if has("roll_death", words[at]) and any(has("saves", word) for word in behind):
        return (EffectKind.DEATH_SAVE,), frozenset()
    is_save, is_check = has("saves", words[at]), has("checks", words[at]) and not has("saves", words[at])
    if has("roll_checks", words[at]) or has("roll_abilities", words[at]):
        word = words[at].sign
        told = frozenset({reading.lexicon.abilities.get(word, word)})
        if any(has("saves", other) for other in behind):
            return (EffectKind.SAVE,), told
        if any(has("checks", other) or has("dice", other) for other in (*behind, *words[max(at - 3, 0) : at])):
            return (EffectKind.CHECK,), told
        return ((EffectKind.CHECK, EffectKind.SAVE), told) if words[at].capital and at else None
    if is_save and at and has("infinitive", words[at - 1]):
        return None  # "fails to save enough for winter"
    if words[at].norm == "save" and behind and _is_exception(reading, words[at - 1] if at else None, behind[0]):
        return None
    if is_save and (has("checks", words[at]) or has("saving", words[at])):
        return (EffectKind.SAVE, EffectKind.DEATH_SAVE), frozenset()
    return ((EffectKind.CHECK,), frozenset()) if is_check else None


def _is_exception(reading: ClauseView, before: Word | None, behind: Word) -> bool:
    """Whether "save" between two words means "but": "every trial save one", "all save her brother"."""
    has = reading.lexicon.has
    is_noun = before is not None and any(has(name, before) for name in ("determiners", "roll_abilities", "roll_death"))
    names = ("for", "determiners", "pronouns", "that")
    is_followed = reading.lexicon.number(behind) is not None or any(has(name, behind) for name in names)
    return is_followed and not is_noun and before is not None and not before.is_mark and not before.capital


def _outcomes_told(reading: ClauseView) -> Iterator[tuple[bool, int, int]]:
    """Yield each success and failure that a clause tells, and where its words stand; what is denied is the other."""
    if reading.clause.kind not in (ClauseKind.COMMIT, ClauseKind.PAST):
        return
    for name, good in (("roll_bad", False), ("roll_good", True)):
        for first, past in reading.lexicon.phrases[name].find(reading.words):
            if reading.has("relatives", first - 1):
                continue
            if reading.tells(first):
                yield good, first, past
            elif reading.clause.is_denied(first) and reading.clause.kind is ClauseKind.COMMIT and good:
                yield False, first, past


def _cued(reading: ClauseView) -> Iterator[Finding]:
    """Yield what a clause tells by other words of rolls that all came out the other way."""
    page = reading.page
    for kind in _KINDS:
        rolls = concerned([roll for roll in page.of_kind(kind) if roll.applied], reading)
        if not rolls:
            continue
        roll = uniform(rolls)
        if roll is None:
            continue
        groups = _groups(roll, page) if all(_groups(each, page) == _groups(roll, page) for each in rolls) else ()
        good, bad = ([f"{name}_{end}" for name in (kind.value, *groups)] for end in ("good", "bad"))
        wrong, right = (bad, good) if roll.success else (good, bad)
        cue = cue_in(reading, wrong)
        if cue and (_is_won_by_other(reading, roll, cue) or is_of_other(reading, rolls)):
            continue
        if cue and outweighs(page, wrong, right):
            outcome = "failure" if roll.success else "success"
            expected = {"outcome": outcome, "check": roll.shown.get("check"), "character_id": roll.who}
            span = reading.span(*cue)
            yield Finding(FindingKind.MISMATCH, roll.tool, expected, dict(roll.shown), Severity.WARN, span)
            return


def _is_won_by_other(reading: ClauseView, roll: Effect, cue: tuple[int, int]) -> bool:
    """Whether the text says that the other side of a contest wins: "Odo wins the contest"."""
    wins = any(reading.has("winners", i) for i in range(*cue))
    return wins and roll.other is not None and roll.other in reading.named(0, cue[0]) - {roll.who}


def _groups(roll: Effect, page: AnnotatedText) -> tuple[str, ...]:
    """Return the groups of skills to which a check belongs, after which lists of words are named."""
    if roll.kind is not EffectKind.CHECK:
        return ()
    named = roll.what - frozenset(page.lexicon.abilities.values()) or roll.what
    return tuple(name for name, words in page.lexicon.skills.items() if not named.isdisjoint(words))


def _claims(reading: ClauseView) -> Iterator[_Claim]:
    for at in range(len(reading.words)):
        if reading.asserts(at):
            yield from _of_doer(reading, at)
            yield from _of_roll(reading, at)
    yield from _alone(reading)


def _of_doer(reading: ClauseView, at: int) -> Iterator[_Claim]:
    """Read "Ada succeeds on her Stealth check", "you fail the save", "Ada makes her save", "you succeed"."""
    good = reading.is_verb("check.pass", at) or reading.is_verb("check.make", at)
    if not (good or reading.is_verb("check.fail", at)) or reading.is_command(at):
        return
    subjects = reading.subjects(at)
    named = _roll_named(reading, at + 1) if subjects else None
    if not named:
        subjects = [mention for mention in subjects if mention.ids and not mention.plural]
    if not subjects:
        return
    who = frozenset(identifier for mention in subjects for identifier in mention.ids)
    if named:
        kinds, words, past = named
        is_critical = any(reading.has("critical_ly", i) for i in range(max(at - 1, 0), at + 2))
        is_named = not reading.has("relatives", at - 1)
        yield _Claim(
            kinds, words, who, good, is_critical, is_named, reading.span(_first(reading, subjects[0], at), past)
        )
    elif reading.is_verb("check.bare", at) and (
        reading.is_end(at + 1) or (not good and reading.has("infinitive", at + 1))
    ):
        is_named = reading.is_end(at + 1) and _speaks_of_rolls(reading)
        yield _Claim(_KINDS, frozenset(), who, good, False, is_named, reading.span(at, at + 1))


def _speaks_of_rolls(reading: ClauseView) -> bool:
    """Whether this sentence or the one before calls for a roll: "Perception, everybody. Nim succeeds."."""
    page, sentence = reading.page, reading.clause.sentence
    return any(page.said_in(i, name) for i in (sentence - 1, sentence) for name in ("roll_checks", "checks"))


def _of_roll(reading: ClauseView, at: int) -> Iterator[_Claim]:
    """Read "her Stealth check succeeds", "the save is a failure", "Ada's check fails"."""
    good, past = _came_out(reading, at)
    if good is None:
        return
    back = at - 1
    while back >= 0 and (reading.lexicon.is_adverb(reading.words[back]) or reading.has("comes", back)):
        back -= 1
    if not (reading.has("checks", back) or reading.has("dice", back)):
        return
    first = back
    while first > 0 and (
        reading.has("checks", first - 1)
        or reading.has("saving", first - 1)
        or reading.has("roll_checks", first - 1)
        or reading.has("roll_abilities", first - 1)
        or reading.has("roll_death", first - 1)
    ):
        first -= 1
    named = _roll_named(reading, first)
    if named:
        kinds, words, _ = named
        owners = [mention for mention in reading.mentions if mention.owner and reading.noun_after(mention) == first]
        who = frozenset(identifier for mention in owners for identifier in mention.ids)
        yield _Claim(kinds, words, who, good, False, True, reading.span(first, past))


def _came_out(reading: ClauseView, at: int) -> tuple[bool | None, int]:
    """Return how something is said to come out by the verb at `at`, and where the words end."""
    if reading.is_verb("check.beat", at) or reading.is_verb("check.flop", at):
        return reading.is_verb("check.beat", at), at + 1
    if reading.is_verb("check.pass", at) or reading.is_verb("check.fail", at):
        return reading.is_verb("check.pass", at), at + 1
    if reading.is_verb("be", at):
        for i in range(at + 1, at + 5):
            if reading.has("outcome_noun_good", i) or reading.has("outcome_noun_bad", i):
                return reading.has("outcome_noun_good", i), i + 1
            if not (reading.has("indefinite", i) or reading.has("outcome_describes", i) or _is_adverb(reading, i)):
                break
    return None, at


def _alone(reading: ClauseView) -> Iterator[_Claim]:
    """Read a clause that is only an outcome: "Success!", "A clear failure.", "Critical success!"."""
    words = [i for i in range(len(reading.words)) if not reading.words[i].is_mark]
    told = [i for i in words if reading.has("outcome_noun_good", i) or reading.has("outcome_noun_bad", i)]
    rest = [i for i in words if i not in told]
    plain = all(
        any(reading.has(name, i) for name in ("indefinite", "outcome_describes", "critical", "outcome_labels"))
        for i in rest
    )
    if len(told) == 1 and plain and reading.clause.asserts(told[0]):
        is_critical = any(reading.has("critical", i) for i in rest)
        good = reading.has("outcome_noun_good", told[0])
        yield _Claim(_KINDS, frozenset(), frozenset(), good, is_critical, False, reading.span(words[0], words[-1] + 1))


def _roll_named(reading: ClauseView, at: int) -> tuple[tuple[EffectKind, ...], frozenset[str], int] | None:
    """Return what is rolled, of what, and where the words end: "on her DC 15 Stealth check"; None for no roll."""
    words: set[str] = set()
    is_death = is_save = False
    for i in range(at, min(at + _REACH, len(reading.words))):
        if reading.has("checks", i) or (reading.has("dice", i) and (words or is_death)):
            is_save = is_save or reading.has("saves", i)
            past = i + 1
            while reading.has("checks", past) or reading.has("dice", past):
                past += 1
            return _kinds(is_death=is_death, is_save=is_save, is_plain=not words), frozenset(words), past
        if reading.has("roll_checks", i) or reading.has("roll_abilities", i):
            word = reading.words[i].sign
            words.add(reading.lexicon.abilities.get(word, word))
        elif reading.has("roll_death", i):
            is_death = True
        elif reading.has("saving", i):
            is_save = True
        elif not (_introduces(reading, i) or reading.lexicon.number(reading.words[i]) is not None):
            return None
    return None


def _kinds(*, is_death: bool, is_save: bool, is_plain: bool) -> tuple[EffectKind, ...]:
    if is_death:
        return (EffectKind.DEATH_SAVE,)
    if is_save:
        return (EffectKind.SAVE, EffectKind.DEATH_SAVE) if is_plain else (EffectKind.SAVE,)
    return (EffectKind.CHECK,)


def _introduces(reading: ClauseView, at: int) -> bool:
    listed = ("check_prepositions", "determiners", "outcome_describes", "targets", "of")
    is_listed = any(reading.has(name, at) for name in listed)
    return is_listed or reading.words[at].norm in ("(", ")", "'s") or _names(reading, at)


def _names(reading: ClauseView, at: int) -> bool:
    return any(mention.owner and mention.first <= at < mention.past for mention in reading.mentions)


def _is_adverb(reading: ClauseView, at: int) -> bool:
    return at < len(reading.words) and reading.lexicon.is_adverb(reading.words[at])


def _first(reading: ClauseView, mention: Mention, at: int) -> int:
    return mention.first if mention in reading.mentions and at - 4 <= mention.first < at else at


def _judge(claim: _Claim, page: AnnotatedText) -> Finding | None:
    rolls = [roll for roll in page.rolls() if roll.kind in _KINDS]
    meant = [roll for roll in rolls if claim.is_about(roll)]
    done = [roll for roll in meant if roll.applied]
    if any(claim.fits(roll) for roll in done) or (not meant and (rolls or not claim.is_named)):
        return None
    blamed = _blamed(done or meant)
    if blamed is None and (meant or not claim.is_named):
        return None
    kind = FindingKind.MISSING if blamed is None else FindingKind.MISMATCH if blamed.applied else FindingKind.REJECTED
    outcome = f"{'critical ' if claim.is_critical else ''}{'success' if claim.success else 'failure'}"
    check = min(claim.words, default=claim.kinds[0].value if claim.is_named else None)
    if claim.words and claim.kinds == (EffectKind.SAVE,):
        check = f"{check} save"
    expected = {"outcome": outcome, "check": check, "character_id": some_of(claim.who)}
    tools = page.tools("death_save" if claim.kinds == (EffectKind.DEATH_SAVE,) else CLAIM)
    return finding_of(page, (kind, blamed), tools, expected, claim.span)


def _blamed(rolls: Sequence[Effect]) -> Effect | None:
    return next((roll for roll in rolls if not roll.told), None)
