"""What clients of the Model Context Protocol want to be told to start `turnwright mcp`, in their own words.

Source: docs/mcp-clients.md.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def client_config(client: str, campaign: Path, role: str, profile: str, allow: Sequence[str], port: int) -> str:
    """Return the snippet for a client: the absolute command, the role, and what else was asked for."""
    command, *args = _command(campaign, role, profile, allow)
    server: dict[str, Any] = {"command": command, "args": args}
    if client == "claude-code":
        return f"claude mcp add turnwright -- {shlex.join([command, *args])}"
    if client == "vscode":
        return _json({"servers": {"turnwright": {"type": "stdio", **server}}})
    if client == "http":
        url = f"http://127.0.0.1:{port}/mcp"
        return _json({"mcpServers": {"turnwright": {"url": url, "headers": {"Authorization": "Bearer TOKEN"}}}})
    return _json({"mcpServers": {"turnwright": server}})


def _command(campaign: Path, role: str, profile: str, allow: Sequence[str]) -> list[str]:
    found = shutil.which(sys.argv[0]) or shutil.which("turnwright")
    start = [str(Path(found).absolute())] if found else [sys.executable, "-m", "turnwright"]
    args = ["mcp", str(campaign.absolute()), "--as", role]
    args += ["--profile", profile] if profile != "full" else []
    return [*start, *args, *(word for one in allow for word in ("--allow", one))]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
