"""Count the engine: statements, and annotations that say nothing of what a mapping holds.

    python -m scripts.count_code [--list]

Statements are nodes of the syntax tree that are statements; docstrings are not counted. An open annotation is one of a
parameter or a return that is, or holds, `dict`, `Mapping` or `MutableMapping` without arguments or with values of `Any`
or `object`, also by the name of an alias. `--list` prints where each open annotation stands.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1] / "engine/turnwright"
_MAPPINGS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_ANYTHING = frozenset({"Any", "object"})
Aliases = Mapping[str, ast.expr]
"""What a name stands for in a module."""


class OpenAnnotation(NamedTuple):
    """An annotation that says nothing of the values of a mapping.

    Attributes:
        path: of the module, below the package.
        line: from 1.
        function: the name of the function.
        annotation: as it is written.
    """

    path: str
    line: int
    function: str
    annotation: str


def count_statements(tree: ast.Module) -> int:
    """Return how many statements a module has, docstrings left out."""
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(tree))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return statements - sum(
        ast.get_docstring(node, clean=False) is not None for node in ast.walk(tree) if isinstance(node, documented)
    )


def open_annotations(path: str, tree: ast.Module, aliases: Aliases) -> Iterator[OpenAnnotation]:
    """Yield the open annotations of the parameters and returns of a module."""
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        for annotation in [*(argument.annotation for argument in every if argument), node.returns]:
            if annotation is not None and _is_open(_parsed(annotation), aliases):
                yield OpenAnnotation(path, annotation.lineno, node.name, ast.unparse(annotation))


def _parsed(annotation: ast.expr) -> ast.expr:
    """Return an annotation, out of its quotes."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def _is_open(node: ast.expr, aliases: Aliases, seen: frozenset[str] = frozenset()) -> bool:
    if isinstance(node, ast.Name):
        if node.id in aliases and node.id not in seen:
            return _is_open(aliases[node.id], aliases, seen | {node.id})
        return node.id in _MAPPINGS
    if isinstance(node, ast.Subscript):
        if _name(node.value) in _MAPPINGS and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
            value = node.slice.elts[1]
            return _name(value) in _ANYTHING or _is_open(value, aliases, seen)
        return _is_open(node.slice, aliases, seen)
    return any(_is_open(child, aliases, seen) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def aliases_of(trees: Mapping[str, ast.Module]) -> dict[str, dict[str, ast.expr]]:
    """Return the aliases of each module: its own, and those that it imports from another of these modules."""
    own = {module: dict(_own_aliases(tree)) for module, tree in trees.items()}
    found = {module: dict(aliases) for module, aliases in own.items()}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module in own:
                for name in node.names:
                    if name.name in own[node.module]:
                        found[module][name.asname or name.name] = own[node.module][name.name]
    return found


def _own_aliases(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if not isinstance(value, (ast.Subscript, ast.BinOp, ast.Name)):
            continue
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, value
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, value


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="count_code", description="Count statements and open annotations.")
    parser.add_argument("--list", action="store_true", help="print where each open annotation stands")
    options = parser.parse_args()
    trees: dict[str, ast.Module] = {}
    paths: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        parts = [part for part in relative.with_suffix("").parts if part != "__init__"]
        module = ".".join(["turnwright", *parts])
        trees[module] = ast.parse(path.read_text(encoding="utf-8"))
        paths[module] = relative.as_posix()
    aliases = aliases_of(trees)
    found = [each for module, tree in trees.items() for each in open_annotations(paths[module], tree, aliases[module])]
    if options.list:
        for each in found:
            print(f"{each.path}:{each.line}: {each.function}: {each.annotation}")
    print(f"{sum(map(count_statements, trees.values()))} statements in {len(trees)} modules")
    print(f"{len(found)} open annotations")


if __name__ == "__main__":
    main()
