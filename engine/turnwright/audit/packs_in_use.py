"""Warn of content packs that a campaign names and cannot use: only calls that name their entries would fail.

Source: docs/stages/README.md, "Checking"; docs/content.md, "Packs".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.content.folders import checked
from turnwright.content.registry import PackRegistry, pack_fault
from turnwright.content.source import is_pack_id
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.wire.reason import Problem
from turnwright.rulesets.toolbox import tools_of
from turnwright.store.carried_packs import PACKS_FOLDER, CarriedPacks
from turnwright.store.files import Files

_LOOKUP = "lookup_content"


def pack_warnings(files: Files, campaign: CampaignDocument) -> Iterator[Problem]:
    """Yield a warning for each pack in use that is missing or damaged, and for content that no model can look up."""
    carried = CarriedPacks(files)
    registry = PackRegistry(carried)
    for place, pack_id in enumerate(campaign.content or ()):
        where = f"$.content[{place}]"
        if not is_pack_id(pack_id):
            yield _warning(CAMPAIGN_PATH, where, "unknown_pack", f"{pack_id!r} cannot be the id of a pack")
        elif carried.mark(pack_id) is not None:
            yield from _damage(carried, pack_id, registry)
        elif told := pack_fault(registry, pack_id):
            yield _warning(CAMPAIGN_PATH, where, "unknown_pack", told)
    if campaign.content and _allows_toolkit(campaign) and _LOOKUP not in campaign.allowlist:
        told = f"does not have {_LOOKUP}, so no model can look up the entries of the packs in `content`"
        yield _warning(CAMPAIGN_PATH, "$.allowlist", "no_lookup", told)


def _damage(carried: CarriedPacks, pack_id: str, registry: PackRegistry) -> Iterator[Problem]:
    folder = f"{PACKS_FOLDER}{pack_id}/"
    try:
        source = checked(carried.files(pack_id), registry)
    except OSError as error:
        yield _warning(folder.rstrip("/"), "$", "file", f"cannot be read: {error.strerror or error}")
        return
    for problem in source.problems:
        at = f"line {problem.line}, " if problem.line else ""
        entry = f"{at}{problem.entry}: " if problem.entry else f"{at.removesuffix(', ')}: " if at else ""
        yield _warning(f"{folder}{problem.file}", problem.path or "$", "pack", f"{entry}{problem.message}")
    if source.manifest is not None and source.manifest.id != pack_id:
        told = f"is {source.manifest.id}, and must be the name of its folder, {pack_id}"
        yield _warning(f"{folder}pack.json", "$.id", "pack", told)


def _allows_toolkit(campaign: CampaignDocument) -> bool:
    tools = tools_of(campaign)
    return _LOOKUP in tools and any(tools.groups.get(name) == "combat" for name in campaign.allowlist)


def _warning(file: str, path: str, rule: str, message: str) -> Problem:
    return Problem(file, path, rule, message, warning=True)
