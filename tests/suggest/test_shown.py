"""What a screen shows of a text, and where in the text each part of it stands."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import growth

from turnwright.language.shown import shown


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Mira fa\u200blls.", "Mira falls."),
        ("da\u00admage, \ufeffMi\u2060ra\u200e", "damage, Mira"),
        ("M\u0336i\u0336ra\ufe0f", "Mira"),
        ("Mira\x00 falls\x07", "Mira falls"),
        ("one\u2028two", "one\ntwo"),
        ("dаmage", "damage"),
        ("Mirа says: Привет, Мира", "Mira says: Привет, Мира"),
        ("the ѕсоре falls", "the scope falls"),
        ("ᴍɪʀᴀ falls", "mira falls"),
        ("Ｍｉｒａ　ｆａｌｌｓ！", "Mira\u3000falls!"),
        ("Mira&nbsp;falls &amp; dies", "Mira\u00a0falls & dies"),
        ("Mi&shy;ra fa&#8203;lls", "Mira falls"),
        ("&#77;ira &unknown; A&B", "Mira &unknown; A&B"),
        ("&lt;b&gt;Mira", "<b>Mira"),
        ("<b>Mira</b> f<i class='x'>all</i>s<br/>down", "Mira falls\ndown"),
        ("<Mira falls> <Mira> a < b > c", "<Mira falls> <Mira> a < b > c"),
        ("<b Mira falls>", "<b Mira falls>"),
        ("| Mira | takes 5 |", "  Mira   takes 5 ;"),
        ("| 1 | Mira |", "| 1 | Mira |"),
        ("Zoë Ångström naïve – “Ja”", "Zoë Ångström naïve – “Ja”"),
    ],
)
def test_a_text_is_read_as_a_screen_shows_it(text: str, seen: str) -> None:
    assert shown(text).text == seen


@pytest.mark.parametrize(
    ("text", "word", "place"),
    [
        ("So: Mi\u200bra falls.", "Mira", "Mi\u200bra"),
        ("So: <b>Mira</b> falls.", "Mira", "Mira"),
        ("&nbsp;Mira&nbsp;falls", "falls", "falls"),
        ("Mira f&#97;lls", "falls", "f&#97;lls"),
        ("Mira falls", "falls", "falls"),
    ],
)
def test_what_is_seen_is_found_again_in_the_text_as_given(text: str, word: str, place: str) -> None:
    seen = shown(text)
    start = seen.text.index(word)
    first, past = seen.span_of(start, start + len(word))
    assert text[first:past] == place


SOUP = st.lists(
    st.sampled_from([*"Mira5 |\n<>/&;", "\u200b", "а", "<b>", "<br>", "&nbsp;", "&#0;", "\u0336", "\r"])
).map("".join)


@given(SOUP | st.text())
def test_places_lie_in_the_text_and_follow_each_other(text: str) -> None:
    seen = shown(text)
    spans = [seen.span_of(at, at + 1) for at in range(len(seen.text))]
    assert spans == sorted(spans)
    assert all(0 <= first < past <= len(text) for first, past in spans)
    assert seen.span_of(0, len(seen.text))[1] <= len(text)


@pytest.mark.parametrize(
    "unit", ["&", "&#", "<b ", "<b a='", "\u200b", "а ", "| a ", "|", "<br>", "&nbsp;", "<b" + 90 * " "]
)
def test_the_time_to_see_a_text_grows_no_faster_than_the_text(unit: str) -> None:
    def see(size: int) -> Callable[[], object]:
        text = (unit * size)[:size]
        return lambda: shown(text)

    assert growth(see, 1 << 14, 1 << 17, 3) < 3
