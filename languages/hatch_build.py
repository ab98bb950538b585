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
        packages, engine = Path(self.root) / "turnwright_languages", Path(self.root).parent / "engine"
        if not (engine / "turnwright").is_dir():
            if not any((packages / "made").glob("*.json")):
                raise SystemExit("the compiled language packs are missing: build from a checkout, or from its sdist")
            return
        sys.path.insert(0, str(engine))
        from turnwright.audit.language_packs import check_packs, write_compiled

        packs = check_packs(packages)
        if packs.problems or not packs.languages:
            raise SystemExit("\n".join(packs.problems) or "there are no language packs to compile")
        write_compiled(packs)
