"""Fights as text."""

from __future__ import annotations

import pytest
from tests.render.fight_samples import fight_view
from tests.render.map_samples import HOSTILE

from turnwright.render.battlefield_text import render_battlefield_text
from turnwright.render.battlefield_view import place_of
from turnwright.render.escape import terminal_safe
from turnwright.render.measure import columns

DRAWING = """\
The Hall
encounter-1 · round 2 · Ana's turn · dim light

  01234567
0 ·····█··
1 Aa1··█··
2 ++······
3 ········
4 ····◘···
5 ***···░≈

▶  A Ana  ally   (0,1)           4/10 hp +3, bloodied, prone
 † a Ana  enemy  (1,1)           0/10 hp, dead, prone
 ○ 1 Ana  enemy  (2,1) 10 ft up  0/10 hp, down, prone

◘ Ana (4,4): shut, locked, half cover, blocks the way
* Ana: 2d6 fire, DC 12 dex save (0,5) (1,5)
* mist (2,5)
aura: Ana of Ana, 10 ft

█ obstacle   ░ difficult terrain   ≈ water   * hazard   ◘ prop   + within reach of Ana
▶ whose turn it is   ○ down   † dead"""


def test_a_fight_is_drawn_with_everybody_and_everything_on_it() -> None:
    assert render_battlefield_text(fight_view()) == DRAWING


def test_plain_ascii_is_plain_ascii() -> None:
    text = render_battlefield_text(fight_view(ascii=True), ascii=True)
    assert text.replace(" \u00b7 ", " ").isascii()
    assert ">  A Ana" in text
    assert " x a Ana" in text
    assert "1 Aa1..#.." in text


def test_an_ended_fight_says_how_it_ended_and_is_nobodys_turn() -> None:
    text = render_battlefield_text(fight_view(outcome="victory", reach=None, auras=(), lighting="bright"))
    assert text.splitlines()[1] == "encounter-1 · ended after 2 rounds: victory · bright light"
    assert "within reach" not in text
    assert "aura" not in text


@pytest.mark.parametrize("name", HOSTILE)
def test_names_cannot_drive_a_terminal_nor_break_lines(name: str) -> None:
    name = name.replace("\ud800", "")
    text = render_battlefield_text(fight_view(name, title=name, encounter_id=name or "e"), width=70)
    assert text.replace("\n", "") == terminal_safe(text.replace("\n", ""))
    assert len(text.splitlines()) <= len(DRAWING.splitlines()) + 3
    assert max(map(columns, text.splitlines())) <= 70


def test_depths_are_told_as_depths() -> None:
    position = fight_view().field.legend[0].position
    assert place_of(position.replace(z=-1)) == "(0,1) 5 ft down"
