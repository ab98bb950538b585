"""turnwright schemas."""

from __future__ import annotations

from pathlib import Path

import click

from turnwright.cli._output import safe


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def command(directory: Path) -> None:
    """Write the JSON Schemas of all files, replies, records and tools into a DIRECTORY."""
    from turnwright.schemas import write_schemas

    written = write_schemas(directory)
    click.echo(f"{safe(directory)}: {len(written)} schemas")
