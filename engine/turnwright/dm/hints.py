"""The step before the model: hints for one message, behind a guard. Whatever fails here leaves the feature off.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.dm.exchange import Stopped
from turnwright.dm.model import Model
from turnwright.model.agent import AgentKind
from turnwright.model.settings import Settings
from turnwright.world.overlay import World

if TYPE_CHECKING:
    from turnwright.suggest.snapshot import Snapshot
    from turnwright.suggest.suggestion import SuggestionSet


class Hints(NamedTuple):
    """What was suggested for one message.

    Attributes:
        block: what the prompt gets; empty where there is nothing to say.
        suggested: everything the suggestor gave; None where it is off or failed.
        snapshot: what it looked at.
        elapsed_us: how long it took, in microseconds.
        errors: what failed around it, as a name and what it said.
    """

    block: str = ""
    suggested: SuggestionSet | None = None
    snapshot: Snapshot | None = None
    elapsed_us: int = 0
    errors: tuple[tuple[str, str], ...] = ()


OpenModel = Callable[[str], Model]
Suggest = Callable[
    [World, Settings, AgentKind, str, Sequence[Mapping[str, Any]], str | None, OpenModel | None],
    Hints,
]
"""Gives the hints for a message: the world, the settings, the agent, the message, the turns so far, who speaks, and
what opens a model where one may be asked for hints."""


def hints_for(
    suggest: Suggest,
    world: World,
    settings: Settings,
    agent: AgentKind,
    message: str,
    turns: Sequence[Mapping[str, Any]],
    actor_id: str | None = None,
    open_model: OpenModel | None = None,
) -> Hints:
    """Return the hints for a message; none where the feature is off, and where it fails none but the error.

    Raises:
        Stopped: when the person at the table stopped a model that was asked for hints.
    """
    if not settings["suggestions.enabled"]:
        return Hints()
    try:
        return suggest(world, settings, agent, message, turns, actor_id, open_model)
    except Stopped:
        raise
    except Exception as error:  # advice never stops a turn
        return Hints(errors=(fault_of("suggestor", error),))


def fault_of(part: str, error: Exception) -> tuple[str, str]:
    """Return what is written down of a part that failed."""
    return part, f"{type(error).__name__}: {error}"[:200]
