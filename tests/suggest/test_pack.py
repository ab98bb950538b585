"""A language pack: every fault of its file is found when it is loaded, with the line where it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.suggest.looking import engine

from turnwright.language.pattern_prefixes import first_words
from turnwright.model import data
from turnwright.rulesets.suggesting import BUILT_IN, PACKS
from turnwright.suggestions import pack as pack_module
from turnwright.suggestions.pack import PackError, load_pack, read_pack
from turnwright.suggestions.pack_files import RECOGNIZED, PackFiles, files_of
from turnwright.suggestions.snapshot import Snapshot

GOOD = r"""
# A comment is kept out of the way.
language: en
grammar:
  inflects: true
  words:
    selves: i we
  patterns:
    question: "^(?:do|can) (?:i|we)\\b"
    negator: "\\bnot\\b"
    hypothetical: "\\bwould\\b"
irregular: take took taken
verbs:
  take: take grab
  common: look
lists:
  articles: the a
rules:
  r15_rest_short:
    base: {rest: 0.9}
    patterns:
      named:
        at: anywhere
        needs: short
        pattern: "\\bshort rest\\b"
        intents: [rest.short]
        weight: 0.8
        match: ["A short rest, then"]
        no_match: ["Can we have a short rest?", "Resting"]
  r17_party:
    base: {named: 0.85}
    patterns:
      grabbed:
        pattern: "{take} (?P<who>.{1,40})"
        intents: [party.add]
        match: ["I take Bran"]
        no_match: ["I do not take Bran"]
""".lstrip()


def broken(old: str, new: str) -> PackError:
    """Return what is wrong with the pack once a piece of it is replaced."""
    assert GOOD.count(old) == 1, old
    with pytest.raises(PackError) as caught:
        read_pack(GOOD.replace(old, new), "suggest/xx.yaml", BUILT_IN)
    return caught.value


def line_of(text: str, number: int = 0) -> int:
    """Return the line of the pack, from 1, on which a text stands."""
    return next(i for i, line in enumerate(GOOD.splitlines(), 1) if text in line) + number


def test_a_good_pack_is_read() -> None:
    pack = read_pack(GOOD, "suggest/xx.yaml", BUILT_IN)
    assert (pack.language, sorted(pack.rules)) == ("en", ["r15_rest_short", "r17_party"])
    assert len(pack.version) == 12
    assert read_pack(GOOD, "suggest/xx.yaml", BUILT_IN).version == pack.version
    assert read_pack(GOOD + "# more\n", "suggest/xx.yaml", BUILT_IN).version != pack.version


def test_a_rule_shares_patterns_of_one_above() -> None:
    text = GOOD.replace("base: {named: 0.85}", "base: {named: 0.85}\n    also: {r15_rest_short: [named]}")
    rules = read_pack(text, "suggest/xx.yaml", BUILT_IN).rules
    assert set(rules["r17_party"].patterns) == {"grabbed", "named"}
    assert rules["r17_party"].patterns["named"] is rules["r15_rest_short"].patterns["named"]


FAULTS = {
    "an unknown rule": ("  r17_party:", "  r17_parties:", "r17_party:", "there is no such rule"),
    "an unknown agent": ("base: {rest: 0.9}", "agents: [narrator]\n    base: {rest: 0.9}", "base: {rest", "agents"),
    "an unknown intent": (
        "intents: [rest.short]",
        "intents: [rest.shrot]",
        "intents: [rest",
        "there is no intent rest.shrot",
    ),
    "an intent of another rule": (
        "intents: [rest.short]",
        "intents: [rest.long]",
        "intents: [rest",
        "no intent of this rule",
    ),
    "an unknown predicate": (
        "base: {rest: 0.9}",
        "requires: [full_moon]\n    base: {rest: 0.9}",
        "base: {rest",
        "there is no predicate full_moon",
    ),
    "a pattern that does not compile": (
        r"\\bshort rest\\b",
        r"\\b(short rest\\b",
        'pattern: "\\\\bshort',
        "unterminated",
    ),
    "an unbounded gap": (
        r"\\bshort rest\\b",
        r"\\b(?:short|quick).*(?:rest|break)\\b",
        'pattern: "\\\\bshort',
        "no bound",
    ),
    "an unbounded word": (r"\\bshort rest\\b", r"\\bshort \\w+ rest\\b", 'pattern: "\\\\bshort', "no bound"),
    "an unbounded group": (r"\\bshort rest\\b", r"\\b(?:short )+rest\\b", 'pattern: "\\\\bshort', "no bound"),
    "an open count": (r"\\bshort rest\\b", r"\\bshort.{3,}rest\\b", 'pattern: "\\\\bshort', "no bound"),
    "an unknown list": (r"\\bshort rest\\b", r"\\b{nouns} rest\\b", 'pattern: "\\\\bshort', "there is no list nouns"),
    "a hint that can never be shown": ("weight: 0.8", "weight: 0.6", "weight: 0.8", "can never reach 0.6"),
    "no example": ('        match: ["A short rest, then"]\n', "", "named:", "match"),
    "an empty list of examples": ('match: ["A short rest, then"]', "match: []", 'match: ["A short', "match"),
    "no counterexample": (
        '        no_match: ["Can we have a short rest?", "Resting"]\n',
        "",
        "named:",
        "no_match",
    ),
    "an example that does not match": (
        "A short rest, then",
        "A long rest",
        "A short rest",
        "'A long rest' does otherwise",
    ),
    "a counterexample that matches": ('"Resting"', '"A short rest"', '"Resting"', "'A short rest' does otherwise"),
    "intents that exclude each other": (
        "intents: [party.add]",
        "intents: [party.add, party.remove]",
        "intents: [party",
        "party.add and party.remove exclude each other",
    ),
    "an unknown key of a pattern": ("needs: short", "wants: short", "needs: short", "wants"),
    "an unknown key of a rule": (
        "base: {named: 0.85}",
        "base: {named: 0.85}\n    chain: true",
        "base: {named",
        "chain",
    ),
    "patterns of a rule that is not above": (
        "base: {named: 0.85}",
        "base: {named: 0.85}\n    also: {r03_item_take: [take]}",
        "base: {named",
        "no rule r03_item_take with these patterns stands above it",
    ),
    "a pattern that the rule above does not have": (
        "base: {named: 0.85}",
        "base: {named: 0.85}\n    also: {r15_rest_short: [unnamed]}",
        "base: {named",
        "no rule r15_rest_short with these patterns stands above it",
    ),
    "an unknown key of the pack": ("verbs:", "rule_priority_order: []\nverbs:", "verbs:", "rule_priority_order"),
    "a confidence beyond 1": ("named: 0.85", "named: 1.5", "named: 0.85", "less than or equal to 1"),
    "a place that is none": ("at: anywhere", "at: somewhere", "at: anywhere", "at"),
    "a grammar that does not compile": (r"\\bwould\\b", r"\\b(would", "hypothetical:", "unterminated"),
    "a grammar that repeats without bound": (
        r"^(?:do|can) (?:i|we)\\b",
        r"^(?:(?:so|and)[, ]?)*(?:do|can) (?:i|we)\\b",
        "question:",
        "no bound",
    ),
}
SHIFTED = {
    "patterns of a rule that is not above": 1,
    "a pattern that the rule above does not have": 1,
    "an unknown agent": 0,
    "an unknown predicate": 0,
    "an unknown key of a rule": 1,
}
"""Where a fault brings a line of its own: how far below it stands."""


@pytest.mark.parametrize("name", FAULTS)
def test_a22_a_fault_is_found_with_file_and_line(name: str) -> None:
    old, new, near, told = FAULTS[name]
    error = broken(old, new)
    assert told in error.fault
    assert error.line == line_of(near, SHIFTED.get(name, 0))
    assert str(error).startswith(f"suggest/xx.yaml:{error.line}: ")


@pytest.mark.parametrize("text", ["", "a: [", "language: en\nlanguage: de\n", "- 1\n"])
def test_a22_what_is_no_pack_is_told_with_the_file(text: str) -> None:
    with pytest.raises(PackError, match=r"^suggest/xx\.yaml"):
        read_pack(text, "suggest/xx.yaml", BUILT_IN)


@pytest.mark.parametrize("language", RECOGNIZED)
def test_the_packs_that_come_along_are_good(language: str) -> None:
    pack = PACKS.of(language)
    assert pack is not None
    assert pack.language == language


def test_a_pack_is_found_by_the_first_part_of_a_language() -> None:
    assert PACKS.of("en-GB") is PACKS.of("EN_us") is PACKS.of("en")
    assert PACKS.of("tlh") is None


def test_a_pack_is_a_line_for_each_rule_that_reads_words() -> None:
    pack = PACKS.of("en")
    assert pack is not None
    assert set(pack.rules) == {rule.id for rule in BUILT_IN.rules if rule.reads_text}


def test_a_comment_or_a_new_order_of_lists_changes_no_hint() -> None:
    message = "We take a short rest."
    packs = [read_pack(text, "x", BUILT_IN) for text in (GOOD, GOOD.replace("the a", "a the") + "# end\n")]
    found = [engine(packs=lambda _, pack=pack: pack).suggest(message, Snapshot()) for pack in packs]  # type: ignore[misc]
    assert found[0].suggestions == found[1].suggestions != ()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("  inflects: true", "  inflects: {}", "grammar.inflects: "),
        ("  words:\n    selves: i we", "  words: 7", "grammar.words: "),
        ("  inflects: true", "  inflect: true", "grammar.inflect: "),
        ("  inflects: true", '  contractions: {"(?:short)": "\\\\9"}', "grammar.contractions: invalid group reference"),
    ],
)
def test_a_grammar_of_the_wrong_form_is_told(old: str, new: str, told: str) -> None:
    assert told in broken(old, new).fault


# reading a file again


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackFiles:
    """Give the files of an English pack, which may be changed; it is the one in use."""
    found = PackFiles("en", tmp_path, "packs/en.yaml")
    (tmp_path / "en.yaml").write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr(PACKS, "_kept", {})
    monkeypatch.setattr(pack_module, "files_of", lambda _: found)
    return found


def test_a_pack_is_read_again_only_when_its_file_has_changed(files: PackFiles, tmp_path: Path) -> None:
    first = PACKS.of("en")
    assert PACKS.in_use == ("en",)
    PACKS.reload(files)
    assert PACKS.of("en") is first
    (tmp_path / "en.yaml").write_text(GOOD + "# changed\n", encoding="utf-8")
    assert PACKS.of("en") is first
    PACKS.reload(files)
    changed = PACKS.of("en")
    assert changed is not None
    assert first is not None
    assert changed.version != first.version


def test_a_file_that_broke_leaves_the_pack_that_is_in_use(files: PackFiles, tmp_path: Path) -> None:
    first = PACKS.of("en")
    (tmp_path / "en.yaml").write_text(GOOD.replace("rest.short", "rest.shrot"), encoding="utf-8")
    with pytest.raises(PackError, match=r"packs/en\.yaml:\d+: .*rest\.shrot"):
        PACKS.reload(files)
    assert PACKS.of("en") is first
    (tmp_path / "en.yaml").write_text(GOOD, encoding="utf-8")
    PACKS.reload(files)
    assert PACKS.of("en") is first


def test_a_pack_of_another_language_than_its_file_is_told_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "tlh.yaml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(PackError, match=r"^packs/tlh\.yaml:2: language: must be tlh.* \(got en\)$"):
        load_pack(PackFiles("tlh", tmp_path, "packs/tlh.yaml"), BUILT_IN)


# what is compiled of a pack


@pytest.mark.parametrize("language", ["fr", "zh"])
def test_a_compiled_pack_is_neither_parsed_nor_tried_again_and_is_the_same(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_of(language)
    assert files is not None
    read = read_pack(files.text(), files.name, BUILT_IN)
    monkeypatch.delattr(data, "parsed")
    monkeypatch.delattr(pack_module, "try_patterns")
    kept = load_pack(files, BUILT_IN)
    assert (kept.language, kept.version, kept.lists) == (read.language, read.version, read.lists)
    assert kept.grammar.data == read.grammar.data
    assert list(kept.rules.items()) == list(read.rules.items())


@pytest.mark.parametrize("change", [lambda text: text.replace("<catch>", "(<catch>", 1), lambda text: text + "{"])
def test_a_compiled_pack_whose_file_was_edited_is_checked_whole(change: Callable[[str], str], tmp_path: Path) -> None:
    shipped = files_of("en")
    assert shipped is not None
    text, compiled = shipped.text(), shipped.compiled()
    assert change(text) != text
    assert compiled is not None
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "en.json").write_text(compiled, encoding="utf-8")
    (tmp_path / "en.yaml").write_text(text, encoding="utf-8")
    files = PackFiles("en", tmp_path, "packs/en.yaml")
    assert load_pack(files, BUILT_IN).language == "en"
    (tmp_path / "en.yaml").write_text(change(text), encoding="utf-8")
    with pytest.raises(PackError, match=r"packs/en\.yaml"):
        load_pack(files, BUILT_IN)


@pytest.mark.parametrize("held", [b"", b"{", b"[]", b"{}", b"\xff", b'{"version": "x"}'])
def test_a_damaged_compiled_pack_is_not_used(held: bytes, files: PackFiles, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "en.json").write_bytes(held)
    assert load_pack(files, BUILT_IN).version == read_pack(GOOD, "x", BUILT_IN).version


def test_a_pack_is_tried_again_with_rules_of_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(PACKS, "_kept", {})
    monkeypatch.setattr(pack_module, "try_patterns", lambda pack, _: tried.append(pack.language))
    monkeypatch.setattr(BUILT_IN.rules[0], "version", 99)
    PACKS.of("ja")
    assert tried == ["ja"]


# the words a pattern can begin with

LISTS = {"motion": frozenset({"go", "walk over"}), "yes": frozenset({"yes"})}


def spelt(lemma: str) -> frozenset[str]:
    return frozenset({lemma, f"{lemma}s"})


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("{motion} (?:to|into) x", {"go", "walk"}),
        ("(?:{motion}|<ride>) off", {"go", "walk", "ride", "rides"}),
        ("take(?:s)? the", {"take", "takes"}),
        ("use[sd]? it", {"use", "uses", "used"}),
        ("(?:rest|rests) here|sleep", {"rest", "rests", "sleep"}),
        ("(?:really )?go", set()),
        ("(?:go)? home", set()),
        (".{0,10}go", set()),
        ("[a-z]{1,4} go", set()),
        ("{none} x", set()),
        ("gr.b it", set()),
    ],
)
def test_the_words_a_pattern_begins_with_are_known_or_not(pattern: str, words: set[str]) -> None:
    assert first_words(pattern, LISTS, spelt) == words
