"""Proposals as a YAML file in the form of a pack, with what speaks for each as a comment beside it.

Nothing reads this file but a person: what is good is copied into a pack. Source: docs/report.md, "Learning from play".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple, TypedDict

from turnwright.analysis.learn.examples import Use
from turnwright.analysis.learn.mine import GAP, WIDEST, Evidence, Mined
from turnwright.analysis.learn.score import DoubtfulRule, ScoreFigures, Trial
from turnwright.analysis.learn.slots import AREA, DIE, ITEM, NPC, NUM, Tokens
from turnwright.model.json_types import JsonObject
from turnwright.rulesets.suggesting import BUILT_IN
from turnwright.suggestions.rule import Rule

_MAX_WRONG = 20
_PHRASE = r"[\w',-]{1,40}(?: [\w',-]{1,40}){0,5}"
_SLOTS = {
    ITEM: ("item", _PHRASE),
    AREA: ("place", _PHRASE),
    NPC: ("to", _PHRASE),
    NUM: ("amount", r"[\w-]{1,20}"),
    DIE: ("dice", r"\d{0,4}d\d{1,4}"),
}
"""What stands for a slot in an expression: the name of the group, and what may stand there."""
_MEANT = {
    Use("manage_inventory", "give"): "item.take",
    Use("manage_inventory", "take"): "item.give",
    Use("manage_inventory", "transfer"): "item.give",
    Use("manage_inventory", "equip"): "item.equip",
    Use("manage_inventory", "unequip"): "item.unequip",
    Use("manage_inventory", "use"): "item.use",
    Use("manage_party", "add"): "party.add",
    Use("manage_party", "remove"): "party.remove",
    Use("manage_quest", "start"): "quest.accept",
    Use("manage_quest", "complete_objective"): "quest.objective",
    Use("manage_quest", "complete"): "quest.complete",
    Use("execute_action", "attack"): "hp.attack",
    Use("execute_action", "cast_spell"): "hp.attack",
    Use("manage_location", "create"): "map.new",
    Use("manage_location", "update"): "secret.reveal",
    Use("take_rest", "short"): "rest.short",
    Use("take_rest", "long"): "rest.long",
}
"""What a use of a tool is meant by, where the tool alone does not tell."""


class EvidenceJson(TypedDict):
    """What speaks for a proposal; see `Evidence`."""

    turns: int
    hits: int
    campaigns: int
    lift: float
    bound: float


ProposalJson = TypedDict(
    "ProposalJson",
    {
        "agent": str,
        "language": str,
        "tool": str,
        "how": str | None,
        "pattern": list[str],
        "expression": str,
        "confidence": float,
        "from": str,
        "unshown": EvidenceJson,
        "all": EvidenceJson,
    },
)
"""One proposal; `from` says which evidence its confidence is of."""


class WrongJson(TypedDict):
    """A message for which only a proposal suggests a tool."""

    campaign: str
    turn_id: str
    use: str
    pattern: str


class TrialJson(TypedDict):
    """What a trial of proposals gave."""

    messages: int
    before: ScoreFigures
    after: ScoreFigures
    wrong: list[WrongJson]


class LearnedJson(TypedDict):
    """Everything that was learned, as plain JSON; see `Learned`."""

    messages: int
    with_hints: int
    proposals: list[ProposalJson]
    doubtful: list[DoubtfulRule]
    trial: TrialJson | None


class Learned(NamedTuple):
    """Everything that was learned from some campaigns.

    Attributes:
        messages: how many messages that were.
        shown: how many of them had hints.
        proposals: patterns worth looking at.
        doubtful: rules whose hints were rarely used.
        trial: how the proposals fare on other campaigns; None where there were none to try them on.
    """

    messages: int
    shown: int
    proposals: list[Mined]
    doubtful: list[DoubtfulRule]
    trial: Trial | None

    def as_json(self) -> LearnedJson:
        """Return it as plain JSON."""
        return {
            "messages": self.messages,
            "with_hints": self.shown,
            "proposals": [_as_json(one) for one in self.proposals],
            "doubtful": [row.copy() for row in self.doubtful],
            "trial": None if self.trial is None else _trial_as_json(self.trial),
        }


def _as_json(one: Mined) -> ProposalJson:
    return {
        "agent": one.agent,
        "language": one.language,
        "tool": one.use.tool,
        "how": one.use.how or None,
        "pattern": list(one.pattern),
        "expression": expression(one.pattern),
        "confidence": one.confidence,
        "from": "unshown" if one.unshown.is_enough else "all",
        "unshown": _evidence_as_json(one.unshown),
        "all": _evidence_as_json(one.all),
    }


def _evidence_as_json(evidence: Evidence) -> EvidenceJson:
    return {
        "turns": evidence.turns,
        "hits": evidence.hits,
        "campaigns": evidence.campaigns,
        "lift": evidence.lift,
        "bound": round(evidence.bound, 3),
    }


def _trial_as_json(trial: Trial) -> TrialJson:
    return {
        "messages": trial.messages,
        "before": trial.before.as_json(),
        "after": trial.after.as_json(),
        "wrong": [
            {"campaign": one.campaign, "turn_id": one.turn_id, "use": str(one.use), "pattern": one.pattern}
            for one in trial.wrong
        ],
    }


# one proposal as an entry of a pack


def expression(pattern: Tokens) -> str:
    """Return a pattern as the regular expression of a pack: every gap is bounded, each slot a group."""
    parts: list[str] = []
    named: set[str] = set()
    for word in pattern:
        if word == GAP:
            parts[-1] += rf"(?: [\w',-]{{1,40}}){{0,{WIDEST}}}"
            continue
        group, inner = _SLOTS.get(word, ("", re.escape(word).replace(r"\-", "-")))
        parts.append(f"(?P<{group}>{inner})" if group and group not in named else inner)
        named.add(group)
    # Words of a clause are parted by one space, or a comma and one.
    return r"\b" + ",? ".join(parts) + r"(?!\w)"


def entry_of(one: Mined, most: float) -> JsonObject:
    """Return a proposal as a pack writes a pattern, for a rule whose greatest confidence is `most`."""
    said = " ".join(one.example).lower()
    return {
        "pattern": expression(one.pattern),
        "intents": intents_of(one.use)[:1],
        "at": "anywhere",
        "weight": min(1.0, round(one.confidence / most, 2)),
        "match": [said],
        "no_match": [f"{said}?"],
    }


def intents_of(use: Use) -> list[str]:
    """Return what a use of a tool can be meant by, likeliest first; nothing where no rule could suggest it."""
    if use in _MEANT:
        return [_MEANT[use]]
    if use.tool == "execute_action" and use.how:
        return ["act.combat"]
    first = [intent for intent, tools in BUILT_IN.intents.items() if tools[:1] == (use.tool,)]
    return first + [intent for intent, tools in BUILT_IN.intents.items() if use.tool in tools[1:]]


def name_of(pattern: Tokens) -> str:
    """Return a name for a pattern, of letters alone."""
    return "learned_" + "_".join(re.sub(r"\W", "", word.lower()) or "gap" for word in pattern)


# the file


def render(learned: Learned, rules: Sequence[Rule], bases: Mapping[str, Mapping[str, float]]) -> str:
    """Return the file of proposals. `bases` are the confidences of each rule of the pack."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap

    tree = CommentedMap()
    tree.yaml_set_start_comment("\n".join(_heading(learned)))
    homes: dict[str, list[Mined]] = {}
    homeless: list[Mined] = []
    for one in learned.proposals:
        rule = _rule_for(one, rules)
        homes.setdefault(rule.id, []).append(one) if rule else homeless.append(one)
    tree["rules"] = CommentedMap()
    for rule_id in sorted(homes):
        patterns = CommentedMap()
        most = max(bases.get(rule_id, {}).values(), default=1.0)
        for one in homes[rule_id]:
            _add(patterns, one, entry_of(one, most))
        tree["rules"][rule_id] = CommentedMap({"patterns": patterns})
    if homeless:
        tree["without_a_rule"] = CommentedMap()
        for one in homeless:
            _add(tree["without_a_rule"], one, {"pattern": expression(one.pattern), "tool": str(one.use)})
    if learned.doubtful:
        tree["doubtful"] = [dict(row) for row in learned.doubtful]
        note = "Hints of these rules were rarely followed: narrow their patterns, or take them out."
        tree.yaml_set_comment_before_after_key("doubtful", before=note)
    yaml = YAML()
    yaml.width = 10_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    written = StringIO()
    yaml.dump(tree, written)
    return written.getvalue()


def _rule_for(one: Mined, rules: Iterable[Rule]) -> Rule | None:
    meant = intents_of(one.use)[:1]
    fitting = (rule for rule in rules if rule.reads_text and set(meant) & set(rule.intents))
    return next((rule for rule in fitting if one.agent in rule.agents), None)


def _add(home: Any, one: Mined, entry: JsonObject) -> None:
    from ruamel.yaml.comments import CommentedMap

    name = name_of(one.pattern)
    while name in home:
        name += "_"
    home[name] = CommentedMap(entry)
    home.yaml_set_comment_before_after_key(name, before="\n".join(_reasons(one)), indent=6)


def _reasons(one: Mined) -> Iterator[str]:
    yield f"{one.agent}, {one.language}: `{' '.join(one.pattern)}` then {one.use}, confidence {one.confidence:g}"
    yield f"without a hint: {_told(one.unshown)}"
    yield f"all messages:   {_told(one.all)}"
    if not one.unshown.is_enough:
        yield "WEAK: it is enough only with messages for which the tool was hinted at."
    if others := intents_of(one.use)[1:]:
        yield f"it may also mean {', '.join(others)}"


def _told(evidence: Evidence) -> str:
    return (
        f"{evidence.hits} of {evidence.turns} messages in {evidence.campaigns} campaigns, "
        f"at least {evidence.bound:.2f}, {evidence.lift:g} times the usual"
    )


def _heading(learned: Learned) -> Iterator[str]:
    yield "Proposals for rules of suggestion, learned from play. Nothing reads this file."
    yield "Judge each one, and copy what is good into a pack: docs/suggestions.md says how."
    yield f"{learned.messages} messages, {learned.shown} of them with hints; {len(learned.proposals)} proposals."
    if learned.trial is None:
        yield "They were tried on no other campaigns; --holdout names some."
        return
    trial = learned.trial
    yield f"Tried on {trial.messages} messages of other campaigns:"
    for name, score in (("before", trial.before), ("after", trial.after)):
        told = score.as_json()
        yield f"  {name}: precision {_share(told['precision'])}, recall {_share(told['recall'])}"
    for one in trial.wrong[:_MAX_WRONG]:
        yield f"  newly wrong: {one.campaign} {one.turn_id}: {one.use}, by `{one.pattern}`"
    if len(trial.wrong) > _MAX_WRONG:
        yield f"  and {len(trial.wrong) - _MAX_WRONG} more"


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"
