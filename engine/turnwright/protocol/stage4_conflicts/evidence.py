"""Collect the evidence for checking a narration: the rulesets' reports on the turn, merged in their order.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from turnwright.model.dice.draws import Dice
from turnwright.model.state.overlay import World
from turnwright.narration.facts import CallOutcome, Effect, Facts, Person
from turnwright.narration.result_shapes import rows, text_of
from turnwright.protocol.parts import PartResult
from turnwright.protocol.stage2_settings import TurnPolicy
from turnwright.protocol.stage4_conflicts.evidence_records import Earlier, call_outcome
from turnwright.rulesets.effects import reader_of
from turnwright.rulesets.evidence import Evidence, EvidenceContext
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.registry import RulesetTables

T = TypeVar("T")


def collect_evidence(
    world: World,
    before: World,
    policy: TurnPolicy,
    outcomes: Sequence[PartResult],
    dice: Dice,
    speaker: str | None,
    earlier: Earlier,
) -> Facts:
    """Return the evidence for a narration of the turn.

    Args:
        world: the campaign after the calls.
        before: the campaign before them.
        policy: the policy of the turn.
        outcomes: the results of its parts.
        dice: the draws.
        speaker: the character who speaks the text, unless it is the narrator's.
        earlier: the effects of previous turns, for a text submitted by itself.
    """
    rulesets = tables_of(world.campaign)
    calls = (*earlier.outcomes, *(_seen(outcome, world) for outcome in outcomes))
    turn = EvidenceContext(World(world), before, policy.acting_id, calls, policy.conversation is not None)
    found = [read(turn) for read in rulesets.evidence(world)]
    drawn = [int(draw["value"]) for draw in dice.drawn if draw["sides"]]
    return Facts(
        acting=policy.acting_id,
        people=_people(found),
        areas=_union(each.areas for each in found),
        outcomes=calls,
        faces=(*earlier.faces, *drawn, *(face for each in found for face in each.faces)),
        dialog_type=policy.dialog_type,
        effects=tuple(effects_of(calls, rulesets)),
        changed=tuple(_changes(world, before, rulesets)),
        here=frozenset().union(*(each.here for each in found)),
        party=frozenset(world.campaign.selected.party_character_ids),
        fight=next((each.fight for each in found if each.fight is not None), None),
        quests=tuple(quest for each in found for quest in each.quests),
        aliases=_union(each.aliases for each in found),
        permitted=frozenset(world.campaign.allowlist),
        speaker=speaker,
        is_scene_game=any(each.is_scene_game for each in found),
        far=_union(each.far for each in found),
        tools=rulesets.claims,
        counters=tuple(counter for each in found for counter in each.counters),
    )


def effects_of(calls: Sequence[CallOutcome], rulesets: RulesetTables) -> Iterator[Effect]:
    """Yield what calls did, or were asked to do and did not, as the readers of their tools tell it."""
    reader = cache(lambda name: reader_of(rulesets, name))
    for outcome in calls:
        for call in _each(outcome):
            for effect in reader(call.tool)(call):
                yield replace(effect, told=True) if call.told else effect


def _each(outcome: CallOutcome) -> Iterator[CallOutcome]:
    """Yield the items of a batch as calls of their own."""
    batch = rows(outcome.args.get("batch"))
    if not batch:
        yield outcome
        return
    common = {key: value for key, value in outcome.args.items() if key != "batch"}
    results = {row.get("index"): row for row in rows(outcome.result.get("results"))}
    for i, item in enumerate(batch):
        row = results.get(i, {})
        done = outcome.applied and row.get("ok") is True
        result = row.get("result") if done else {}
        reason = None if done else text_of(row, "reason") or outcome.reason
        given = {**common, **item}
        yield CallOutcome(
            outcome.tool, given, done, reason, result if isinstance(result, Mapping) else {}, told=outcome.told
        )


def _changes(world: World, before: World, rulesets: RulesetTables) -> Iterator[Effect]:
    """Yield what the documents say a turn did, whichever of its calls it was."""
    for path in sorted(world.touched):
        for read in rulesets.changes(path):
            yield from read(before.get(path), world.get(path), world)


def _seen(outcome: PartResult, world: World) -> CallOutcome:
    reason = outcome.failure.reason.value if outcome.failure else None
    result = outcome.applied.result if outcome.applied else {}
    return call_outcome(outcome.tool, outcome.args, result, reason, world)


def _people(found: Sequence[Evidence]) -> tuple[Person, ...]:
    """Return all people in the evidence, each as the first ruleset describes them."""
    people: dict[str, Person] = {}
    for each in found:
        known = frozenset(people)
        people.update({person.id: person for person in each.people if person.id not in known})
    return tuple(people.values())


def _union(parts: Iterator[Mapping[str, T]]) -> dict[str, T]:
    """Return several mappings as one; of the same key the first counts."""
    merged: dict[str, T] = {}
    for part in parts:
        merged = {**merged, **{key: value for key, value in part.items() if key not in merged}}
    return merged
