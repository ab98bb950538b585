"""The conformance suite of the protocol against a campaign over HTTP, beside the table of it in the documentation."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.mcp.harness import begin_sample, http_server
from tests.mcp.node_tools import CONFORMANCE, node_with

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"
HEADING = "### The conformance suite\n"
PATIENCE = 300
_ROW = re.compile(r"^\| ([^|]*) \| (passed|failed) \|", re.MULTILINE)
_SCENARIO = re.compile(r"`([a-z0-9-]+)`")


def results_in_page() -> dict[str, str]:
    """Return what the documentation says came of each scenario."""
    table = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n#")[0]
    rows = [(name, row[2]) for row in _ROW.finditer(table) for name in _SCENARIO.findall(row[1])]
    assert len(rows) == len(dict(rows)), "a scenario is named twice"
    return dict(rows)


def result_of(folder: Path) -> tuple[str, str]:
    """Return the name of a scenario and what came of it, from the folder in which the suite keeps its checks."""
    (name,) = re.findall(r"^server-(.+)-\d{4}-\d\d-\d\dT", folder.name)
    checks = json.loads((folder / "checks.json").read_bytes())
    return name, "failed" if "FAILURE" in [check["status"] for check in checks] else "passed"


@pytest.mark.slow
def test_the_conformance_suite_gives_what_the_page_says(tmp_path: Path) -> None:
    node = node_with(CONFORMANCE)
    script = "@modelcontextprotocol/conformance/dist/index.js"
    begin_sample(tmp_path / "barrow", "barrow").close()
    with http_server(tmp_path / "barrow", "--no-token") as listening:
        options = ("server", "--suite", "all", "--url", listening.url, "--output-dir", str(tmp_path / "found"))
        run = subprocess.run(
            node.command(script, *options),
            env=node.environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    found = dict(map(result_of, (tmp_path / "found").iterdir())) if (tmp_path / "found").is_dir() else {}
    assert found, run.stdout + run.stderr
    assert found == results_in_page()
