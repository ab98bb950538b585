"""Language packs, the words and patterns of suggestions: one YAML file a language, checked whole before it is used.

Source: docs/suggestions.md, "A pack of words".
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from turnwright.language.detect import Signs
from turnwright.language.grammar import Grammar
from turnwright.language.message import ClauseType, Subject
from turnwright.language.message_reader import Reader
from turnwright.language.pattern_prefixes import MACRO, first_words, one_line
from turnwright.language.verbs import Verbs, any_of, phrases
from turnwright.model import data
from turnwright.model.wire.agent import AgentKind
from turnwright.suggestions.pack_files import PackFiles, files_of, primary
from turnwright.suggestions.rule import PREDICATES, Pattern, Rule, RuleContext, RuleWords
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.tables import SuggestionTables

THRESHOLD = 0.6
"""The lowest confidence shown by default: a pattern that can never reach it is a mistake in a pack."""
_UNBOUNDED = re.compile(r"(?<!\\)(?:\.|\\w|\\W|\\S|\]|\))(?:\*|\+|\{\d+,\})")
_REPEATED = re.compile(r"(?<!\\)\)(?:\*|\+|\{\d+,\})")


class PackError(ValueError):
    """A pack that cannot be used. `line` is where in its file the fault stands, from 1, or 0 where that is unknown."""

    def __init__(self, file: str, line: int, fault: str) -> None:
        super().__init__(f"{file}:{line}: {fault}" if line else f"{file}: {fault}")
        self.file, self.line, self.fault = file, line, fault


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Confidence = Annotated[float, Field(ge=0, le=1)]


class PatternEntry(_Strict):
    """A pattern as a pack writes it. `needs`: words of which a clause has to hold one, which saves looking further."""

    pattern: str
    intents: tuple[str, ...]
    at: Annotated[str, Field(pattern="^(verb|anywhere)$")] = "verb"
    subjects: tuple[Subject, ...] = (Subject.SELF,)
    weight: Annotated[float, Field(gt=0, le=1)] = 1.0
    needs: str = ""
    match: Annotated[tuple[str, ...], Field(min_length=1)]
    no_match: Annotated[tuple[str, ...], Field(min_length=1)]


class RuleEntry(_Strict):
    """A pack's entry for one rule.

    `like` names a rule above it whose words and patterns it shares, `also` the patterns that it shares with some;
    `agents` and `requires` narrow those of the rule.
    """

    base: Annotated[dict[str, Confidence], Field(min_length=1)]
    like: str = ""
    also: dict[str, tuple[str, ...]] = {}
    agents: tuple[AgentKind, ...] = ()
    requires: tuple[str, ...] = ()
    idioms: str = ""
    lists: dict[str, str] = {}
    patterns: dict[str, PatternEntry] = {}


class SignsEntry(_Strict):
    """Evidence for the language of a short message: function words and letters that other languages do not have."""

    words: Annotated[str, Field(min_length=1)]
    letters: str = ""


class GrammarEntry(_Strict):
    """The grammar of a pack. Omitted parts are not searched for in messages."""

    inflects: bool = False
    let: str = ""
    the: str = ""
    adverb_ending: str = ""
    infinitive_endings: str = ""
    gestures: dict[str, str] = {}
    contractions: dict[str, str] = {}
    words: dict[str, str] = {}
    patterns: dict[str, str] = {}


class PackEntry(_Strict):
    """A pack as its file holds it. `signs` are for languages that turnwright does not recognize by itself."""

    language: str
    signs: SignsEntry | None = None
    grammar: GrammarEntry
    irregular: str = ""
    doubled: str = ""
    conjugations: dict[str, str] = {}
    verbs: dict[str, str] = {}
    lists: dict[str, str] = {}
    rules: dict[str, RuleEntry]


@dataclass(frozen=True)
class Pack:
    """A language, ready to be used. `version` is a hash of its file; `lists` are shared by all rules."""

    language: str
    grammar: Grammar
    rules: Mapping[str, RuleWords]
    lists: Mapping[str, frozenset[str]]
    version: str
    signs: Signs | None = None

    @cached_property
    def people(self) -> frozenset[str]:
        """Nouns for people, without the pronouns."""
        pronouns = frozenset().union(*(self.lists.get(name, ()) for name in ("pronouns", "receivers", "friendly")))
        return self.lists.get("people", frozenset()) - pronouns


def compiled(entry: PackEntry, tables: SuggestionTables, version: str = "") -> Pack:
    """Return a pack ready for use, without trying its patterns and examples.

    Raises:
        ValueError: with the path of the fault, joined by dots, before a colon.
    """
    rows = [row.split() for row in entry.irregular.replace(";", "\n").splitlines()]
    irregular = {row[0]: " ".join(row[1:]) for row in rows if row}
    words = frozenset(word for text in (*entry.lists.values(), *entry.grammar.words.values()) for word in phrases(text))
    verbs = Verbs.of(
        entry.verbs,
        irregular,
        entry.doubled,
        inflects=entry.grammar.inflects,
        words=words,
        conjugations=entry.conjugations,
    )
    _check_grammar(entry.grammar)
    grammar = Grammar(verbs, entry.grammar.model_dump(exclude_unset=True), entry.grammar.gestures)
    lists = {name: frozenset(phrases(text)) for name, text in entry.lists.items()}
    made: dict[str, RuleWords] = {}
    rules = tables.rules_by_id
    for rule_id, row in entry.rules.items():
        if rule_id not in rules:
            raise ValueError(f"rules.{rule_id}: there is no such rule")
        _check_names(rule_id, row, rules[rule_id], tables)
        if row.like:
            if row.like not in made:
                raise ValueError(f"rules.{rule_id}.like: no rule {row.like} stands above it")
            made[rule_id] = replace(made[row.like], base=row.base)
            continue
        own = {**lists, **{name: frozenset(phrases(text)) for name, text in row.lists.items()}}
        patterns = {
            name: _pattern(f"rules.{rule_id}.patterns.{name}", name, pattern, verbs, own, max(row.base.values()))
            for name, pattern in row.patterns.items()
        }
        for other, names in row.also.items():
            if other not in made or not made[other].patterns.keys() >= set(names):
                raise ValueError(f"rules.{rule_id}.also.{other}: no rule {other} with these patterns stands above it")
            patterns |= {name: made[other].patterns[name] for name in names}
        idioms = [line.strip() for line in row.idioms.splitlines() if line.strip()]
        where = f"rules.{rule_id}.idioms"
        stop = (
            _expression(where, _written_out(where, rf"\b(?:{'|'.join(idioms)})(?!\w)", verbs, own)) if idioms else None
        )
        agents = frozenset(row.agents) or rules[rule_id].agents
        made[rule_id] = RuleWords(row.base, patterns, stop, own, agents, row.requires)
    signs = None if entry.signs is None else Signs(frozenset(phrases(entry.signs.words)), entry.signs.letters)
    return Pack(entry.language, grammar, made, lists, version, signs)


def _check_grammar(grammar: GrammarEntry) -> None:
    """Try the patterns of a grammar; a group that repeats without bound can take time beyond all measure."""
    shapes = [(f"grammar.patterns.{name}", pattern) for name, pattern in grammar.patterns.items()]
    shapes += [("grammar.contractions", pattern) for pattern in grammar.contractions]
    for where, pattern in shapes:
        if found := _REPEATED.search(pattern):
            raise ValueError(f"{where}: {found.group()} has no bound")
        _expression(where, one_line(pattern))


def _expression(where: str, written: str) -> re.Pattern[str]:
    try:
        return re.compile(written)
    except re.error as error:
        raise ValueError(f"{where}: {error}") from error


def _check_names(rule_id: str, row: RuleEntry, rule: Rule, tables: SuggestionTables) -> None:
    unknown = [name for name in row.requires if name not in PREDICATES]
    if unknown:
        raise ValueError(f"rules.{rule_id}.requires: there is no predicate {unknown[0]}")
    for name, pattern in row.patterns.items():
        where = f"rules.{rule_id}.patterns.{name}.intents"
        for intent in pattern.intents:
            if intent not in tables.intents:
                raise ValueError(f"{where}: there is no intent {intent}")
            if intent not in rule.intents:
                raise ValueError(f"{where}: {intent} is no intent of this rule")
        both = [pair for pair in tables.exclusive | tables.exclusive_of_one if pair <= set(pattern.intents)]
        if both:
            raise ValueError(f"{where}: {' and '.join(sorted(both[0]))} exclude each other")


def _pattern(
    where: str, name: str, row: PatternEntry, verbs: Verbs, lists: Mapping[str, frozenset[str]], most: float
) -> Pattern:
    if round(most * row.weight, 3) < THRESHOLD:
        raise ValueError(f"{where}.weight: {most} x {row.weight} can never reach {THRESHOLD}")
    written = _written_out(f"{where}.pattern", row.pattern, verbs, lists)
    begins = first_words(row.pattern, {**lists, **verbs.groups}, verbs.spelt) if row.at == "verb" else frozenset()
    needs = frozenset(phrases(row.needs))
    return Pattern(name, written, row.at == "verb", begins, needs, frozenset(row.subjects), row.intents, row.weight)


def _written_out(where: str, pattern: str, verbs: Verbs, lists: Mapping[str, frozenset[str]]) -> str:
    def entries(macro: re.Match[str]) -> str:
        name = macro.group(1)
        known = verbs.groups.get(name) or lists.get(name) if name else verbs.spelt(macro.group(2))
        if known is None:
            raise ValueError(f"{where}: there is no list {name}")
        return rf"(?:{any_of(known)})(?!\w)"

    written = one_line(pattern)
    if found := _UNBOUNDED.search(written):
        raise ValueError(f"{where}: {found.group()} has no bound")
    return MACRO.sub(entries, written)


def try_patterns(pack: Pack, entry: PackEntry) -> None:
    """Check that each pattern compiles, and that each example does what it says.

    Raises:
        ValueError: with the path of the first that does not.
    """
    for rule_id, words in pack.rules.items():
        for name, one in words.patterns.items():
            _expression(f"rules.{rule_id}.patterns.{name}.pattern", one.written)
    for rule_id, row in entry.rules.items():
        for name, pattern in row.patterns.items():
            reader = Reader(pack.grammar, speaker_is_npc="speaker_is_npc" in row.requires)
            for wanted, examples in (("match", pattern.match), ("no_match", pattern.no_match)):
                for text in examples:
                    look = RuleContext(Snapshot(), reader.read(text), pack.rules[rule_id])
                    found = any(each.clause.type is not ClauseType.REQUEST for each in look.found(name, spoken=True))
                    if found is not (wanted == "match"):
                        raise ValueError(f"rules.{rule_id}.patterns.{name}.{wanted}: {text!r} does otherwise")


def read_pack(text: str, file: str, tables: SuggestionTables) -> Pack:
    """Return the pack of a file's text.

    Raises:
        PackError: with the line of the first fault.
    """
    return _checked(text, file, tables)[1]


def compiled_file(files: PackFiles, tables: SuggestionTables) -> bytes:
    """Return the compiled file of a pack: its checked entries as JSON, read in a fraction of the time of the YAML.

    The same text and rules give the same bytes.

    Raises:
        PackError: with the line of the first fault.
        ExtensionError: when the file cannot be read.
    """
    entry, pack = _checked_files(files, tables)
    made = {"version": pack.version, "pack": entry.model_dump(mode="json", exclude_unset=True)}
    return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode()


def _checked_files(files: PackFiles, tables: SuggestionTables) -> tuple[PackEntry, Pack]:
    text = files.text()
    entry, pack = _checked(text, files.name, tables)
    if entry.language != files.language:
        message = f"language: must be {files.language}, the name of the file (got {entry.language})"
        raise PackError(files.name, data.line_of(text, ("language",)), message)
    return entry, pack


def _checked(text: str, file: str, tables: SuggestionTables) -> tuple[PackEntry, Pack]:
    try:
        entry = PackEntry.model_validate(data.parsed(text))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise PackError(file, data.line_of(text, fault["loc"]), f"{_dotted(fault['loc'])}: {fault['msg']}") from error
    except ValueError as error:
        raise PackError(file, 0, str(error)) from error
    try:
        pack = compiled(entry, tables, version_of(text, tables.rules_by_id))
        try_patterns(pack, entry)
    except re.error as error:  # the replacement of a contraction names a group that does not exist
        raise PackError(file, 0, f"grammar.contractions: {error}") from error
    except ValueError as error:
        where = str(error).partition(":")[0]
        raise PackError(file, data.line_of(text, where.split(".")), str(error)) from error
    return entry, pack


def version_of(text: str, rules: Mapping[str, Rule]) -> str:
    """Return what records call a version of a pack: a hash of its file and of the versions of the rules."""
    versions = ",".join(f"{rule_id}={rule.version}" for rule_id, rule in sorted(rules.items()))
    return hashlib.sha256(f"{versions}\n{text}".encode()).hexdigest()[:12]


def _dotted(path: Iterable[Any]) -> str:
    return ".".join(map(str, path))


class Packs:
    """The packs that a process has read, by language.

    Attributes:
        tables: the rules and intents that packs have words for.
    """

    def __init__(self, tables: SuggestionTables) -> None:
        self.tables = tables
        self._kept: dict[str, Pack] = {}

    def of(self, language: str) -> Pack | None:
        """Return the pack of a language (`en`, `en-GB`), read once; None where none is installed.

        Raises:
            PackError: when it cannot be used.
            ExtensionError: when several distributions register the language, or the one that does has no such data.
        """
        code = primary(language)
        if code not in self._kept and (files := files_of(code)) is not None:
            self._kept[code] = load_pack(files, self.tables)
        return self._kept.get(code)

    @property
    def in_use(self) -> tuple[str, ...]:
        """The languages whose packs have been read."""
        return tuple(self._kept)

    def reload(self, files: PackFiles) -> None:
        """Read the pack of a language again, unless its file is as it was.

        Raises:
            PackError: when it cannot be used any more; the one in use stays in use.
            ExtensionError: when its file cannot be read any more.
        """
        self._kept[files.language] = load_pack(files, self.tables, self._kept.get(files.language))


def load_pack(files: PackFiles, tables: SuggestionTables, before: Pack | None = None) -> Pack:
    """Return the pack of a language, from its file or its compiled one; the one from before if nothing changed.

    Raises:
        PackError: when its file has changed since it was compiled and cannot be used.
        ExtensionError: when its file cannot be read.
    """
    text = files.text()
    version = version_of(text, tables.rules_by_id)
    if before is not None and before.version == version:
        return before
    if (made := _compiled_entry(files.compiled(), version)) is not None:
        return compiled(made, tables, version)
    return _checked_files(files, tables)[1]


def _compiled_entry(text: str | None, version: str) -> PackEntry | None:
    """Return the entries of a compiled file; None if it is damaged, or was made of another text or for other rules."""
    try:
        made = json.loads(text or "{}")
        return PackEntry.model_validate(made["pack"]) if made["version"] == version else None
    except (ValueError, KeyError, TypeError):
        return None
