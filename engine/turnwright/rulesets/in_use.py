"""Which rulesets a campaign directory uses."""

from __future__ import annotations

from turnwright.model.campaign import CampaignDocument
from turnwright.rulesets.registry import BUILT_IN, RulesetTables
from turnwright.store.files import Files


def tables_of(campaign: CampaignDocument) -> RulesetTables:
    """Return the tables of the rulesets that a campaign uses."""
    del campaign
    return BUILT_IN


def tables_at(files: Files) -> RulesetTables:
    """Return the tables of the rulesets that the campaign in a directory uses."""
    del files
    return BUILT_IN
