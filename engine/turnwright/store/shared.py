"""Files that come with the package: sample campaigns and schemas."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def shared_folder(name: str) -> Path:
    """Return the folder `campaigns` or `schemas`, of an installed package or of a checkout."""
    installed = _PACKAGE / "_shared" / name
    return installed if installed.is_dir() else _PACKAGE.parent.parent / name


def sample_campaigns() -> dict[str, Path]:
    """Return the sample campaigns by name, sorted."""
    folder = shared_folder("campaigns")
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return {place.name: place for place in found if (place / "campaign.json").is_file()}
