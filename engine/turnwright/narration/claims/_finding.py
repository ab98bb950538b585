"""Findings of a check, and matching a claim with the calls that could have made it true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.facts import Effect

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import Finding as RecordedFinding

MAX_EXCERPT_LENGTH = 200


class FindingKind(StrEnum):
    """The kind of disagreement between text and turn."""

    MISSING = "missing"
    """The text tells a deed that no call did."""
    REJECTED = "rejected"
    """The text tells a refused deed as done."""
    MISMATCH = "mismatch"
    """A call was applied, with another amount, direction or target than the text says."""
    INVENTED_ROLL = "invented_roll"
    """The text states a die result that was never drawn."""
    CONTRADICTION = "contradiction"
    """The text and the state after the turn cannot both hold."""
    FORBIDDEN = "forbidden"
    """The text changes rules, map, world or time line by decree."""
    UNSPOKEN = "unspoken"
    """A call was applied and the text does not mention it."""


class Severity(StrEnum):
    """How bad it is: a finding of severity `error` is a conflict."""

    ERROR = "error"
    WARN = "warn"
    INFO = "info"


SEVERITY = {
    FindingKind.MISSING: Severity.WARN,
    FindingKind.REJECTED: Severity.ERROR,
    FindingKind.MISMATCH: Severity.ERROR,
    FindingKind.INVENTED_ROLL: Severity.ERROR,
    FindingKind.CONTRADICTION: Severity.WARN,
    FindingKind.FORBIDDEN: Severity.ERROR,
    FindingKind.UNSPOKEN: Severity.INFO,
}
"""The usual severity of each kind; a kind of claim may raise or lower its own."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One disagreement. `expected` is what the text says, `actual` what the turn did; both JSON values or None."""

    kind: FindingKind
    tool: str | None
    expected: JsonObject | None
    actual: JsonObject | None
    severity: Severity
    span: tuple[int, int]

    def as_json(self, text: str) -> RecordedFinding:
        """Return the finding as the reply holds it, with the words of `text` it is about."""
        start, end = self.span
        return {
            "kind": self.kind.value,
            "claim": " ".join(text[start:end].split())[:MAX_EXCERPT_LENGTH],
            "tool": self.tool,
            "expected": self.expected,
            "actual": self.actual,
            "severity": self.severity.value,
            "span": [start, end],
        }


Verdict = tuple[FindingKind, Effect | None]
"""Why no deed supports a claim, and the deed to blame."""


def unmet(
    deeds: Iterable[Effect], fits: Callable[[Effect], bool], concerns: Callable[[Effect], bool]
) -> Verdict | None:
    """Return why no deed supports a claim, with the deed to blame, or None when one does.

    `fits`: exactly the claimed deed. `concerns`: another deed about the same thing.
    A refused deed that fits is the claim's own, so it outranks another that was done. A deed that an earlier text told
    is not to blame.
    """
    deeds = tuple(deeds)
    if any(deed.applied and fits(deed) for deed in deeds):
        return None
    deeds = tuple(deed for deed in deeds if not deed.told)
    ranked = (
        (FindingKind.REJECTED, [deed for deed in deeds if not deed.applied and fits(deed)]),
        (FindingKind.MISMATCH, [deed for deed in deeds if deed.applied and concerns(deed)]),
        (FindingKind.REJECTED, [deed for deed in deeds if not deed.applied and concerns(deed)]),
    )
    return next(((kind, found[0]) for kind, found in ranked if found), (FindingKind.MISSING, None))


def without_parts(found: Iterable[Finding]) -> list[Finding]:
    """Leave out claims that one call was said to contradict, and that together tell just what it did.

    "The first arrow deals her 3 damage, the second 4" is one change of 7.
    """
    found = list(found)
    claims: dict[str, list[Finding]] = {}
    for finding in found:
        if finding.kind is FindingKind.MISMATCH and (key := _whole_of(finding)):
            claims.setdefault(key, []).append(finding)
    whole = [parts for parts in claims.values() if len(parts) > 1 and sum(map(_said, parts)) == _done(parts[0])]
    told = [id(finding) for parts in whole for finding in parts]
    return [finding for finding in found if id(finding) not in told]


def _whole_of(finding: Finding) -> str | None:
    """Return what tells the deed that a finding blames, in the same direction and of the same people; else None."""
    expected, actual = finding.expected or {}, finding.actual or {}
    sides = [key for key in ("target_character_id", "from", "to") if expected.get(key) is not None]
    if not (_said(finding) and _said(finding) * _done(finding) > 0):
        return None
    if any(actual.get(key) not in (None, expected[key]) for key in sides):
        return None
    return repr((finding.tool, sorted((key, repr(value)) for key, value in actual.items())))


def _said(finding: Finding) -> int:
    expected = finding.expected or {}
    amount = expected.get("delta", expected.get("quantity"))
    return amount if type(amount) is int else 0


def _done(finding: Finding) -> int:
    actual = finding.actual or {}
    amount = actual.get("delta", actual.get("quantity"))
    return amount if type(amount) is int else 0


def some_of(ids: Iterable[str]) -> str | list[str] | None:
    """Return the one id, or all that could be meant, sorted; None for unknown people."""
    found = sorted(ids)
    return found[0] if len(found) == 1 else (found or None)


def weighed(page: AnnotatedText, kind: FindingKind, tools: Iterable[str], missing: Severity) -> Severity | None:
    """Return how bad a finding is, or None for one not worth reporting.

    A text is not at fault for what no call could have done: an account that the campaign does not keep cannot be wrong.
    `missing` is the severity of a missing call; below an error, a claim that no call could make is left out.
    """
    if kind is not FindingKind.MISSING:
        return SEVERITY[kind]
    if page.may_call(*tools):
        return missing
    return Severity.INFO if missing is Severity.ERROR and not page.scene.is_scene_game else None


def finding_of(
    page: AnnotatedText,
    verdict: Verdict | None,
    tools: tuple[str, ...],
    expected: JsonObject,
    span: tuple[int, int],
    missing: Severity = Severity.WARN,
) -> Finding | None:
    """Return the finding of a verdict, or None for one not worth reporting (`weighed`).

    It names the tool of the deed to blame, else the first of `tools` that may be called.
    """
    if verdict is None:
        return None
    kind, blamed = verdict
    severity = weighed(page, kind, tools, missing)
    if severity is None:
        return None
    tool = (blamed.tool if blamed else "") or page.tool_among(*tools)
    return Finding(kind, tool, expected, dict(blamed.shown) if blamed else None, severity, span)
