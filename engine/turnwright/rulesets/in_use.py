"""Which rulesets a campaign uses: those named in its `campaign.json`, or all built-in ones."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT, CampaignDocument
from turnwright.model.errors import CampaignInvalid
from turnwright.model.settings import Settings, settings_of
from turnwright.model.state.fold import Values, apply_changes
from turnwright.model.state.patch import PatchError
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.registry import RulesetTables, tables
from turnwright.store import disk
from turnwright.store.document_table import DocumentTable
from turnwright.store.files import Files
from turnwright.store.log import LOG_PATH


def tables_of(campaign: CampaignDocument) -> RulesetTables:
    """Return the tables of the rulesets that a campaign uses."""
    return tables(campaign.rulesets)


def settings_in(campaign: CampaignDocument) -> Settings:
    """Return the settings in force in a campaign."""
    return settings_of(campaign.settings, tables_of(campaign).settings)


def tables_at(files: Files) -> RulesetTables:
    """Return the tables of the rulesets that the campaign in a directory uses.

    They are needed to read any document, so only `campaign.json` itself is looked at; where that file is missing or
    damaged, the log is.
    """
    return tables(_names(_campaign_at(files)))


def _campaign_at(files: Files) -> object:
    """Return the `campaign.json` of a directory as plain JSON, or the log's version if the file is damaged."""
    value: object = None
    with suppress(OSError, JsonError):
        value = parse_json(files.read(CAMPAIGN_PATH))
    return value if isinstance(value, Mapping) else _logged(files)


def documents_at(files: Files) -> DocumentTable:
    """Return the models of the documents in a directory; documents of an older format are taken as they are."""
    value = _campaign_at(files)
    used = tables(_names(value))
    found = value.get("format") if isinstance(value, Mapping) else None
    if type(found) is int and found < FORMAT:
        from turnwright.rulesets.migration import is_migratable, older_documents

        if is_migratable(value, used):
            return older_documents(used)
    return used.documents


def require_rulesets(used: RulesetTables) -> None:
    """Refuse a campaign that uses a missing ruleset.

    Raises:
        CampaignInvalid: naming each, and how to install it.
    """
    if used.missing:
        raise CampaignInvalid(missing_rulesets(used))


def require_rulesets_at(files: Files) -> None:
    """Refuse a directory that names a missing ruleset; for use where not all its documents are known.

    Raises:
        CampaignInvalid: naming each, and how to install it.
    """
    require_rulesets(tables_at(files))


def missing_rulesets(used: RulesetTables) -> list[Problem]:
    """Return a problem for each ruleset that a campaign names and that cannot be used."""
    return [Problem(CAMPAIGN_PATH, "$.rulesets", "unknown_ruleset", why) for why in used.missing.values()]


def _names(value: object) -> tuple[str, ...] | None:
    names = value.get("rulesets") if isinstance(value, Mapping) else None
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else None


def _logged(files: Files) -> object:
    """Return `campaign.json` as the log has it; None if the log has no readable version."""
    values: Values = {}
    with suppress(OSError, JsonError, PatchError, AttributeError, TypeError):
        with files.opened(LOG_PATH, disk.READ) as descriptor:
            data = b"".join(files.blocks(descriptor, 0))
        for line in data.splitlines():
            apply_changes(values, parse_json(line).get("changes", {}), only={CAMPAIGN_PATH})
    return values.get(CAMPAIGN_PATH)
