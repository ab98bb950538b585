"""Compile the language and content packs of the package when its wheel is built, or when a checkout is installed.

What is compiled is made of files of this tree alone, so it is not kept in version control.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompilePacks(BuildHookInterface):  # type: ignore[type-arg]
    """Writes `data/suggest/made/` and `data/content/` before the files of the wheel are collected."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the packs.

        Raises:
            SystemExit: when a pack cannot be used.
        """
        del version, build_data
        source = Path(self.root) / "engine"
        sys.path.insert(0, str(source))  # the turnwright that is built, not one that is installed
        from turnwright.audit.language_packs import compile_for_build as compile_languages
        from turnwright.content.folders import compile_for_build as compile_content

        data = source / "turnwright" / "data"
        compile_languages(data / "suggest")
        compile_content(Path(self.root) / "content", data / "content")
