"""The input for drawing a fight: the drawn squares, their contents, and descriptions in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from turnwright.model.encounter import HazardDetails, Position, Prop, Terrain
from turnwright.render.map_view import count_of
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Battlefield, Figure, Window
from turnwright.rulesets.fifth_edition.space.grid.space import FEET, XY

_LIGHT = {"bright": "bright light", "dim": "dim light", "darkness": "darkness", "magical_darkness": "magical darkness"}


@dataclass(frozen=True, slots=True)
class AuraView:
    """One aura: the squares of the ground it reaches, which may lie off the grid."""

    id: str
    name: str
    owner: str
    radius: int
    area: Window


@dataclass(frozen=True, slots=True)
class FightView:
    """One reader's view of a fight.

    Attributes:
        outcome: how it ended; None while it runs.
        reach: the squares that the active participant can reach with the remaining movement; None if not requested.
    """

    title: str
    encounter_id: str
    round: int
    outcome: str | None
    lighting: str
    field: Battlefield
    terrain: Terrain
    props: tuple[Prop, ...] = ()
    auras: tuple[AuraView, ...] = ()
    reach: frozenset[XY] | None = None

    @property
    def current(self) -> Figure | None:
        """Whose turn it is, or None when the fight is over."""
        return next((figure for figure in self.field.legend if figure.current), None)


def headline_of(view: FightView) -> str:
    """Say in one line where the fight stands."""
    if view.outcome is not None:
        when = f"ended after {count_of(view.round, 'round')}: {view.outcome}"
    else:
        current = view.current
        when = f"round {view.round}" + (f" \u00b7 {current.name}'s turn" if current else "")
    return f"{view.encounter_id} \u00b7 {when} \u00b7 {_LIGHT.get(view.lighting, view.lighting)}"


def state_of(figure: Figure) -> str:
    """Describe a participant's state in a word; empty if well, except for what the hit points show."""
    is_told = figure.hp is None or figure.look in ("dead", "down", "bloodied")
    return (figure.look or "") if is_told else ""


def hp_of(figure: Figure) -> str:
    """Describe a participant's hit points, with temporary ones listed separately; empty if unknown."""
    if figure.hp is None:
        return ""
    return f"{figure.hp}/{figure.max_hp} hp" + (f" +{figure.temp_hp}" if figure.temp_hp else "")


def facts_of(figure: Figure) -> str:
    """Describe a participant besides the name: hit points, state, conditions."""
    return ", ".join(filter(None, (hp_of(figure), state_of(figure), *figure.conditions)))


def place_of(position: Position) -> str:
    """Say where something is; the height in feet, where it is not the ground."""
    height = f" {abs(FEET * position.z)} ft {'up' if position.z > 0 else 'down'}" if position.z else ""
    return f"({position.x},{position.y}){height}"


def prop_text(prop: Prop) -> str:
    """Say what a prop is."""
    cover = f"{prop.cover_type.replace('_', ' ')} cover" if prop.cover_type != "none" else ""
    health = f"{prop.hp} hp" if prop.hp is not None else ""
    facts = [prop.state or "", "locked" if prop.locked else "", cover, "blocks the way" if prop.blocks_movement else ""]
    facts += [health, "hidden" if prop.hidden else "", "broken" if prop.is_broken else ""]
    told = ", ".join(filter(None, facts))
    return f"{prop.name} {place_of(prop.position)}" + (f": {told}" if told else "")


def hazard_text(hazard: HazardDetails) -> str:
    """Say what a hazard does."""
    hurt = " ".join(filter(None, (hazard.damage, hazard.damage_type if hazard.damage else None)))
    dc = f"DC {hazard.dc}" if hazard.dc is not None else ""
    save = " ".join(filter(None, (dc, hazard.save_ability))) + " save" if dc or hazard.save_ability else ""
    told = ", ".join(filter(None, (hurt, save, hazard.condition)))
    return hazard.type + (f": {told}" if told else "")


def hazards_of(terrain: Terrain) -> Iterator[tuple[str, list[str]]]:
    """Group the hazards that do the same, each with its squares, in the order in which they first come."""
    groups: dict[str, list[str]] = {}
    for hazard in terrain.hazards:
        groups.setdefault(hazard_text(hazard), []).append(hazard.position)
    yield from groups.items()


def aura_text(aura: AuraView) -> str:
    """Say what an aura is and whose."""
    return f"{aura.name} of {aura.owner}, {aura.radius} ft"


def summary_of_fight(view: FightView) -> str:
    """Describe the picture for readers who cannot see it."""
    people = [f"{figure.name} is at {place_of(figure.position)}, {facts_of(figure)}" for figure in view.field.legend]
    return ". ".join([headline_of(view), *people]) + "."


def squares_text(squares: list[str]) -> str:
    """List the first few squares of many."""
    shown = " ".join(f"({square})" for square in squares[:6])
    return shown + (f" and {len(squares) - 6} more" if len(squares) > 6 else "")
