"""Migrate a campaign directory of an older format to the newest: the first writer appends one record.

Readers migrate in memory and write nothing. Source: docs/stages/5-commit.md, "Migration".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.campaign.bootstrap import begin_record
from turnwright.campaign.timeline import values_at
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT, CampaignDocument
from turnwright.model.errors import CampaignInvalid
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import settings_of
from turnwright.model.state.fold import Values
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.protocol.stage5_commit import changes_of_values, head_of
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.migration import changed_paths, documents_of, format_of, known_format, migrated, tables_for
from turnwright.store.store import Store


def migrate(store: Store, wait: float, now: str) -> None:
    """Append a migration's record, after one for hand edits in the older format, and bring files up to it.

    If another process has done so meanwhile, only the models of the store change.

    Args:
        store: of an older format; afterwards it reads documents of the newest.
        wait: seconds to wait for another writer.
        now: the time as records hold it.

    Raises:
        CampaignInvalid: when the result is not a valid campaign; nothing is written then.
    """
    with store.writing(wait):
        values = values_at(store, store.history.seq)
        if store.history.seq < 0 or _is_older(values):
            values = _append(store, values, now)
    store.close()
    store.kinds.become(tables_for(values).documents)
    with store.rebuilding(wait):
        store.changed_by_hand()
        campaign = store.peek(CAMPAIGN_PATH)
        assert isinstance(campaign, CampaignDocument)
        store.flush(settings_of(campaign.settings)["results.keep"])


def _is_older(values: JsonObject) -> bool:
    found = format_of(values.get(CAMPAIGN_PATH))
    return found is not None and found < FORMAT


def _append(store: Store, logged: Values, now: str) -> Values:
    """Append what is missing in the log, and return every document as it is then."""
    edited = _edited(store, logged)
    values: Values = {**logged, **edited}
    newest = migrated(values)
    documents = documents_of(newest)
    _require_valid(documents)
    if store.history.seq < 0:
        begin_record(store, documents, now)
        return newest
    store.require_no_later_reply()
    if edited:
        record = head_of(store.history, "edit") | {"timestamp": now, "files": sorted(edited)}
        store.append(record | {"changes": changes_of_values(logged, values)}, _as_they_are(store, edited))
    record = head_of(store.history, "migrate") | {"timestamp": now}
    record |= {"from": known_format(values), "to": documents[CAMPAIGN_PATH].value()["format"]}
    changed = changed_paths(values, newest)
    record["changes"] = changes_of_values(values, newest)
    store.append(record, {path: documents.get(path) for path in changed})
    campaign = documents[CAMPAIGN_PATH]
    assert isinstance(campaign, CampaignDocument)
    store.flush(settings_of(campaign.settings)["results.keep"])
    return newest


def _edited(store: Store, logged: Values) -> Values:
    """Return what people edited by hand since, as plain JSON; the engine raises the revision of settings."""
    edited: dict[str, dict[str, Any]] = {path: document.value() for path, document in store.changed_by_hand().items()}
    campaign, before = edited.get(CAMPAIGN_PATH), logged.get(CAMPAIGN_PATH)
    if campaign and before and campaign.get("settings") != before.get("settings"):
        revision = before.get("settings_revision", 0)
        assert isinstance(revision, int)
        edited[CAMPAIGN_PATH] = {**campaign, "settings_revision": revision + 1}
    return {**edited}


def _as_they_are(store: Store, values: JsonObject) -> dict[str, Document | None]:
    from turnwright.store.documents import document_from

    return {path: document_from(path, value, store.kinds)[0] for path, value in values.items()}


def _require_valid(documents: Mapping[str, Document]) -> None:
    found = campaign_problems(World(InMemorySource(documents)), documents)
    if problems := [problem for problem in found if not problem.warning]:
        raise CampaignInvalid(problems)
