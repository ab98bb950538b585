"""What is in a source distribution and in a wheel."""

from __future__ import annotations

from pathlib import Path

from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).resolve().parent.parent


def test_a_source_distribution_holds_all_that_its_tests_and_targets_use() -> None:
    held = {Path(file.relative_path).parts[0] for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    targets = ("Makefile", "requirements.lock", "requirements-local-model.lock", "scripts")
    assert {*targets, "engine", "tests", "schemas", "campaigns", "docs", "ARCHITECTURE.md", "CONTRIBUTING.md"} <= held
    assert not held & {".venv", ".git", "dist", "build"}
