"""The moods and their edges: which tools each has, and how one leads to the next.

Source: docs/tools/scenes.md, "Moods".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from turnwright.model.crew import Playing
from turnwright.model.mood import BargainMood, Mood, MoodName, SceneEncounter, TraumaMood
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.play import Play

TOOLS_OF_MOOD: Mapping[MoodName, tuple[str, ...]] = {
    "scene": ("set_scene_style", "choose", "engage"),
    "action": ("set_scene_style", "spend_die", "resolve"),
    "aftermath": ("set_scene_style", "choose", "accept"),
    "trauma": (),
    "bargain": ("accept_bargain", "retreat", "pass_out"),
}
"""The tools of each mood; `retreat` only while there is a way back."""
SCENE_TOOLS = tuple(dict.fromkeys(tool for tools in TOOLS_OF_MOOD.values() for tool in tools))
"""The tools of a scene game."""


class Edge(NamedTuple):
    """How one mood may follow another.

    Attributes:
        name: the name of the edge.
        tool: its reported cause: a tool, or one of the game's own causes.
        before: the moods it leads from.
        after: the mood it leads to.
        when: what must hold.
        restarts: whether the turn starts over under the new mood.
    """

    name: str
    tool: str
    before: tuple[MoodName, ...]
    after: MoodName
    when: str
    restarts: bool


EDGES: tuple[Edge, ...] = (
    Edge("M1", "engage", ("scene",), "action", "there are dice", True),
    Edge("M2", "engage", ("action",), "bargain", "there are no dice: on from M1 at once", True),
    Edge("M3", "resolve", ("action",), "aftermath", "a die was chosen", True),
    Edge("M4", "spend_die", ("action",), "bargain", "the last die was chosen, and no character breaks", True),
    Edge("M5", "spend_die", ("action",), "trauma", "the die brought all the stress there is", True),
    Edge("M6", "accept", ("aftermath",), "scene", "", False),
    Edge("M7", "auto_accept", ("aftermath",), "scene", "too many turns of aftermath", False),
    Edge("M8", "stress_max", ("scene", "action", "aftermath"), "trauma", "an output brought all the stress", False),
    Edge("M9", "accept_bargain", ("bargain",), "scene", "no character breaks; back to where the bargain began", True),
    Edge("M9", "accept_bargain", ("bargain",), "action", "no character breaks; back to where the bargain began", True),
    Edge(
        "M9", "accept_bargain", ("bargain",), "aftermath", "no character breaks; back to where the bargain began", True
    ),
    Edge("M10", "accept_bargain", ("bargain",), "trauma", "the price brought all the stress there is", True),
    Edge("M11", "pass_out", ("bargain",), "scene", "no character breaks; a new scene", True),
    Edge("M12", "pass_out", ("scene",), "trauma", "it brought all the stress: on from M11 at once", True),
    Edge("M13", "trauma_complete", ("trauma",), "scene", "the trauma is assigned", False),
    Edge("M14", "clock_interrupt", ("scene", "aftermath"), "action", "a full clock forces it; there are dice", False),
    Edge("M15", "clock_interrupt", ("scene", "aftermath"), "bargain", "a full clock forces it; no dice", False),
    Edge("M16", "scene_start", ("scene",), "trauma", "a character broke between scenes", False),
)
"""All edges between moods; there are no others."""


def tools_of(mood: Mood) -> tuple[str, ...]:
    """Return the tools that may be called in a mood."""
    names = TOOLS_OF_MOOD[mood.mood]
    has_no_retreat = isinstance(mood, BargainMood) and not mood.can_retreat
    return tuple(name for name in names if not (has_no_retreat and name == "retreat"))


def require_transition(play: Play) -> None:
    """Refuse another change of mood after too many of them for one input of a player."""
    most = play.rule("max_transitions")
    if play.crew.awaiting.transition_count >= most:
        raise CallFailed(Reason.TRANSITION_LIMIT, f"the mood changed {most} times already; let the player speak first")


def go(play: Play, tool: str, mood: Mood) -> None:
    """Change the mood along one of the edges and emit an event."""
    phase = play.crew.phase
    assert isinstance(phase, Playing)
    before, after = phase.mood.mood, mood.mood
    assert any((edge.tool, edge.after) == (tool, after) and before in edge.before for edge in EDGES)
    play.emit("MoodTransition", tool=tool, from_mood=before, to_mood=after)
    play.set_crew(phase=phase.replace(mood=mood), mood_turns=0)


def enter_bargain(play: Play, tool: str, previous: Mood, drained: str, *, can_retreat: bool) -> None:
    """Offer a bargain: the dice are gone."""
    play.emit("BargainOffered", context=drained, can_retreat=can_retreat)
    go(
        play,
        tool,
        BargainMood.model_validate(
            {
                "what_drained": drained,
                "can_retreat": can_retreat,
                "retreat_desc": "slip away and give the scene up" if can_retreat else "",
                "pass_out_desc": "let go, and wake up somewhere else",
                "previous_mood": previous.as_written,
            }
        ),
    )


def check_trauma(play: Play, trigger: str, what_broke: str) -> bool:
    """Break a character with full stress; return whether one did.

    Characters break one at a time, and one who broke between scenes has a scene of their own to come. The level of
    stress decides, not the latest change, so that no break is missed.
    """
    broken = _broken(play)
    if broken is None or not isinstance(play.crew.phase, Playing):
        return False
    mood = play.mood
    if isinstance(mood, TraumaMood):
        return False
    adrenaline = mood.mood == "action"
    breaking = TraumaMood.model_validate(
        {"for": broken, "what_broke": what_broke, "trigger": trigger, "adrenaline": adrenaline}
    )
    go(play, _CAUSES.get(trigger, "stress_max"), breaking)
    return True


_CAUSES = {"dice": "spend_die", "bargain": "accept_bargain", "pass_out": "pass_out"}
"""The reported cause of a transition to trauma, if it is not stress alone."""


def _broken(play: Play) -> str | None:
    most = play.rule("stress_max")
    people = [play.actor, *play.world.party()]
    full = (person for person in people if person is not None and person.stress >= most)
    return next((person.id for person in full if not person.pending_trauma), None)


def continuing(source: str = "continuing", urgency: str = "low", *, escapable: bool = True) -> SceneEncounter:
    """Return the mood of a scene that simply continues."""
    return SceneEncounter.model_validate({"source": source, "urgency": urgency, "escapable": escapable})
