"""Files that come with the package: the sample campaigns."""

from __future__ import annotations

from pathlib import Path

from turnwright.model.campaign import CAMPAIGN_PATH

SEED_FILE = "seed.txt"
"""Beside the documents of a sample whose story depends on the dice: the seed that it was written for."""
_PACKAGE = Path(__file__).resolve().parent.parent


def campaigns_folder() -> Path:
    """Return the folder `campaigns` of an installed package or of a checkout."""
    installed = _PACKAGE / "_shared" / "campaigns"
    return installed if installed.is_dir() else _PACKAGE.parent.parent / "campaigns"


def sample_campaigns() -> dict[str, Path]:
    """Return the sample campaigns by name, sorted."""
    folder = campaigns_folder()
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return {place.name: place for place in found if (place / CAMPAIGN_PATH).is_file()}


def seed_of_sample(name: str) -> str | None:
    """Return the seed that a sample campaign was written for; None where its story holds with any dice."""
    folder = sample_campaigns().get(name)
    place = folder / SEED_FILE if folder is not None else None
    return place.read_text(encoding="utf-8").strip() if place is not None and place.is_file() else None
