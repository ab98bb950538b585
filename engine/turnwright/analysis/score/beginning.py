"""How the campaign of a run begins: from the documents of its pack, with dice that come from the seed.

Source: docs/score.md, "What a seed decides".
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from turnwright.analysis.score.pack import ScenarioMessage
from turnwright.analysis.score.packs import Pack
from turnwright.campaign.bootstrap import begin_with
from turnwright.campaign.campaign import Campaign
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.strict_json import sha256
from turnwright.store.system import timestamp

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


class Ticking:
    """A clock of its own for a run: a second later each time it is asked."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self) -> datetime:
        """Return the next moment."""
        self._asked += 1
        return BEGINNING + timedelta(seconds=self._asked)


def begin(path: Path, pack: Pack, seed: int) -> Campaign:
    """Begin the campaign of a run in an empty directory, and open it.

    Raises:
        BadRequest: the directory holds something.
        CampaignInvalid: the documents of the pack form no campaign.
    """
    clock = Ticking()
    now = timestamp(clock())
    documents = dict(pack.documents)
    campaign = documents[CAMPAIGN_PATH]
    assert isinstance(campaign, CampaignDocument)
    documents[CAMPAIGN_PATH] = campaign.replace(id=path.name, created_at=now)
    begin_with(path, documents, now, seed=f"{pack.name}/{seed}")
    return Campaign.open(path, clock)


def wording(pack: Pack, message: ScenarioMessage, seed: int) -> str:
    """Return the wording of a message that the seed picks."""
    number = int(sha256(f"{pack.name}/{seed}/{message.id}")[:8], 16)
    return message.say[number % len(message.say)]
