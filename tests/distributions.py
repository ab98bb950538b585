"""Distributions that look installed: metadata with entry points, and files, in a folder of their own on `sys.path`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from turnwright.model.entry_points import Group, installed


class Distributions:
    """Installs distributions for one test."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._home, self._monkeypatch = home, monkeypatch

    def install(
        self, name: str, group: Group | str, points: Mapping[str, str], files: Mapping[str, str] | None = None
    ) -> Path:
        """Install a distribution, version 1.0, and return the folder that holds its packages."""
        place = self._home / name
        info = place / f"{name.replace('-', '_')}-1.0.dist-info"
        rows = "".join(f"{point} = {value}\n" for point, value in points.items())
        texts = {
            info / "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
            info / "entry_points.txt": f"[{group}]\n{rows}",
            **{place / path: text for path, text in (files or {}).items()},
        }
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._monkeypatch.syspath_prepend(place)
        installed.cache_clear()
        return place
