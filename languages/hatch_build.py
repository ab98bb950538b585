"""Compile the language packs when a source distribution or a wheel is built from a checkout of turnwright.

A source distribution holds the compiled packs, so a wheel that is built from it needs no turnwright.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompilePacks(BuildHookInterface):  # type: ignore[type-arg]
    """Writes `turnwright_languages/made/` before the files of a distribution are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the packs.

        Raises:
            SystemExit: when a pack cannot be used, or when there is nothing to compile with and nothing compiled.
        """
        del version, build_data
        packs, engine = Path(self.root) / "turnwright_languages", Path(self.root).parent / "engine"
        if not (engine / "turnwright").is_dir():
            if not any((packs / "made").glob("*.json")):
                raise SystemExit("the compiled language packs are missing: build from a checkout, or from its sdist")
            return
        sys.path.insert(0, str(engine))
        from turnwright.audit.language_packs import compile_for_build

        compile_for_build(packs)
