"""A scenario pack: how a campaign begins, what its players say, what a good game master does, what is true then.

Source: docs/score.md, "A scenario pack".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from turnwright.analysis.score.goal import Check
from turnwright.model.base import Flag, Model, Text
from turnwright.model.settings import REGISTRY

Name = Annotated[Text, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
Words = Annotated[Text, Field(min_length=1, max_length=4000)]
FAMILIES = ("agents.", "suggestions.")
"""The settings that a pack may choose: those that decide no turn, and say nothing of what is scored."""
MODEL, HINTS = "agents.default_model", "suggestions.enabled"
"""The settings that say what is scored: which model, and whether with hints."""


def names_model(key: str) -> bool:
    """Return whether the value of a setting is the name of a model."""
    return (key.startswith("agents.") and key.endswith(("_model", ".model"))) or key == "suggestions.llm"


def _one_or_several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Wanted = Annotated[tuple[Words, ...], BeforeValidator(_one_or_several), Field(min_length=1)]
"""A tool that should be applied, or several of which one is enough."""


class GoodCall(Model):
    """A call that a good game master makes."""

    tool: Words
    args: dict[str, Any] = Field(default_factory=dict)


class GoodAnswer(Model):
    """One answer of a good game master."""

    text: Text = ""
    calls: tuple[GoodCall, ...] = ()

    @model_validator(mode="after")
    def _says_something(self) -> GoodAnswer:
        if not (self.text or self.calls):
            raise ValueError("wants a text, or calls")
        return self


class ScenarioMessage(Model):
    """One message of a player, and what a good game master does about it.

    Attributes:
        id: what results call it.
        speaker: the character who says it; by default the active character.
        say: its wordings, of which the seed picks one.
        expect: the tools that should be applied before the players speak again.
        abstain: no call but a look should be made.
        solution: what a good game master answers, question by question.
    """

    id: Name
    speaker: Text | None = Field(default=None, alias="as")
    say: Annotated[tuple[Words, ...], Field(min_length=1)]
    expect: tuple[Wanted, ...] = ()
    abstain: Flag = False
    solution: tuple[GoodAnswer, ...] = ()

    @model_validator(mode="after")
    def _either(self) -> ScenarioMessage:
        if self.abstain and self.expect:
            raise ValueError("wants `expect` or `abstain`, not both")
        return self


class Scenario(Model):
    """A scenario pack as its file holds it."""

    title: Words
    template: Text | None = None
    start: Text | None = Field(default=None, description="A folder of the pack with the documents of a campaign.")
    settings: dict[str, Any] = Field(default_factory=dict)
    messages: Annotated[tuple[ScenarioMessage, ...], Field(min_length=1)]
    goal: tuple[Check, ...] = ()

    @model_validator(mode="after")
    def _begins_somewhere(self) -> Scenario:
        if (self.template is None) == (self.start is None):
            raise ValueError("wants `template` or `start`, and not both")
        return self

    @model_validator(mode="after")
    def _has_known_settings(self) -> Scenario:
        for key, value in self.settings.items():
            row = REGISTRY.get(key) if key.startswith(FAMILIES) else None
            if row is None:
                raise ValueError(f"settings: {key} is no setting `agents.*` or `suggestions.*`")
            if names_model(key) or key == HINTS:
                raise ValueError(f"settings: {key} is set by the command that scores a model")
            if fault := row.fault(value):
                raise ValueError(f"settings.{key}: {fault}")
        return self

    def named_tools(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield every tool that is named, and where."""
        for place, message in enumerate(self.messages):
            for number, wanted in enumerate(message.expect):
                for tool in wanted:
                    yield ("messages", place, "expect", number), tool
            for number, answer in enumerate(message.solution):
                for call in answer.calls:
                    yield ("messages", place, "solution", number), call.tool
