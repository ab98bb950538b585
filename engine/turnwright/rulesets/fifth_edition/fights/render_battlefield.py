"""render_battlefield: draw a fight, one character a square."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, FrozenMap, Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Size
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Figure, Window, battlefield, column_header
from turnwright.rulesets.fifth_edition.targets import body_of, combatant, now, require_encounter
from turnwright.rulesets.reference_lookup import replace_person
from turnwright.rulesets.references import Choice, CombatantId, EncounterId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

Squares = Annotated[int, Field(strict=True, ge=1, le=100)]
LegendDetail = Annotated[
    Literal["minimal", "standard", "detailed"],
    Choice(
        {
            "minimal": ("min", "minimum", "names", "short", "brief"),
            "standard": ("std", "normal", "default"),
            "detailed": ("detail", "details", "full", "verbose", "all"),
        }
    ),
]


class ViewportArgs(Model):
    """A part of the grid, in squares."""

    x: SafeInt = Field(default=0, description="The first column shown; with focus_on it is worked out for you.")
    y: SafeInt = Field(default=0, description="The first row shown; with focus_on it is worked out for you.")
    width: Squares
    height: Squares


class RenderBattlefieldArgs(ToolkitArgs):
    """Arguments of `render_battlefield`."""

    encounter_id: EncounterId = Field(description="A fight, running or ended.")
    show_legend: Flag = Field(default=True, description="Include the legend of symbols.")
    show_coordinates: Flag = Field(default=True, description="Give the digits that belong above the columns.")
    show_elevation: Flag = Field(default=True, description="Give the height of each participant in the legend.")
    viewport: ViewportArgs | None = Field(default=None, description="The part to draw; the whole grid unless given.")
    focus_on: CombatantId | None = Field(default=None, description="Put the window around this participant.")
    legend_detail: LegendDetail = Field(default="standard", description="How much the legend shows of each.")
    ascii: Flag = Field(default=False, description="Draw with plain ASCII characters only.")


class PositionView(Model):
    """A square; z is its height."""

    x: SafeInt
    y: SafeInt
    z: SafeInt | None = ABSENT


class LegendRow(Model):
    """The participant a symbol represents; `legend_detail` sets how much is shown."""

    id: Id
    symbol: Text
    name: Text
    position: PositionView | None = ABSENT
    hp: Count | None = ABSENT
    max_hp: Count | None = ABSENT
    bloodied: Flag | None = ABSENT
    down: Flag | None = Field(default=None, exclude_if=is_none, description="At 0 hit points or unconscious.")
    dead: Flag | None = ABSENT
    current: Flag | None = Field(default=None, exclude_if=is_none, description="Whether it is its turn.")
    conditions: ListOf[Text] | None = ABSENT
    is_enemy: Flag | None = ABSENT
    temp_hp: Count | None = ABSENT
    ac: Count | None = ABSENT
    speed: Count | None = ABSENT
    size: Size | None = ABSENT
    initiative: SafeInt | None = ABSENT


class ViewportView(Model):
    """The squares that are drawn."""

    x: Count
    y: Count
    width: Count
    height: Count


class RenderBattlefieldResult(Model):
    """The drawing."""

    viewport: ViewportView
    rows: ListOf[Text] = Field(description="The cells, row by row from the top; one character a square.")
    symbols: FrozenMap[Text] = Field(description="By id of the participant.")
    legend: ListOf[LegendRow] = Field(description="In the order of turns; empty without show_legend.")
    header: ListOf[Text] | None = Field(
        default=None, exclude_if=is_none, description="Digits above the columns: tens where there are any, then units."
    )


@toolkit(RenderBattlefieldArgs, RenderBattlefieldResult, example={"encounter_id": "encounter-1"}, reads=True)
def render_battlefield(world: World, args: RenderBattlefieldArgs, ctx: Context) -> Applied:
    """Draw a fight as rows of characters, one a square: use it to see all positions.

    Allies are upper case, enemies lower case or digits; the legend names each symbol, the fallen and the current turn.
    `·` floor, `█` obstacle, `░` difficult ground, `≈` water, `*` hazard, `◘` prop; with `ascii` they are `.#:~*%`.
    It changes nothing. For exact distances use measure_distance.
    """
    del ctx
    encounter = require_encounter(world, args.encounter_id)
    viewport = _viewport(encounter, args)
    bodies = {person.id: body_of(world, person) for person in encounter.participants}
    drawn = battlefield(
        encounter, bodies, viewport=viewport, focus_on=_focus(world, encounter, args.focus_on), ascii=args.ascii
    )
    legend = [_legend_row(world, encounter, figure, args) for figure in drawn.legend] if args.show_legend else []
    result = RenderBattlefieldResult.model_validate(
        {
            "viewport": drawn.viewport._asdict(),
            "rows": drawn.rows,
            "symbols": dict(drawn.symbols),
            "legend": legend,
            "header": column_header(drawn.viewport) if args.show_coordinates else None,
        }
    )
    return Applied(result.as_written)


def _viewport(encounter: Encounter, args: RenderBattlefieldArgs) -> Window | None:
    """Return the window a call asks for; it must show at least one square."""
    asked, terrain = args.viewport, encounter.terrain
    if asked is None:
        return None
    window = Window(asked.x, asked.y, asked.width, asked.height)
    shows = window.x < terrain.width and window.y < terrain.height
    if args.focus_on is None and not (shows and window.x + window.width > 0 and window.y + window.height > 0):
        detail = f"args.viewport: shows nothing of the grid of {terrain.width} x {terrain.height} squares"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.viewport", asked.as_written))
    return window


def _focus(world: World, encounter: Encounter, identifier: str | None) -> str | None:
    """Return the id of the participant to put in the middle; a character may be named by its own id."""
    if identifier is None:
        return None
    for person in encounter.participants:
        if identifier in (person.id, person.character_id):
            return person.id
    known = [person.id for person in encounter.participants]
    detail = f"{identifier} takes no part in {encounter.id}"
    repair = replace_person(world, "args.focus_on", identifier, known, [encounter])
    raise CallFailed(Reason.NOT_FOUND, detail, repair)


def _legend_row(world: World, encounter: Encounter, figure: Figure, args: RenderBattlefieldArgs) -> LegendRow:
    if args.legend_detail == "minimal":
        return LegendRow(id=figure.id, symbol=figure.symbol, name=figure.name)
    told: dict[str, Any] = {**figure.to_result()}
    if not args.show_elevation:
        told["position"] = {"x": figure.position.x, "y": figure.position.y}
    if args.legend_detail == "detailed":
        person = encounter.participant(figure.id)
        assert person is not None
        values = now(world, combatant(world, encounter, person))
        told |= {"is_enemy": figure.is_enemy, "temp_hp": figure.temp_hp, "initiative": person.initiative}
        told |= {"ac": values.ac.effective, "speed": values.speed.effective, "size": values.size}
    return LegendRow.model_validate(told)
