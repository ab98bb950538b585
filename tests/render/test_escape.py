"""Names written by players and models: nothing in them reaches a terminal or an XML parser as more than text."""

import sys
import unicodedata
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.render.escape import terminal_safe, xml_safe

ANY_TEXT = st.text(st.characters())
# Format characters that are drawn: number and verse signs of Arabic, Syriac and Kaithi.
DRAWN_FORMAT = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def test_no_character_of_all_that_exist_gets_through_if_it_steers_or_hides() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    left = {char for char in terminal_safe(everything) if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert {ord(char) for char in left} <= DRAWN_FORMAT


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("", ""),
        ("Ana of Érd 東京 🐉", "Ana of Érd 東京 🐉"),
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("two\nlines\tand\r", "two␊lines␉and␍"),
        ("\x7f\x9b", "␡\ufffd"),
        ("\u202eevil\u2069\u200b", "\ufffdevil\ufffd\ufffd"),
        ("\ud83d alone", "\ufffd alone"),
        ("a\u200db \u200d\u200c \u0645\u200c", "a\ufffdb \ufffd\ufffd \u0645\ufffd"),
        ("\u0645\u200c\u200c\u06cc", "\u0645\ufffd\ufffd\u06cc"),
        ("\U0001f469\u200dx \U0001f469\u200c\U0001f469", "\U0001f469\ufffdx \U0001f469\ufffd\U0001f469"),
        ("\u17b5\u200d\u1780", "\ufffd\ufffd\u1780"),
    ],
)
def test_dangerous_characters_have_visible_stand_ins(raw: str, safe: str) -> None:
    assert terminal_safe(raw) == safe


@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u0631\u0648\u0645",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
        "\u0915\u094d\u200c\u0937",
        "\u0d05\u0d35\u0d28\u0d4d\u200d.",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f3f4\u200d\u2620\ufe0f",
    ],
    ids=["Persian", "Sinhala", "Hindi", "Malayalam", "astronaut", "rainbow", "family", "pirate"],
)
def test_joiners_stay_where_a_word_or_an_emoji_is_made_with_them(text: str) -> None:
    assert terminal_safe(text) == text


JOINED = st.text(st.sampled_from("\u200c\u200d\u0645\u094d\ufe0f\U0001f469\u180b\u17b5a\n"))


@given(ANY_TEXT | JOINED)
def test_terminal_safe_keeps_the_length_settles_at_once_and_can_be_encoded(raw: str) -> None:
    safe = terminal_safe(raw)
    assert len(safe) == len(raw)
    assert terminal_safe(safe) == safe
    assert safe.encode().decode() == safe


@given(ANY_TEXT)
def test_an_xml_parser_reads_back_every_character_that_xml_can_hold(raw: str) -> None:
    read = ET.fromstring(f"<a b=\"{xml_safe(raw)}\" c='{xml_safe(raw)}'>{xml_safe(raw)}</a>")
    legal = "".join(
        char
        for char in raw
        if char in "\t\n\r" or " " <= char < "\ud800" or "\ue000" <= char <= "\ufffd" or char > "\uffff"
    )
    one_newline = legal.replace("\r\n", "\n").replace("\r", "\n")
    assert (read.text or "") == one_newline
    assert read.get("b") == read.get("c") == one_newline.replace("\n", " ").replace("\t", " ")


def test_markup_becomes_text() -> None:
    assert xml_safe("<b a='1'>&\"") == "&lt;b a=&#39;1&#39;&gt;&amp;&quot;"
