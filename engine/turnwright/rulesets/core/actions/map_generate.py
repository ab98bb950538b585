"""map_generate: a batch of new areas inside an area, or at the root of the map."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from turnwright.model.area import Area, Layer, area_number, area_tag
from turnwright.model.base import MAX_ID_LENGTH, Count, Flag, ListOf, Model, Text
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.map_rules import layer_problems
from turnwright.rulesets.core.mapgen import (
    DEFAULT_SEED,
    DEFAULT_SIZE,
    DEFAULT_THEME,
    SIZES,
    Batch,
    generate,
    new_area_ids,
)
from turnwright.rulesets.tool import Applied, Context, CoreArgs, Legal, refuse, tool

MAX_WORD_LENGTH = 1000
"""Characters: the name of every new area contains the theme."""


class Constraints(BaseModel):
    """Constraints on the new areas; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    size: int = Field(
        default=DEFAULT_SIZE, strict=True, ge=SIZES.start, le=SIZES.stop - 1, description="How many areas."
    )
    seed: Text | None = Field(default=None, max_length=MAX_WORD_LENGTH, description="Another seed, other shortcuts.")
    two_way: Flag = Field(default=False, description="Whether the links inside the batch lead both ways.")


class MapGenerateArgs(CoreArgs):
    """Arguments of `map_generate`."""

    parent_area_id: Text | None = Field(
        max_length=MAX_ID_LENGTH, description="The area that contains the new ones; null for the root of the map."
    )
    theme: Text | None = Field(
        default=None, max_length=MAX_WORD_LENGTH, description="A word for the names of the new areas, such as Cave."
    )
    constraints: Constraints | None = Field(default=None, description="Size, seed and direction of the links.")


class MapGenerateResult(Model):
    """The generated areas."""

    created_area_ids: ListOf[Text] = Field(description="In creation order; the first is the entry.")
    created_connections: Count = Field(description="How many directed links the map gained.")
    root_parent_area_id: Text | None
    warnings: ListOf[Text]


def _legal(world: World, ctx: Context) -> Legal | None:
    del ctx
    return {"parent_area_id": [None, *_known(world)]}


def _known(world: World) -> list[str]:
    """Return areas that can be named; in a large map those of the root layer and of the party's layers."""
    from turnwright.rulesets.reference_lookup import MAX_COUNT, some_layers  # only failed calls and `legal` need it

    return sorted(area_id for layer in some_layers(world) for area_id in layer.areas)[:MAX_COUNT]


@tool(
    MapGenerateArgs,
    MapGenerateResult,
    family="core",
    legal=_legal,
    example={"parent_area_id": "area_001", "theme": "Cave", "constraints": {"size": 6, "seed": "alpha"}},
)
def map_generate(world: World, args: MapGenerateArgs, ctx: Context) -> Applied:
    """Generate areas inside an area (its first new area becomes the entry, linked both ways) or at the root.

    The same map, arguments and seed always give the same areas. The theme affects names only.
    """
    del ctx
    parent = world.area(args.parent_area_id) if args.parent_area_id is not None else None
    if args.parent_area_id is not None and parent is None:
        detail = f"there is no area {args.parent_area_id!r}"
        from turnwright.rulesets.reference_lookup import replace_area  # only failed calls need it

        raise refuse(detail, replace_area(world, "args.parent_area_id", args.parent_area_id, _known(world)))
    batch, warnings = _batch(args)
    layer = world.layer(args.parent_area_id) or Layer(parent_area_id=args.parent_area_id, areas={})
    area_ids = new_area_ids(world.highest_area(), batch.size)
    if area_number(area_ids[-1]) is None:
        raise refuse("the numbers of the areas have grown too long to go on counting")
    created = generate(batch, area_ids)

    draft = World(world)
    added = sum(len(area.reachable_area_ids) for area in created) + _join(draft, layer, parent, created)
    _require_valid(draft)
    world.merge(draft)
    return Applied(
        {
            "created_area_ids": [area.id for area in created],
            "created_connections": added,
            "root_parent_area_id": args.parent_area_id,
            "warnings": warnings,
        }
    )


def _batch(args: MapGenerateArgs) -> tuple[Batch, list[str]]:
    asked = args.constraints or Constraints()
    theme = (args.theme or "").strip()
    warnings = ["theme_defaulted"] if args.theme is not None and not theme else []
    if asked.seed is None:
        warnings.append("seed_defaulted")
    seed = DEFAULT_SEED if asked.seed is None else asked.seed
    return Batch(args.parent_area_id, theme or DEFAULT_THEME, asked.size, seed, asked.two_way), warnings


def _join(world: World, layer: Layer, parent: Area | None, created: list[Area]) -> int:
    """Link the batch to its parent and to the lowest existing area that is not a place of the story.

    Returns:
        The number of added links.
    """
    entry = created[0]
    plain = [area_id for area_id in layer.areas if not world.tagged("locations/", area_tag(area_id))]
    lowest = layer.areas[min(plain)] if plain else None
    added = 0
    if parent is not None:
        entry = entry.reaching(parent.id, *([lowest.id] if lowest else []))
        _put_area(world, parent.reaching(entry.id))
        added += 2 + (lowest is not None)
        # Only on a broken map is the parent in this very layer; the check below refuses that.
    elif lowest is not None:
        lowest = lowest.reaching(entry.id)
        added += 1
    fresh = [entry, *created[1:]] if parent is not None or lowest is None else [lowest, *created]
    world.put(layer.with_areas(fresh))
    return added


def _put_area(world: World, area: Area) -> None:
    path = world.layer_of(area.id)
    layer = world.get(path) if path else None
    if isinstance(layer, Layer):
        world.put(layer.with_areas([area]))


def _require_valid(draft: World) -> None:
    problems = [p for layer in draft.touched.values() if isinstance(layer, Layer) for p in layer_problems(layer, draft)]
    if problems:
        raise refuse(f"the map would not be valid: {problems[0].message}")
