"""Stage 4: the narration against what was applied.

Source: docs/stages/4-conflicts.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwright.model.errors import CampaignError
from turnwright.protocol.attempt import Attempt, Checked, PartsDone
from turnwright.protocol.parts import PartResult
from turnwright.rulesets.registry import RulesetTables
from turnwright.store.hand_edits import DocumentChanged

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Finding

MAX_RETRIES = 2
"""How often a turn may be resubmitted after a conflict."""


def check_narration(attempt: Attempt, done: PartsDone) -> Checked:
    """Return the claims of a narration that the results of its turn do not support; none where the check is off."""
    check = attempt.context.policy.settings["narration.check"]
    text = done.narration or attempt.incoming.received.turn.assistant_text or ""
    if check == "off" or done.request is not None:
        return Checked()
    told = list(_texts_of_events(done.outcomes, attempt.context.policy.rulesets, text))
    if not (text.strip() or told):
        return Checked()
    try:
        findings = _find_conflicts(attempt, done, text, told)
    except (OSError, CampaignError, DocumentChanged):  # the campaign could not be read: that is not the check's fault
        raise
    except Exception as error:  # whatever it is, it must not cost the turn
        return Checked(error=f"{type(error).__name__}: {error}"[:500])
    wants_retry = check == "retry"
    return Checked(findings, [finding for finding in findings if wants_retry and finding["severity"] == "error"])


def _find_conflicts(attempt: Attempt, done: PartsDone, text: str, told: Sequence[tuple[str, str]]) -> "list[Finding]":
    from turnwright.narration import verifier as narration
    from turnwright.protocol.stage4_conflicts.evidence import collect_evidence
    from turnwright.protocol.stage4_conflicts.evidence_records import earlier_of, lone_records

    inputs, received = attempt.inputs, attempt.incoming.received
    records = lone_records(received.raw, inputs.record_at, inputs.history.seq, done.world)
    scene = collect_evidence(
        done.world,
        inputs.world,
        attempt.context.policy,
        done.outcomes,
        attempt.context.dice,
        received.turn.speaker_id,
        earlier_of(records, done.world),
    )
    found = narration.findings(text, scene)
    scene = replace(scene, speaker=None)
    for event, prose in told:
        found += (_finding_in_event(finding, event) for finding in narration.findings(prose, scene))
    return found


def _texts_of_events(outcomes: Sequence[PartResult], rulesets: RulesetTables, text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of the game master's that events of a scene game tell beside `text`, with the events' names."""
    events = [event for outcome in outcomes if outcome.applied for event in outcome.applied.events]
    if not events:
        return  # most turns have none, and the tables of events are only loaded for those that do
    kinds = rulesets.events
    known = {text.strip(), ""}
    for event in events:
        kind = kinds.get(event.type)
        prose = event.data.get(kind.prose) if kind is not None and kind.prose else None
        if isinstance(prose, str) and event.data.get("source") != "player" and prose.strip() not in known:
            known.add(prose.strip())
            yield event.type, prose


def _finding_in_event(finding: "Finding", event: str) -> "Finding":
    """Return a finding in an event's text.

    Never an error: the outcome of a die was written before a player spent it, and openings are not requested again.
    """
    return {**finding, "severity": {"error": "warn"}.get(finding["severity"], finding["severity"]), "event": event}
