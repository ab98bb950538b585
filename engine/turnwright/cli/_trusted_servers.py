"""Servers that a campaign names: game content goes there only if the person at the terminal agreed.

The agreement is stored outside the campaign, which may come from another author: one line for each campaign and name,
in the user's own folder for this program. Source: docs/agents.md, "Models that a campaign names".
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from turnwright.cli._output import safe
from turnwright.model.errors import BadRequest

_FILE = "agreed-servers.jsonl"
_MAX_SIZE = 1 << 20


def require_trust(campaign: Path, name: str) -> None:
    """Ask once for each campaign and model name whether its server may be used.

    Args:
        campaign: the campaign's directory.
        name: the name of the model, with the URL of its server, if any.

    Raises:
        BadRequest: when the person says no, or no person can be asked.
    """
    row = json.dumps([str(campaign.absolute()), name], ensure_ascii=True)
    path = Path(click.get_app_dir("turnwright")) / _FILE
    if row in _agreed(path):
        return
    advice = f"name it yourself with --model {name}, or another one"
    if not sys.stdin.isatty():
        raise BadRequest(f"this campaign names the model {name}, and nobody agreed to ask it: {advice}")
    click.echo(f"This campaign names the model {safe(name)}. What you play would be sent there, with your key for it.")
    if not click.confirm("Ask it, now and later in this campaign?"):
        raise BadRequest(f"{name} is not asked; {advice}")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="ascii") as file:
        file.write(f"{row}\n")


def _agreed(path: Path) -> list[str]:
    try:
        with path.open(encoding="ascii", errors="replace") as file:
            return file.read(_MAX_SIZE).splitlines()
    except OSError:
        return []
