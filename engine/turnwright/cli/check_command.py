"""turnwright check."""

from __future__ import annotations

from pathlib import Path

import click

from turnwright.cli._options import campaign_argument, json_option
from turnwright.cli._output import echo_json, echo_problems


@click.command()
@campaign_argument
@json_option
def command(campaign: Path, as_json: bool) -> int:
    """Say everything that is wrong with the documents and waiting turn files of a CAMPAIGN, at once.

    It also says why no writer would go on from its log; whether that is as it was written, `verify` tells.

    Touches nothing. Exit code 3 when the campaign is invalid, 2 when only waiting turns would be refused; warnings
    alone are no problem.
    """
    from turnwright.checker import check_directory
    from turnwright.stages.publish import problems_as_json
    from turnwright.store.drop import DROP_FOLDER

    problems = check_directory(campaign)
    if as_json:
        for problem in problems_as_json(problems):
            echo_json(problem)
    else:
        echo_problems(problems)
        if not problems:
            click.echo("nothing is wrong")
    of_turns = {
        problem.file.startswith(f"{DROP_FOLDER}/") and problem.rule != "link"
        for problem in problems
        if not problem.warning
    }
    return 3 if False in of_turns else 2 if True in of_turns else 0
