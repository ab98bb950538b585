"""The part of a ruleset that holds a conversation: it asks, waits, and takes answers, texts and outputs.

A ruleset with a conversation names a document that exists while the conversation does, and an object that implements
`Conversation`. The protocol parses what a turn submits, runs it on an overlay and reports it; the ruleset says what is
awaited and what each part does. Source: docs/rulesets.md, "A conversation".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from turnwright.model.base import Model
from turnwright.model.dice.draws import PartDice
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.event import Event
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.model.wire.turn import Turn
from turnwright.rulesets.tool import Applied

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ConversationRequest


class Earlier(NamedTuple):
    """How an earlier part of the same turn ended.

    Attributes:
        broke: whether it ended the segment, so that the rest of the turn is ignored.
        reason: why it failed, or None.
    """

    broke: bool
    reason: Reason | None


class PartContext(NamedTuple):
    """The context of one part of a turn.

    Attributes:
        world: an overlay, dropped when the part fails.
        dice: the draws of the part.
        settings: the settings in force.
        acting_id: the acting character, or None.
        seq: the number of the record that the turn will write.
        cause: the name of the tool, or `answer`, `user_input`, `output`.
        is_player: whether the turn came from a player.
        opened: what `Conversation.open` returned as the turn began.
        earlier: how the parts before this one ended.
    """

    world: World
    dice: PartDice
    settings: Settings
    acting_id: str | None
    seq: int
    cause: str
    is_player: bool
    opened: Any
    earlier: Sequence[Earlier] = ()


class PartDone(NamedTuple):
    """The outcome of an applied part: the arguments as they were understood, and what is reported."""

    args: Mapping[str, Any]
    applied: Applied


Work = Callable[[PartContext], PartDone]
"""Something that is done in a turn; raises `CallFailed` before its first change."""


class ModelledPart(NamedTuple):
    """A part that submits an object of a known shape.

    Attributes:
        model: returns the model of the object; raises `CallFailed` when no object is awaited.
        is_loose: whether keys in camelCase are accepted.
        run: runs the part with the parsed object and the object as it was understood.
    """

    model: Callable[[], type[Model]]
    is_loose: bool
    run: Callable[[PartContext, Any, Mapping[str, Any]], PartDone]


class Conversation(Protocol):
    """The interface that a ruleset with a conversation implements."""

    def open(self, turn: Turn, world: World) -> Any:
        """Return the state at the beginning of a turn that its parts need."""
        ...

    def request(self, world: World) -> "ConversationRequest | None":
        """Return the open request to a player, as replies hold it, or None."""
        ...

    def awaited_actor(self, world: World) -> str | None:
        """Return the character that an awaited game master turn answers for, or None."""
        ...

    def require_call(self, ctx: PartContext) -> None:
        """Check 4: refuse a call of a tool of this ruleset that may not be made now.

        Raises:
            CallFailed: with the reason.
        """
        ...

    def begin_call(self, ctx: PartContext) -> tuple[Event, ...]:
        """Start whatever a permitted call of one of this ruleset's tools starts; return what happened."""
        ...

    def due(self, ctx: PartContext) -> Work | None:
        """Return what the engine does by itself before this part, or None; asked again after each step."""
        ...

    def part(self, ctx: PartContext, content: Any) -> Work | ModelledPart | None:
        """Return the action of an answer, a text or an output; None if it is only recorded.

        Raises:
            CallFailed: when the part is not awaited.
        """
        ...

    def after_failure(self, kind: str, failure: CallFailed) -> Work | None:
        """Return the effect of a failed part of this kind (`call`, `output`, ...) on the conversation, or None."""
        ...
