"""Harm and healing: "Mira takes 5 damage", "the potion restores 3 hit points to you"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from turnwright.language.clauses import ClauseKind
from turnwright.narration.claims._clause_reader import ClauseView
from turnwright.narration.claims._cues import cue_in, outweighs
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, Severity, some_of, unmet
from turnwright.narration.claims._hp_wording import FRAMES, HARM, HpClaim
from turnwright.narration.claims._loose import Loose, Role, loose_numbers, numbers_of
from turnwright.narration.facts import Effect, EffectKind

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject

_SHARED = ("multiples", "portions", "prevents", "reduced")
CLAIM = "hit_point_change"


class HpClaims:
    """Claims that a person lost or regained hit points."""

    name = CLAIM

    def read(self, reading: ClauseView) -> Iterator[Finding]:
        """Yield claims of this clause that no call supports."""
        for at, word in enumerate(reading.words):
            begins = (
                reading.lexicon.forms(word) or word.is_mark or reading.has("for", at) or reading.lexicon.number(word)
            )
            if not begins or not reading.asserts(at):
                continue
            for claim in chain.from_iterable(frame(reading, at) for frame in FRAMES):
                finding = _judge(claim, reading.page)
                if finding:
                    yield finding
        yield from _unharmed(reading)
        yield from _without_effect(reading)


def loosely(reading: ClauseView) -> Iterator[Finding]:
    """Yield the amounts of harm and healing in a clause that fit none of the people it may mean."""
    near = reading.page.words_near(reading.clause.sentence)
    if any(reading.lexicon.has(name, word) for name in _SHARED for word in near):
        return
    for loose in loose_numbers(reading):
        yield from _of_no_one(reading, loose)


def _of_no_one(reading: ClauseView, loose: Loose) -> Iterator[Finding]:
    """Yield that no one who may be meant lost or regained so many hit points."""
    page = reading.page
    if loose.role is not Role.CHANGE or loose.amount == 0:
        return
    deeds = [deed for deed in page.of_kind(EffectKind.HP) if deed.applied]
    attackers = {roll.who for roll in page.of_kind(EffectKind.ATTACK)}
    is_of_them = not loose.who or not loose.who.isdisjoint(attackers)
    everyone = {person.id for person in page.scene.people} | {deed.who for deed in deeds if deed.who is not None}
    meant = everyone if is_of_them else loose.who
    known = numbers_of(page, meant, Role.CHANGE, may_be_before=False)
    if any(deed.is_cut for deed in deeds):
        known |= page.rolled  # what the dice came to, of which less could be healed or lost
    told = (reading.lexicon.number(word) for word in page.words_near(reading.clause.sentence))
    if loose.amount in known or sum(number for number in told if number is not None) in known:
        return
    blamed = next((deed for deed in deeds if not deed.told), None)
    expected = {"target_character_id": some_of(loose.who), "delta": -loose.amount}
    kind = FindingKind.MISSING if blamed is None else FindingKind.MISMATCH
    span = reading.span(loose.first, loose.past)
    yield _loose_finding(page, kind, blamed, expected, span)


def _loose_finding(
    page: AnnotatedText, kind: FindingKind, blamed: Effect | None, expected: JsonObject, span: tuple[int, int]
) -> Finding:
    tool = (blamed.tool if blamed else "") or page.tool_for(CLAIM)
    return Finding(kind, tool, expected, dict(blamed.shown) if blamed else None, Severity.WARN, span)


def _without_effect(reading: ClauseView) -> Iterator[Finding]:
    """Yield claims that no one was hurt (or healed) where calls only hurt (or healed)."""
    page = reading.page
    deeds = [deed for deed in page.of_kind(EffectKind.HP) if deed.applied and not deed.told and not deed.is_net]
    signs = {_sign(deed) for deed in deeds}
    if len(signs) != 1 or 0 in signs or page.of_kind(EffectKind.ATTACK) or page.of_kind(EffectKind.SAVE):
        return
    cue = cue_in(reading, ["harm_bad" if signs == {HARM} else "heal_bad"])
    if (
        cue is None
        and signs == {HARM}
        and deeds[0].who is not None
        and deeds[0].total != 0
        and outweighs(page, ["attack_bad"], ["attack_good"])
    ):
        cue = cue_in(reading, ["attack_bad"])
    told = [word for clause in page.clauses if clause.sentence >= 0 for word in clause.words]
    is_counted = any(page.lexicon.number(word) is not None or page.lexicon.has("harm_units", word) for word in told)
    if cue and not is_counted:
        expected = {"target_character_id": deeds[0].who, "delta": 0}
        kind = FindingKind.MISMATCH
        yield Finding(kind, deeds[0].tool, expected, dict(deeds[0].shown), Severity.WARN, reading.span(*cue))


def _unharmed(reading: ClauseView) -> Iterator[Finding]:
    """Yield people said to have lost no hit points who did lose some: "takes no damage", "unscathed"."""
    if reading.clause.kind is not ClauseKind.COMMIT:
        return
    found = reading.lexicon.phrases["no_harm"].find(reading.words)
    who = reading.about(found[0][0]) if found else frozenset[str]()
    harmed = {deed.who for deed in reading.page.of_kind(EffectKind.HP) if deed.applied and (deed.delta or 0) < 0}
    if not who or not who <= harmed:
        return
    own = [deed for deed in reading.page.of_kind(EffectKind.HP) if deed.applied and not deed.told and deed.who in who]
    # Damage that temporary hit points took is not a loss.
    harm = [deed for deed in own if (deed.delta or 0) < 0 and not deed.is_net and deed.shown.get("delta") != 0]
    if harm and all((deed.delta or 0) < 0 for deed in own):
        expected = {"target_character_id": harm[0].who, "delta": 0}
        kind = FindingKind.MISMATCH
        yield Finding(kind, harm[0].tool, expected, dict(harm[0].shown), Severity.WARN, reading.span(*found[0]))


def _judge(claim: HpClaim, page: AnnotatedText) -> Finding | None:
    deeds = page.of_kind(EffectKind.HP)
    tool = page.tool_for(CLAIM)
    if claim.is_vague:
        alike = [deed for deed in deeds if claim.suits(deed) or _sign(deed) == claim.sign]
        if claim.amount is None or alike:
            return _of_unnamed(claim, alike, page, tool)
        return _finding(FindingKind.MISSING, claim, None, Severity.WARN, tool)
    verdict = unmet(deeds, lambda deed: claim.is_about(deed) and claim.suits(deed), claim.is_about)
    if verdict is None or (verdict[0] is FindingKind.MISMATCH and _adds_up(claim, deeds)):
        return None
    kind, blamed = verdict
    if kind is FindingKind.MISSING and claim.amount is not None:
        # The call that does exactly this to a person the text never names is the one meant.
        others = (deed for deed in deeds if deed.applied and claim.suits(deed) and deed.who not in page.named)
        kind, blamed = next(
            ((FindingKind.MISMATCH, deed) for deed in others if not (deed.is_net or deed.told)), verdict
        )
    severity = Severity.ERROR if kind is FindingKind.MISSING else SEVERITY[kind]
    return _finding(kind, claim, blamed, severity, tool)


def _of_unnamed(claim: HpClaim, alike: Sequence[Effect], page: AnnotatedText, tool: str | None) -> Finding | None:
    """Return that no one lost or regained as much as "she" is said to; None where a call may have done part of it."""
    known = [deed for deed in alike if deed.applied and not deed.told]
    if not known or claim.amount is None or claim.total is not None or claim.amount in page.rolled:
        return None
    if any(claim.suits(deed) or not deed.amounts or deed.is_cut for deed in alike):
        return None
    totals = (sum(abs(deed.delta or 0) for deed in known if deed.is_net is net) for net in (True, False))
    return None if claim.amount in totals else _finding(FindingKind.MISMATCH, claim, known[0], Severity.WARN, tool)


def _sign(deed: Effect) -> int:
    delta = deed.delta or 0
    return (delta > 0) - (delta < 0)


def _adds_up(claim: HpClaim, deeds: Sequence[Effect]) -> bool:
    """Whether the amount is that of several applied calls together."""
    own = (deed for deed in deeds if deed.applied and not deed.is_net and claim.is_about(deed))
    deltas = (deed.delta or 0 for deed in own if _sign(deed) == claim.sign)
    return claim.amount is not None and sum(deltas) == claim.sign * claim.amount


def _finding(kind: FindingKind, claim: HpClaim, blamed: Effect | None, severity: Severity, tool: str | None) -> Finding:
    expected: dict[str, Any] = {"target_character_id": some_of(claim.who.ids)}
    if claim.total is not None:
        expected["new_hp"] = claim.total
    elif claim.amount is not None:
        expected["delta"] = claim.sign * claim.amount
    else:
        expected["direction"] = "harm" if claim.sign == HARM else "healing"
    actual = dict(blamed.shown) if blamed else None
    return Finding(kind, (blamed.tool if blamed else "") or tool, expected, actual, severity, claim.span)
