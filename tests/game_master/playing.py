"""A campaign with a game master whose answers are written down beforehand, and what was told meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.builders import Json, spelt

from turnwright import Campaign
from turnwright.game_master.exchange import Event, Exchange, Said
from turnwright.game_master.loop import GameMaster
from turnwright.llm.port import LanguageModel, ModelAnswer, ModelFailed, ModelRequest, OnText, Usage
from turnwright.llm.script import ScriptModel

Line = Mapping[str, Any]


class Asked:
    """Notes every question that is put to a model."""

    def __init__(self, model: LanguageModel) -> None:
        self.requests: list[ModelRequest] = []
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        self.requests.append(request)
        return self._model.answer(request, on_text)

    @property
    def last(self) -> str:
        """The last message of the last question."""
        return self.requests[-1].messages[-1].text


class Once:
    """A model that does one thing, whatever it is asked."""

    name = "once"

    def __init__(self, act: Callable[[OnText | None], ModelAnswer]) -> None:
        self._act = act

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        assert request.messages
        return self._act(on_text)


def failing(kind: Any, detail: str = "out of order") -> Once:
    def act(on_text: OnText | None) -> ModelAnswer:
        if on_text is not None:
            on_text("half a sen")
        raise ModelFailed(kind, detail)

    return Once(act)


class Table:
    """A campaign, its game master, and everything that was told."""

    def __init__(
        self, campaign: Campaign, path: Path, *lines: Line, model: LanguageModel | None = None, **how: Any
    ) -> None:
        self.campaign = campaign
        self.path = path
        self.told: list[Event] = []
        self.model = Asked(model or ScriptModel(lines))
        settings = {"agents.default_model": "any", **how.pop("settings", {})}
        ticks = iter(range(10**9))
        self.master = GameMaster(
            campaign, path, lambda _: self.model, overrides=settings, clock_ms=lambda: float(next(ticks)), **how
        )

    def say(self, text: str | None = None, **how: Any) -> Exchange:
        return self.master.exchange(Said(text, **how), self.told.append)

    def answer(self, value: Any) -> Exchange:
        request = self.campaign.state["crew.json"]["request"]
        return self.master.exchange(Said(answer={"request_id": request["id"], "value": value}), self.told.append)

    def records(self) -> list[Json]:
        return list(self.campaign.records())

    def telemetry(self) -> list[Json]:
        path = self.path / "telemetry.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def texts(self) -> list[str]:
        return [record["assistant_text"] for record in self.records() if "assistant_text" in record]

    def everything(self) -> tuple[str, bytes]:
        """Return all that a campaign is: its documents and its log."""
        return spelt(self.campaign.state), (self.path / "log.jsonl").read_bytes()


def says(text: str, *calls: Any, **more: Any) -> Line:
    return {"text": text, "tool_calls": list(calls), **more}


def calls(*made: Any) -> Line:
    return {"text": "", "tool_calls": list(made)}


def used(input_tokens: int, output_tokens: int, cost: float | None = None) -> Once:
    """Return a model that always takes as much and says the same."""
    return Once(lambda _: ModelAnswer("So it goes.", usage=Usage(input_tokens, output_tokens, cost)))
