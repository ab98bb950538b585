"""How the campaign of a run begins: from the documents of its pack, with dice that come from the seed.

Source: docs/score.md, "What a seed decides".
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from turnwright.begin import begin_record, require_empty
from turnwright.campaign import Campaign
from turnwright.dm.score.pack import ScenarioMessage
from turnwright.dm.score.packs import Pack
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.strict_json import sha256
from turnwright.store.drop import DROP_FOLDER
from turnwright.store.files import Files
from turnwright.store.store import Store

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
    require_empty(path)
    clock = Ticking()
    now = clock().isoformat()
    documents = dict(pack.documents)
    campaign = documents[CAMPAIGN_PATH]
    assert isinstance(campaign, CampaignDocument)
    documents[CAMPAIGN_PATH] = campaign.having(id=path.name, created_at=now)
    files = Files(path)
    for folder in (".turnwright", DROP_FOLDER):
        files.make_folder(folder)
    store = Store(files)
    try:
        with store.writing(wait=0):
            begin_record(store, documents, now, seed=f"{pack.name}/{seed}")
            store.flush(1)
    finally:
        store.close()
    return Campaign.open(path, clock)


def wording(pack: Pack, message: ScenarioMessage, seed: int) -> str:
    """Return the wording of a message that the seed picks."""
    number = int(sha256(f"{pack.name}/{seed}/{message.id}")[:8], 16)
    return message.say[number % len(message.say)]
