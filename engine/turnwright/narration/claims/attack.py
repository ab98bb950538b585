"""Whether an attack hit: "Bran's blade goes wide", "the arrow finds its mark", "A critical hit!"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from turnwright.language.clauses import ClauseKind
from turnwright.narration.claims._clause_reader import NP_REACH, ClauseView
from turnwright.narration.claims._cues import concerned, cue_in, is_cued, is_of_other, outweighs, uniform
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import Finding, FindingKind, Severity, finding_of, some_of
from turnwright.narration.facts import Effect, EffectKind
from turnwright.narration.names import Mention

CLAIM = "attack_outcome"
_FAR = 7
"""How many words behind a verb of contact the body may be named that it meets."""
_MEANS = ("blows", "weapons")


@dataclass(frozen=True, slots=True)
class _Claim:
    """The text says that an attack hit or missed. A side that it does not name may be anyone."""

    who: frozenset[str]
    target: frozenset[str]
    is_hit: bool
    is_critical: bool
    span: tuple[int, int]

    def is_about(self, roll: Effect) -> bool:
        """Whether it may be the attack that is meant."""
        by = not self.who or roll.who is None or roll.who in self.who
        return by and (not self.target or roll.other is None or roll.other in self.target)

    def fits(self, roll: Effect) -> bool:
        """Whether the attack came out as the text says, or in no way that is known."""
        if roll.success is None:
            return True
        return roll.success is self.is_hit and (roll.is_critical or not self.is_critical)


class AttackClaims:
    """Claims that an attack hit, missed, or was a critical one.

    expected: `{"outcome": "hit", "actor_id": ..., "target_id": ...}`, where `outcome` is "hit", "miss", "critical hit"
    or "critical miss". actual: the roll, `{"outcome": "failure", "check": "attack", "character_id": ..., "natural": 4,
    "total": 9, "dc": 15, "target_id": ...}`.
    """

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield the hits and misses of this clause that no attack was."""
        page = reading.page
        if not page.of_kind(EffectKind.ATTACK) and page.scene.fight is None:
            return
        for claim in _claims(reading) if reading.may_tell(self.name) else ():
            finding = _judge(claim, page)
            if finding:
                yield finding
                return
        yield from _cued(reading)


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield hits on people where no attack was made, and criticals that the text denies."""
    yield from _touches(reading)
    yield from _plain(reading)


def _touches(reading: ClauseView) -> Iterator[Finding]:
    """Yield hits, told by a verb and what it met, where none of the people named attacked or was attacked.

    "Nim drives her dagger between the wolf's ribs", "it has Nim by the throat"; not "slashes at Nim".
    """
    page, near = reading.page, reading.near()
    rolls = page.of_kind(EffectKind.ATTACK)
    if any(roll.applied and (not near or {roll.who, roll.other} & near) for roll in rolls) or not near:
        return
    harm = (deed for deed in page.of_kind(EffectKind.HP) if (deed.delta or 0) < 0 and deed.applied)
    is_saved = bool(page.of_kind(EffectKind.SAVE))
    if (
        is_saved
        or any(deed.who in near or deed.who is None for deed in harm)
        or (page.scene.fight is None and not rolls)
    ):
        return
    found = next((span for at in range(len(reading.words)) if (span := _contact(reading, at)) is not None), None)
    is_hit, found = found is not None, found or cue_in(reading, ["attack_told"])
    if found is None:
        return
    refused = next((roll for roll in rolls if not roll.applied and not roll.told), None)
    verdict = (FindingKind.MISSING if refused is None else FindingKind.REJECTED, refused)
    actor = some_of(reading.named(0, found[0]))
    expected = {"outcome": "hit" if is_hit else "miss", "actor_id": actor, "target_id": None}
    finding = finding_of(page, verdict, page.tools(CLAIM), expected, reading.span(*found))
    if finding is not None:
        yield replace(finding, severity=Severity.WARN)


def _contact(reading: ClauseView, at: int) -> tuple[int, int] | None:
    """Return the words in which a verb of contact at `at` meets a body or a person."""
    is_means = any(reading.has(name, at) for name in _MEANS) and reading.clause.asserts(at)
    if is_means and (met := _weapon_meets(reading, at)) is not None:
        return met
    if not (reading.is_verb("attack.contact", at) and reading.tells(at)) or reading.is_command(at):
        return None
    if reading.has("at", at + 1) or reading.has("aimed_at", at + 1):
        return None
    for i in range(at + 1, min(at + 1 + _FAR, len(reading.words))):
        if reading.words[i].is_mark:
            return None
        is_person = any(m.first == i and not m.owner for m in reading.mentions) and i <= at + 2
        is_adverb = reading.has("back", i) and not (
            reading.has("determiners", i - 1) or reading.words[i - 1].norm == "'s"
        )
        is_met = is_person or (reading.has("body", i) and not is_adverb)  # "takes a step back" meets no one's back
        if is_met and not (reading.has("stops", i + 1) or reading.has("as_like", i + 1)):
            return at, i + 1
    return None


def _weapon_meets(reading: ClauseView, at: int) -> tuple[int, int] | None:
    """Return the words in which the weapon or blow at `at` goes into a body: "brings the mace down on its snout"."""
    end = next((i for i in range(at + 1, at + _FAR) if reading.is_end(i)), at + _FAR)
    into = next((i for i in range(at + 1, end) if reading.has("contact_into", i)), None)
    if into is None or any(reading.has("aims_at", i) for i in range(at + 1, into)):
        return None
    for i in range(into + 1, min(into + _FAR, len(reading.words))):
        if reading.is_end(i):
            return None
        owner = any(m.owner and into < m.first < i and m.ids.isdisjoint(_own(reading)) for m in reading.mentions)
        if reading.has("body", i) and owner and not reading.has("palms", i):
            return at, i + 1
    return None


def _meets_scenery(reading: ClauseView, at: int) -> tuple[int, int] | None:
    """Return the words in which a weapon goes into a thing of the place: "her sword bites into a fence post"."""
    if not any(reading.has(name, at) for name in _MEANS) or not reading.clause.asserts(at):
        return None
    end = next((i for i in range(at + 1, at + _FAR) if reading.is_end(i)), min(at + _FAR, len(reading.words)))
    into = next((i for i in range(at + 1, end) if reading.has("scenery_into", i)), None)
    if into is None or not reading.has("determiners", into + 1) or reading.has("own", into + 1):
        return None
    found = next((i for i in range(into + 2, into + 5) if reading.has("scenery", i)), None)
    return (at, found + 1) if found is not None else None


def _own(reading: ClauseView) -> frozenset[str]:
    return frozenset(identifier for mention in reading.subject for identifier in mention.ids)


def _plain(reading: ClauseView) -> Iterator[Finding]:
    """Yield claims of no critical hit where every hit was critical; or of one, where none was."""
    rolls = [roll for roll in reading.page.of_kind(EffectKind.ATTACK) if roll.applied and not roll.told]
    if rolls and not any(roll.is_critical for roll in rolls):
        yield from _heightened(reading, rolls[0])
        return
    if not rolls or not all(roll.is_critical for roll in rolls) or reading.clause.kind is not ClauseKind.COMMIT:
        return
    found = reading.lexicon.phrases["critical_not"].find(reading.words)
    if found:
        outcome = "hit" if rolls[0].success else "miss"
        expected = {"outcome": outcome, "actor_id": rolls[0].who, "target_id": rolls[0].other}
        shown, span = dict(rolls[0].shown), reading.span(*found[0])
        yield Finding(FindingKind.MISMATCH, rolls[0].tool, expected, shown, Severity.WARN, span)


def _heightened(reading: ClauseView, roll: Effect) -> Iterator[Finding]:
    near = reading.page.words_near(reading.clause.sentence)
    if reading.lexicon.phrases["critical_not"].occur_in(near):
        return
    for at in range(len(reading.words)):
        is_said = reading.has("critical", at) and not reading.has("critical_things", at + 1) and reading.states(at)
        is_said = is_said and not _is_kept_apart(reading, at) and not _is_adjective(reading, at)
        if is_said and not reading.has("state_note", at - 1) and not any(m.past == at for m in reading.mentions):
            outcome = f"critical {'hit' if roll.success else 'miss'}"
            expected = {"outcome": outcome, "actor_id": roll.who, "target_id": roll.other}
            shown, span = dict(roll.shown), reading.span(at, at + 1)
            yield Finding(FindingKind.MISMATCH, roll.tool, expected, shown, Severity.WARN, span)
            return
    cue = cue_in(reading, ["critical_told"]) if roll.success else None
    if cue is not None:
        expected = {"outcome": "critical hit", "actor_id": roll.who, "target_id": roll.other}
        span = reading.span(*cue)
        yield Finding(FindingKind.MISMATCH, roll.tool, expected, dict(roll.shown), Severity.WARN, span)


def _cued(reading: ClauseView) -> Iterator[Finding]:
    """Yield what a clause tells by other words of attacks that all came out the other way."""
    page = reading.page
    every = [roll for roll in page.of_kind(EffectKind.ATTACK) if roll.applied]
    roll = uniform(concerned(every, reading))
    if roll is None or is_of_other(reading, [roll]):
        return
    wrong, right = ("attack_bad", "attack_good") if roll.success else ("attack_good", "attack_bad")
    cue = cue_in(reading, [wrong])
    is_scenery = False
    if cue is None and roll.success:
        cue = next(
            (span for at in range(len(reading.words)) if (span := _meets_scenery(reading, at)) is not None), None
        )
        is_scenery = cue is not None
    is_contact = cue is None and not roll.success
    if is_contact:
        cue = next((span for at in range(len(reading.words)) if (span := _contact(reading, at)) is not None), None)
    harm = any(deed.applied and (deed.delta or 0) < 0 for deed in page.of_kind(EffectKind.HP))
    is_one = uniform(every) is not None
    if cue is None or not (roll.success or not harm or not is_one):
        return
    if is_scenery:
        is_told_wrong = is_one and not is_cued(page, [right], reading.clause)
    elif is_contact and is_one:
        is_told_wrong = not outweighs(page, [right], [wrong])
    else:
        is_told_wrong = outweighs(page, [wrong], [right]) if is_one else cue_in(reading, [right]) is None
    if is_told_wrong:
        expected = {"outcome": "miss" if roll.success else "hit", "actor_id": roll.who, "target_id": roll.other}
        span = reading.span(*cue)
        yield Finding(FindingKind.MISMATCH, roll.tool, expected, dict(roll.shown), Severity.WARN, span)


def _claims(reading: ClauseView) -> Iterator[_Claim]:
    critical = _critical(reading)
    if critical:
        yield critical
        return
    for at in range(len(reading.words)):
        if not reading.asserts(at):
            continue
        for frame in (_strikes, _weapon, _is_struck, _evades, _alone):
            claim = frame(reading, at)
            if claim:
                yield claim
                break


def _critical(reading: ClauseView) -> _Claim | None:
    """Read "A critical hit!", "a crit", "it is a critical miss"."""
    for at in range(len(reading.words)):
        if not (reading.has("critical", at) or reading.has("fumble", at)) or not reading.clause.asserts(at):
            continue
        if _is_kept_apart(reading, at):
            continue
        if reading.has("fumble", at) and reading.has("not_crit", at + 1):
            continue  # "fumbles with her sleeves"
        bad = reading.has("outcome_bad", at + 1) or reading.has("fumble", at)
        alone = reading.has("fumble", at) or (reading.has("crit", at) and not reading.has("not_crit", at + 1))
        alone = alone or all(i == at or reading.words[i].is_mark for i in range(len(reading.words)))
        alone = alone or (reading.has("crit", at) and reading.words[at].norm == "crits")
        if bad or reading.has("critical_hits", at + 1) or alone:
            who = _ids(m for m in reading.subject if m.ids and not m.plural)
            return _Claim(who, frozenset(), not bad, True, reading.span(at, at + 2))
    return None


def _is_adjective(reading: ClauseView, at: int) -> bool:
    """Whether "critical" tells of something else than a blow: "the critical thing is"."""
    is_followed = not reading.ends_phrase(at + 1) and not reading.has("critical_hits", at + 1)
    return reading.words[at].norm == "critical" and is_followed and not reading.has("blows", at + 1)


def _is_kept_apart(reading: ClauseView, at: int) -> bool:
    """Whether a blow is set against a critical one: "short of a crit", "close to a critical", "anything but a crit"."""
    return reading.has("critical_apart", at - 1 - reading.has("indefinite", at - 1))


def _strikes(reading: ClauseView, at: int) -> _Claim | None:
    """Read "Bran hits the orc", "Bran misses (the orc)", "you land a blow", "Bran's swing misses the orc"."""
    misses, hits, lands = (reading.is_verb(group, at) for group in ("attack.miss", "attack.hit", "attack.land"))
    if not (misses or hits or lands) or reading.is_command(at):
        return None
    doers = [mention for mention in reading.subjects(at) if mention.ids and not mention.plural]
    if not doers:
        return None
    if lands:
        noun = next((i for i in range(at + 1, at + 4) if reading.has("blows", i)), None)
        return _Claim(_ids(doers), frozenset(), True, False, reading.span(at, noun + 1)) if noun else None
    objects = reading.object_at(at + 1)
    targets = [mention for mention in objects if mention.ids]
    is_pronoun = any(reading.has("pronouns", mention.first) for mention in objects)
    if hits and (not (targets or is_pronoun) or _is_called_back(reading)):
        return None
    if misses and not (targets or reading.is_end(at + 1) or reading.has("by", at + 1)):
        return None
    past = max((mention.past for mention in targets), default=at + 1)
    return _Claim(_ids(doers), _ids(targets), hits, False, reading.span(at, past))


def _weapon(reading: ClauseView, at: int) -> _Claim | None:
    """Read where a weapon goes: "Bran's blade goes wide", "the arrow finds its mark", "your blow lands"."""
    hit = reading.lexicon.phrases["weapon_hits"].length_at(reading.words, at)
    miss = reading.lexicon.phrases["weapon_misses"].length_at(reading.words, at)
    struck = not (hit or miss) and reading.is_verb("attack.hit", at)
    noun = _weapon_before(reading, at) if hit or miss or struck else None
    if noun is None:
        return None
    owners = [m for m in reading.mentions if m.owner and not m.plural and m.past <= noun]
    if not owners and not any(reading.has("definite", i) for i in range(max(noun - NP_REACH, 0), noun)):
        return None
    past = at + max(hit, miss, struck)
    targets = [mention for mention in reading.object_at(past) if mention.ids] if past < len(reading.words) else []
    is_hit = hit > miss or struck
    is_into = struck or reading.has("into", past - 1)
    if is_hit and ((is_into and not targets) or _is_called_back(reading)):
        return None
    first = owners[-1].first if owners else noun
    return _Claim(_ids(owners[-1:]), _ids(targets), is_hit, False, reading.span(first, past))


def _weapon_before(reading: ClauseView, at: int) -> int | None:
    """Return where the weapon or blow is named that does the verb at `at`."""
    k = at - 1
    while k >= 0 and reading.lexicon.is_adverb(reading.words[k]):
        k -= 1
    if k < 0 and reading.clause.elided and reading.before is not None:
        words = range(len(reading.before.words))
        return None if not any(reading.before.has(name, i) for name in _MEANS for i in words[:4]) else 0
    return k if any(reading.has(name, k) for name in _MEANS) else None


def _is_struck(reading: ClauseView, at: int) -> _Claim | None:
    """Read "the orc is hit (by Bran)"."""
    if not (reading.is_verb("attack.hit", at) and reading.is_verb("be", at - 1)):
        return None
    if "participle" not in reading.lexicon.forms(reading.words[at]) or _is_called_back(reading):
        return None
    targets = [mention for mention in reading.subjects(at - 1) if mention.ids and not mention.plural]
    by = _strikers(reading, at + 2) if reading.has("by", at + 1) else []
    if not targets or (reading.has("by", at + 1) and not _ids(by)):
        return None
    return _Claim(_ids(by), _ids(targets), True, False, reading.span(at - 1, at + 1))


def _strikers(reading: ClauseView, at: int) -> list[Mention]:
    """Return the attacker whose blow begins at `at`: "Bran", "Bran's sword"."""
    owners = [mention for mention in reading.mentions if mention.owner and mention.first == at]
    return owners or reading.object_at(at)


def _evades(reading: ClauseView, at: int) -> _Claim | None:
    """Read "the orc dodges the blow", "you parry Bran's swing"."""
    if not reading.is_verb("attack.evade", at) or reading.is_command(at):
        return None
    targets = [mention for mention in reading.subjects(at) if mention.ids and not mention.plural]
    noun = next((i for i in range(at + 1, at + 5) if reading.has("blows", i)), None)
    if not targets or noun is None:
        return None
    owners = [m for m in reading.mentions if m.owner and m.ids and at < m.first < noun]
    return _Claim(_ids(owners), _ids(targets), False, False, reading.span(at, noun + 1))


def _alone(reading: ClauseView, at: int) -> _Claim | None:
    """Read a clause that is only "Hit!", "A miss."."""
    hit, miss = reading.has("outcome_hit", at), reading.has("outcome_miss", at)
    if not (hit or miss):
        return None
    rest = [i for i in range(len(reading.words)) if i != at and not reading.words[i].is_mark]
    listed = ("indefinite", "outcome_describes", "outcome_labels")
    plain = all(any(reading.has(name, i) for name in listed) or _is_named(reading, i) for i in rest)
    shown = reading.has("indefinite", at - 1) and reading.has("is_it", at - 2) and reading.has("shows_it", at - 3)
    if not (plain or shown):
        return None
    targets = [mention for mention in reading.object_at(at + 2) if mention.ids] if reading.has("on_for", at + 1) else []
    return _Claim(frozenset(), _ids(targets), hit, False, reading.span(at, at + 1))


def _is_named(reading: ClauseView, at: int) -> bool:
    return any(mention.first <= at < mention.past and mention.ids for mention in reading.mentions)


def _is_called_back(reading: ClauseView) -> bool:
    """Whether the same sentence or the next tells of a miss after all: "strikes the orc, but the blow glances off"."""
    near = reading.page.words_near(reading.clause.sentence)
    return any(reading.lexicon.has("called_back", word) for word in near)


def _ids(mentions: Iterable[Mention]) -> frozenset[str]:
    return frozenset(identifier for mention in mentions for identifier in mention.ids)


def _judge(claim: _Claim, page: AnnotatedText) -> Finding | None:
    every = page.of_kind(EffectKind.ATTACK)
    attacks = [roll for roll in every if claim.is_about(roll)]
    done = [roll for roll in attacks if roll.applied]
    struck = (roll for roll in every if claim.is_critical and claim.is_hit and roll.is_critical and roll.success)
    if any(roll.applied and roll.other in claim.who for roll in struck):
        return None  # "Grell takes a critical hit"
    if any(claim.fits(roll) for roll in done) or (claim.is_hit and not claim.is_critical and _is_harmed(claim, page)):
        return None
    outcome = f"{'critical ' if claim.is_critical else ''}{'hit' if claim.is_hit else 'miss'}"
    expected = {"outcome": outcome, "actor_id": some_of(claim.who), "target_id": some_of(claim.target)}
    blamed = next((roll for roll in (done or _fresh(attacks)) if not roll.told), None)
    if blamed is not None:
        kind = FindingKind.MISMATCH if blamed.applied else FindingKind.REJECTED
        return finding_of(page, (kind, blamed), page.tools(CLAIM), expected, claim.span)
    is_told = any(roll.told for roll in attacks) or page.scene.fight is None
    if attacks or is_told or not (claim.who or claim.target or claim.is_critical):
        return None
    return finding_of(page, (FindingKind.MISSING, None), page.tools(CLAIM), expected, claim.span)


def _fresh(rolls: Sequence[Effect]) -> Sequence[Effect]:
    return [roll for roll in rolls if not roll.told]


def _is_harmed(claim: _Claim, page: AnnotatedText) -> bool:
    """Whether the person said to be hit lost hit points by something other than an attack that missed."""
    harm = (deed for deed in page.of_kind(EffectKind.HP) if deed.applied and (deed.delta or 0) < 0)
    return any(deed.who in claim.target for deed in harm)
