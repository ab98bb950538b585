"""The labeled messages: what one says, and reading a split of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

LABELLED = Path(__file__).parents[2] / "tests" / "suggest" / "labelled"
Kind = Literal["positive", "lure", "negative"]
Split = Literal["tune", "test", "all"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SPLITS: tuple[Split, ...] = get_args(Split)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that a label names; without an operation, any of its operations is meant."""

    tool: str
    operation: str | None = None
    arguments: Mapping[str, Any] | None = None

    @classmethod
    def parse(cls, text: str) -> Call:
        """Read `tool` or `tool:operation`."""
        tool, _, operation = text.partition(":")
        return cls(tool, operation or None)

    def covers(self, tool: str, operation: str | None) -> bool:
        """Whether that call is meant."""
        return self.tool == tool and self.operation in (None, operation)

    def __str__(self) -> str:
        return f"{self.tool}:{self.operation}" if self.operation else self.tool


@dataclass(frozen=True, slots=True)
class Case:
    """A message with what was to be suggested for it.

    Attributes:
        kind: of the message; a lure looks like a trigger and is none.
        rule: it exercises; None for plain talk.
        expected: what must be suggested.
        tolerated: what may be.
        forbidden: what must not; an entry with an operation outranks the other two.
        note: why it is labeled so.
    """

    id: str
    kind: Kind
    rule: str | None
    message: str
    agent: str
    context: Mapping[str, Any]
    expected: Sequence[Call]
    tolerated: Sequence[Call]
    forbidden: Sequence[Call]
    note: str


def parse_case(line: str) -> Case:
    """Read one line of a split."""
    data = json.loads(line)
    return Case(
        **{
            **data,
            "expected": tuple(Call(**call) for call in data["expected"]),
            "tolerated": tuple(Call(**call) for call in data["tolerated"]),
            "forbidden": tuple(Call.parse(text) for text in data["forbidden"]),
        }
    )


def read_cases(split: Split, folder: Path = LABELLED) -> Iterator[Case]:
    """Yield the cases of a split in the order of their ids, `all` being both."""
    names = ("tune", "test") if split == "all" else (split,)
    cases = [
        parse_case(line)
        for name in names
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n")
        if line
    ]
    yield from sorted(cases, key=lambda case: case.id)
