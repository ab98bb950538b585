"""turnwright rulesets."""

from __future__ import annotations

import click

from turnwright.cli._installed import owners_by_name, report_problems
from turnwright.cli._output import echo_table, safe


@click.command()
def command() -> int:
    """List the rulesets that are installed, by name, with the distribution of each. None is imported.

    A name that cannot be used is reported on stderr; exit code 1 when there is one.
    """
    from turnwright.model.entry_points import Group, fault, installed
    from turnwright.rulesets.registry import INCLUDED

    owners_of = owners_by_name(Group.RULESETS, INCLUDED)
    echo_table([safe(name), safe(owner)] for name, owners in owners_of.items() for owner in owners)
    faults = (fault(Group.RULESETS, name, INCLUDED) for name in installed(Group.RULESETS))
    return report_problems(told for told in faults if told)
