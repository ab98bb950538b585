"""turnwright learn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._lists import ListCommand
from turnwright.cli._options import json_option
from turnwright.cli._output import echo_json, safe
from turnwright.cli._output_file import PROPOSALS, OutputFile, force_option

if TYPE_CHECKING:
    from turnwright.analysis.learn.proposals import Learned


@click.command(cls=ListCommand)
@click.argument("campaigns", metavar="CAMPAIGN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--holdout",
    metavar="CAMPAIGN...",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Campaigns to try the proposals on; nothing is learned from them.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the proposals to this file instead of printing them.",
)
@force_option
@json_option
def command(
    campaigns: tuple[Path, ...], holdout: tuple[Path, ...], output: Path | None, force: bool, as_json: bool
) -> None:
    """Propose rules of suggestion from what was said and done in CAMPAIGNs, as YAML for a person to judge.

    Nothing reads the proposals, and no campaign is changed.
    """
    from turnwright.analysis.learn.learn import learned
    from turnwright.analysis.learn.reading import READING

    file = OutputFile(output, PROPOSALS, force=force) if output else None
    found, warnings = learned(campaigns, holdout, READING)
    for warning in warnings:
        click.echo(f"{click.style('warning', fg='yellow')}  {safe(warning)}", err=True)
    if as_json:
        echo_json(found.as_json())
    if file is not None:
        file.write(_yaml(found))
        click.echo(
            f"wrote {safe(file.path)}: {len(found.proposals)} proposals from {found.messages} messages", err=as_json
        )
    elif not as_json:
        click.echo(safe_lines(_yaml(found)), nl=False)


def safe_lines(text: str) -> str:
    """Return text of several lines so that it cannot drive a terminal."""
    return "".join(f"{safe(line)}\n" for line in text.splitlines())


def _yaml(found: Learned) -> str:
    from turnwright.analysis.learn.proposals import render
    from turnwright.rulesets.suggesting import BUILT_IN, PACKS

    pack = PACKS.of("en")
    bases = {rule: words.base for rule, words in pack.rules.items()} if pack else {}
    return render(found, BUILT_IN.rules, bases)
