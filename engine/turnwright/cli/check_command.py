"""turnwright check."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from turnwright.cli._campaigns import campaigns_argument, each_campaign, naming
from turnwright.cli._options import json_option
from turnwright.cli._output import echo_json, echo_problems, safe


@click.command()
@campaigns_argument
@json_option
def command(places: tuple[Path, ...], as_json: bool) -> int:
    """Say everything that is wrong with the documents and waiting turn files of CAMPAIGNs, at once.

    It also says why no writer would go on from a log; whether that is as it was written, `verify` tells. Of a ROOT,
    every campaign below it is checked. Where there are several, each line names its campaign.

    Touches nothing. Exit code 3 when a campaign is invalid, 2 when only waiting turns would be refused; warnings alone
    are no problem. The greatest counts.
    """
    return each_campaign(places, partial(_check, as_json=as_json), as_json=as_json)


def _check(campaign: Path, named: Path | None, *, as_json: bool) -> int:
    from turnwright.audit.check import check_directory
    from turnwright.protocol.stage6_publish.publish import problems_as_json
    from turnwright.store.inbox import DROP_FOLDER

    problems = check_directory(campaign)
    if as_json:
        for problem in problems_as_json(problems):
            echo_json(naming(named, problem))
    else:
        echo_problems(problems, named)
        if not problems:
            click.echo(f"{safe(named)}: nothing is wrong" if named else "nothing is wrong")
    of_turns = {
        problem.file.startswith(f"{DROP_FOLDER}/") and problem.rule != "link"
        for problem in problems
        if not problem.warning
    }
    return 3 if False in of_turns else 2 if True in of_turns else 0
