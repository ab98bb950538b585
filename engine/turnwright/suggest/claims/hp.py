"""Harm and healing: "Mira takes 5 damage", "the potion restores 3 hit points to you"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from turnwright.suggest.claims._finding import SEVERITY, Finding, FindingKind, Severity, plain, some_of, unmet
from turnwright.suggest.claims._hp_wording import FRAMES, HARM, HpClaim
from turnwright.suggest.claims._page import Page
from turnwright.suggest.claims._reading import Reading
from turnwright.suggest.scene import CallOutcome

TOOL = "hp_delta"


class HpClaims:
    """Claims that somebody lost or regained hit points."""

    tools: tuple[str, ...] = (TOOL,)

    def read(self, reading: Reading) -> Iterator[Finding]:
        """Yield what this clause claims and `hp_delta` did not do."""
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


def _judge(claim: HpClaim, page: Page) -> Finding | None:
    outcomes = [o for o in page.scene.outcomes if o.tool == TOOL]
    if claim.is_vague:
        done = claim.amount is None or any(claim.suits(o) or _sign(o) == claim.sign for o in outcomes)
        return None if done else _finding(FindingKind.MISSING, claim, None, Severity.WARN)
    verdict = unmet(outcomes, lambda o: claim.is_about(o) and claim.suits(o), claim.is_about)
    if verdict is None or (verdict[0] is FindingKind.MISMATCH and _adds_up(claim, outcomes)):
        return None
    kind, blamed = verdict
    if kind is FindingKind.MISSING and claim.amount is not None:
        # The call that does just this to somebody the text never names is the one that was meant.
        others = (o for o in outcomes if o.applied and claim.suits(o) and o.target not in page.named)
        kind, blamed = next(((FindingKind.MISMATCH, o) for o in others), verdict)
    severity = Severity.ERROR if kind is FindingKind.MISSING else SEVERITY[kind]
    return _finding(kind, claim, blamed, severity)


def _sign(outcome: CallOutcome) -> int:
    delta = outcome.args.get("delta")
    return (delta > 0) - (delta < 0) if isinstance(delta, int) else 0


def _adds_up(claim: HpClaim, outcomes: Sequence[CallOutcome]) -> bool:
    """Whether the amount is that of several applied calls together."""
    deltas = (o.args.get("delta") for o in outcomes if o.applied and claim.is_about(o) and _sign(o) == claim.sign)
    return claim.amount is not None and sum(d for d in deltas if isinstance(d, int)) == claim.sign * claim.amount


def _finding(kind: FindingKind, claim: HpClaim, blamed: CallOutcome | None, severity: Severity) -> Finding:
    expected: dict[str, Any] = {"target_character_id": some_of(claim.who.ids)}
    if claim.total is not None:
        expected["new_hp"] = claim.total
    elif claim.amount is not None:
        expected["delta"] = claim.sign * claim.amount
    else:
        expected["direction"] = "harm" if claim.sign == HARM else "healing"
    actual: dict[str, Any] | None = None
    if blamed:
        actual = {key: plain(blamed.args.get(key)) for key in ("target_character_id", "delta")}
        actual |= {"new_hp": plain(blamed.result.get("new_hp"))} if blamed.applied else {"reason": blamed.reason}
    return Finding(kind, TOOL, expected, actual, severity, claim.span)
