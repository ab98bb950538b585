"""The steps of a golden case.

A step is a list, a command line run in this process, or an object with one of these keys:

    cli         a command line, with `stdin: FILE`, `busy: true` (somebody holds the lock) or `subprocess: true`
    process     a turn for the Python door: a file, or the turn itself; with `authority`, `dice`, `dry_run`
    query       `[tool, args]` for the Python door, with `authority`
    put         files laid into the campaign: `{where: file}`; files are named relative to input/beside/
    remove      paths taken out of the campaign
    cut_log     how many lines are cut off the end of the log
    mkdir       a folder made in the campaign
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.golden.case import Case

from turnwright import Campaign, CampaignError
from turnwright.cli.main import run as run_command
from turnwright.store import platform

Step = Mapping[str, Any]
DIRECTORY = "table"
"""The campaign's directory in every case, and so its id."""
BESIDE = "beside"
TIMED = ("new", "add", "process", "watch", "set", "undo", "fork", "answer", "resume", "import")
"""Commands that are told the time."""


@dataclass
class Run:
    """A case at work.

    Attributes:
        root: the folder that holds the campaign.
        laid: what the case itself put into the campaign, to know files again that were only moved.
        transcript: what was said.
        before: how the documents looked when the campaign had begun.
    """

    case: Case
    root: Path
    laid: set[bytes] = field(default_factory=set)
    transcript: list[str] = field(default_factory=list)
    before: dict[str, bytes] = field(default_factory=dict)

    @property
    def campaign(self) -> Path:
        """The campaign's directory."""
        return self.root / DIRECTORY

    def say(self, *lines: str) -> None:
        """Add lines to the transcript."""
        self.transcript.extend(lines)

    def lay(self, data: bytes, place: str) -> None:
        """Put a file into the campaign."""
        (self.campaign / place).parent.mkdir(parents=True, exist_ok=True)
        (self.campaign / place).write_bytes(data)
        self.laid.add(data)


def take(run: Run, step: Any, now: datetime) -> None:
    """Do one step at a given time."""
    named = {"cli": step} if isinstance(step, list) else step
    kinds = [key for key in _STEPS if key in named]
    if len(kinds) != 1:
        raise ValueError(f"no step: {step}")
    _STEPS[kinds[0]](run, named, now)


def _cli(run: Run, step: Step, now: datetime) -> None:
    words = [str(word) for word in step["cli"]]
    arguments = [DIRECTORY if word == "C" else word for word in words]
    if words[0] in TIMED:
        arguments += ["--now", now.isoformat()]
    stdin = Path(step["stdin"]).read_bytes() if "stdin" in step else b""
    with _busy(run) if step.get("busy") else ExitStack():
        code, out, err = (_call_outside if step.get("subprocess") else _call_inside)(arguments, stdin)
    named = " ".join([word if word != "C" else DIRECTORY for word in words])
    run.say(f"$ turnwright {named}{' < ' + step['stdin'] if stdin else ''}", *out.splitlines())
    run.say(*(f"! {line}" for line in err.splitlines()), f"[{code}]", "")


def _call_inside(arguments: Sequence[str], stdin: bytes) -> tuple[int, str, str]:
    out, err = io.BytesIO(), io.BytesIO()
    with (
        io.TextIOWrapper(out, encoding="utf-8", newline="\n") as out_text,
        io.TextIOWrapper(err, encoding="utf-8", newline="\n") as err_text,
        redirect_stdout(out_text),
        redirect_stderr(err_text),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
    ):
        code = run_command(list(arguments))
        out_text.flush()
        err_text.flush()
        return code, out.getvalue().decode(), err.getvalue().decode()


def _call_outside(arguments: Sequence[str], stdin: bytes) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "turnwright", *arguments], input=stdin, capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@contextmanager
def _busy(run: Run) -> Iterator[None]:
    with (run.campaign / ".turnwright" / "lock").open("r+b") as lock:
        assert platform.try_lock(lock.fileno())
        try:
            yield
        finally:
            platform.unlock(lock.fileno())


def _process(run: Run, step: Step, now: datetime) -> None:
    turn, told = step["process"], {key: step[key] for key in ("authority", "dice", "dry_run") if key in step}
    if isinstance(turn, str):
        turn = (run.root / BESIDE / turn).read_bytes()
    named = step["process"] if isinstance(step["process"], str) else "a turn"
    said = f"> process {named}" + "".join(f", {key} {value}" for key, value in told.items())
    _ask(run, said, now, lambda campaign: campaign.process(turn, **told))


def _query(run: Run, step: Step, now: datetime) -> None:
    tool, args = step["query"]
    told = {"authority": step["authority"]} if "authority" in step else {}
    said = f"> query {tool} {json.dumps(args)}" + "".join(f", {key} {value}" for key, value in told.items())
    _ask(run, said, now, lambda campaign: campaign.query(tool, args, **told))


def _ask(run: Run, said: str, now: datetime, ask: Callable[[Campaign], Any]) -> None:
    run.say(said)
    try:
        with Campaign.open(DIRECTORY, lambda: now) as campaign:
            run.say(json.dumps(ask(campaign), ensure_ascii=False))
    except CampaignError as error:
        run.say(f"! {type(error).__name__}: {error}")
    run.say("")


def _put(run: Run, step: Step, now: datetime) -> None:
    for place, source in step["put"].items():
        run.lay((run.root / BESIDE / source).read_bytes(), place)
        run.say(f"# put {place}", "")


def _remove(run: Run, step: Step, now: datetime) -> None:
    for place in step["remove"]:
        target = run.campaign / place
        shutil.rmtree(target) if target.is_dir() else target.unlink()
        run.say(f"# remove {place}", "")


def _cut_log(run: Run, step: Step, now: datetime) -> None:
    log = run.campaign / "log.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[: -step["cut_log"]]))
    run.say(f"# cut {step['cut_log']} lines off the log", "")


def _mkdir(run: Run, step: Step, now: datetime) -> None:
    (run.campaign / step["mkdir"]).mkdir(parents=True)
    run.say(f"# mkdir {step['mkdir']}", "")


_STEPS: Mapping[str, Callable[[Run, Step, datetime], None]] = {
    "cli": _cli,
    "process": _process,
    "query": _query,
    "put": _put,
    "remove": _remove,
    "cut_log": _cut_log,
    "mkdir": _mkdir,
}
