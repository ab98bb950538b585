"""A tool: one declaration that the command line, schemas, prompts and documentation all read.

Source: docs/stages/3-tools.md.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import ConfigDict

from turnwright.model.base import Model
from turnwright.model.campaign import Protocol
from turnwright.model.character import Character, CharacterState
from turnwright.model.dice.draws import PartDice
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.event import Audience, Event
from turnwright.model.wire.reason import CallFailed, Reason

if TYPE_CHECKING:
    from turnwright.content.registry import PackRegistry
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.wire.shapes import Correction, Hint


class Args(Model):
    """Arguments of a tool. The family's base decides whether unknown names are allowed.

    Attributes:
        needs: the arguments that are required, by operation.
        instead: the argument that may replace a required one.
        operation_key: the argument that chooses the operation.
        only_for: the operations that an argument is for; unlisted arguments are for all.
        also: other accepted names of arguments, where spelling is loose.
        meant_by: by operation, wrong arguments, each with the one it was meant for.
        handed_by: by operation, the operation to use when a key names another person, and words of such keys.
    """

    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    instead: ClassVar[Mapping[str, str]] = {}
    operation_key: ClassVar[str] = "operation"
    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    also: ClassVar[Mapping[str, str]] = {}
    meant_by: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    handed_by: ClassVar[Mapping[str, tuple[str, frozenset[str]]]] = {}

    @classmethod
    def needed(cls, args: JsonObject) -> tuple[str, ...]:
        """Return the arguments that the chosen operation requires, or the default one's if none is chosen."""
        operation = cls._chosen(args)
        return cls.needs.get(operation, ()) if isinstance(operation, str) else ()

    @classmethod
    def unused(cls, args: JsonObject) -> tuple[str, ...]:
        """Return the arguments that the chosen operation does not use."""
        operation = cls._chosen(args)
        return tuple(name for name, operations in cls.only_for.items() if operation not in operations)

    @classmethod
    def _chosen(cls, args: JsonObject) -> Any:
        key = cls.model_fields.get(cls.operation_key)
        return args.get(cls.operation_key, key.default if key else None)


class CoreArgs(Args):
    """Arguments of a core tool: unknown names are ignored, as in the Stage 3 document."""

    model_config = ConfigDict(extra="ignore")


A = TypeVar("A", bound=Args)
MAX_ITEMS = 20
"""The most argument objects of one batch."""
Legal = Mapping[str, "list[Any] | JsonSchema"]
"""What is legal now, by argument: values, or a schema. Arguments without restrictions are left out."""


class Context(NamedTuple):
    """The context of a call beside the world and its arguments.

    Attributes:
        acting_id: the acting character, or None.
        dice: the draws of this call.
        received: the arguments as they came, before any default.
        settings: the settings in force.
        protocol: the contract of the core tools in force.
        seq: the number of the record that the turn will write.
        done: the calls applied before in this turn: name of the tool and arguments.
        closed_turns: how many turns are closed.
        only_known: whether the caller sees only ways that the party has found, as players do.
        actor: the acting character before the call, for a tool that acts; None for others, and outside a call.
        open_packs: returns the content packs that the campaign can use; None if there are none.
    """

    acting_id: str | None
    dice: PartDice
    received: Mapping[str, Any]
    settings: Settings
    protocol: Protocol
    seq: int = 0
    done: Sequence[tuple[str, Mapping[str, Any]]] = ()
    closed_turns: int = 0
    only_known: bool = False
    actor: Character | None = None
    open_packs: "Callable[[], PackRegistry] | None" = None

    def event(self, name: str, cause: str, *, audience: Audience = "player", **data: Any) -> Event:
        """Return an event of this call.

        Args:
            name: one that the ruleset declares.
            cause: the name of the tool.
            audience: the audience of the event.
            data: its data.
        """
        return Event(name, self.dice.part, None, audience, data, cause)


class Applied(NamedTuple):
    """The report of an applied call.

    Attributes:
        result: the result in the reply.
        warnings: what was accepted although it is not as it should be.
        events: the events that it caused, for replies and for players.
        broke: whether it ended the segment, so that the rest of the turn is ignored.
        packs: the content packs that it used entries of: the SHA-256 of each, by id.
        corrections: arguments that it corrected, or used in place of values of a content entry.
    """

    result: Mapping[str, Any]
    warnings: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    broke: bool = False
    packs: Mapping[str, str] = MappingProxyType({})
    corrections: "tuple[Correction, ...]" = ()


Totals = Callable[[Sequence[JsonObject]], JsonObject]
"""Returns what a batch reports in addition to the results of its items, given these."""
Permits = Callable[[CharacterState, JsonObject, str], bool]
"""Whether the acting character's state permits a call: state, arguments as received, id of the acting character."""


@dataclass(frozen=True, slots=True, eq=False)
class Tool(Generic[A]):
    """One tool.

    Attributes:
        name: its name in calls.
        args: the model of its arguments under the default protocol.
        result: the model of what an applied call reports.
        family: `core`, `toolkit`, `scenes` or `quests`.
        reads: whether it neither changes documents nor draws dice.
        batch: whether it accepts up to 20 argument objects at once.
        shared: arguments that may be given once beside a batch, for all its items.
        totals: what a batch reports in addition to the results of its items.
        acts: whether the acting character performs it, and its state must permit it (checks 5 and 6).
        is_exact: whether its arguments are read literally: one spelling, unknown names ignored, no batches.
        in_conversation: whether it is a move in its ruleset's conversation, which says when it may be called (check 4).
        apply: applies it to a world; raises `CallFailed` before the first change.
        args_for: the model of its arguments under a given protocol.
        permits: for a tool that acts, whether the acting character's state permits a call; None: only the living may
            act.
        legal: the values that are legal now, or None when no call is legal.
        description: the description for players and models.
        example: arguments of a good call.
    """

    name: str
    args: type[A]
    result: type[Model]
    family: str
    apply: Callable[[World, A, Context], Applied]
    legal: Callable[[World, Context], Legal | None]
    permits: Permits | None
    args_for: Callable[[Protocol], type[A]]
    description: str
    example: Mapping[str, Any] = field(default_factory=dict)
    reads: bool = False
    batch: bool = False
    shared: tuple[str, ...] = ()
    totals: Totals | None = None
    acts: bool = False
    is_exact: bool = False
    in_conversation: bool = False

    @property
    def summary(self) -> str:
        """The first line of the description."""
        return self.description.partition("\n")[0]


def tool(
    args: type[A],
    result: type[Model],
    *,
    family: str,
    legal: Callable[[World, Context], Legal | None],
    example: JsonObject,
    permits: Permits | None = None,
    args_for: Callable[[Protocol], type[A]] | None = None,
    reads: bool = False,
    batch: bool = False,
    shared: tuple[str, ...] = (),
    totals: Totals | None = None,
) -> Callable[[Callable[[World, A, Context], Applied]], Tool[A]]:
    """Turn a function into a `Tool`; it registers nothing by itself."""

    def declare(apply: Callable[[World, A, Context], Applied]) -> Tool[A]:
        return Tool(
            name=apply.__name__,
            args=args,
            result=result,
            family=family,
            apply=apply,
            legal=legal,
            permits=permits,
            args_for=args_for or (lambda _: args),
            description=inspect.getdoc(apply) or "",
            example=example,
            reads=reads,
            batch=batch,
            shared=shared,
            totals=totals,
            acts=family == "core",
            is_exact=family == "core",
            in_conversation=family == "scenes",
        )

    return declare


def refuse(detail: str, hint: "Hint | None" = None) -> CallFailed:
    """Return the failure that a core tool raises for anything its rules or the world do not allow."""
    return CallFailed(Reason.INVALID_ARGS, detail, hint)
