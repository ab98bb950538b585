"""`turnwright`: the command group, its exit codes, and how errors are told.

Exit codes: 0 everything applied, or nothing to do · 1 a part failed or wants a retry · 2 a turn was refused · 3 the
campaign is invalid · 4 busy · 64 wrong usage · 74 the machine could not read or write · 130 stopped ·
141 the reader of the output left.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module

import click

from turnwright import __version__
from turnwright.cli._exit_codes import USAGE, code_for
from turnwright.cli._streams import OutputFailed, end_output, prepare_streams
from turnwright.model.errors import BadRequest, CampaignError, StorageFailed

COMMANDS = {
    "new": "Make a new campaign directory.",
    "add": "Add a hero, a person, a place or monsters to a campaign, in a few words.",
    "process": "Take turn files, by default those in the drop folder.",
    "pipe": "Serve a program: JSON lines in, JSON lines out.",
    "play": "Play in the terminal, with a model as the game master.",
    "answer": "Answer a turn that waits for dice, or the open request of a scene game.",
    "watch": "Take turn files as they are dropped, in every campaign below a folder.",
    "check": "Say everything that is wrong with a campaign's files.",
    "verify": "Check the log, and that documents and dice are what it says.",
    "set": "Change settings, the acting character or the goal.",
    "show": "Show where the campaign stands.",
    "map": "Draw the map, as text or SVG.",
    "log": "List what happened.",
    "undo": "Take back the last turn, or everything since one.",
    "resume": "Go on with a session that a player ended.",
    "fork": "Begin a new campaign from a point in another's past.",
    "legal": "Print the JSON Schema of the calls that are legal now.",
    "prompt": "Print what a model that is the game master is given now.",
    "mcp": "Serve a campaign to a client of the Model Context Protocol.",
    "suggest": "Print what a model would be told to consider for a message.",
    "report": "Compare what was suggested, called, refused and claimed in campaigns.",
    "learn": "Propose rules of suggestion from what was played.",
    "score": "Score a model as a game master in seeded scenarios.",
    "languages": "List and check the installed language packs, or those in a folder.",
    "content": "Monsters, spells and items by name: read, find, check and add content packs.",
    "import": "Bring a character along: a sheet, Foundry VTT, D&D Beyond, CSV or YAML.",
    "export": "Write a character to a file: a sheet, Foundry VTT, a printable page, CSV.",
    "rulesets": "List the installed rulesets, with the distribution of each.",
    "tools": "List the tools, or describe them to a model.",
    "schemas": "Write the JSON Schemas of all files and tools.",
}
"""Every command, in the order of the help; each lives in the module `cli/<name>_command.py`."""


_ELSEWHERE = {"redo": "undo CAMPAIGN --redo"}
"""What is no command of its own, and the one that does it."""


class Group(click.Group):
    """A command group that imports a command only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name, or None."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"turnwright.cli.{cmd_name}_command").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `help` for what it asks for; it is no command of its own."""
        return super().parse_args(ctx, [*args[1:2], "--help"] if args[:1] == ["help"] else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for a misspelled one, name the nearest."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from turnwright.model.fuzzy_match import did_you_mean

            known = _ELSEWHERE.get(args[0])
            meant = f"; `turnwright {known}` does it" if known else did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"there is no command {args[0]!r}{meant}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="turnwright")
def cli() -> None:
    """Keep a tabletop campaign's state between an AI game master and its players.

    The model asks, the engine decides. A campaign is a directory; turn files dropped into it are validated, applied or
    refused with a reason, and logged.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave with its exit code."""
    code = run(arguments)
    gc.freeze()  # Python looks for garbage before it ends: a fifth of the time of a process that takes one turn
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code; whatever comes from outside is told in a sentence, never a traceback."""
    prepare_streams()
    try:
        return _run(arguments)
    except OutputFailed as failure:
        return end_output(failure)


def _run(arguments: list[str] | None) -> int:
    as_json = "--json" in (sys.argv if arguments is None else arguments)
    try:
        code = cli.main(arguments, standalone_mode=False)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        click.echo("stopped", err=True)
        return 130
    except click.ClickException as error:
        from turnwright.cli._output import echo_json, echo_usage_error

        echo_usage_error(error)
        if as_json:
            from turnwright.protocol.stage6_publish.publish import error_as_json

            echo_json(error_as_json(BadRequest(error.format_message())))
        return USAGE
    except (CampaignError, OSError) as error:
        from turnwright.cli._output import echo_error, echo_json
        from turnwright.protocol.stage6_publish.publish import error_as_json

        told = error if isinstance(error, CampaignError) else _storage_failed(error)
        if as_json:
            echo_json(error_as_json(told))
        echo_error(told)
        return code_for(told)
    return code if isinstance(code, int) else 0


def _storage_failed(error: OSError) -> StorageFailed:
    where = f" ({error.filename})" if error.filename else ""
    return StorageFailed(f"{error.strerror or error}{where}")


if __name__ == "__main__":
    main()
