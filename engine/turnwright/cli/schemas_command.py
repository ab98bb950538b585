"""turnwright schemas."""

from __future__ import annotations

import os
from pathlib import Path

import click

from turnwright.cli._output import safe
from turnwright.model.errors import BadRequest


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def command(directory: Path) -> None:
    """Write the JSON Schemas of all files, replies, records and tools into a DIRECTORY, which is no campaign's."""
    from turnwright.schemas import write_schemas

    place = Path(os.path.realpath(directory))
    for folder in (place, *place.parents):
        if _is_campaign(folder):
            where = "holds" if folder == place else f"lies in {folder}, which holds"
            raise BadRequest(
                f"{directory} {where} a campaign, whose documents have the names of schemas; give another one"
            )
    written = write_schemas(directory)
    click.echo(f"{safe(directory)}: {len(written)} schemas")


def _is_campaign(directory: Path) -> bool:
    """Return whether a directory holds a log, or a campaign.json that is no schema."""
    from turnwright.model.campaign import CAMPAIGN_PATH
    from turnwright.model.strict_json import JsonError, parse_json
    from turnwright.store.log import LOG_PATH

    if os.path.lexists(directory / LOG_PATH):
        return True
    try:
        found = parse_json((directory / CAMPAIGN_PATH).read_bytes())
    except FileNotFoundError:
        return False
    except JsonError:
        return True
    return not (isinstance(found, dict) and "$schema" in found)
