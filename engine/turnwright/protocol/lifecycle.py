"""When a campaign is over, and how its milestones advance. Both opt-in by `lifecycle.enabled`.

Source: docs/stages/2-settings.md, "Lifecycle".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnwright.model.campaign import CampaignDocument, Lifecycle, Milestone
from turnwright.model.character import CharacterState

_GOAL_DONE = frozenset({"achieved", "goal_achieved", "completed"})
_FALLEN = frozenset({CharacterState.DEAD, CharacterState.DYING})
_LABEL = r"milestone_([0-9]{1,9})"


def end_reason(campaign: CampaignDocument, party: Sequence[CharacterState | None]) -> str | None:
    """Return why the campaign is over given the states of its party, or None while it continues."""
    if campaign.lifecycle.ended:
        return campaign.lifecycle.reason or "ended"
    if campaign.goal.status in _GOAL_DONE:
        return "goal_achieved"
    states = set(party)
    if not states:
        return None
    if states == {CharacterState.RESTRAINED_PERMANENT}:
        return "restrained_permanent"
    return "party_dead" if states <= _FALLEN else None


def after_turn(
    campaign: CampaignDocument, party: Sequence[CharacterState | None], turn_number: int, retries: int, now: str
) -> CampaignDocument:
    """Return the campaign's document as a successful turn leaves it.

    Args:
        campaign: the document after the turn's calls.
        party: the states of the party after the turn's calls.
        turn_number: the number of closed turns, this one included.
        retries: how often this turn had to be resubmitted.
        now: the turn's timestamp.
    """
    changed = campaign.replace(milestone=advance_milestone(campaign.milestone, turn_number, retries))
    reason = end_reason(changed, party)
    return changed.replace(lifecycle=Lifecycle(ended=True, reason=reason, ended_at=now)) if reason else changed


def advance_milestone(milestone: Milestone, turn_number: int, retries: int) -> Milestone:
    """Return the milestone after a successful turn."""
    pressure = milestone.pressure + retries
    is_due = turn_number - milestone.last_advanced_turn >= max(1, milestone.turn_trigger_interval)
    fields = {**dict(milestone), "pressure": pressure}
    if is_due or pressure >= max(1, milestone.pressure_threshold):
        label = next_label(milestone.current)
        fields |= {"current": label, "last_advanced_turn": turn_number, "pressure": 0, "summary": ""}
    return Milestone(**fields)


def next_label(label: str) -> str:
    """Return the milestone after this one; any label outside the series leads to the first."""
    match = re.fullmatch(_LABEL, label, re.ASCII)
    return f"milestone_{int(match[1]) + 1}" if match else "milestone_1"
