"""The document that the game master owes at each stage, how it is applied, and its fallback if it stays invalid.

Source: docs/tools/scenes.md, "Waiting".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.base import Model
from turnwright.model.crew import Crew
from turnwright.model.lazy import load
from turnwright.model.request import Stage
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.waiting import ask_text

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import PlayResult


class OutputKind(NamedTuple):
    """A document that the game master may owe. Its parts are names in this package, as `module:name`.

    Attributes:
        model: the model of its fields.
        apply: applies it; raises `CallFailed` before the first change.
        fallback: replaces it; empty if it is requested until it is valid.
        given_up: what happens if it stays invalid; by default the fallback.
    """

    model: str
    apply: str
    fallback: str = ""
    given_up: str = ""

    @property
    def title(self) -> str:
        """The name of its model."""
        return self.model.partition(":")[2]

    @property
    def name(self) -> str:
        """The name of its schema: that of the model in snake_case."""
        return "".join(f"_{char.lower()}" if char.isupper() else char for char in self.title).lstrip("_")

    @property
    def can_be_given_up(self) -> bool:
        """Whether the game continues without it after too many failures."""
        return bool(self.fallback or self.given_up)

    def load_model(self) -> type[Model]:
        """Return the model of the document."""
        model: type[Model] = _load(self.model)
        return model

    def apply_to(self, play: Play, output: Any) -> PlayResult:
        """Apply a document to the game."""
        result: PlayResult = _load(self.apply)(play, output)
        return result

    def stand_in(self, play: Play) -> None:
        """Use the engine's own document in place of one, when something else was submitted."""
        _load(self.fallback)(play)

    def give_up(self, play: Play, why: str) -> None:
        """Continue without a document that stayed invalid; `why` is its last fault."""
        if self.given_up:
            _load(self.given_up)(play, [why])
        elif self.fallback:
            self.stand_in(play)


def _load(place: str) -> Any:
    return load(f"{__package__}.{place}")  # bargains and openings are rare; other turns do not import them


TURN = OutputKind("turn_output:TurnOutput", "turn:apply", "turn:hold")
TRAUMA = OutputKind("turn_output:TurnOutput", "turn:apply")
BARGAIN = OutputKind("bargain_output:BargainOutput", "bargain_output:apply", "bargain_output:fallback")
HOUSEKEEPING: Mapping[Stage, OutputKind] = {
    "dm_compression": OutputKind(
        "compression:CompressionOutput", "compression:apply", "compression:fallback", "compression:give_up"
    ),
    "dm_entanglement": OutputKind("entanglement:EntanglementOutput", "entanglement:apply", "entanglement:fallback"),
    "dm_transition": OutputKind(
        "interlude:TransitionOutput", "interlude:apply_transition", "interlude:fallback_transition"
    ),
}
"""Stages that ask nothing of a player, and so never block one."""
OPENINGS: Mapping[Stage, OutputKind] = {
    "dm_scenario": OutputKind("scenario:ScenarioInit", "scenario:apply", given_up="scenario:offer_to_stop"),
    "dm_scene_init": OutputKind("opening:SceneInit", "opening:apply"),
}
"""Stages that nothing but their document ends."""


def all_kinds() -> list[OutputKind]:
    """Return every document that the game master may owe, once."""
    return [TURN, BARGAIN, *HOUSEKEEPING.values(), *OPENINGS.values()]


def output_of(crew: Crew) -> OutputKind | None:
    """Return the document that is owed now; that of a turn of play also while the player's text is awaited."""
    stage = crew.awaiting.stage
    if stage in HOUSEKEEPING:
        return HOUSEKEEPING[stage]
    if stage in OPENINGS:
        return OPENINGS[stage]
    if crew.mood is None or stage not in ("dm_turn", "player_text"):
        return None
    judged = crew.awaiting.mood if stage == "dm_turn" else crew.mood.mood
    return {"bargain": BARGAIN, "trauma": TRAUMA}.get(judged or crew.mood.mood, TURN)


Answer = Callable[[Play, Any], "PlayResult"]


def answer_to(crew: Crew) -> Answer:
    """Return the function that handles the answer to the open request."""
    assert crew.request is not None
    place = {
        "dice": "pool:spend",
        "creation": "creation:answer",
        "choice": {
            "playing": "bargain_output:answer",
            "between_scenes": _between(crew),
            "scenario_init": "scenario:answer",
        }.get(crew.phase.tag, ""),
    }[crew.request.kind]
    handler: Answer = _load(str(place))
    return handler


def _between(crew: Crew) -> str:
    context = getattr(crew.phase, "context", None)
    return "entanglement:answer" if context is not None and context.stage == "entanglement" else "interlude:answer"


def book_failure(play: Play, why: str) -> None:
    """Count a failed output; after too many the engine continues without it, if it can.

    Args:
        play: the game.
        why: the fault of the output.
    """
    crew = play.crew
    kind = output_of(crew)
    if kind is None or crew.awaiting.stage == "player_text":
        return
    repairs = crew.awaiting.repairs + 1
    play.set_crew(awaiting=crew.awaiting.replace(repairs=repairs))
    if repairs > play.rule("max_repairs"):
        kind.give_up(play, why)


def book_limit(play: Play) -> None:
    """Let the player speak: the mood changed too often. If a player's request is already open, it stays open."""
    asked = play.crew.request
    # An atomic turn can undo the answer that allowed the call: then the same question is open again.
    if asked is not None and asked.kind != "text":
        return
    play.emit("TurnLimitReached", reason=f"the mood changed {play.crew.awaiting.transition_count} times")
    if asked is None:
        ask_text(play)
