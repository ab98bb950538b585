"""Stage 2: adopt hand edits, only if the whole campaign stays valid.

Source: docs/stages/2-settings.md, "Hand edits".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.settings import Rows, settings_faults
from turnwright.model.state.overlay import World
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.validation import Edit


def campaign_problems(
    world: World, paths: Iterable[str], before: Callable[[str], Document | None] = lambda _: None
) -> list[Problem]:
    """Return what is wrong with these documents given the rest of the campaign, and how they were before."""
    changed = sorted(paths)
    if not changed:
        return []
    campaign = world.get(CAMPAIGN_PATH)
    if not isinstance(campaign, CampaignDocument):
        campaign = None  # its model refuses what is there instead
    rulesets = BUILT_IN if campaign is None else tables_of(campaign)
    edit = Edit(world, changed, before)
    own = _settings_problems(campaign, rulesets.settings) if campaign is not None and CAMPAIGN_PATH in changed else ()
    of_documents = sorted([*own, *rulesets.document_problems(edit)], key=lambda problem: problem.file)
    return [*of_documents, *rulesets.campaign_problems(edit)]


def _settings_problems(campaign: CampaignDocument, rows: Rows) -> Iterator[Problem]:
    for key, fault in settings_faults(campaign.settings, rows):
        yield Problem(CAMPAIGN_PATH, f"$.settings.{key}", "setting", f"{key} {fault}")


def with_revision(edited: Mapping[str, Document], before: CampaignDocument | None) -> dict[str, Document]:
    """Return the edited documents; a change of settings by hand raises the revision like any other."""
    documents = dict(edited)
    after = documents.get(CAMPAIGN_PATH)
    if isinstance(after, CampaignDocument) and before and after.settings != before.settings:
        documents[CAMPAIGN_PATH] = after.replace(settings_revision=before.settings_revision + 1)
    return documents
