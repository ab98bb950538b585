"""What golden turns really hold against what the schemas say of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from tests.cached_fixtures import schemas
from tests.golden.case import all_cases
from tests.golden.failures import records

from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import validator

SCHEMAS = schemas()


@cache
def actions() -> Mapping[str, list[tuple[str, dict[str, Any]]]]:
    """Return every applied call, with the name of its case, by tool."""
    found: defaultdict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for case in all_cases():
        for record in records(case):
            for action in record.get("applied_actions", ()):
                found[action["tool"]].append((case.name, action))
    return found


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_results_fit_the_schema_of_the_tool(tool: str) -> None:
    fits = validator(SCHEMAS[f"tools/{tool}.result.json"])
    wrong = [(case, error.message) for case, action in actions()[tool] for error in fits.iter_errors(action["result"])]
    assert wrong == []


@pytest.mark.parametrize("tool", sorted(name for name, tool in TOOLS.items() if tool.family == "toolkit"))
def test_arguments_as_they_were_understood_fit_the_schema_of_the_tool(tool: str) -> None:
    fits = validator(SCHEMAS[f"tools/{tool}.args.json"])
    wrong = []
    for case, action in actions()[tool]:
        args = dict(action["args"])
        if "batch" in args:  # items that were not done stand there as received
            done = [entry["ok"] for entry in action["result"]["results"]]
            args["batch"] = [item for item, ok in zip(args["batch"], done, strict=True) if ok]
        wrong += [(case, action["id"], error.message) for error in fits.iter_errors(args)]
    assert wrong == []
