"""Names that turnwright or an installed distribution provides: the owners of each, and problems with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from turnwright.cli._output import safe

if TYPE_CHECKING:
    from turnwright.model.entry_points import Group


def owners_by_name(group: Group, included: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the distributions, with version, that provide each name of a group; turnwright's own names first.

    Args:
        group: the group of entry points.
        included: the names that come with turnwright.
    """
    from turnwright import __version__
    from turnwright.model.entry_points import installed

    owners = {name: [f"turnwright {__version__}"] for name in included}
    for name, claims in installed(group).items():
        owners.setdefault(name, list(map(str, claims)))
    return owners


def report_problems(problems: Iterable[str]) -> int:
    """Print problems on stderr and return the exit code: 1 when there is one."""
    code = 0
    for told in problems:
        click.echo(f"{click.style('problem', fg='red')}  {safe(told)}", err=True)
        code = 1
    return code
