"""Migrate documents from an older format to the newest: one function for each step, declared by rulesets.

Documents are plain JSON here, by path: no model of an older format is kept. Source: docs/rulesets.md, "Migrations".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT, CampaignDocument
from turnwright.model.errors import CampaignInvalid
from turnwright.model.json_types import JsonObject
from turnwright.model.lazy import load
from turnwright.model.state.fold import Values
from turnwright.model.strict_json import copied, json_fault
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.registry import INCLUDED, RulesetTables, failed_by_itself, tables
from turnwright.rulesets.ruleset import Ruleset
from turnwright.store.document_table import DocumentTable, opaque
from turnwright.store.documents import document_from

Documents: TypeAlias = Mapping[str, JsonObject]
"""Documents as plain JSON, by path."""
ChangedDocuments: TypeAlias = Mapping[str, JsonObject | None]
"""Changed documents, as plain JSON by path; None for a deleted one."""
Migration = Callable[[Documents], ChangedDocuments]
"""Takes every document of a campaign in one format and returns those that differ in the next; None for a deleted one.

It does not change its input. The `format` of `campaign.json` itself is set by the engine.
"""


def format_of(campaign: object) -> int | None:
    """Return the format of a campaign, given its `campaign.json` as plain JSON; None if it has none."""
    found = campaign.get("format") if isinstance(campaign, Mapping) else None
    return found if type(found) is int else None


def known_format(values: Values) -> int:
    """Return the format of a campaign, given its documents."""
    found = format_of(values[CAMPAIGN_PATH])
    assert found is not None
    return found


def is_migratable(campaign: object, used: RulesetTables) -> bool:
    """Return whether a campaign is of an older format from which migrations lead to the newest."""
    found = format_of(campaign)
    if found is None or found >= FORMAT or used.missing:
        return False
    rulesets = {**INCLUDED, **{each.name: each for each in used.rulesets}}.values()
    return all(any(step in each.migrations for each in rulesets) for step in range(found + 1, FORMAT + 1))


def older_documents(used: RulesetTables) -> DocumentTable:
    """Return the table for a directory of an older format, which takes each document as it is."""
    return opaque(used.documents)


def tables_for(values: Documents) -> RulesetTables:
    """Return the tables of the rulesets that a campaign uses, given its documents as plain JSON."""
    campaign = values.get(CAMPAIGN_PATH)
    names = campaign.get("rulesets") if isinstance(campaign, Mapping) else None
    return tables(tuple(names) if isinstance(names, list) else None)


def migrated(values: Values) -> Values:
    """Return every document in the newest format, by path, sorted; the same object where they are in it already.

    Raises:
        CampaignInvalid: when an installed ruleset raises an error of its own.
    """
    used = tables_for(values)
    if not is_migratable(values.get(CAMPAIGN_PATH), used):
        return values
    first = format_of(values[CAMPAIGN_PATH])
    assert first is not None
    after = dict(values)
    for step in range(first + 1, FORMAT + 1):
        for ruleset in used.rulesets:
            if step in ruleset.migrations:
                _take_over(after, _step(ruleset, step, after))
        after[CAMPAIGN_PATH] = {**after[CAMPAIGN_PATH], "format": step}
    return dict(sorted(after.items()))


def _step(ruleset: Ruleset, step: int, values: Documents) -> ChangedDocuments:
    migration: Migration = load(ruleset.migrations[step])
    if ruleset.name in INCLUDED:
        return migration(values)
    try:
        changed: dict[str, JsonObject | None] = copied(dict(migration(copied(values))))
    except (Exception, SystemExit) as error:  # foreign code may raise anything
        part = f"the migration to format {step}"
        message = failed_by_itself(part, ruleset.name, error)
        raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$.rulesets", "ruleset", message)]) from None
    if fault := json_fault(changed):
        message = f"the migration to format {step} of the ruleset {ruleset.name}: what it returns {fault}"
        raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$.rulesets", "ruleset", message)])
    return changed


def _take_over(values: Values, changed: ChangedDocuments) -> None:
    for path, value in changed.items():
        if value is None:
            values.pop(path, None)
        else:
            values[path] = value


def changed_paths(before: Documents, after: Documents) -> list[str]:
    """Return the paths of the documents that differ, sorted."""
    return sorted(path for path in {*before, *after} if before.get(path) != after.get(path))


def documents_of(values: Documents) -> dict[str, Document]:
    """Return the documents with these values, in the newest format.

    Raises:
        CampaignInvalid: when they are not a campaign.
    """
    kinds, documents, problems = tables_for(values).documents, dict[str, Document](), list[Problem]()
    for path, value in values.items():
        document, faults = document_from(path, value, kinds)
        problems += faults
        if document is not None:
            documents[path] = document
    if not problems and not isinstance(documents.get(CAMPAIGN_PATH), CampaignDocument):
        problems = [Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign.json")]
    if problems:
        raise CampaignInvalid(problems)
    return documents
