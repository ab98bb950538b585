"""turnwright mcp."""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from pathlib import Path

import click

from turnwright.cli._options import campaign_argument, clock_of, now_option, require_authority, wait_option
from turnwright.model.authority import GM

_ALLOWED = ("undo",)


@click.command()
@campaign_argument
@click.option("--as", "authority", default=GM, show_default=True, help="The role: `gm`, or `player:ID`.")
@click.option("--allow", type=click.Choice(_ALLOWED), multiple=True, help="Offer this, too; of the game master only.")
@now_option
@wait_option
def command(campaign: Path, authority: str, allow: tuple[str, ...], now: datetime | None, wait: float) -> None:
    """Serve a CAMPAIGN to a client of the Model Context Protocol, over standard input and output."""
    from turnwright.campaign.campaign import Campaign

    require_authority(authority)
    try:
        import mcp as _  # noqa: F401 - only to see whether it is there
    except ImportError:
        raise click.UsageError("this needs the extra: pip install 'turnwright[mcp]'") from None
    import anyio

    from turnwright.mcp.door import Door
    from turnwright.mcp.server import make_server
    from turnwright.mcp.stdio import serve_stdio
    from turnwright.store.files import Files

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        server = make_server(Door(opened, authority, can_undo="undo" in allow), Files(campaign.absolute()))
        anyio.run(serve_stdio, server, opened.close)
