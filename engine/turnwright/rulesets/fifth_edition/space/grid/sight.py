"""Sight: whether one creature sees another, given light, cover and senses.

Source: SRD 5.1, "Vision and Light".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from turnwright.model.vocabulary import Cover, Lighting, Sense
from turnwright.rulesets.fifth_edition.space.grid.distance import gap
from turnwright.rulesets.fifth_edition.space.grid.space import Body

Obscurement = Literal["none", "lightly", "heavily"]

_UNAIDED: Mapping[Lighting, Obscurement] = MappingProxyType(
    {"bright": "none", "dim": "lightly", "darkness": "heavily", "magical_darkness": "heavily"}
)
_WITH_DARKVISION: Mapping[Lighting, Obscurement] = MappingProxyType({**_UNAIDED, "dim": "none", "darkness": "lightly"})


class Sight(NamedTuple):
    """How one creature perceives another.

    Attributes:
        obscurement: the effect of the light on the view, whether or not obstacles are in the way.
        detected_by: the special senses that notice the target; darkvision only in light that it affects.
    """

    can_see: bool
    obscurement: Obscurement
    detected_by: tuple[Sense, ...]


def sight(
    observer: Body,
    target: Body,
    cover: Cover = "none",
    lighting: Lighting = "bright",
    senses: Mapping[Sense, float] = MappingProxyType({}),
    invisible: bool = False,
) -> Sight:
    """Return how an observer perceives a target.

    Args:
        observer: the observing creature.
        target: the observed creature.
        cover: the cover between them.
        lighting: the light at their place.
        senses: ranges in feet by sense; one of 0 feet is none.
        invisible: whether the target is invisible; only truesight and blindsight see it then.
    """
    apart = gap(observer, target)
    near = {sense for sense, feet in senses.items() if feet > 0 and apart.is_within(feet)}
    piercing = near & {"blindsight", "truesight"}
    obscurement = (_WITH_DARKVISION if "darkvision" in near else _UNAIDED)[lighting]
    if piercing:
        obscurement = "none"

    exposed = cover != "total"
    can_see = exposed and (bool(piercing) or (not invisible and obscurement != "heavily"))
    detecting: set[Sense] = set(piercing) if exposed else set()
    if "darkvision" in near and exposed and not invisible and _WITH_DARKVISION[lighting] != _UNAIDED[lighting]:
        detecting.add("darkvision")
    if "tremorsense" in near and target.at.z == 0:
        detecting.add("tremorsense")
    return Sight(can_see, obscurement, tuple(sorted(detecting)))
