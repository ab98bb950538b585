"""Which model a file of a campaign directory has. A new kind of document is one row."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.model.area import Layer
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CampaignDocument
from turnwright.model.character import Character

SINGLE: Mapping[str, type[Document]] = {CAMPAIGN_PATH: CampaignDocument}
"""Documents that are one file each, by path."""

COLLECTIONS: Mapping[str, type[Document]] = {model.collection: model for model in (Layer, Character)}
"""Documents that are many files each, by folder."""


def model_of(path: str) -> type[Document] | None:
    """Return the model of the document at this path, or None when the path is nobody's."""
    if path in SINGLE:
        return SINGLE[path]
    folder, slash, name = path.partition("/")
    is_plain = slash and name.endswith(".json") and not name.startswith(".") and not {"/", "\0"} & set(name)
    return COLLECTIONS.get(folder + "/") if is_plain else None
