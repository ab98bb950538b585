"""The suggestion engine: propose tool calls for a message, from its words and a view of the state.

A pure function of message, snapshot and packs. Each part runs in its own guard, so that a failure costs only the hints
of that part. Source: docs/suggestions.md, "How it works".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.language.detect import language_of
from turnwright.language.message import ClauseType, MessageReading
from turnwright.language.message_reader import Reader
from turnwright.language.message_text import folded
from turnwright.suggestions.notes import notes_on
from turnwright.suggestions.pack import Pack
from turnwright.suggestions.pack_files import RECOGNIZED, primary
from turnwright.suggestions.ranking import Candidate, rank
from turnwright.suggestions.rule import NO_WORDS, PREDICATES, Hit, Rule, RuleContext
from turnwright.suggestions.snapshot import Snapshot
from turnwright.suggestions.suggestion import RuleError, Suggestion, SuggestionSet, Suppressed
from turnwright.suggestions.tables import Resolved, SuggestionTables
from turnwright.suggestions.tool_resolver import resolve_tool

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject, JsonValue

FitArguments = Callable[[str, "JsonObject"], "tuple[dict[str, JsonValue], tuple[str, ...]]"]
"""Gives the arguments of a tool that its schema knows, and the names of those that were dropped."""

DISABLED_AFTER = 5
"""A rule that fails so many times in a row in one process is left out from then on."""


class Tuning(NamedTuple):
    """The settings `suggestions.*` as far as they matter here."""

    min_confidence: float = 0.6
    max: int = 3
    disabled_rules: tuple[str, ...] = ()
    languages: tuple[str, ...] | None = None
    """The languages whose messages are read, the expected one first; None: every installed one, English expected."""


@dataclass
class SuggestionEngine:
    """Suggests tools. Its only state between messages is each rule's count of consecutive failures.

    Attributes:
        tables: the rules, the tools of each intent, and the agents that may call them.
        packs: gives the pack of a language, or None.
        fit_arguments: checks arguments against the schemas of tools; None leaves them as the rules made them.
    """

    tables: SuggestionTables
    packs: Callable[[str], Pack | None]
    fit_arguments: FitArguments | None = None
    failed_in_a_row: dict[str, int] = field(default_factory=dict)

    def suggest(self, message: str, seen: Snapshot, tuning: Tuning = Tuning()) -> SuggestionSet:  # noqa: B008 - frozen
        """Return the hints for a message, with everything that was left out and why."""
        errors: list[RuleError] = []
        language = seen.language or self._language_of(message, tuning.languages, errors)
        pack = self._pack_of(language, errors) if _is_read(language, tuning.languages) else None
        reading = self._guarded("message", errors, lambda: self._read(message, seen, pack), None)
        hits = self._hits(seen, pack, reading, tuning.disabled_rules, errors)
        found: list[Candidate] = []
        for rule_id, hit in hits:
            resolve = partial(resolve_tool, hit, seen, self.tables)
            answer = self._guarded("resolver", errors, resolve, Resolved(None, cause="error"))
            found.append(Candidate(rule_id, hit, answer))
        most = tuning.max + (tuning.max == Tuning().max and _commits_twice(reading))
        shown, suppressed = self._guarded(
            "aggregate", errors, lambda: rank(found, tuning.min_confidence, most, self.tables), ([], [])
        )
        shown, dropped = self._fitted(shown, errors)
        notes = self._guarded(
            "notes",
            errors,
            lambda: notes_on(
                seen,
                self.tables,
                [one.found for one in found],
                truncated=reading is not None and reading.truncated,
                has_words=pack is not None,
            ),
            (),
        )
        suppressed += [] if pack else [Suppressed(None, "any", "lang_unsupported")]
        clauses = tuple((clause.type.value, clause.start, clause.end) for clause in reading.clauses) if reading else ()
        return SuggestionSet(
            suggestions=tuple(shown),
            context_notes=notes,
            suppressed=tuple(suppressed),
            errors=tuple(errors),
            rules_version=pack.version if pack else "",
            language=language,
            clauses=clauses,
            dropped_arguments=dropped,
        )

    def _language_of(self, message: str, languages: Sequence[str] | None, errors: list[RuleError]) -> str:
        if not languages:
            return language_of(message)
        others = [code for code in map(primary, languages) if code not in RECOGNIZED]
        packs = {code: self._pack_of(code, errors) for code in others}
        more = {code: pack.signs for code, pack in packs.items() if pack is not None and pack.signs is not None}
        return language_of(message, primary(languages[0]), more)

    def _pack_of(self, language: str, errors: list[RuleError]) -> Pack | None:
        found: Pack | None = self._guarded("pack", errors, lambda: self.packs(language), None)
        return found

    def _read(self, message: str, seen: Snapshot, pack: Pack | None) -> MessageReading | None:
        if pack is None:
            return None
        titles = pack.lists.get("titles", frozenset())
        party = _names(titles, seen.party)
        selves = _names(titles, (), seen.actor.name)
        if seen.speaker != "player" or not selves:  # a player speaks for one character
            selves |= party
        reader = Reader(
            pack.grammar,
            selves=selves,
            others=(party | _names(titles, seen.npcs_present)) - selves,
            members=party - selves,
            tools=_underscored(seen.registry or frozenset()),
            people=pack.people,
            speaker_is_npc=seen.speaker == "npc",
        )
        return reader.read(message)

    def _hits(
        self,
        seen: Snapshot,
        pack: Pack | None,
        reading: MessageReading | None,
        disabled: Collection[str],
        errors: list[RuleError],
    ) -> list[tuple[str, Hit]]:
        hits: list[tuple[str, Hit]] = []
        for rule in self.tables.rules:
            if (
                rule.id in disabled
                or seen.agent not in rule.agents
                or self.failed_in_a_row.get(rule.id, 0) >= DISABLED_AFTER
            ):
                continue
            known = pack.rules if pack else {}
            words = known.get(rule.id, NO_WORDS)
            if rule.reads_text and (reading is None or not words.patterns):
                continue
            if words.agents is not None and seen.agent not in words.agents:
                continue
            read = (words, *(known[one] for one in rule.reads_also if one in known))
            if rule.reads_text and reading is not None and all(one.says_nothing_to(reading.vocabulary) for one in read):
                continue
            look = RuleContext(seen, reading or MessageReading("", (), (), truncated=False), words, known)
            before = len(errors)
            found = self._guarded(rule.id, errors, partial(_best_of, rule, look), ())
            failed = len(errors) > before
            self.failed_in_a_row[rule.id] = self.failed_in_a_row.get(rule.id, 0) + 1 if failed else 0
            hits += [(rule.id, hit) for hit in found]
        return hits

    def _fitted(self, shown: Sequence[Suggestion], errors: list[RuleError]) -> tuple[list[Suggestion], tuple[str, ...]]:
        if self.fit_arguments is None:
            return list(shown), ()
        fitted, dropped = [], []
        for one in shown:
            fit = self.fit_arguments
            kept, lost = self._guarded("arguments", errors, partial(fit, one.tool, one.arguments or {}), ({}, ()))
            fitted.append(one.model_copy(update={"arguments": kept or None}))
            dropped += [f"{one.tool}.{name}" for name in lost]
        return fitted, tuple(dropped)

    def _guarded(self, part: str, errors: list[RuleError], work: Callable[[], Any], instead: Any) -> Any:
        """Run a part of the work; an exception is recorded as an error of that part."""
        try:
            return work()
        except Exception as error:
            errors.append(RuleError(part, f"{type(error).__name__}: {error}"[:200]))
            return instead


def _best_of(rule: Rule, look: RuleContext) -> list[Hit]:
    """Return the surest hit of each intent and thing; of equals the first."""
    if not all(PREDICATES[name](look.snapshot) for name in (*rule.requires, *look.words.requires)):
        return []
    best: dict[tuple[str, str], Hit] = {}
    for hit in rule.evaluate(look):
        key = (hit.intent, hit.subject)
        if key not in best or hit.confidence > best[key].confidence:
            best[key] = hit
    return list(best.values())


def _is_read(language: str, languages: Sequence[str] | None) -> bool:
    return languages is None or primary(language) in map(primary, languages)


def _commits_twice(reading: MessageReading | None) -> bool:
    return reading is not None and sum(clause.type is ClauseType.COMMIT for clause in reading.clauses) > 1


def _names(titles: Collection[str], people: Any, *more: str | None) -> frozenset[str]:
    """Return names as messages spell them: whole, and one word of each, the last where the first is a title."""
    names = {folded(name) for name in [*(one.name for one in people or ()), *more] if name}
    words = [name.split() for name in names if not name.isspace()]
    return frozenset(names | {each[-1] if each[0] in titles and len(each) > 1 else each[0] for each in words})


@lru_cache(maxsize=16)
def _underscored(registry: frozenset[str]) -> tuple[str, ...]:
    """Return the names of tools that no message would hold by chance."""
    return tuple(sorted(name for name in registry if "_" in name))
