"""The forms of English verbs, regular by rule and irregular by list, and the singulars of nouns."""

from __future__ import annotations

from collections.abc import Mapping

_VOWELS = "aeiou"
_IN_ES = ("ches", "shes", "xes", "zes", "ses", "oes")


def forms_of(lemma: str, irregular: Mapping[str, str], doubled: frozenset[str]) -> tuple[str, str, str, str, str]:
    """Return base, third person, past, gerund and participle of a verb.

    Args:
        lemma: the base form, one word.
        irregular: past and participle of irregular verbs, as "took taken" or "hit hit".
        doubled: verbs of more than one syllable that double their last letter.
    """
    past, _, participle = irregular.get(lemma, "").partition(" ")
    regular = _past(lemma, lemma in doubled)
    return lemma, _third(lemma), past or regular, _gerund(lemma, lemma in doubled), participle or past or regular


def singulars_of(noun: str) -> frozenset[str]:
    """Return all possible singulars of a noun, including itself: for "knives" also "knive", "knif", "knife".

    A noun that ends like a plural need not be one, and most endings have more than one singular.
    """
    found = {noun}
    if len(noun) > 3 and noun.endswith("s") and not noun.endswith("ss"):
        found.add(noun[:-1])
        if noun.endswith(_IN_ES):
            found.add(noun[:-2])
        elif noun.endswith("ies"):
            found.add(noun[:-3] + "y")
        elif noun.endswith("ves"):
            found |= {noun[:-3] + "f", noun[:-3] + "fe"}
    return frozenset(found)


def _third(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _past(lemma: str, doubles: bool) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return lemma[:-1] + "ied"
    return _stem(lemma, doubles) + "ed"


def _gerund(lemma: str, doubles: bool) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
        return lemma[:-1] + "ing"
    return _stem(lemma, doubles) + "ing"


def _stem(lemma: str, doubles: bool) -> str:
    """Double the last letter of a short stressed syllable: "grab", "nod"; not "look", "draw" or "open"."""
    if doubles:
        return lemma + lemma[-1]
    if len(lemma) < 3 or lemma[-1] in _VOWELS + "wxy" or lemma[-2] not in _VOWELS or lemma[-3] in _VOWELS:
        return lemma
    syllables = sum(1 for a, b in zip(" " + lemma, lemma, strict=False) if b in _VOWELS and a not in _VOWELS)
    return lemma + lemma[-1] if syllables == 1 else lemma
