"""What is in a source distribution and in a wheel."""

from __future__ import annotations

from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

from turnwright import __version__
from turnwright.cli.main import run

ROOT = Path(__file__).resolve().parent.parent


def test_a_source_distribution_holds_all_that_its_tests_and_targets_use() -> None:
    held = {Path(file.relative_path).parts[0] for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    targets = ("Makefile", "requirements.lock", "requirements-docs.lock", "requirements-local-model.lock", "scripts")
    assert {
        *targets,
        "engine",
        "tests",
        "schemas",
        "campaigns",
        "docs",
        "examples",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    } <= held
    assert not held & {".venv", ".git", "dist", "build"}


def test_the_version_has_one_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert SdistBuilder(str(ROOT)).metadata.version == __version__
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"turnwright, version {__version__}\n"
    assert f"\n## {__version__} - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
