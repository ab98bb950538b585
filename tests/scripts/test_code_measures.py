"""The scripts that measure the code: what they count, on code whose counts are known."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from scripts.count_code import aliases_of, count_statements, open_annotations
from scripts.trace_move import STORE, returns_to_a_left_module, trace_a_move

ROOT = Path(__file__).parents[2]
MODEL = '''
"""A module."""
from typing import Any
Json = dict[str, Any]
def load(path: str, more: "Mapping[str, object]") -> Json:
    """Load."""
    return {}
'''
USER = """
from turnwright.model import Json as Loaded
def use(known: list[Loaded], counts: dict[str, int], *rest: dict) -> None:
    counts.clear()
"""


def test_statements_are_counted_without_docstrings() -> None:
    assert count_statements(ast.parse(MODEL)) == 4


def test_open_annotations_are_found_by_alias_across_modules() -> None:
    trees = {"turnwright.model": ast.parse(MODEL), "turnwright.user": ast.parse(USER)}
    aliases = aliases_of(trees)
    found = [
        (each.function, each.annotation)
        for name in trees
        for each in open_annotations(name, trees[name], aliases[name])
    ]
    assert found == [
        ("load", "'Mapping[str, object]'"),
        ("load", "Json"),
        ("use", "list[Loaded]"),
        ("use", "dict"),
    ]


def test_a_move_goes_from_the_runner_through_the_stages(tmp_path: Path) -> None:
    entries = trace_a_move(tmp_path)
    modules = list(dict.fromkeys(entry.module for entry in entries if entry.module != STORE))
    assert modules[:2] == ["campaign.campaign", "campaign.runner"]
    assert {name.split(".")[1][:6] for name in modules if name.startswith("protocol.stage")} == {
        "stage1",
        "stage2",
        "stage3",
        "stage4",
        "stage5",
    }
    assert [name for name in modules if "repair" in name] == [], "a good call needs no repair"
    assert 0 < returns_to_a_left_module(entries) < len(entries)


def test_a_move_enters_the_modules_that_the_architecture_lists_and_seldom_goes_back(tmp_path: Path) -> None:
    entries = [entry for entry in trace_a_move(tmp_path) if entry.module != STORE]
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    listed = page.partition("in this order:\n\n```\n")[2].partition("```")[0]
    modules = list(dict.fromkeys(entry.module for entry in entries))
    entered = [name.removeprefix("protocol.") for name in modules if name.startswith("protocol.")]
    assert entered == [line.split()[0] for line in listed.splitlines()]
    bounds = re.search(r"at most (\d+) modules outside\nthe store, and goes back at most (\d+) times", page)
    assert bounds is not None
    assert len(modules) <= int(bounds[1])
    assert returns_to_a_left_module(entries) <= int(bounds[2])
