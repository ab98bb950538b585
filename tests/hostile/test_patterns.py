"""Regular expressions take time in proportion to the text, and so does the whole check of a narration."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.cached_fixtures import schemas
from tests.facts import findings
from tests.growth import Work as Timed
from tests.growth import growth, seconds
from tests.sampling import some

import turnwright
from turnwright.language.tokens import regions_of, windows, words_of
from turnwright.narration.verifier import CallOutcome, Facts, Person

SHORT, LONG = 2_000, 8_000
MAX_GROWTH = 2.25
"""What four times the text may cost, for each of its letters: what grows with the square costs 4."""


LOCAL = "turnwright.llm.local"

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


def slow_cases(
    work: Work, cases: Iterable[tuple[str, str]], sizes: tuple[int, int] = (SHORT, LONG)
) -> dict[tuple[str, str], float]:
    """Return the cases, and how they grow, for which some work takes more than its share of time for a longer text."""
    quick = seconds(_yardstick)
    found = {case: _growth(work, case, sizes) for case in cases if seconds(_spoilt(work, sizes[1], *case)) > quick}
    return {case: grown for case, grown in found.items() if grown > MAX_GROWTH}


def _yardstick() -> None:
    """Walk through a long text some times: what costs less than that is not looked at closer."""
    for _ in range(40):
        for letter in "a" * LONG:
            letter.isalpha()


def _growth(work: Work, case: tuple[str, str], sizes: tuple[int, int]) -> float:
    return growth(lambda size: _spoilt(work, size, *case), *sizes, MAX_GROWTH)


def _spoilt(work: Work, size: int, unit: str, lead: str = "") -> Timed:
    """Return the work for a text that is one unit again and again, with endings that spoil a match."""
    texts = [lead + (unit * size)[:size] + end for end in ("", "\x01", "é", "x\nx")]
    return lambda: [work(text) for text in texts]


MADE = {
    "turnwright.game_master.knowledge.known_world",
    "turnwright.schemas.faults",
    "turnwright.store.documents",
    "turnwright.language.grammar",
    "turnwright.suggestions.pack",
    "turnwright.suggestions.rule",
    "turnwright.language.verbs",
    "turnwright.analysis.learn.proposals",
}


@pytest.mark.parametrize("name", USES)
def test_a_pattern_is_linear(name: str) -> None:
    assert slow_cases(USES[name], some(CASES, 32)) == {}


@pytest.mark.parametrize("pattern", SCHEMA_PATTERNS)
def test_a_pattern_of_a_schema_is_linear(pattern: str) -> None:
    assert slow_cases(re.compile(pattern).search, some(CASES, 32)) == {}


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
SCENE = Facts(
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


LONGER_THAN_READ_WHOLE = (8_000, 32_000)


@pytest.mark.parametrize(
    ("part", "sizes"),
    [(words_of, (SHORT, LONG)), (regions_of, (SHORT, LONG)), (windows, LONGER_THAN_READ_WHOLE)],
    ids=["words", "regions", "windows"],
)
def test_reading_a_text_is_linear_whatever_is_repeated(part: Work, sizes: tuple[int, int]) -> None:
    assert slow_cases(part, [(unit, "") for unit in some(SENTENCES, 11)], sizes) == {}


def test_the_time_to_check_a_narration_grows_no_faster_than_the_narration() -> None:
    for unit in SENTENCES:
        assert growth(lambda size, unit=unit: lambda: checked((unit * size)[:size]), 500, 2000, 2.5) < 2.5, unit  # type: ignore[misc]


@pytest.mark.slow
def test_the_time_to_check_a_very_long_narration_grows_no_faster_than_it_does() -> None:
    for unit in SENTENCES:
        assert growth(lambda size, unit=unit: _spoilt(checked, size, unit), 1 << 14, 1 << 17, 3) < 3, unit  # type: ignore[misc]
