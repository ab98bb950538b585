"""turnwright schemas."""

from __future__ import annotations

from pathlib import Path

import click

from turnwright.cli._output import safe
from turnwright.cli._output_file import SCHEMA, OutputFile, force_option, require_no_campaign


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@force_option
def command(directory: Path, force: bool) -> None:
    """Write the JSON Schemas of all files, replies, records and tools into a DIRECTORY, which is no campaign's."""
    from turnwright.schemas.schemas import all_schemas, render

    require_no_campaign(directory, "whose documents have the names of schemas")
    schemas = all_schemas()
    outputs = [OutputFile(directory / path, SCHEMA, force=force, makes_folder=True) for path in schemas]
    for output, schema in zip(outputs, schemas.values(), strict=True):
        output.write(render(schema))
    click.echo(f"{safe(directory)}: {len(outputs)} schemas")
