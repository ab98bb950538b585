"""One row of the table, and the table as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

_COLUMNS = ("row", "what", "floor", "target", "measured", "met")


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure against its floor.

    Attributes:
        number: of the target, such as `P5b`; several figures may share it.
        what: was measured, with the sizes it was measured at.
        floor: what it is compared with.
        value: the figure, in `unit`; None when it could not be measured.
        target: what it may be at most, or, with `is_least`, must be at least; None for what is only told.
        unit: `x` for a ratio, else what the figure is over its floor.
        wrong: why it could not be measured.
    """

    number: str
    what: str
    floor: str
    value: float | None
    target: float | None
    unit: str = "x"
    is_least: bool = False
    wrong: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the target, if there is one, is met."""
        if self.value is None or self.target is None:
            return self.value is not None
        return self.value >= self.target if self.is_least else self.value <= self.target

    def cells(self) -> tuple[str, ...]:
        """Return the row as the table shows it."""
        if self.value is None:
            return self.number, self.what, "", "", "", f"NO: {self.wrong}"
        measured = f"{self.value:.2f} {self.unit}"
        if self.target is None:
            return self.number, self.what, self.floor, "", measured, ""
        target = f"{'>=' if self.is_least else '<='} {self.target:g} {self.unit}"
        return self.number, self.what, self.floor, target, measured, "yes" if self.is_met else "NO"

    def to_json(self) -> dict[str, Any]:
        """Return the row as data."""
        return {**asdict(self), "is_met": self.is_met}


def broken(number: str, error: Exception) -> Row:
    """Return the row of what could not be measured."""
    return Row(number, "could not be measured", "", None, 0, wrong=f"{type(error).__name__}: {error}")


def as_text(rows: Iterable[Row]) -> str:
    """Return the table, in columns."""
    lines: Sequence[tuple[str, ...]] = [_COLUMNS, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_COLUMNS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
