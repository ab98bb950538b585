"""Play every labeled text in its scene, and keep what the check said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.suggest.narration_scenes import Half, Row, open_scene, rows

from turnwright import Campaign

_NOTICES = "info"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A labeled text with what the check found in it, notices left out."""

    row: Row
    findings: Sequence[dict[str, Any]]

    @property
    def is_lie(self) -> bool:
        """Whether the text was labeled a lie."""
        return self.row.label == "lie"

    @property
    def is_found(self) -> bool:
        """Whether the check found anything."""
        return bool(self.findings)

    @property
    def is_error(self) -> bool:
        """Whether it found a conflict."""
        return any(finding["severity"] == "error" for finding in self.findings)

    @property
    def is_right(self) -> bool:
        """Whether it said of the text what the label says."""
        return self.is_found is self.is_lie


def measure(*halves: Half) -> list[Verdict]:
    """Return what the check says of all texts of these halves."""
    return judge(rows(*halves))


def judge(some: Iterable[Row]) -> list[Verdict]:
    """Return what the check says of these texts."""
    told = list(some)
    with TemporaryDirectory() as folder, ExitStack() as opened:
        scenes = {
            name: opened.enter_context(open_scene(name, Path(folder) / name))
            for name in dict.fromkeys(row.scene for row in told)
        }
        return [Verdict(row, _findings(row, scenes[row.scene])) for row in told]


def _findings(row: Row, scene: Campaign) -> list[dict[str, Any]]:
    reply: Mapping[str, Any] = scene.process(row.turn | {"assistant_text": row.text}, dice=row.dice, dry_run=True)
    return [finding for finding in reply["findings"] if finding["severity"] != _NOTICES]


def misses(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield what went wrong in the half that words are made on."""
    for verdict in verdicts:
        row = verdict.row
        if verdict.is_right or row.half != "tune":
            continue
        calls = "; ".join(f"{call.tool} {dict(call.args)} {call.expect_status}" for call in row.calls)
        yield f"{row.id} {row.label} {row.kind} {row.scene}: {row.text!r}"
        yield f"    calls: {calls or 'none'} dice {list(row.dice)}"
        for finding in verdict.findings:
            yield f"    {finding['severity']} {finding['kind']}: {finding['claim']!r} {finding['expected']}"
