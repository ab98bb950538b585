"""What is in a source distribution and in a wheel."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

from turnwright import __version__
from turnwright.audit.language_packs import check_packs
from turnwright.cli.main import run
from turnwright.suggestions.pack_files import COMPILED_FOLDER, OF_COMPANION, RECOGNIZED, files_of

ROOT = Path(__file__).resolve().parent.parent


def test_a_source_distribution_holds_all_that_its_tests_and_targets_use() -> None:
    held = {Path(file.relative_path).parts[0] for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    targets = ("Makefile", "requirements.lock", "requirements-docs.lock", "requirements-local-model.lock", "scripts")
    assert {
        *targets,
        "engine",
        "languages",
        "hatch_build.py",
        "tests",
        "schemas",
        "campaigns",
        "content",
        "docs",
        "examples",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
    } <= held
    assert not held & {".venv", ".git", "dist", "build"}


def test_what_compiles_the_packs_needs_what_turnwright_needs() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    for place in (".", "languages"):
        build = tomllib.loads((ROOT / place / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
        assert [one for one in build if not one.startswith("hatchling")] == [
            one for one in needed if one.startswith(("pydantic", "ruamel"))
        ]


def test_the_two_distributions_have_one_version_and_one_license() -> None:
    core, languages = (
        tomllib.loads((ROOT / place / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for place in (".", "languages")
    )
    assert (__version__, core["license"]) == (languages["version"], languages["license"])
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "languages" / "LICENSE").read_bytes()


@pytest.mark.parametrize("language", RECOGNIZED)
def test_the_compiled_packs_are_those_of_their_files(language: str) -> None:
    files = files_of(language)
    assert files is not None
    assert isinstance(files.folder, Path)
    compiled = files.folder / COMPILED_FOLDER / f"{language}.json"
    assert compiled.is_file(), "there is no compiled pack: run `make setup`"
    assert compiled.read_bytes() == compiled_anew(files.folder)[compiled], "it is stale: run `make generate`"


@cache
def compiled_anew(folder: Path) -> Mapping[Path, bytes]:
    return check_packs(folder).compiled


def built(place: Path, folder: Path) -> zipfile.ZipFile:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


@pytest.mark.slow
def test_a_wheel_holds_its_compiled_packs_and_no_other_language(tmp_path: Path) -> None:
    data = "turnwright/data/suggest"
    with built(ROOT, tmp_path / "core") as wheel:
        held = {name for name in wheel.namelist() if name.startswith(data)}
        assert held == {f"{data}/en.yaml", f"{data}/languages.yaml", f"{data}/made/en.json"}
    with built(ROOT / "languages", tmp_path / "languages") as wheel:
        held = {name for name in wheel.namelist() if name.startswith("turnwright_languages/")}
        files = {f"{code}.yaml" for code in OF_COMPANION} | {f"made/{code}.json" for code in OF_COMPANION}
        assert held == {f"turnwright_languages/{name}" for name in {"__init__.py", *files}}


@pytest.mark.slow
def test_a_wheel_holds_the_compiled_content_in_200_kilobytes_with_its_notice(tmp_path: Path) -> None:
    with built(ROOT, tmp_path / "core") as wheel:
        names = [
            name for name in wheel.namelist() if name.startswith(("turnwright/data/content/", "turnwright/content/"))
        ]
        assert [name for name in names if "/data/" in name] == ["turnwright/data/content/srd-5.1.pack"]
        assert sum(wheel.getinfo(name).compress_size for name in names) <= 200_000
        (notice,) = (name for name in wheel.namelist() if name.endswith("licenses/content/srd-5.1/NOTICE.md"))
        assert wheel.read(notice) == (ROOT / "content" / "srd-5.1" / "NOTICE.md").read_bytes()
        assert not [name for name in wheel.namelist() if name.endswith(".jsonl")]


@pytest.mark.slow
def test_the_same_files_give_the_same_wheel(tmp_path: Path) -> None:
    for name in ("one", "two"):
        built(ROOT / "languages", tmp_path / name).close()
    one, two = (next((tmp_path / name).glob("*.whl")).read_bytes() for name in ("one", "two"))
    assert one == two


@pytest.mark.slow
def test_the_languages_are_not_built_without_what_is_compiled_of_them(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "languages", tmp_path / "languages", ignore=shutil.ignore_patterns(COMPILED_FOLDER))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path / "languages", capture_output=True, text=True)
    assert done.returncode != 0
    assert "the compiled language packs are missing" in done.stderr


def test_the_version_has_one_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert SdistBuilder(str(ROOT)).metadata.version == __version__
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"turnwright, version {__version__}\n"
    assert f"\n## {__version__} - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
