"""The step before the model: hints for one message, behind a guard. Whatever fails here leaves the feature off.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from turnwright.game_master.exchange import Stopped
from turnwright.llm.port import LanguageModel
from turnwright.model.campaign import CREW_PATH
from turnwright.model.crew import Crew
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.model.wire.agent import AgentKind
from turnwright.rulesets.fifth_edition.fights.running import enemies_standing, fight_now

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction, Record
    from turnwright.suggestions.snapshot import Snapshot
    from turnwright.suggestions.suggestion import Suggestion, SuggestionSet


class Hints(NamedTuple):
    """The suggestions for one message.

    Attributes:
        block: what the prompt gets; empty where there is nothing to say.
        suggested: everything the suggestor gave; None where it is off or failed.
        snapshot: its input.
        elapsed_us: the time it took, in microseconds.
        errors: what failed around it, as a name and what it said.
    """

    block: str = ""
    suggested: SuggestionSet | None = None
    snapshot: Snapshot | None = None
    elapsed_us: int = 0
    errors: tuple[tuple[str, str], ...] = ()


OpenModel = Callable[[str], LanguageModel]
Suggest = Callable[
    [World, Settings, AgentKind, str, Sequence["Record"], str | None, OpenModel | None, str | None],
    Hints,
]
"""Gives the hints for a message: the world, the settings, the agent, the message, the turns so far, who speaks, what
opens a model where one may be asked for hints, and whom the agent plays."""


def hints_for(
    suggest: Suggest,
    world: World,
    settings: Settings,
    agent: AgentKind,
    message: str,
    turns: Sequence[Record],
    actor_id: str | None = None,
    open_model: OpenModel | None = None,
    played_id: str | None = None,
) -> Hints:
    """Return the hints for a message; none where the feature is off, and where it fails none but the error.

    Raises:
        Stopped: when the person at the table stopped a model that was asked for hints.
    """
    if not settings["suggestions.enabled"]:
        return Hints()
    try:
        return suggest(world, settings, agent, message, turns, actor_id, open_model, played_id)
    except Stopped:
        raise
    except Exception as error:  # advice never stops a turn
        return Hints(errors=(fault_of("suggestor", error),))


def moment_of(world: World, actor_id: str | None) -> Hashable:
    """Return the point in a fight, or the mood, whose end makes hints stale: who acts, whose turn it is, who stands."""
    crew = world.get(CREW_PATH)
    mood = crew.mood.mood if isinstance(crew, Crew) and crew.mood is not None else None
    fight = fight_now(world, actor_id or world.campaign.selected.active_actor_id)
    if fight is None:
        return actor_id, mood
    return actor_id, mood, fight.id, fight.round, fight.current.id, enemies_standing(world, fight)


def still_open(hints: Hints, applied: Sequence[AppliedAction]) -> Hints:
    """Return hints without those that were followed: once is enough for a message.

    Args:
        hints: the hints for a message.
        applied: the actions that were applied since it was said.
    """
    if hints.suggested is None:
        return hints
    try:
        from turnwright.suggestions.prompt_block import render_block

        shown = hints.suggested.suggestions
        left = tuple(one for one in shown if not any(_follows(action, one) for action in applied))
        if len(left) == len(shown):
            return hints
        found = hints.suggested._replace(suggestions=left)
        return hints._replace(block=render_block(found), suggested=found)
    except Exception as error:  # advice never stops a turn
        return hints._replace(block="", errors=(*hints.errors, fault_of("block", error)))


_USES = ("operation", "action_type")
"""Arguments that tell the uses of one tool apart."""


def _follows(action: AppliedAction, hint: Suggestion) -> bool:
    if action["tool"] != hint.tool:
        return False
    wanted = {key: value for key, value in (hint.arguments or {}).items() if key in _USES}
    asked = action["args"].get("batch") or [action["args"]]
    items = (one for one in asked if isinstance(one, Mapping))
    return any(all(one.get(key, value) == value for key, value in wanted.items()) for one in items)


def fault_of(part: str, error: Exception) -> tuple[str, str]:
    """Return what is written down of a part that failed."""
    return part, f"{type(error).__name__}: {error}"[:200]
