"""turnwright rulesets."""

from __future__ import annotations

import click

from turnwright.cli._output import echo_table, safe


@click.command()
def command() -> int:
    """List the rulesets that are installed, by name, with the distribution of each. None is imported.

    A name that cannot be used is told on stderr; exit code 1 when there is one.
    """
    from turnwright import __version__
    from turnwright.model.entry_points import Group, fault, installed
    from turnwright.rulesets.registry import INCLUDED

    claims = installed(Group.RULESETS)
    rows = [[name, f"turnwright {__version__}"] for name in INCLUDED]
    rows += [[name, str(one)] for name in claims if name not in INCLUDED for one in claims[name]]
    echo_table([[safe(cell) for cell in row] for row in rows])
    faults = [told for name in claims if (told := fault(Group.RULESETS, name, INCLUDED))]
    for told in faults:
        click.echo(f"{click.style('problem', fg='red')}  {safe(told)}", err=True)
    return 1 if faults else 0
