"""The keys of a report and of its parts, for type checkers: plain JSON, as `report_of` makes it.

Source: docs/report.md.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Figure(TypedDict):
    """A share (`rate`) or a rate in 100 turns (`per_100`), with its counts and its 95 % interval.

    Attributes:
        low: where the interval begins; null, as its other end and the share itself, without enough turns.
    """

    count: int
    n: int
    rate: NotRequired[float | None]
    per_100: NotRequired[float | None]
    low: float | None
    high: float | None


class Difference(TypedDict):
    """How far a figure lies from another, with the interval; null without enough turns."""

    difference: float | None
    low: float | None
    high: float | None
    relative: float | None


class ComparisonRow(Difference):
    """One measure of two groups of campaigns."""

    measure: str
    this: Figure
    against: Figure


class Spread(TypedDict):
    """How many values there are, their median, 99th percentile and greatest."""

    n: int
    p50: int | None
    p99: int | None
    max: int | None


class Looking(Spread):
    """How long looking for hints took, in microseconds."""

    histogram: dict[str, int]


class CampaignCounts(TypedDict):
    """What was read of one campaign."""

    name: str
    turns: int
    exchanges: int
    telemetry: int
    unjoined: int
    undone: int


class RulesSeen(TypedDict):
    """Which rules of suggestion there are, and with which versions of them campaigns were played."""

    rules: int
    enabled: dict[str, bool]
    rules_versions: list[str]


class Suggestor(RulesSeen):
    """The rules of suggestion, and how long they took."""

    elapsed_us: Looking


class Counters(TypedDict):
    """What happened how often; keys of several parts are joined by a blank and a dot."""

    turns: int
    suggested: dict[str, int]
    used: dict[str, int]
    missed: dict[str, int]
    suppressed: dict[str, int]
    rule_error: dict[str, int]
    arg_used: int
    arg_overridden: int
    arg_dropped: int
    lang_unsupported: int
    unmapped: dict[str, int]
    verifier: dict[str, int]
    rejected: dict[str, int]
    elapsed_us: dict[str, int]


class HintVolume(TypedDict):
    """How many hints there were for how many messages."""

    messages: int
    suggestions: int
    per_message: float | None
    without_any: Figure


class HintUse(TypedDict):
    """Shown and used hints."""

    all: Figure
    by_label: dict[str, Figure]
    by_agent: dict[str, Figure]
    by_tool: dict[str, Figure]
    by_rule: dict[str, Figure]


class Calibrated(Figure):
    """How often hints were used, beside how confident they were."""

    mean_confidence: float


class JudgedRule(Calibrated):
    """The same of one rule, and whether it promises more than it keeps."""

    overrated: bool


class Calibration(TypedDict):
    """Confidence and use."""

    by_confidence: dict[str, Calibrated]
    by_rule: dict[str, JudgedRule]


class MissedTool(TypedDict):
    """In how many exchanges a tool was applied although no hint named it, and what was read in their messages."""

    count: int
    clause_types: list[str]
    intents: list[str]


class ArgumentFates(TypedDict):
    """How suggested arguments fared."""

    used: int
    overridden: int
    not_given: int
    dropped: int


class LeftOut(TypedDict):
    """Why hints were left out, what had no tool, and which rules failed."""

    suppressed: dict[str, int]
    unmapped: dict[str, int]
    errors: dict[str, int]
    language_unsupported: int
    arguments: ArgumentFates


class FindingFates(TypedDict):
    """How often the check of narrations found something, and how that ended."""

    found: int
    called: int
    amended: int
    ignored: int


class Findings(TypedDict):
    """What the check of narrations found."""

    found: int
    by_kind: dict[str, FindingFates]
    by_tool: dict[str, FindingFates]
    ended: dict[str, int]
    published: dict[str, Figure]
    turns_closed_in_conflict: int


class Coverage(Figure):
    """In how many exchanges every tool was applied that was to be expected, and the tools that were not called."""

    not_called: dict[str, int]


class Failures(TypedDict):
    """Applied and failed calls."""

    calls: int
    applied: Figure
    failed: Figure
    by_reason: dict[str, Figure]
    by_tool: dict[str, int]
    with_hints: dict[str, Figure]
    without_hints: dict[str, Figure]
    repaired: Figure
    repaired_after_hint: Figure


class ModelFigures(TypedDict):
    """What one model took."""

    asked: int
    failures: dict[str, int]
    ms: Spread
    input_tokens: int
    output_tokens: int
    cost: float | None
    cost_unknown: int


class ModelsFigures(ModelFigures):
    """What all models took, and each of them."""

    messages: int
    tokens_per_message: float | None
    by_model: dict[str, ModelFigures]


class Report(TypedDict):
    """The report of a group of campaigns."""

    campaigns: list[CampaignCounts]
    turns: int
    exchanges: int
    enough_turns: bool
    suggestor: Suggestor
    counters: Counters
    suggestions: HintVolume
    use: HintUse
    calibration: Calibration
    missed: dict[str, MissedTool]
    left_out: LeftOut
    findings: Findings
    coverage: Coverage
    failures: Failures
    retried: Figure
    harm: Figure
    models: ModelsFigures
