"""The output of the suggestion engine: hints for a model, and the reasons why others were left out.

Source: docs/suggestions.md, "What comes out".
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field, field_validator

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import OfferedHint, SuggestionAnswer

HIGHLY, RECOMMENDED = 0.8, 0.5
"""From these confidences on a hint is highly recommended, and recommended; both inclusive."""


class Label(StrEnum):
    """The strength of a hint."""

    HIGHLY_RECOMMENDED = "highly recommended"
    RECOMMENDED = "recommended"
    OPTIONAL = "optional"


def label_of(confidence: float) -> Label:
    """Return the label of a confidence, which is rounded before it is compared."""
    rounded = round(confidence, 3)
    if rounded >= HIGHLY:
        return Label.HIGHLY_RECOMMENDED
    return Label.RECOMMENDED if rounded >= RECOMMENDED else Label.OPTIONAL


class Suggestion(BaseModel):
    """One hint. `arguments` are part of the tool's arguments; `span` is where in the normalized message it was read."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    tool: Annotated[str, Field(min_length=1)]
    intent: Annotated[str, Field(min_length=1)]
    reason: Annotated[str, Field(min_length=1, max_length=160)]
    confidence: Annotated[float, Field(ge=0, le=1)]
    arguments: dict[str, Any] | None = None
    rule_id: Annotated[str, Field(min_length=1)]
    span: tuple[int, int] | None = None

    @field_validator("confidence")
    @classmethod
    def _round(cls, confidence: float) -> float:
        return round(confidence, 3)

    @property
    def label(self) -> Label:
        """The strength of the hint."""
        return label_of(self.confidence)

    @property
    def operation(self) -> str | None:
        """The `operation` among its arguments, which tells the uses of a `manage_*` tool apart."""
        operation = (self.arguments or {}).get("operation")
        return operation if isinstance(operation, str) else None

    def as_json(self) -> OfferedHint:
        """Return the hint as records and commands show it."""
        shown = self.model_dump(mode="json", exclude_none=True)
        return cast("OfferedHint", shown | {"label": self.label.value})


class Suppressed(NamedTuple):
    """A hint that was left out. `cause` is one of a few fixed words, with the winner's intent after `excluded_by:`."""

    tool: str | None
    intent: str
    cause: str


class RuleError(NamedTuple):
    """A part of the suggestor that failed; the others went on."""

    rule_id: str
    error: str


class SuggestionSet(NamedTuple):
    """Everything one look at a message gave. Only `suggestions` and `context_notes` reach a model.

    `clauses` are `(type, start, end)` in the normalized message.
    """

    suggestions: tuple[Suggestion, ...] = ()
    context_notes: tuple[str, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    errors: tuple[RuleError, ...] = ()
    rules_version: str = ""
    language: str | None = None
    clauses: tuple[tuple[str, int, int], ...] = ()
    dropped_arguments: tuple[str, ...] = ()
    source: str = "heuristic"

    def as_json(self) -> SuggestionAnswer:
        """Return the set as `turnwright suggest` prints it."""
        return {
            "suggestions": [suggestion.as_json() for suggestion in self.suggestions],
            "context_notes": list(self.context_notes),
            "suppressed": [{"tool": one.tool, "intent": one.intent, "cause": one.cause} for one in self.suppressed],
            "errors": [{"rule_id": one.rule_id, "error": one.error} for one in self.errors],
            "rules_version": self.rules_version,
            "language": self.language,
            "source": self.source,
        }
