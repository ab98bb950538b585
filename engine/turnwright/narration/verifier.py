"""Compare what a narration claims with what the turn's calls did.

Pure, and only advice to its caller: it calls no tool and edits no text. Source: docs/stages/4-conflicts.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from turnwright.language.clauses import Analysis, ClauseKind, analyse
from turnwright.language.lexicon import Lexicon, lexicon
from turnwright.language.shown import shown
from turnwright.language.tokens import words_of
from turnwright.narration.claims import ASIDE, COUNTER, DECREE, KINDS, LOOSE, SPOKEN
from turnwright.narration.claims._clause_reader import aside_readings, readings
from turnwright.narration.claims._document import AnnotatedText
from turnwright.narration.claims._finding import SEVERITY, Finding, FindingKind, without_parts
from turnwright.narration.claims.outcome import answers
from turnwright.narration.facts import CallOutcome, Facts, Person
from turnwright.narration.feedback import feedback_lines
from turnwright.narration.names import Names
from turnwright.narration.readable import can_read
from turnwright.narration.result_shapes import plain
from turnwright.narration.spoken import spoken_readings

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Finding as RecordedFinding

__all__ = ["CallOutcome", "Facts", "Person", "feedback_lines", "findings"]

RULE_EXPLANATION = "rule_explanation"


def findings(text: str, scene: Facts, language: str = "en") -> list[RecordedFinding]:
    """Return the claims in `text` that the turn does not support, in text order, as JSON values.

    A paragraph in another language than the check reads has none. Of a text that explains rules only decrees are
    reported.
    """
    words = lexicon(language)
    if words is None:
        return []
    seen = shown(text)
    found = _findings(seen.text, scene, words)
    return [replace(finding, span=seen.span_of(*finding.span)).as_json(text) for finding in found]


def _findings(text: str, scene: Facts, words: Lexicon) -> list[Finding]:
    people = Names(_people(scene), words)
    tools = {tool for row in scene.tools.values() for tool in row} | {outcome.tool for outcome in scene.outcomes}
    analysis = analyse(text, words, people.single_words, tools)
    page = AnnotatedText.of(words, scene, analysis, people)
    explains = scene.dialog_type.strip().lower() == RULE_EXPLANATION
    kinds = (DECREE,) if explains else (*KINDS, COUNTER) if scene.counters else KINDS
    found: list[Finding] = []
    loose: list[tuple[int, Finding]] = []
    settled: set[int] = set()
    for reading in readings(page):
        told = [finding for kind in kinds for finding in kind.read(reading)]
        found.extend(told)
        settled.update(reading.clause.sentence for _ in told[:1])
        if not explains and reading.clause.sentence not in settled:
            first = islice((finding for loosely in LOOSE for finding in loosely(reading)), 1)
            loose.extend((reading.clause.sentence, finding) for finding in first)
    found.extend(finding for sentence, finding in loose if sentence not in settled)
    if not explains:
        found.extend(finding for reading in aside_readings(page) for kind in ASIDE for finding in kind.read(reading))
        spoken = spoken_readings(page)
        found.extend(finding for reading in spoken for kind in SPOKEN for finding in kind.read(reading))
        found.extend(answers(page))
        found.extend(_of_speaker(text, page))
        found.extend(_unspoken(text, analysis, page))
    if not can_read(text):
        found = [finding for finding in found if _is_readable(finding, text)]
    return list(without_parts(_in_order(found)))


def _is_readable(finding: Finding, text: str) -> bool:
    """Whether a finding in a text of several languages is about a paragraph that can be read."""
    start = finding.span[0]
    first = text.rfind("\n\n", 0, start)
    past = text.find("\n\n", start)
    return finding.kind is not FindingKind.UNSPOKEN and can_read(text[max(first, 0) : past if past >= 0 else len(text)])


def _people(scene: Facts) -> dict[str, str | None]:
    """Return everyone a text may name: the people near, and the targets of the calls."""
    targets: dict[str, str | None] = {o.target: None for o in scene.outcomes if o.target is not None}
    return targets | {person.id: person.name for person in scene.people}


def _of_speaker(text: str, page: AnnotatedText) -> Iterator[Finding]:
    """Yield that the stated speaker of the whole text could not speak."""
    person = page.doubtful.get(page.scene.speaker or "")
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if person is not None and start < end and _speaks(page):
        kind = FindingKind.CONTRADICTION
        actual = {"area_id": person.away} if person.away is not None else {"state": person.state}
        yield Finding(kind, None, {"speaker_id": person.id, "acts": True}, actual, SEVERITY[kind], (start, end))


def _speaks(page: AnnotatedText) -> bool:
    """Whether anything is said in the text, in quotation marks or in the first person."""
    quoted = (ClauseKind.QUOTED, ClauseKind.SPEECH)
    return any(
        clause.kind in quoted or any(page.lexicon.has("first_person", word) for word in clause.words)
        for clause in page.clauses
    )


def _in_order(found: Iterable[Finding]) -> list[Finding]:
    """Sort by place and drop duplicate findings from two readings of the same words."""
    kept: list[Finding] = []
    for finding in sorted(found, key=lambda f: f.span):
        twice = any(f.span[1] > finding.span[0] and (_is_part(finding, f) or _same(f, finding)) for f in kept)
        if not twice:
            kept.append(finding)
    return kept


def _same(one: Finding, other: Finding) -> bool:
    return one.kind is other.kind and one.tool == other.tool and one.expected == other.expected


def _is_part(one: Finding, line: Finding) -> bool:
    """Whether a finding is about words of a line whose dice are invented: the outcome is invented with them."""
    return line.kind is FindingKind.INVENTED_ROLL and one.span[1] <= line.span[1] and one.expected != line.expected


def _unspoken(text: str, analysis: Analysis, page: AnnotatedText) -> Iterator[Finding]:
    """Yield applied calls that the text does not mention: neither a name nor any word of their subject.

    Only a text that was read in full can leave something out.
    """
    said = frozenset(word.norm for clause in analysis.clauses for word in clause.words)
    if analysis.truncated or not said:
        return
    for outcome in page.scene.outcomes:
        subject = page.lexicon.reflects.get(outcome.tool)
        if (
            not outcome.applied
            or outcome.told
            or subject is None
            or not said.isdisjoint(subject | _named_by(outcome, page))
        ):
            continue
        if outcome.args.get("delta") == 0:
            continue
        kind = FindingKind.UNSPOKEN
        actual = {
            key: plain(value) for key, value in {**outcome.args, **outcome.result}.items() if plain(value) is not None
        }
        yield Finding(kind, outcome.tool, None, actual, SEVERITY[kind], (len(text), len(text)))


def _named_by(outcome: CallOutcome, page: AnnotatedText) -> frozenset[str]:
    names = dict(page.scene.areas) | {p.id: p.name or p.id for p in page.scene.people}
    ids = [outcome.text(key) for key in ("target_character_id", "to_area_id")]
    norms = {word.norm for i in ids if i for word in words_of(f"{i} {names.get(i, '')}") if not word.is_mark}
    about_you = page.scene.acting is not None and page.scene.acting in ids
    return frozenset(norms | (page.lexicon.lists["you"] | page.lexicon.lists["your"] if about_you else frozenset()))
