"""Every tool there is, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.tools._base import Tool
from turnwright.tools.core.hp_delta import hp_delta
from turnwright.tools.core.map_generate import map_generate
from turnwright.tools.core.move import move
from turnwright.tools.core.move_options import move_options

TOOLS: Mapping[str, Tool[Any]] = {
    tool.name: tool
    for tool in (
        move,
        hp_delta,
        map_generate,
        move_options,
    )
}
