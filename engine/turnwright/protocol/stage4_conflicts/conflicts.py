"""Stage 4: the narration against what was applied.

Source: docs/stages/4-conflicts.md.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from turnwright.model.dice.draws import Dice
from turnwright.model.errors import CampaignError
from turnwright.model.state.overlay import World
from turnwright.protocol.parts import PartResult
from turnwright.protocol.stage1_intake import ParsedTurn
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.rulesets.in_use import tables_of
from turnwright.store.hand_edits import DocumentChanged

MAX_RETRIES = 2
"""How often a turn may be handed in again after a conflict."""

Finding = dict[str, Any]
RecordAt = Callable[[int], Mapping[str, Any] | None]


class Checked(NamedTuple):
    """What the check found. `error` is why it could not look: the turn goes on then as if it had been switched off."""

    findings: list[Finding]
    error: str | None = None


def check_narration(
    text: str | None,
    received: ParsedTurn,
    world: World,
    before: World,
    policy: TurnPolicy,
    outcomes: Sequence[PartResult],
    dice: Dice,
    record_at: RecordAt,
    last: int,
) -> Checked:
    """Return the claims of a narration that the results of its turn do not support; none where the check is off.

    Args:
        text: what was told.
        received: the turn it came with.
        world: the campaign after the calls.
        before: the campaign before them.
        policy: what holds for the turn.
        outcomes: what became of its parts.
        dice: what was drawn.
        record_at: gives an earlier record by number; asked only for a text that was handed in by itself.
        last: the number of the last record.
    """
    told = list(_told_by_events(world, outcomes, text or "")) if policy.settings["narration.check"] != "off" else []
    if policy.settings["narration.check"] == "off" or not ((text or "").strip() or told):
        return Checked([])
    from turnwright.narration import verifier as narration
    from turnwright.protocol.stage4_conflicts.evidence import collect_evidence
    from turnwright.protocol.stage4_conflicts.evidence_records import earlier_of, lone_records

    records = lone_records(received.raw, record_at, last, world)
    try:
        earlier = earlier_of(records, world)
        speaker = received.turn.speaker_id
        scene = collect_evidence(world, before, policy, outcomes, dice, speaker, earlier)
        found = narration.findings(text or "", scene)
        for event, prose in told:
            found += (_of_event(finding, event) for finding in narration.findings(prose, replace(scene, speaker=None)))
        return Checked(found)
    except (OSError, CampaignError, DocumentChanged):  # the campaign could not be read: that is not the check's fault
        raise
    except Exception as error:  # whatever it is, it must not cost the turn
        return Checked([], f"{type(error).__name__}: {error}"[:500])


def _told_by_events(world: World, outcomes: Sequence[PartResult], text: str) -> Iterator[tuple[str, str]]:
    """Yield the texts of the game master's that events of a scene game tell beside `text`, with the events' names."""
    events = [event for outcome in outcomes if outcome.applied for event in outcome.applied.events]
    if not events:
        return
    kinds = tables_of(world.campaign).events
    known = {text.strip(), ""}
    for event in events:
        kind = kinds.get(event.type)
        prose = event.data.get(kind.prose) if kind is not None and kind.prose else None
        if isinstance(prose, str) and event.data.get("source") != "player" and prose.strip() not in known:
            known.add(prose.strip())
            yield event.type, prose


def _of_event(finding: Finding, event: str) -> Finding:
    """Return a finding in what an event tells.

    Never an error: what a die brings was written before a player spent it, and openings are not asked for again.
    """
    return {**finding, "severity": {"error": "warn"}.get(finding["severity"], finding["severity"]), "event": event}


def requiring_retry(findings: Sequence[Finding], policy: TurnPolicy) -> list[Finding]:
    """Return the findings for which the turn is wanted again; only `narration.check` = `retry` asks for that."""
    if policy.settings["narration.check"] != "retry":
        return []
    return [finding for finding in findings if finding["severity"] == "error"]
