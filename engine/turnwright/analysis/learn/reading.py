"""How messages are read today: by the packs and the rules of suggestion there are.

Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.analysis.learn.examples import Reading, Use, use_of
from turnwright.language.detect import language_of as language_in
from turnwright.language.message import ClauseType
from turnwright.language.message_reader import Reader
from turnwright.rulesets.suggesting import PACKS, suggest
from turnwright.suggestions.snapshot import Snapshot, agent_kind


def language_of(message: str) -> str | None:
    """Return the language of a message, None where there is no pack for it."""
    language = language_in(message)
    return None if PACKS.of(language) is None else language


def committed(message: str, language: str) -> Iterator[str]:
    """Yield what a message commits its speaker to, clause by clause; nothing in a language without a pack."""
    pack = PACKS.of(language)
    if pack is None:
        return
    for clause in Reader(pack.grammar).read(message).clauses:
        if clause.type is ClauseType.COMMIT and (text := clause.text[: clause.denied_from].strip(" ,")):
            yield text


def suggested(message: str, agent: str) -> frozenset[Use]:
    """Return what the rules suggest for a message when they know nothing of the campaign."""
    found = suggest(message, Snapshot(agent=agent_kind(agent)))
    return frozenset(use_of(hint.tool, hint.arguments or {}) for hint in found.suggestions)


READING = Reading(language_of, committed, suggested)
