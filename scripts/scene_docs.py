"""The generated parts of docs/tools/scenes.md: state machines, tables and schemas, from the tables in code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import get_args

from turnwright.model.base import Model
from turnwright.model.mood import MOODS
from turnwright.model.request import KIND_AWAITED, Stage
from turnwright.rulesets.registry import INCLUDED
from turnwright.rulesets.scenes.events import EVENTS
from turnwright.rulesets.scenes.moods import EDGES, TOOLS_OF_MOOD
from turnwright.rulesets.scenes.outputs import BARGAIN, HOUSEKEEPING, OPENINGS, TURN, OutputKind, all_kinds
from turnwright.rulesets.scenes.prices import PRICES
from turnwright.rulesets.scenes.scars import TRAUMAS
from turnwright.rulesets.scenes.tiers import COST_GUIDANCE, RESOLUTIONS, TIERS
from turnwright.rulesets.scenes.turn_output import ENDING, FIELDS, MASK, NOTHING, NUMBERS
from turnwright.rulesets.toolbox import TOOLS

Rows = Iterable[Sequence[str]]
Table = Callable[[Sequence[str], Rows], str]
PHASE_EDGES = (
    ("character_creation", "scenario_init", "a character is made"),
    ("character_creation", "session_ended", "cancelled"),
    ("scenario_init", "playing", "the opening is told"),
    ("scenario_init", "session_ended", "given up"),
    ("playing", "playing", "pass_out"),
    ("playing", "between_scenes", "retreat, or the scene ends"),
    ("between_scenes", "playing", "the next scene is opened"),
    ("between_scenes", "session_ended", "end_session"),
    ("session_ended", "between_scenes", "turnwright resume"),
)
"""Every edge between phases, with what leads along it."""
NINE = [name for name, folder in TOOLS.groups.items() if folder == "scenes"]


def _code(word: object) -> str:
    return f"`{word}`"


def phases() -> str:
    """Return the phases and their edges as a drawing."""
    lines = [f"    {before} --> {after}: {when}" for before, after, when in PHASE_EDGES]
    return "\n".join(["```mermaid", "stateDiagram-v2", "    [*] --> character_creation", *lines, "```", ""])


def moods() -> str:
    """Return the moods and their edges as a drawing."""
    drawn: dict[tuple[str, str], list[str]] = {}
    for edge in EDGES:
        for before in edge.before:
            drawn.setdefault((before, edge.after), []).append(f"{edge.name} {edge.tool}")
    lines = [f"    {before} --> {after}: {', '.join(names)}" for (before, after), names in drawn.items()]
    return "\n".join(["```mermaid", "stateDiagram-v2", "    [*] --> scene", *lines, "```", ""])


def edges(table: Table) -> str:
    """Return the edges between moods."""
    rows = (
        [
            edge.name,
            ", ".join(map(_code, edge.before)),
            _code(edge.after),
            _code(edge.tool),
            edge.when,
            "yes" if edge.restarts else "no",
        ]
        for edge in EDGES
    )
    return table(["edge", "from", "to", "by", "when", "the turn begins anew"], rows)


def matrix(table: Table) -> str:
    """Return which tool each mood has."""
    rows = ([_code(name), *("yes" if name in TOOLS_OF_MOOD[mood] else "no" for mood in MOODS), "no"] for name in NINE)
    return table(["tool", *map(_code, MOODS), "outside play"], rows)


def removed(table: Table) -> str:
    """Return the tools that are no more."""
    return table(["once", "now"], ([_code(name), use] for name, use in INCLUDED["scenes"].removed.items()))


def tools(table: Table) -> str:
    """Return each of the nine in one line."""
    return table(["tool", "what it does"], ([_code(name), TOOLS[name].summary] for name in NINE))


def tiers(table: Table) -> str:
    """Return what a face is worth in each position."""
    rows = ([str(face), *(TIERS[position][face] for position in TIERS)] for face in range(6, 0, -1))
    return table(["face", *map(_code, TIERS)], rows)


def costs(table: Table) -> str:
    """Return how each tier is resolved and what it usually costs."""
    rows = (
        [_code(tier), " or ".join(map(_code, RESOLUTIONS[tier])), _span(told.stress), _span(told.heat), told.feel]
        for tier, told in COST_GUIDANCE.items()
    )
    return table(["tier", "resolves as", "usual stress", "usual heat", "how it feels"], rows)


def _span(pair: tuple[int, int]) -> str:
    low, high = pair
    return str(low) if low == high else f"{low} to {high}"


def prices(table: Table) -> str:
    """Return the price list."""
    rows = (
        [
            _code(name),
            _span((price.low, price.high)),
            "a die for each" if price.flat is None else f"up to {price.flat}",
            (price.target or "").replace("_", " "),
        ]
        for name, price in PRICES.items()
    )
    return table(["price", "amount", "dice", "has to name"], rows)


def mask(table: Table) -> str:
    """Return what an output may change in each mood."""
    judged = [mood for mood in MOODS if mood in MASK]
    rows = [[_code(name), *(_allowed(MASK[mood][name]) for mood in judged), _span(NUMBERS[name])] for name in NUMBERS]
    rows += [
        [_code(name), *("yes" if mood in moods else "no" for mood in judged), ""] for name, moods in FIELDS.items()
    ]
    rows.append(["`continue_scene` = false", *("yes" if mood in ENDING else "no" for mood in judged), ""])
    return table(["field", *map(_code, judged), "at most, anywhere"], rows)


def _allowed(allowed: tuple[int, int]) -> str:
    return "no" if allowed == NOTHING else _span(allowed)


def events(table: Table) -> str:
    """Return every event."""
    seen = {"visible": "player, if the clock is visible"}
    rows = (
        [_code(name), ", ".join(map(_code, kind.data)), kind.when, seen.get(kind.audience, kind.audience)]
        for name, kind in EVENTS.items()
    )
    return table(["event", "data", "when", "for"], rows)


def waiting(table: Table) -> str:
    """Return every stage, who it waits for, and what ends it."""
    documents: Mapping[Stage, OutputKind] = {**HOUSEKEEPING, **OPENINGS}

    def row(stage: Stage) -> list[str]:
        if stage in KIND_AWAITED:
            text = " (or `user_input`)" if stage == "player_text" else ""
            return [_code(stage), "a player", f"`answer` to a {_code(KIND_AWAITED[stage])} request{text}"]
        if stage == "none":
            return [_code(stage), "nobody", "`turnwright resume`"]
        if stage == "dm_turn":
            return [
                _code(stage),
                "the game master",
                f"calls and `output`: `{TURN.title}`, in a bargain `{BARGAIN.title}`",
            ]
        return [_code(stage), "the game master", f"`output`: `{documents[stage].title}`"]

    return table(["stage", "waits for", "which hands in"], map(row, get_args(Stage)))


def traumas(table: Table) -> str:
    """Return the traumas that are known by name."""
    return table(["trauma", "meaning"], ([_code(name), meaning] for name, meaning in TRAUMAS.items()))


def outputs() -> Iterator[tuple[str, type[Model]]]:
    """Yield every document that the game master may owe, with its model."""
    for kind in all_kinds():
        yield kind.title, kind.load_model()
