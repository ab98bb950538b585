"""Learn from campaigns: read them, mine them, try what was found on others.

Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from turnwright.analysis.learn.examples import Example, Reading, examples_of
from turnwright.analysis.learn.mine import mined
from turnwright.analysis.learn.proposals import Learned
from turnwright.analysis.learn.score import doubtful, tried
from turnwright.analysis.learn.slots import Names
from turnwright.analysis.report.gather import require_apart
from turnwright.analysis.report.joined import play_of
from turnwright.analysis.report.play import Play
from turnwright.campaign.campaign import Campaign
from turnwright.game_master import telemetry


def learned(paths: Sequence[Path], holdout: Sequence[Path], reading: Reading) -> tuple[Learned, list[str]]:
    """Return what some campaigns teach, tried on those of `holdout`, and what of them could not be read.

    Raises:
        BadRequest: when a campaign is named twice.
        CampaignInvalid: when one of them is no campaign, or its log cannot be read.
    """
    require_apart([*paths, *holdout])
    warnings: list[str] = []
    plays: list[Play] = []
    examples: list[Example] = []
    for path in paths:
        play, found = _read(path, reading, warnings)
        plays.append(play)
        examples += found
    others = [example for path in holdout for example in _read(path, reading, warnings)[1]]
    proposals = mined(examples)
    trial = tried(proposals, others) if holdout else None
    shown = sum(bool(example.shown) for example in examples)
    return Learned(len(examples), shown, proposals, doubtful(plays), trial), warnings


def _read(path: Path, reading: Reading, warnings: list[str]) -> tuple[Play, list[Example]]:
    told = telemetry.read(path)
    warnings += [f"{path}: {warning}" for warning in told.warnings]
    names = Names()
    with Campaign.open(path) as campaign:
        # Two campaigns may have one id; where they lie tells them apart.
        play = play_of(str(path), names.watching(campaign.records()), told.records)
    return play, list(examples_of(play, names, reading))
