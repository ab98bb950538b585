"""Read campaigns for a report: their logs, their telemetry, and the rules that they have switched off.

Source: docs/report.md, "Turns and exchanges".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from turnwright.analysis.report.counters import RuleState
from turnwright.analysis.report.joined import play_of
from turnwright.analysis.report.play import Play
from turnwright.campaign.campaign import Campaign
from turnwright.game_master import telemetry
from turnwright.model.errors import BadRequest
from turnwright.model.settings import settings_of


class Gathered(NamedTuple):
    """Campaigns as play, today's rules as these campaigns have them, and what could not be read."""

    plays: list[Play]
    rules: list[RuleState]
    warnings: list[str]


def gathered(paths: Sequence[Path], rule_ids: Sequence[str]) -> Gathered:
    """Read campaigns, in the order given. A rule counts as switched on where any of them has it so.

    Raises:
        BadRequest: when one is named twice.
        CampaignInvalid: when one of them is no campaign, or its log cannot be read.
    """
    require_apart(paths)
    plays: list[Play] = []
    warnings: list[str] = []
    disabled: list[frozenset[str]] = []
    for path in paths:
        told = telemetry.read(path)
        with Campaign.open(path) as campaign:
            with campaign.reading() as world:
                name = world.campaign.id
                settings = settings_of(world.campaign.settings)
            plays.append(play_of(name, campaign.records(), told.records))
        is_on = settings["suggestions.enabled"]
        disabled.append(frozenset(settings["suggestions.disabled_rules"] if is_on else rule_ids))
        warnings += [f"{path}: {warning}" for warning in told.warnings]
    off = frozenset.intersection(*disabled) if disabled else frozenset()
    return Gathered(plays, [RuleState(name, name not in off) for name in rule_ids], warnings)


def require_apart(paths: Sequence[Path]) -> None:
    """Refuse a campaign that is named twice: its turns would count twice."""
    seen: set[Path] = set()
    for path in paths:
        place = path.resolve()
        if place in seen:
            raise BadRequest(f"{path} is named twice")
        seen.add(place)
