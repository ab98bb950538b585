"""The public class, as a program meets it."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

from tests import builders

from turnwright import Campaign


class Table(Campaign):
    """A campaign of a program's own."""


def test_a_subclass_is_opened_as_what_it_is(tmp_path: Path) -> None:
    made = assert_type(Table.new(tmp_path / "table", seed="table", clock=builders.clock), Table)
    made.close()
    with assert_type(Table.open(tmp_path / "table", builders.clock), Table) as table:
        assert type(assert_type(table, Table)) is type(made) is Table
