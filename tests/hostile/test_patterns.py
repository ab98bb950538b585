"""Regular expressions take time in proportion to the text, and so does the whole check of a narration."""

from __future__ import annotations

import ast
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.made import schemas

import turnwright
from turnwright.suggest.narration import CallOutcome, Person, Scene, findings
from turnwright.suggest.tokens import regions_of, windows, words_of

SHORT, LONG = 2_000, 8_000
MOST_GROWTH = 9
"""Four times the text may take this many times as long: quadratic would be 16."""
NOISE_S = 0.03
"""What is quicker than this is not compared."""


LOCAL = "turnwright.dm.models.local"

Work = Callable[[str], object]


def modules() -> Iterator[tuple[ModuleType, str]]:
    """Yield every module of the package that can be imported here, and its source."""
    for info in pkgutil.walk_packages(turnwright.__path__, "turnwright."):
        if info.name == LOCAL and find_spec("xllamacpp") is None:
            continue  # the model that runs in this process is an extra
        if not info.name.endswith("__main__"):
            module = import_module(info.name)
            yield module, Path(str(module.__file__)).read_text(encoding="utf-8")


def compiled() -> dict[str, Work]:
    """Return what the package does with each pattern that it keeps compiled, by the name of the pattern."""
    found: dict[re.Pattern[Any], str] = {}
    for module, _ in MODULES:
        for name, value in vars(module).items():
            values = (
                value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
            )
            for item in values:
                if isinstance(item, re.Pattern):
                    found.setdefault(item, f"{module.__name__}.{name}")
    return {name: _everything_done_with(pattern, name.rpartition(".")[2]) for pattern, name in found.items()}


def _methods_called() -> dict[str, set[str]]:
    """Return which methods are called of what has a name, anywhere in the package."""
    methods: dict[str, set[str]] = {}
    for _, text in MODULES:
        for name, method in re.findall(r"\b(\w+)\.(\w+)\(", text):
            methods.setdefault(name, set()).add(method)
    return methods


def _everything_done_with(pattern: re.Pattern[Any], name: str) -> Work:
    methods = sorted(METHODS.get(name, ()))
    assert methods, f"nobody uses {name}"
    return lambda text: [_done(pattern, method, text) for method in methods]


def called() -> Iterator[tuple[str, str, re.Pattern[Any] | None]]:
    """Yield every call of a function of `re`: where it stands, the function, and the pattern if it is a fixed one."""
    for module, text in (one for one in MODULES if re.search(r"\bre\.", one[1])):
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=function), args=[given, *_]):
                    yield f"{module.__name__}:{node.lineno}", function, _pattern(module, given, node)


def _pattern(module: ModuleType, given: ast.expr, call: ast.Call) -> re.Pattern[Any] | None:
    names = {**vars(module), "re": re}
    try:
        flags = [eval(ast.unparse(part), names) for part in call.args[2:] if "re." in ast.unparse(part)]  # noqa: S307
        return re.compile(eval(ast.unparse(given), names), *flags)  # noqa: S307
    except NameError:
        return None


def _done(pattern: re.Pattern[Any], method: str, text: str) -> object:
    given = text if isinstance(pattern.pattern, str) else text.encode(errors="surrogatepass")
    if method == "sub":
        return pattern.sub(given[:0], given)
    found = getattr(pattern, method)(given)
    return sum(1 for _ in found) if method == "finditer" else found


def work_of_calls() -> Iterator[tuple[str, Work]]:
    for place, function, pattern in CALLED:
        if pattern and function != "compile":
            yield place, lambda text, pattern=pattern, function=function: _done(pattern, function, text)  # type: ignore[misc]


def in_schemas(node: Any) -> Iterator[str]:
    """Yield every pattern of a schema: those readers with Python's `re` run, too."""
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            yield node["pattern"]
        yield from node.get("patternProperties", {})
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from in_schemas(inner)


MODULES = tuple(modules())
METHODS = _methods_called()
CALLED = tuple(called())
USES = compiled() | dict(work_of_calls())
SCHEMA_PATTERNS = sorted({pattern for schema in schemas().values() for pattern in in_schemas(schema)})
UNITS = (
    *("a", "A", "0", "9", "_", "-", ".", ",", "'", '"', "`", "(", ")", "[", "]", "{", " ", "\t", "\n", "\x1b", "\x00"),
    *("é", "e\u0301", "\u0301", "’", "“", "«", "😀", "\ud800", "\u202e", "٣", "İ", "ß", "ﬀ", "K", "\uffff"),
    *("a-", "a_", "a'", "1.", "1,", "0hp", "--", "..", "- ", "'a", "a' ", ". ", "area_0", "milestone_0", "1__", "\n\n"),
    *(
        "d",
        "kh",
        "adv",
        "1d",
        "turn_",
        "<a>",
        "&#",
        "2026-01-",
        "0123456789abcdef",
        "player:",
        "```",
        "|",
        "hp0",
        "_-_-",
    ),
)


LEADS = ("```", "```\nx", "heal", "<think", "[think", "<|", '"', "x:", "1d6", "@a")
"""What a pattern may want before the rest of a text is tried in more than one way."""
CASES = [*((unit, "") for unit in UNITS), *((blank, lead) for blank in (" ", "\t", "\n") for lead in LEADS)]
"""What is repeated, and what stands before it."""


def growth(work: Work, unit: str, lead: str = "") -> float:
    """Return how many times as long four times the text takes, the least of three tries: others work here, too.

    It is 1 for what is quick whatever its length.
    """
    found = _growth(work, unit, lead)
    for _ in range(2):
        if found > MOST_GROWTH:
            found = min(found, _growth(work, unit, lead))
    return found


def _growth(work: Work, unit: str, lead: str) -> float:
    costs = (_cost(work, unit, size, lead) for size in (LONG, LONG, SHORT, SHORT))
    if (long := next(costs)) < NOISE_S:
        return 1
    return min(long, next(costs)) / max(min(costs), NOISE_S / 16)


def _cost(work: Work, unit: str, size: int, lead: str = "") -> float:
    """Return the seconds for a text that is one unit again and again, with endings that spoil a match."""
    texts = [lead + (unit * size)[:size] + end for end in ("", "\x01", "é", "x\nx")]
    started = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - started


MADE = {
    "turnwright.dm.horizon",
    "turnwright.schema_faults",
    "turnwright.store.documents",
    "turnwright.suggest.grammar",
    "turnwright.suggest.pack",
    "turnwright.suggest.rule",
    "turnwright.suggest.verbs",
    "turnwright.dm.learn.proposals",
}


@pytest.mark.parametrize("name", USES)
def test_a_pattern_is_linear(name: str) -> None:
    slow = {case: found for case in CASES if (found := growth(USES[name], *case)) > MOST_GROWTH}
    assert slow == {}


@pytest.mark.parametrize("pattern", SCHEMA_PATTERNS)
def test_a_pattern_of_a_schema_is_linear(pattern: str) -> None:
    search = re.compile(pattern).search
    slow = {case: found for case in CASES if (found := growth(search, *case)) > MOST_GROWTH}
    assert slow == {}


def test_every_pattern_is_one_that_is_tried_here() -> None:
    assert len(USES) >= 12
    assert len(SCHEMA_PATTERNS) >= 4
    # Patterns that are not fixed come from our own schemas, from packs of words, checked for bounds on loading, or are
    # escaped names with a look at what stands beside them.
    made = {place.partition(":")[0] for place, _, pattern in CALLED if pattern is None}
    assert made == MADE
    kept = {pattern for _, function, pattern in CALLED if function == "compile" and pattern is not None}
    assert len(kept) == len(compiled())


# narrations

SENTENCES = (
    *('"', "'", "“", "not ", "n't ", "not not ", "and ", "if ", "(", "[", "{", "```", "((([[[", "'a' ", 'said, "', "é"),
    *("Mira ", "mira mira", "you ", "Mira takes 5 damage and ", "would ", "\n", "- ", "... ", "5 ", "aaaa", "\u0301"),
)
SCENE = Scene(
    "pc_001",
    (Person("pc_001", "Mira", "alive"), Person("npc_001", "Mira of Mira", "alive")),
    {"area_001": "Mira", "area_002": "And If Not"},
    tuple(
        CallOutcome("hp_delta", {"target_character_id": "pc_001", "delta": -5}, False, "invalid_args", {}) for _ in "64"
    ),
    (12,),
    "scene_description",
)


def checked(text: str) -> object:
    return findings(text, SCENE)


@pytest.mark.parametrize("part", [words_of, regions_of, windows], ids=lambda part: str(part.__name__))
def test_reading_a_text_is_linear_whatever_is_repeated(part: Callable[[str], object]) -> None:
    slow = {unit: found for unit in SENTENCES if (found := growth(part, unit)) > MOST_GROWTH}
    assert slow == {}


def test_checking_a_narration_takes_bounded_time_whatever_is_repeated() -> None:
    for unit in SENTENCES:
        assert min(_cost(checked, unit, 4000) for _ in range(2)) < 1.5, unit


@pytest.mark.slow
def test_checking_the_longest_narration_takes_bounded_time_whatever_is_repeated() -> None:
    for unit in SENTENCES:
        assert _cost(checked, unit, 1 << 20) < 9, unit
