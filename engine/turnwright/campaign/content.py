"""Content packs of one campaign: opened when they are first asked for, added whole or not at all.

Source: docs/content.md, "Packs".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from turnwright.content.folders import checked
from turnwright.content.kinds import BUILT_IN_PACKS
from turnwright.content.registry import PackRegistry
from turnwright.content.source import PackProblem, SourceFiles
from turnwright.model.campaign import CampaignDocument


class AddedPack(NamedTuple):
    """A validated pack to be added.

    Attributes:
        id: its id.
        sha256: of its content.
        entries: the number of its entries.
        files: the files to copy.
    """

    id: str
    sha256: str
    entries: int
    files: Mapping[str, bytes]


class PackInvalid(Exception):
    """A pack that cannot be added; `problems` holds everything that is wrong with it."""

    def __init__(self, problems: list[PackProblem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


def require_addable(content: SourceFiles, registry: PackRegistry) -> AddedPack:
    """Check a pack whole.

    Raises:
        PackInvalid: naming every problem by entry and path.
    """
    source = checked(content, registry)
    if source.manifest is not None and source.manifest.id in BUILT_IN_PACKS:
        told = f"is the id of a pack that comes with turnwright ({source.manifest.id}); choose another one"
        source.problems.append(PackProblem("pack.json", 0, "", "$.id", told))
    if source.problems or source.manifest is None:
        raise PackInvalid(source.problems)
    pack = source.loaded()
    return AddedPack(pack.id, pack.sha256, source.count, content)


def with_pack(campaign: CampaignDocument, pack_id: str) -> CampaignDocument:
    """Return the campaign with a pack in use, the last one in order unless it was in use before."""
    used = campaign.content or ()
    return campaign if pack_id in used else campaign.replace(content=(*used, pack_id))
