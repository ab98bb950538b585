"""Make what is generated again: schemas/, docs/tools/ and the marked parts of the documentation.

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
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import click

from turnwright.cli.main import COMMANDS, cli
from turnwright.content.kinds import KINDS, MODEL_OF
from turnwright.content.kinds.entry import ContentEntry
from turnwright.model.campaign import Protocol
from turnwright.model.character import CharacterState
from turnwright.model.wire.log_record import Record
from turnwright.model.wire.reason import COMMAND_LEVEL, TURN_LEVEL, Reason, status_of
from turnwright.model.wire.reply import CommandError, RefusedReply, TakenReply, Written
from turnwright.narration.claims._finding import SEVERITY, FindingKind
from turnwright.protocol.stage0_prepare.prepare import args_schema, inline_references, single_schema
from turnwright.protocol.stage0_prepare.schema_table import (
    BATCH_ROWS,
    OF_ARGUMENTS,
    argument_rows,
    code,
    table,
    type_in_words,
)
from turnwright.protocol.stage3_tools.checks import is_permitted
from turnwright.rulesets.aliases import ALIASES
from turnwright.rulesets.argument_schema import note_on
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import TOOLS
from turnwright.schemas.schemas import all_schemas, render, turn_schema

ROOT = Path(__file__).resolve().parent.parent
# Tests are no part of what is installed, so a script finds them only when it is told where they are.
sys.path += [] if str(ROOT) in sys.path else [str(ROOT)]

from scripts import content_docs, mcp_transcript, pictures, scene_docs, suggest_docs  # noqa: E402 - found only now

_MADE = "<!-- made by scripts/generate.py -->"
"""What a page begins with that is generated as a whole."""
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/**/*.md")
HELP_WIDTH = 96
_MARKED = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end generated -->\n)", re.DOTALL)

Json = Any


# tables


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


def _keys(schema: Json, *, required: str, optional: str) -> Iterator[list[str]]:
    for name, node in schema.get("properties", {}).items():
        needed = required if name in schema.get("required", ()) else optional
        yield [code(name), type_in_words(node, schema), needed, str(node.get("description", ""))]


@cache
def schemas() -> Mapping[str, Json]:
    """Return every schema, made once: pages quote them again and again."""
    return all_schemas()


# parts


def turn_keys() -> str:
    """Return the keys of a turn."""
    schema = turn_schema()
    rows = ([name, kind, text] for name, kind, _, text in _keys(schema, required="", optional=""))
    return table(["key", "type", "meaning"], rows)


def settings() -> str:
    """Return the settings registry."""
    rows = (
        [code(row.key), row.kind, code(json.dumps(row.default)), row.hint]
        for _, row in sorted(BUILT_IN.settings.items())
    )
    return table(["key", "value", "default", "what it does"], rows)


def _of_family(family: str) -> list[Tool[Any]]:
    return [tool for tool in TOOLS.values() if tool.family == family]


def tools() -> str:
    """Return every core tool in one line."""
    rows = (
        [f"[`{tool.name}`](#{tool.name})", "reads" if tool.reads else "changes", tool.summary]
        for tool in _of_family("core")
    )
    return table(["tool", "kind", "what it does"], rows)


def tool_part(tool: Tool[Any]) -> str:
    """Return the arguments, the result and an example call of a tool."""
    rows = list(argument_rows(args_schema(tool)))
    result = schemas()[f"tools/{tool.name}.result.json"]
    told = ([key, kind, text] for key, kind, _, text in _keys(result, required="", optional=""))
    call = json.dumps({"id": "call_001", "tool": tool.name, "args": tool.example}, ensure_ascii=False)
    parts = (
        table(OF_ARGUMENTS, rows),
        table(["result", "type", "meaning"], told),
        f"```json\n{call}\n```\n",
    )
    return "\n".join(parts)


def toolkit() -> str:
    """Return every tool of the toolkit in one line, module by module."""
    rows = (
        [
            f"[`{tool.name}`](tools/{tool.name}.md)",
            TOOLS.groups[tool.name],
            "reads" if tool.reads else "changes",
            "yes" if tool.batch else "no",
            tool.summary,
        ]
        for tool in _of_family("toolkit")
    )
    return table(["tool", "module", "kind", "batch", "what it does"], rows)


def aliases() -> str:
    """Return the old names of tools."""
    rows = []
    for old, alias in ALIASES.items():
        stands_for = " ".join(f"`{key}={json.dumps(value)}`" for key, value in alias.inject.items())
        renamed = ", ".join(f"`{before}` is `{after}`" for before, after in alias.rename.items())
        rows.append([code(old), f"[`{alias.tool}`](tools/{alias.tool}.md)", stands_for, renamed])
    return table(["old name", "tool", "stands for", "arguments"], rows)


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
    for tool in _of_family("core"):
        answers = [[is_permitted(tool, state, args, _ITSELF) for state in states] for _, args in _PROBES]
        if all(answer == answers[0] for answer in answers):
            rows.append([code(tool.name), *_words(answers[0])])
            continue
        for (label, _), answer in zip(_PROBES, answers, strict=True):
            rows.append([f"{code(tool.name)} {label}", *_words(answer)])
    return table(["call", *map(code, states)], rows)


def _words(answers: Iterable[bool]) -> list[str]:
    return ["yes" if answer else "no" for answer in answers]


def reasons() -> str:
    """Return every reason with its status."""
    docs = _docs_of(Reason)
    whole = dict.fromkeys(TURN_LEVEL, "the whole turn") | dict.fromkeys(COMMAND_LEVEL, "the command")
    rows = [[code(reason), whole.get(reason, str(status_of(reason))), docs[reason]] for reason in Reason]
    return table(["reason", "status", "when"], rows)


def findings() -> str:
    """Return the kinds of finding with their usual severity."""
    docs = _docs_of(FindingKind)
    return table(["kind", "severity", "what is wrong"], ([code(k), str(SEVERITY[k]), docs[k]] for k in FindingKind))


def records() -> str:
    """Return the keys of each kind of record, in the order in which they are written."""
    parts = []
    for model in get_args(get_args(Record)[0]):
        schema = model.model_json_schema()
        needed = schema["required"]
        names = [code(name) if name in needed else f"({code(name)})" for name in schema["properties"]]
        kind = code(schema["properties"]["kind"]["const"])
        text = f"**{kind}**: {(model.__doc__ or '').strip()} {' · '.join(names)}"
        parts.append(textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n")
    return "\n".join(parts)


def reply() -> str:
    """Return the keys of both kinds of reply."""
    return "\n".join(f"{model.__doc__}\n\n{_keys_of(model)}" for model in (TakenReply, RefusedReply))


def command_error() -> str:
    """Return the keys of what is told when a command stops."""
    return _keys_of(CommandError)


def _keys_of(model: type[Written]) -> str:
    rows = _keys(model.model_json_schema(), required="yes", optional="no")
    return table(["key", "type", "always there", "meaning"], rows)


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
        for below, each in _subcommands(command):
            inner = click.Context(each, info_name=below, parent=context, terminal_width=HELP_WIDTH)
            parts.append(f"```text\n{each.get_help(inner)}\n```\n")
    return "\n".join(parts)


def _subcommands(command: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group, in the order in which they are declared."""
    yield from command.commands.items() if isinstance(command, click.Group) else ()


def damage() -> str:
    """Return what is made of each damage, as the tests of damage know it."""
    from tests.faults.damage import rows

    return table(["damage", "`verify`", "`verify --repair`", "next turn"], rows())


# pages of tools


def tool_pages() -> dict[str, str]:
    """Return the page of every tool of the toolkit and of quests, by its name."""
    from scripts.tool_examples import answered, reasons_of

    replies, failed = answered(), reasons_of()
    described = [*_of_family("toolkit"), *_of_family("quests")]
    return {tool.name: _tool_page(tool, replies[tool.name], failed[tool.name]) for tool in described}


def _tool_page(tool: Tool[Any], reply: Json, failed: Mapping[str, str]) -> str:
    model = tool.args_for(Protocol())
    module, kind = TOOLS.groups[tool.name], "reads only" if tool.reads else "changes the campaign"
    told = [f"# {tool.name}", _MADE, tool.description]
    told.append(f"Module `{module}`; {kind}. What all tools share: [the toolkit](../toolkit.md).")
    told += ["## Arguments"]
    if note := note_on(tool, model):
        told.append(note)
    rows = [*argument_rows(single_schema(tool)), *(BATCH_ROWS if tool.batch else ())]
    told.append(table(OF_ARGUMENTS, rows).rstrip())
    result = schemas()[f"tools/{tool.name}.result.json"]
    result = {**result["$defs"]["one"], "$defs": result["$defs"]} if tool.batch else result
    keys = ([key, kind, text] for key, kind, _, text in _keys(result, required="", optional=""))
    told += ["## Result", table(["key", "type", "meaning"], keys).rstrip()]
    told += ["## Reasons", "Reasons for which it fails, each with one it has failed for:"]
    told.append(table(["reason", "such as"], ([code(reason), text] for reason, text in failed.items())).rstrip())
    call = {"id": "call_001", "tool": tool.name, "args": tool.example}
    told += ["## Example", f"```json\n{folded(call)}\n```", "gives", f"```json\n{folded(reply)}\n```"]
    return "\n\n".join(told) + "\n"


def folded(value: Any, indent: str = "", width: int = 116) -> str:
    """Return JSON on as few lines as fit a width."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= width or not isinstance(value, (dict, list)) or not value:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {folded(item, inner, width - len(key) - 4)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + folded(item, inner, width) for item in value) + f"\n{indent}]"


def output_part(model: type[Any]) -> str:
    """Return the fields of a document that the game master hands in."""
    rows = list(argument_rows(inline_references(model.model_json_schema())))
    return f"{(model.__doc__ or '').strip()}\n\n" + table(["field", "type", "required", "meaning"], rows)


def content_keys(kind: str) -> str:
    """Return the keys of an entry of a kind that this kind alone has."""
    schema = MODEL_OF[kind].model_json_schema()
    shared = {*ContentEntry.model_fields}
    rows = _keys(schema, required="yes", optional="no")
    own = ([name, told, needed, text] for name, told, needed, text in rows if name.strip("`") not in shared)
    return table(["key", "type", "required", "meaning"], own)


SCENE_TABLES = (
    scene_docs.edges,
    scene_docs.matrix,
    scene_docs.removed,
    scene_docs.tools,
    scene_docs.tiers,
    scene_docs.costs,
    scene_docs.prices,
    scene_docs.mask,
    scene_docs.events,
    scene_docs.waiting,
    scene_docs.traumas,
)

SUGGEST_TABLES = (
    suggest_docs.rules,
    suggest_docs.intents,
    suggest_docs.context,
    suggest_docs.predicates,
    suggest_docs.languages,
)


def _table_part(make: Callable[[Callable[..., str]], str]) -> Callable[[], str]:
    return lambda: make(table)


PARTS: Mapping[str, Callable[[], str]] = {
    "mcp-session": mcp_transcript.transcript,
    "turn-keys": turn_keys,
    "settings": settings,
    "tools": tools,
    "matrix": matrix,
    "reasons": reasons,
    "findings": findings,
    "records": records,
    "reply": reply,
    "command-error": command_error,
    "cli": command_line,
    "damage": damage,
    "toolkit": toolkit,
    "aliases": aliases,
    **{f"tool-{tool.name}": partial(tool_part, tool) for tool in (*_of_family("core"), *_of_family("scenes"))},
    "scene-phases": scene_docs.phases,
    "scene-moods": scene_docs.moods,
    **{f"scene-{make.__name__}": _table_part(make) for make in SCENE_TABLES},
    **{f"content-{make.__name__}": _table_part(make) for make in (content_docs.tiers, content_docs.entries)},
    **{f"content-keys-{kind}": partial(content_keys, kind) for kind in KINDS},
    **{f"suggest-{make.__name__}": _table_part(make) for make in SUGGEST_TABLES},
    **{f"output-{name}": partial(output_part, model) for name, model in scene_docs.outputs()},
}


# files


def pages() -> list[Path]:
    """Return every page that may hold a generated part."""
    return sorted(page for pattern in PAGES for page in ROOT.glob(pattern))


def filled(text: str) -> str:
    """Return a page with its generated parts regenerated."""

    def part(found: re.Match[str]) -> str:
        name = found[2]
        if name not in PARTS:
            raise SystemExit(f"there is no generated part {name!r}; there are {', '.join(PARTS)}")
        return f"{found[1]}\n{PARTS[name]()}\n{found[4]}"

    return _MARKED.sub(part, text)


def wanted() -> dict[Path, bytes | None]:
    """Return what every generated file should hold; None for one that should not be there."""
    home = ROOT / "schemas"
    files: dict[Path, bytes | None] = {page: filled(page.read_text(encoding="utf-8")).encode() for page in pages()}
    files |= dict.fromkeys(sorted(home.rglob("*.json")))
    files |= {home / name: render(schema) for name, schema in schemas().items()}
    files |= {ROOT / "docs" / "images" / name: picture.encode() for name, picture in pictures.pictures().items()}
    described = ROOT / "docs" / "tools"
    files |= {page: None for page in sorted(described.glob("*.md")) if _MADE in page.read_text(encoding="utf-8")}
    return files | {described / f"{name}.md": page.encode() for name, page in tool_pages().items()}


def stale() -> dict[Path, bytes | None]:
    """Return the generated files that do not hold what they should, with what they should hold."""
    return {path: held for path, held in wanted().items() if (path.read_bytes() if path.is_file() else None) != held}


def main() -> int:
    """Write, or with `--check` only name, what is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; leave with 1 if anything is stale")
    check = parser.parse_args().check
    found = stale()
    for path, held in found.items():
        print(path.relative_to(ROOT).as_posix())
        if check:
            continue
        if held is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(held)
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
