"""turnwright languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from turnwright.cli._output import echo_table, safe


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--compile", "is_written", is_flag=True, help="Write what a start reads instead of the YAML, into `made/`."
)
def command(folder: Path | None, is_written: bool) -> int:
    """List the installed language packs, or check every pack `<code>.yaml` in a FOLDER.

    A problem is told with file and line on stderr; exit code 1 when there is one.
    """
    if folder is None:
        if is_written:
            raise click.UsageError("--compile needs a FOLDER")
        return _list()
    from turnwright.audit.language_packs import check_packs, write_compiled

    found = check_packs(folder)
    for language in found.languages:
        click.echo(f"{language}: nothing is wrong")
    if not found.languages and not found.problems:
        raise click.UsageError(f"there is no language pack in {folder}; one is a file like de.yaml")
    if is_written:
        for path in write_compiled(found):
            click.echo(f"wrote {safe(path)}")
    return _tell(found.problems)


def _list() -> int:
    from turnwright import __version__
    from turnwright.model.entry_points import Group, fault, installed
    from turnwright.suggestions.pack_files import BUILT_IN, language_fault

    claims = installed(Group.LANGUAGES)
    rows = [[code, f"turnwright {__version__}"] for code in BUILT_IN]
    rows += [[code, str(one)] for code in claims if code not in BUILT_IN for one in claims[code]]
    echo_table([[safe(cell) for cell in row] for row in rows])
    codes = dict.fromkeys((*BUILT_IN, *claims))
    found = (fault(Group.LANGUAGES, code, BUILT_IN) or language_fault(code) for code in codes)
    return _tell([told for told in found if told])


def _tell(problems: Sequence[str]) -> int:
    for told in problems:
        click.echo(f"{click.style('problem', fg='red')}  {safe(told)}", err=True)
    return 1 if problems else 0
