"""Every axis, tone, kind of action and known trauma has its advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import pytest

from turnwright.game_master.prompts import style_guide as colour
from turnwright.model.crew import Tone
from turnwright.model.mood import Domain
from turnwright.model.scene import Atmosphere, Class, Pressure, Style
from turnwright.rulesets.scenes.scars import TRAUMAS


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (colour.ATMOSPHERE, get_args(Atmosphere)),
        (colour.PRESSURE, get_args(Pressure)),
        (colour.CLASS, get_args(Class)),
        (colour.TONE, get_args(Tone)),
        (colour.DOMAIN, get_args(Domain)),
        (colour.SCAR, tuple(TRAUMAS)),
    ],
)
def test_every_word_has_advice_of_its_own(table: Mapping[str, str], words: tuple[Any, ...]) -> None:
    assert tuple(table) == words
    assert len(set(table.values())) == len(words)


def test_a_scene_is_coloured_by_its_axes_and_its_tone() -> None:
    style = Style.model_validate({"atmosphere": "liminal", "pressure": "calm", "class": "salon"})
    expected = (colour.ATMOSPHERE["liminal"], colour.PRESSURE["calm"], colour.CLASS["salon"], colour.TONE["dark"])
    assert colour.colour_of(style, "dark") == expected


def test_a_scar_of_somebody_s_own_making_has_no_colour() -> None:
    assert colour.scars_of(["of glass", "Volatile", "soft"]) == (colour.SCAR["unstable"], colour.SCAR["soft"])
