"""turnwright watch."""

from __future__ import annotations

import json
import signal
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._exit_codes import code_for, code_of
from turnwright.cli._nonblocking_output import nonblocking_output, words_of_dropped
from turnwright.cli._options import clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_json, echo_problems, echo_reply, safe
from turnwright.cli._story_view import told_from_folder
from turnwright.cli._streams import OutputFailed
from turnwright.model.errors import CampaignError, CampaignInvalid
from turnwright.protocol.stage6_publish.publish import error_as_json
from turnwright.store.files import utf_8

if TYPE_CHECKING:
    from turnwright.campaign.inbox_watcher import Watcher
    from turnwright.model.wire.shapes import Reply


@click.command()
@click.argument("root", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--once", is_flag=True, help="Take what waits now, and leave.")
@now_option
@wait_option
@json_option
def command(root: Path, once: bool, now: datetime | None, wait: float, as_json: bool) -> int:
    """Take turn files as they are dropped, in every campaign at or below ROOT. Ends on SIGINT or SIGTERM.

    It never waits for the reader of its output: lines that are not read in time are dropped and counted.

    A campaign that another writer keeps busy is reported after --wait; others are served meanwhile. With --once the
    exit code is the greatest that `process` would leave with in any of these campaigns.
    """
    from turnwright.campaign.inbox_watcher import Watcher

    codes = [0]

    def told(folder: Path, name: str, reply: Reply) -> None:
        codes.append(code_of(reply))
        if as_json:
            echo_json({"campaign": utf_8(str(folder)), "file": name, "reply": reply})
        else:
            with told_from_folder(folder, reply) as telling:
                echo_reply(reply, f"{folder.name}/{name}", telling)

    def failed(folder: Path, error: Exception) -> None:
        if isinstance(error, OutputFailed):  # met while a recovery was told: no fault of the campaign
            raise error
        codes.append(code_for(error))
        if as_json and isinstance(error, CampaignError):
            echo_json({"campaign": utf_8(str(folder)), "error": error_as_json(error)})
        if isinstance(error, CampaignInvalid):
            echo_problems(error.problems, folder)
            return
        what = error if isinstance(error, CampaignError) else f"a fault of turnwright itself: {error!r}"
        click.echo(f"{click.style('error', fg='red')}  {safe(folder)}  {safe(what)}", err=True)

    def recovered(folder: Path) -> None:
        if as_json:
            echo_json({"campaign": utf_8(str(folder)), "error": None})
        click.echo(f"{click.style('recovered', fg='green')}  {safe(folder)}", err=True)

    watcher = Watcher(root.resolve(), told, failed, recovered, clock=clock_of(now), wait=wait)
    try:
        if once:
            watcher.sweep_patiently()
            return max(codes)
        return _watch(watcher, root, as_json=as_json)
    finally:
        watcher.close()


def _watch(watcher: Watcher, root: Path, *, as_json: bool) -> int:
    """Watch until a signal ends it, even if the reader leaves; return the exit code, 0 unless output failed."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: watcher.stop())
    with nonblocking_output(_data_of_dropped if as_json else words_of_dropped, is_data=as_json) as finish:
        click.echo(f"watching {safe(root)}; stop with Ctrl-C", err=True)
        watcher.run()
        watcher.close()
        click.echo("stopped", err=True)
        return finish()


def _data_of_dropped(lines: int) -> str:
    return json.dumps({"dropped": lines}, separators=(",", ":"))
