"""Which texts the check of narrations can read."""

import pytest
from tests.suggest.test_claims import CLAIMS, LURES, scene

from turnwright.narration.readable import can_read
from turnwright.narration.verifier import findings

FOREIGN = """
Mira betritt den Hafen und sieht die Schiffe im Nebel liegen. Der Wächter nickt ihr zu und nimmt fünf Goldstücke.
Mira entre dans le port et voit les navires dans la brume. Le garde lui prend cinq pièces d'or et la laisse passer.
Mira entra en el puerto y ve los barcos en la niebla. El guardia toma cinco monedas de oro y la deja pasar.
Mira entra nel porto e vede le navi nella nebbia. La guardia prende cinque monete d'oro e la lascia passare.
Mira entra no porto e vê os navios na névoa. O guarda pega cinco moedas de ouro e a deixa passar.
Mira loopt de haven in en ziet de schepen in de mist. De wachter neemt vijf goudstukken en laat haar door.
Mira wchodzi do portu i widzi statki we mgle. Strażnik bierze pięć sztuk złota i przepuszcza ją dalej.
Мира входит в гавань и видит корабли в тумане. Стражник берёт пять золотых и пропускает её.
ミラは港に入り、霧の中に船を見る。衛兵は金貨五枚を受け取る。
米拉走进港口，看见雾中的船。守卫收下五枚金币，让她通过。
Mira går in i hamnen och ser fartygen i dimman. Vakten tar fem guldmynt och släpper förbi henne.
""".strip().splitlines()
SHOWN_BY_NOTHING = """
Mira.
Fireball!
HP 4/12
Grüße, Älfheim, Ñandú!
Las Vegas
La Belle Dame sans Merci
Mira, Bran, Lena, Grik, Old Tom, Sigrun, Tomas, Ada, Ilse Varn, Pim Ashlar, Oda Pell, Rusk
Mira casts Hunger of Hadar on Drüssel von der Aue.
Señor Alarcón de la Vega pays you 5 gold.
"Guten Morgen, mein Freund, wie geht es dir?" Mira says, and you nod to her.
""".strip().splitlines()


@pytest.mark.parametrize("text", FOREIGN)
def test_a_paragraph_in_another_language_cannot_be_read(text: str) -> None:
    assert not can_read(text)


@pytest.mark.parametrize("text", SHOWN_BY_NOTHING)
def test_names_spells_and_quotations_tell_of_no_other_language(text: str) -> None:
    assert can_read(text)


def test_every_text_that_the_check_is_tried_on_can_be_read() -> None:
    assert [text for text in (*LURES, *(text for text, _ in CLAIMS)) if not can_read(text)] == []


@pytest.mark.parametrize("text", FOREIGN)
def test_a_text_in_another_language_has_no_findings(text: str) -> None:
    assert findings(text, scene()) == []


def test_of_a_text_in_two_languages_the_paragraphs_that_can_be_read_are_checked() -> None:
    text = "\n\n".join([FOREIGN[0], "Lena hands you the silver key.", FOREIGN[0]])
    assert [finding["claim"] for finding in findings(text, scene())] == ["Lena hands you the silver key"]
