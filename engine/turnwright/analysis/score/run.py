"""Play a scenario once, with one seed, and write down what came of each message.

Source: docs/score.md, "A run".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.analysis.score.beginning import begin, wording
from turnwright.analysis.score.pack import HINTS, MODEL, ScenarioMessage, names_model
from turnwright.analysis.score.packs import Pack
from turnwright.analysis.score.watch import Watch, Watched
from turnwright.game_master.exchange import Exchange, Said
from turnwright.game_master.loop import GameMaster
from turnwright.game_master.suggestion_step import Suggest
from turnwright.llm.port import LanguageModel
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import REGISTRY

if TYPE_CHECKING:
    from turnwright.analysis.score.shapes import PlayedMessage, Run
    from turnwright.model.wire.shapes import Reply

_APART = 1_000_000
"""How far the seeds of models lie apart from one seed to the next: more than a run has questions."""
_SEVERITIES = ("error", "warn")


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a game master is scored.

    Attributes:
        model: the name of the model.
        open_model: gives the model of a name; asked once for each name in each run.
        suggest: gives hints; None for none.
        has_schema: whether answers are held to the schema of the calls that are legal.
        settings: settings `agents.*` and `suggestions.*` that count before those of the pack, but not before `model`
            and `suggest`.
        turns: how many messages of a scenario are played; None: all.
        clock_ms: milliseconds that only ever grow.
    """

    model: str
    open_model: Callable[[str], LanguageModel]
    suggest: Suggest | None = None
    has_schema: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)
    turns: int | None = None
    clock_ms: Callable[[], float] = lambda: 0.0

    def settings_for(self, pack: Pack) -> JsonObject:
        """Return the settings that count instead of the campaign's own. Which models play is never the pack's."""
        models = {key: row.default for key, row in REGISTRY.items() if names_model(key)}
        scored = {MODEL: self.model, HINTS: self.suggest is not None}
        return {**pack.scenario.settings, **models, **self.settings, **scored}


def play(pack: Pack, seed: int, directory: Path, conditions: Conditions) -> Run:
    """Play a scenario in an empty directory, and return the run as plain JSON.

    A model that fails counts as such, and the players go on.
    """
    watch = Watch()
    opened: dict[str, Watched] = {}

    def open_model(name: str) -> LanguageModel:
        if name not in opened:
            opened[name] = Watched(conditions.open_model(name), watch)
        return opened[name]

    messages = pack.scenario.messages[: conditions.turns]
    with begin(directory, pack, seed) as campaign:
        master = GameMaster(
            campaign,
            directory,
            open_model,
            suggest=conditions.suggest,
            overrides=conditions.settings_for(pack),
            clock_ms=conditions.clock_ms,
            seed=seed * _APART,
            has_schema=conditions.has_schema,
        )
        told = []
        for message in messages:
            watch.began()
            began = conditions.clock_ms()
            exchange = master.exchange(Said(wording(pack, message, seed), actor_id=message.speaker), watch.told)
            told.append(_told(message, exchange, watch, conditions.clock_ms() - began))
        is_whole = len(messages) == len(pack.scenario.messages)
        goal = [check.holds(campaign.state) for check in pack.scenario.goal] if is_whole else []
    return {"pack": pack.name, "seed": seed, "messages": told, "goal": goal, "passed": all(goal) if goal else None}


def _told(message: ScenarioMessage, exchange: Exchange, watch: Watch, ms: float) -> PlayedMessage:
    return {
        "id": message.id,
        "outcome": exchange.outcome,
        "answered": watch.has_text,
        "asked": watch.asked,
        "well_formed": watch.well_formed,
        "cut_off": watch.cut_off,
        "failures": dict(sorted(watch.failures.items())),
        "calls": dict(sorted(watch.made.items())),
        "made": watch.judged,
        "applied": watch.legal,
        "repaired": watch.repaired,
        "expected": len(message.expect),
        "met": watch.met(message.expect),
        "abstained": watch.has_text and watch.only_looked if message.abstain else None,
        "findings": _findings(exchange),
        "tokens": sum(asking.input_tokens + asking.output_tokens for asking in exchange.askings),
        "ms": round(ms),
    }


def _findings(exchange: Exchange) -> int:
    """Return how much was published that nothing applied bears out."""
    told = (reply for reply in exchange.replies if _is_published(reply))
    return sum(finding["severity"] in _SEVERITIES for reply in told for finding in reply["findings"])


def _is_published(reply: Reply) -> bool:
    """Return whether what a turn tells stands; not so what is wanted again, refused, or was closed in conflict."""
    if reply["status"] in ("retry_needed", "refused"):
        return False
    return "conflict_report" not in reply or all(finding["severity"] != "error" for finding in reply["findings"])
