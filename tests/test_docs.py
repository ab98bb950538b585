"""What the documentation says of the code is true: generated parts, citations, links, commands, sessions."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import click
import pytest
from tests.cached_fixtures import schemas
from tests.sampling import sampled

import turnwright
from scripts import generate
from turnwright.campaign.bootstrap import STARTERS
from turnwright.cli._keyboard import HISTORY_PATH
from turnwright.cli.main import COMMANDS, cli
from turnwright.rulesets.fifth_edition.template import TOOLKIT_GROUPS
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.toolbox import TOOLS
from turnwright.store.checkpoint_file import CHECKPOINT_PATH
from turnwright.store.lock import LOCK_PATH
from turnwright.store.secret import SECRET_PATH

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("languages/*.md"),
        *ROOT.glob("campaigns/**/*.md"),
        *ROOT.glob("examples/*.md"),
    ]
)
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
CITING = sorted(
    path
    for folder in ("engine", "tests", "scripts")
    for kind in ("*.py", "*.yaml")
    for path in ROOT.glob(f"{folder}/**/{kind}")
)

CLOCK_PATH = ".turnwright/now"
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CITED = re.compile(r'\b(docs/[\w/-]+\.md)((?:,? (?:and )?"[^"]+")*)')


def prose(page: Path) -> str:
    """Return a page without its code."""
    return re.sub(r"`[^`\n]*`", lambda code: code[0].strip("`"), _FENCE.sub("", page.read_text(encoding="utf-8")))


def headings(page: Path) -> list[str]:
    return _HEADING.findall(prose(page))


def anchor(heading: str) -> str:
    """Return the anchor that a heading gets where Markdown is shown."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


# generated parts


@pytest.mark.slow  # `make check` sees to it
def test_generated_files_are_up_to_date() -> None:
    stale = [path.relative_to(ROOT).as_posix() for path in generate.stale()]
    assert stale == [], "run `make generate`"


def test_every_generated_part_stands_on_some_page() -> None:
    marked = {
        name for page in PAGES for name in re.findall(r"^<!-- generated: ([\w-]+) -->$", page.read_text("utf-8"), re.M)
    }
    assert marked == set(generate.PARTS)


def test_a_stale_page_is_named_and_then_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, leftover = tmp_path / "README.md", tmp_path / "schemas" / "gone.json"
    stale = "before\n<!-- generated: settings -->\nold\n<!-- end generated -->\nafter\n"
    page.write_text(stale, encoding="utf-8")
    leftover.parent.mkdir()
    leftover.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "schemas", schemas)  # the same, made once for all tests

    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    assert generate.main() == 1
    named = capsys.readouterr().out.splitlines()
    assert {"README.md", "schemas/gone.json", "schemas/turn.json"} <= set(named)
    assert page.read_text(encoding="utf-8") == stale
    assert leftover.exists()

    monkeypatch.setattr(sys, "argv", ["generate.py"])
    assert generate.main() == 0
    assert capsys.readouterr().out.splitlines() == named
    assert "old" not in page.read_text(encoding="utf-8")
    assert not leftover.exists()

    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    assert (generate.main(), capsys.readouterr().out) == (0, "")


# citations and links


def citations() -> Iterator[tuple[str, str, str]]:
    """Yield each file that cites a page, the page, and the section, which is empty where the whole page is meant."""
    for path in CITING:
        text = re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
        for page, sections in _CITED.findall(text):
            for section in re.findall(r'"([^"]+)"', sections) or [""]:
                yield path.relative_to(ROOT).as_posix(), page, section


def test_every_cited_section_exists() -> None:
    cited = list(citations())
    assert ("engine/turnwright/campaign/timeline.py", "docs/stages/5-commit.md", "Fork") in cited
    known = {page.relative_to(ROOT).as_posix(): {"", *headings(page)} for page in PAGES}
    assert [where for where in cited if where[2] not in known.get(where[1], ())] == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_link_leads_somewhere(page: Path) -> None:
    dead = []
    for target in _LINK.findall(prose(page)):
        place, _, wanted = target.partition("#")
        if place.startswith(("http://", "https://")):
            continue
        there = (page.parent / place).resolve() if place else page
        if not there.exists() or (wanted and wanted not in map(anchor, headings(there))):
            dead.append(target)
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_examples_in_json_and_python_can_be_read(page: Path) -> None:
    for language, code in _FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            compile(code, page.name, "exec")
        elif language == "json":
            json.loads(code if code.lstrip().startswith("{") else "{" + code + "}")


# what is there is told


def options_of(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from parameter.opts


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_and_its_options_are_in_the_reference(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    section = (ROOT / "docs/cli.md").read_text(encoding="utf-8").partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert f"turnwright {name} " in section
    assert [option for option in options_of(command) if option not in section] == []


@pytest.mark.parametrize("page", ["README.md", "docs/toolkit.md", "docs/stages/3-tools.md", "campaigns/README.md"])
def test_a_page_that_counts_the_tools_of_the_toolkit_counts_them_all(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    counted = re.findall(r"\b(\d+) (?:tools|more belong to \[the toolkit)\b", text)
    assert {int(number) for number in counted} == {sum(folder in TOOLKIT_GROUPS for folder in TOOLS.groups.values())}


def test_the_api_page_lists_the_public_api_and_nothing_else() -> None:
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"auto(?:class|exception):: turnwright\.(\w+)", text)) == sorted(turnwright.__all__)
    methods = {name for name in dir(turnwright.Campaign) if not name.startswith("_")}
    assert set(re.findall(r"auto(?:method|property):: (\w+)", text)) == methods


def test_every_page_is_in_the_navigation() -> None:
    listed = set[Path]()
    for block in re.findall(r"```\{toctree\}\n(.*?)```", (ROOT / "docs/index.md").read_text(encoding="utf-8"), re.S):
        patterns = [line for line in block.splitlines() if line and not line.startswith(":")]
        listed |= {found.resolve() for name in patterns for found in (ROOT / "docs").glob(f"{name}.md")}
    assert [page for page in PAGES if page.resolve() not in listed | {ROOT / "docs/index.md"}] == []


def test_every_kind_of_document_stands_in_the_table_of_files() -> None:
    text = (ROOT / "docs/stages/README.md").read_text(encoding="utf-8")
    table = text.partition("\n## Files\n")[2].partition("\n\n**")[0]
    assert [
        place for place in (*BUILT_IN.documents.single, *BUILT_IN.documents.collections) if f"`{place}" not in table
    ] == []


def test_what_is_only_of_this_machine_is_told_and_left_out_of_version_control() -> None:
    text = (ROOT / "docs/keeping.md").read_text(encoding="utf-8")
    ignored = text.partition("# .gitignore\n")[2].partition("```")[0].split()
    assert sorted(ignored) == sorted(
        f"/{path}" for path in (f"{CHECKPOINT_PATH}*", HISTORY_PATH, LOCK_PATH, CLOCK_PATH)
    )
    table = (ROOT / "docs/stages/README.md").read_text(encoding="utf-8").partition("\n## Files\n")[2]
    row = next(line for line in table.splitlines() if line.startswith("| `.turnwright/` |"))
    files = (HISTORY_PATH, LOCK_PATH, CLOCK_PATH, SECRET_PATH)
    assert [path for path in files if f"`{path.removeprefix('.turnwright/')}`" not in row] == []


@pytest.mark.parametrize("name", STARTERS)
def test_every_template_without_turns_is_told(name: str) -> None:
    section = (ROOT / "docs/stages/1-intake.md").read_text(encoding="utf-8").partition("\n## A new campaign\n")[2]
    assert f"`{name}`" in section or f"`--template {name}`" in section
    assert f"`{name}`" in (ROOT / "docs/cli.md").read_text(encoding="utf-8").partition("\n## new\n")[2]


def mapped() -> list[str]:
    """Return the modules that ARCHITECTURE.md tells of, as patterns; a name without a folder has that before it."""
    patterns = []
    section = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Code map")[2].partition("\n## ")[0]
    for row in re.findall(r"^\| (`.+?) \|", section, re.MULTILINE):
        folder = ""
        for name in re.findall(r"`([^`]+)`", row):
            place, slash, _ = name.rstrip("/").rpartition("/")
            folder = place if slash else folder
            full = name if slash or not folder else f"{folder}/{name}"
            patterns.append(f"{full}*" if full.endswith("/") else full)
    return patterns


def test_the_code_map_names_every_module_and_no_other() -> None:
    package = ROOT / "engine" / "turnwright"
    modules = [path.relative_to(package).as_posix() for path in package.rglob("*.py") if not path.name.startswith("__")]
    patterns = mapped()
    assert [name for name in modules if not any(fnmatch(name, pattern) for pattern in patterns)] == []
    assert [pattern for pattern in patterns if not any(fnmatch(name, pattern) for name in modules)] == []


def test_the_picture_of_the_layers_is_the_import_contract() -> None:
    drawn = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    layers = next(one["layers"] for one in tools["importlinter"]["contracts"] if one["type"] == "layers")
    checked = [layer.replace("turnwright.", "").split(" | ") for layer in layers]
    assert [re.findall(r"\w+", row) for row in drawn.splitlines()] == checked


# sessions

NOW = "2026-01-14T16:05:31+00:00"
TIMED = "new|process|watch|set|undo|fork"
"""Commands that are told the time."""
MARK = "\x1e"
SHOWN = {
    "README.md": 4,
    "docs/turn-files.md": 10,
    "docs/agents.md": 1,
    "docs/suggestions.md": 2,
    "docs/stages/0-prepare.md": 2,
    "docs/other-languages.md": 2,
}
"""The pages that show sessions, and how many commands they have at the least."""
_BLOCK = re.compile(r"^<!-- (run|file: (\S+)) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def session(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a page's marked console blocks, each with the output that the page shows."""
    for kind, _, block in _BLOCK.findall(text):
        if kind != "run":
            continue
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            more = next((i for i, line in enumerate(lines[1:], 1) if not line.startswith("> ")), len(lines))
            command = "\n".join([lines[0], *(line.removeprefix("> ") for line in lines[1:more])])
            yield command, "".join(f"{line}\n" for line in lines[more:])


def matches(shown: str, output: str) -> bool:
    """Return whether output is what a page shows; `[...]` stands for any lines, or for any text inside a line."""
    pattern = re.escape(shown).replace(re.escape("[...]\n"), "(?:.*\n)*?").replace(re.escape("[...]"), ".*?")
    return re.fullmatch(pattern, output) is not None


def prepared(folder: Path) -> dict[str, str]:
    """Put the commands of the pages where a shell finds them; return the shell's environment."""
    programs = folder / ".programs"
    programs.mkdir()
    timed = f'case "$1" in {TIMED}) set -- "$@" --now {NOW};; esac\n'
    for name, lines in (
        ("turnwright", f'{timed}exec "{sys.executable}" -m turnwright "$@"'),
        ("python", f'exec "{sys.executable}" "$@"'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    return {"PATH": path, "PYTHONPATH": str(ROOT / "engine"), "COLUMNS": "100", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="the sessions are those of a Unix shell")
@pytest.mark.parametrize("page", sampled(SHOWN, 1))
def test_the_sessions_of_a_page_show_what_really_happens(tmp_path: Path, page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for _, name, content in _BLOCK.findall(text):
        if name:
            (tmp_path / name).write_text(content, encoding="utf-8")
    steps = list(session(text))
    # Each command is told the exit code of the one before it, and what it says is set apart by a mark.
    script = "".join(f"printf '{MARK}'\n(exit $code)\n{command}\ncode=$?\n" for command, _ in steps)
    shell = ["bash", "-c", f"exec 2>&1\ncode=0\n{script}"]
    environment = prepared(tmp_path)
    done = subprocess.run(shell, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, encoding="utf-8", timeout=60)
    outputs = done.stdout.split(MARK)[1:]
    assert len(steps) == len(outputs) >= SHOWN[page]
    for (command, shown), output in zip(steps, outputs, strict=True):
        assert matches(shown, output), f"$ {command}\n{page} shows:\n{shown}\nbut it says:\n{output}"


def test_every_page_with_a_session_is_tried() -> None:
    shown = [name for name, page in zip(NAMES, PAGES, strict=True) if list(session(page.read_text("utf-8")))]
    assert sorted(shown) == sorted(SHOWN)


def test_a_session_that_shows_something_else_does_not_match() -> None:
    assert matches("a\n[...]\nz\n", "a\nb\nc\nz\n")
    assert matches("a\n[...]\nz\n", "a\nz\n")
    assert matches("1 [...] 3\n", "1 2 3\n")
    assert not matches("a\n", "b\n")
    assert not matches("1 [...] 3\n", "1 2\n3\n")
    assert not matches("a\n", "a\nb\n")
