"""turnwright languages."""

from __future__ import annotations

from pathlib import Path

import click

from turnwright.cli._installed import owners_by_name, report_problems
from turnwright.cli._output import echo_table, safe

_UNUSABLE = "cannot be used"


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--compile", "is_written", is_flag=True, help="Write what a start reads instead of the YAML, into `made/`."
)
def command(folder: Path | None, is_written: bool) -> int:
    """List and check the installed language packs, or check every pack `<code>.yaml` in a FOLDER.

    A problem is reported with file and line on stderr; exit code 1 when there is one.
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
    return report_problems(found.problems)


def _list() -> int:
    from turnwright.model.entry_points import Group
    from turnwright.suggestions.pack_files import BUILT_IN

    rows: list[list[str]] = []
    problems: list[str] = []
    for code, owners in owners_by_name(Group.LANGUAGES, BUILT_IN).items():
        size, problem = _inspected(code)
        rows += [[safe(code), safe(owner), size] for owner in owners]
        problems += [problem] if problem else []
    echo_table(rows)
    return report_problems(problems)


def _inspected(code: str) -> tuple[str, str | None]:
    """Return how large the pack of a language is, and what is wrong with it or with its name."""
    from turnwright.model.entry_points import ExtensionError, Group, fault
    from turnwright.rulesets.suggesting import PACKS
    from turnwright.suggestions.pack import PackError
    from turnwright.suggestions.pack_files import BUILT_IN, language_fault

    problem = fault(Group.LANGUAGES, code, BUILT_IN)
    if problem and code not in BUILT_IN:
        return _UNUSABLE, problem
    try:
        pack = PACKS.of(code)
    except (PackError, ExtensionError) as error:
        return _UNUSABLE, language_fault(code) or str(error)
    return (f"{len(pack.rules)} rules" if pack else _UNUSABLE), problem
