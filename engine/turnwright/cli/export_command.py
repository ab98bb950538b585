"""turnwright export."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from turnwright.cli._options import campaign_argument
from turnwright.cli._output import safe
from turnwright.cli._output_file import HTML, FileKind, OutputFile, force_option

_FORMS = ("sheet", "foundry", "html", "csv")


@click.command()
@campaign_argument
@click.argument("character")
@click.option("--to", "form", type=click.Choice(_FORMS), default="sheet", show_default=True, help="What to write.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The file; default: standard out."
)
@force_option
def command(campaign: Path, character: str, form: str, output: Path | None, force: bool) -> None:
    """Write a CHARACTER (an id or a name) of a CAMPAIGN to a file.

    `sheet` is the whole character, to be imported again as it is; `foundry` an actor for Foundry VTT with the dnd5e
    system 4 or 5; `html` a page to print, which fetches nothing and runs nothing; `csv` a table for a spreadsheet.
    """
    from turnwright.campaign.campaign import Campaign

    target = OutputFile(output, _kind(form), force=force) if output else None
    with Campaign.open(campaign) as opened:
        if form == "html":
            from turnwright.render.sheet_page import sheet_page

            data = sheet_page(opened.character_page(character)).encode()
        else:
            data = opened.export_character(character, form)
    if target:
        target.write(data)
        click.echo(f"wrote {safe(target.path)}")
    elif sys.stdout.isatty():
        click.echo("\n".join(map(safe, data.decode().split("\n"))), nl=False)
    else:
        click.echo(data, nl=False)


def _kind(form: str) -> FileKind:
    kinds = {
        "sheet": FileKind("a sheet of turnwright's own", _holds(b'"turnwright_character"')),
        "foundry": FileKind("an actor of Foundry VTT", _holds(b'"systemId"')),
        "csv": FileKind("such a table", lambda data: data.removeprefix(b"\xef\xbb\xbf").startswith(b"name,")),
        "html": HTML,
    }
    return kinds[form]


def _holds(mark: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.lstrip().startswith(b"{") and mark in data
