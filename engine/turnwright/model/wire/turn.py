"""A turn as it is handed in.

Source: docs/stages/1-intake.md, "The turn file".
"""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from turnwright.model.base import ONE_LINE, Flag, ListOf, Model, SafeInt, Text

TURN_ID = r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$"

TurnId = Annotated[Text, Field(pattern=TURN_ID, json_schema_extra=ONE_LINE)]


class ToolCall(Model):
    """One request. Unknown keys are ignored; `reason` is never an argument."""

    model_config = ConfigDict(extra="ignore")

    id: Text = Field(description="A label that feedback echoes; need not be unique.")
    tool: Text = Field(description="Exact name of the tool.")
    args: dict[str, Any] = Field(description="See the schema of the tool.")
    reason: Text | None = Field(default=None, description="Why the model asks for it.")


class Answer(Model):
    """A player's answer to the open request."""

    request_id: Text
    value: Any
    kind: Text | None = None


class Turn(Model):
    """One turn. Keys that begin with `x_` are recorded and otherwise left alone; any other unknown key is refused."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={"patternProperties": {"^x_": {}}, "additionalProperties": False},
    )

    turn_id: TurnId | None = Field(default=None, description="Makes the turn safe to hand in twice.")
    actor_id: Text | None = Field(default=None, description="The acting character; must be in the party.")
    user_input: Text | None = Field(default=None, description="What the player said.")
    assistant_text: Text | None = Field(default=None, description="What the game master said.")
    dialog_type: Text | None = Field(default=None, description="What kind of text `assistant_text` is.")
    tool_calls: ListOf[Any] | None = Field(default=None, description="Requests, run in order.")
    output: Any = Field(default=None, description="The document that a scene game asks of the game master.")
    answer: Any = Field(default=None, description="A player's answer to the open request.")
    atomic: Flag | None = Field(default=None, description="All parts apply, or none.")
    prompt_id: SafeInt | None = Field(default=None, description="Which prompt this turn answers.")
    keep_narration: Flag | None = Field(
        default=None, description="Keep the narration of an `output` that a break overtook."
    )
    dm_note: Text | None = Field(default=None, description="A note of the game master to itself; no player sees it.")
    agent: Text | None = Field(default=None, description="Who wrote `assistant_text`.")
    speaker_id: Text | None = Field(default=None, description="Who speaks in `assistant_text`.")
    addressees: ListOf[Text] | None = Field(default=None, description="The addressees of `assistant_text`.")
    private: Flag | None = Field(default=None, description="Only the addressees hear it.")

    def has(self, key: str) -> bool:
        """Return whether the key was given."""
        return key in self.__pydantic_fields_set__
