"""A golden case as it is written down.

    <family>/<case>/case.yaml   what it proves, where it starts, and what is done
    <family>/<case>/input/      laid over the campaign before the run; what lies in `beside/` goes next to it instead
    <family>/<case>/expect/     everything that is then there, whole files

Keys of `case.yaml`:

    title, proves   one line; the sentence of the docs that the case proves, with its page
    start           `template: NAME` · `own: OPTIONS` (those of `new`) · `from: FILE` (below beside/) · `world: NAME` (a
                    folder of worlds/, under input/)
                    · `unbegun: NAME` (the same, without a log)
    seed            of the dice
    clock           `start`: the time of record 0; `step`: seconds between that and the first step, and so on
    run             steps: a list is a command line, in which C is the campaign's directory; see `steps` for others
    repairable      for failed calls: `yes`, `{no: reason}`, or one of these for each call id (tool where none is);
                    an answer, an output and a player's text go by the turn's id, or `answer`, `output`, `user_input`
    damaged         optional: why documents and log do not agree at the end
    xfail           optional: what the engine does instead of what `expect/` says
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

HERE = Path(__file__).parent
WORLDS = HERE / "worlds"
_REQUIRED = {"title", "proves", "start", "seed", "clock", "run"}
_OPTIONAL = {"repairable", "damaged", "xfail"}


@dataclass(frozen=True, slots=True)
class Case:
    """One golden case; the fields are the keys of its file."""

    folder: Path
    title: str
    proves: str
    start: Mapping[str, str]
    seed: str
    clock: tuple[datetime, timedelta]
    run: tuple[Any, ...]
    repairable: Any = None
    damaged: str | None = None
    xfail: str | None = None

    @property
    def name(self) -> str:
        """Family and case, as test ids show them."""
        return self.folder.relative_to(HERE).as_posix()

    @property
    def input(self) -> Path:
        """What it brings along."""
        return self.folder / "input"

    @property
    def expect(self) -> Path:
        """What must come out."""
        return self.folder / "expect"

    def time(self, step: int) -> datetime:
        """Return the time of a step; 0 is that of record 0."""
        start, pace = self.clock
        return start + step * pace

    def why_unrepairable(self, *labels: str) -> str | None:
        """Return why a failed call cannot be repaired from its hint, or None when it can.

        Args:
            labels: what the case may call it; the first that it does counts.

        Raises:
            LookupError: when the case does not say.
        """
        mark = self.repairable
        if isinstance(mark, dict) and set(mark) != {"no"}:
            mark = next((mark[label] for label in labels if label in mark), None)
        if mark == "yes":
            return None
        if isinstance(mark, dict) and set(mark) == {"no"} and mark["no"]:
            return str(mark["no"])
        raise LookupError(f"{self.name}: `repairable` says nothing of {' or '.join(labels)}")


def load(folder: Path) -> Case:
    """Read a case; misspelt keys are refused."""
    values = YAML(typ="safe", pure=True).load(folder / "case.yaml")
    given = set(values)
    if given - _REQUIRED - _OPTIONAL or _REQUIRED - given:
        raise ValueError(f"{folder}: keys must be {sorted(_REQUIRED)}, and may be {sorted(_OPTIONAL)}")
    clock = values["clock"]
    times = datetime.fromisoformat(clock["start"]), timedelta(seconds=clock["step"])
    return Case(folder, **{**values, "clock": times, "run": tuple(values["run"])})


@cache
def all_cases() -> tuple[Case, ...]:
    """Return every case, sorted by name."""
    return tuple(load(path.parent) for path in sorted(HERE.glob("*/*/case.yaml")))
