"""Make what the code says of itself again: schemas/, and the marked parts of the documentation.

    python scripts/generate.py            write everything that is stale
    python scripts/generate.py --check    only name what is stale; leave with 1 if anything is

A marked part begins with a line `<!-- generated: NAME -->` and ends with `<!-- end generated -->`; `PARTS` has a
function for each NAME.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, get_args

import click

from turnwright.cli.main import COMMANDS, cli
from turnwright.model.character import CharacterState
from turnwright.model.log_record import Record
from turnwright.model.reason import TURN_LEVEL, Reason, status_of
from turnwright.model.reply import RefusedReply, TakenReply
from turnwright.model.settings import SETTINGS
from turnwright.schemas import all_schemas, render, turn_schema
from turnwright.stages.prepare import args_schema
from turnwright.suggest.claims._finding import SEVERITY, FindingKind
from turnwright.tools._base import Tool
from turnwright.tools.registry import TOOLS

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/**/*.md")
HELP_WIDTH = 96
_MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end generated -->\n)", re.DOTALL)

Json = Mapping[str, Any]


# tables


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n" for line in lines)


def _code(value: object) -> str:
    return f"`{value}`"


def _docs_of(kind: type[StrEnum]) -> dict[str, str]:
    """Return the text below each member of an enumeration, by the member's value."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for member, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(member, ast.Assign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            value = member.value
            assert isinstance(value, ast.Constant)
            found[str(value.value)] = str(text.value.value)
    return found


def _type(node: Json, root: Json) -> str:
    """Return the type of a part of a schema as a person names it."""
    if "$ref" in node:
        target = str(node["$ref"]).rpartition("/")[2]
        resolved = root.get("$defs", {}).get(target, {})
        return "object" if resolved.get("type") == "object" else _type(resolved, root)
    if "const" in node:
        return _code(json.dumps(node["const"]).strip('"'))
    if "enum" in node:
        return " · ".join(_code(word) for word in node["enum"])
    if branches := node.get("anyOf") or node.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(branch, root) for branch in branches))
    if node.get("type") == "array":
        inner = _type(node.get("items", {}), root)
        return "list" if inner == "any JSON" else f"list of {inner}s" if inner in _PLURAL else f"list of {inner}"
    kind = str(node.get("type", "any JSON"))
    if kind == "integer" and "minimum" in node and node.get("maximum", 2**53) < 2**53:
        return f"integer {node['minimum']} to {node['maximum']}"
    return kind


_PLURAL = frozenset({"string", "object", "integer"})


def _keys(schema: Json, *, required: str, optional: str) -> Iterator[list[str]]:
    for name, node in schema.get("properties", {}).items():
        needed = required if name in schema.get("required", ()) else optional
        yield [_code(name), _type(node, schema), needed, str(node.get("description", ""))]


# parts


def turn_keys() -> str:
    """Return the keys of a turn."""
    schema = turn_schema()
    rows = ([name, kind, text] for name, kind, _, text in _keys(schema, required="", optional=""))
    return _table(["key", "type", "meaning"], rows)


def settings() -> str:
    """Return the settings registry."""
    rows = (
        [_code(row.key), row.kind, _code(json.dumps(row.default)), row.hint]
        for row in sorted(SETTINGS, key=lambda row: row.key)
    )
    return _table(["key", "value", "default", "what it does"], rows)


def tools() -> str:
    """Return every tool in one line."""
    rows = (
        [f"[`{tool.name}`](#{tool.name})", tool.family, "reads" if tool.reads else "changes", tool.summary]
        for tool in TOOLS.values()
    )
    return _table(["tool", "family", "kind", "what it does"], rows)


def tool_part(tool: Tool[Any]) -> str:
    """Return the arguments, the result and an example call of a tool."""
    schema = args_schema(tool)
    rows = list(_keys(schema, required="yes", optional="no"))
    for name, node in schema["properties"].items():
        inner: Json = next((branch for branch in node.get("anyOf", ()) if branch.get("type") == "object"), {})
        rows += [
            [f"`{name}.{key[1:]}", kind, needed, text]
            for key, kind, needed, text in _keys(inner, required="yes", optional="no")
        ]
    result = all_schemas()[f"tools/{tool.name}.result.json"]
    told = ([key, kind, text] for key, kind, _, text in _keys(result, required="", optional=""))
    call = json.dumps({"id": "call_001", "tool": tool.name, "args": tool.example}, ensure_ascii=False)
    parts = (
        _table(["argument", "type", "required", "meaning"], rows),
        _table(["result", "type", "meaning"], told),
        f"```json\n{call}\n```\n",
    )
    return "\n".join(parts)


_ITSELF, _ANOTHER = "pc_001", "npc_001"
_PROBES: Sequence[tuple[str, Json]] = (
    ("on itself, `delta` above 0", {"target_character_id": _ITSELF, "delta": 1}),
    ("on itself, `delta` 0 or below", {"target_character_id": _ITSELF, "delta": -1}),
    ("on another", {"target_character_id": _ANOTHER, "delta": 1}),
)
"""The kinds of call between which a state may tell; see `permits` of the tools."""


def matrix() -> str:
    """Return which call each state permits, as the tools answer when asked."""
    states = list(CharacterState)
    rows = []
    for tool in TOOLS.values():
        answers = [[tool.permits(state, args, _ITSELF) for state in states] for _, args in _PROBES]
        if all(answer == answers[0] for answer in answers):
            rows.append([_code(tool.name), *_words(answers[0])])
            continue
        for (label, _), answer in zip(_PROBES, answers, strict=True):
            rows.append([f"{_code(tool.name)} {label}", *_words(answer)])
    return _table(["call", *map(_code, states)], rows)


def _words(answers: Iterable[bool]) -> list[str]:
    return ["yes" if answer else "no" for answer in answers]


def reasons() -> str:
    """Return every reason with its status."""
    docs = _docs_of(Reason)
    rows = [
        [_code(reason), "the whole turn" if reason in TURN_LEVEL else str(status_of(reason)), docs[reason]]
        for reason in Reason
    ]
    return _table(["reason", "status", "when"], rows)


def findings() -> str:
    """Return the kinds of finding with their usual severity."""
    docs = _docs_of(FindingKind)
    return _table(["kind", "severity", "what is wrong"], ([_code(k), str(SEVERITY[k]), docs[k]] for k in FindingKind))


def records() -> str:
    """Return the keys of each kind of record, in the order in which they are written."""
    parts = []
    for model in get_args(get_args(Record)[0]):
        schema = model.model_json_schema()
        needed = schema["required"]
        names = [_code(name) if name in needed else f"({_code(name)})" for name in schema["properties"]]
        kind = _code(schema["properties"]["kind"]["const"])
        text = f"**{kind}**: {(model.__doc__ or '').strip()} {' · '.join(names)}"
        parts.append(textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n")
    return "\n".join(parts)


def reply() -> str:
    """Return the keys of both kinds of reply."""
    head = ["key", "type", "always there", "meaning"]
    parts = []
    for model in (TakenReply, RefusedReply):
        schema = model.model_json_schema()
        parts.append(f"{model.__doc__}\n\n{_table(head, _keys(schema, required='yes', optional='no'))}")
    return "\n".join(parts)


def command_line() -> str:
    """Return the help of every command."""
    # A width of our own: help must not depend on the terminal that asks for it.
    parent = click.Context(cli, info_name="turnwright", terminal_width=HELP_WIDTH, **cli.context_settings)
    parts = []
    for name in COMMANDS:
        command = cli.get_command(parent, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=parent, terminal_width=HELP_WIDTH)
        parts.append(f"## {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def damage() -> str:
    """Return what is made of each damage, as the tests of damage know it."""
    # They are no part of what is installed, so a script finds them only when it is told where they are.
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    from tests.faults.damage import rows

    return _table(["damage", "`verify`", "`verify --repair`", "next turn"], rows())


PARTS: Mapping[str, Callable[[], str]] = {
    "turn-keys": turn_keys,
    "settings": settings,
    "tools": tools,
    "matrix": matrix,
    "reasons": reasons,
    "findings": findings,
    "records": records,
    "reply": reply,
    "cli": command_line,
    "damage": damage,
    **{f"tool-{tool.name}": partial(tool_part, tool) for tool in TOOLS.values()},
}


# files


def pages() -> list[Path]:
    """Return every page that may hold a generated part."""
    return sorted(page for pattern in PAGES for page in ROOT.glob(pattern))


def filled(text: str) -> str:
    """Return a page with its generated parts made anew."""

    def part(found: re.Match[str]) -> str:
        name = found[2]
        if name not in PARTS:
            raise SystemExit(f"there is no generated part {name!r}; there are {', '.join(PARTS)}")
        return f"{found[1]}\n{PARTS[name]()}\n{found[4]}"

    return _MARKED.sub(part, text)


def wanted() -> dict[Path, bytes | None]:
    """Return what every generated file should hold; None for one that should not be there."""
    schemas = ROOT / "schemas"
    files: dict[Path, bytes | None] = {page: filled(page.read_text(encoding="utf-8")).encode() for page in pages()}
    files |= dict.fromkeys(sorted(schemas.rglob("*.json")))
    return files | {schemas / name: render(schema) for name, schema in all_schemas().items()}


def stale() -> dict[Path, bytes | None]:
    """Return the generated files that do not hold what they should, with what they should hold."""
    return {path: data for path, data in wanted().items() if (path.read_bytes() if path.is_file() else None) != data}


def main() -> int:
    """Write, or with `--check` only name, what is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; leave with 1 if anything is stale")
    check = parser.parse_args().check
    found = stale()
    for path, data in found.items():
        print(path.relative_to(ROOT).as_posix())
        if check:
            continue
        if data is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
