"""How a game of the fifth edition begins: heroes, people and monsters of a few words, by the campaign's content.

Source: docs/your-own-campaign.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.content.kinds import BUILT_IN_PACKS
from turnwright.content.library import AmbiguousEntry, Library, UnknownEntry
from turnwright.content.names import key_of, keys_meant
from turnwright.content.pack import Found, Row
from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.fuzzy_match import NUMBERS, slip_of
from turnwright.model.sheet import Sheet
from turnwright.rulesets.beginning import Beginning, Made, Situation, Trouble, Unclear, clear_words, new_name
from turnwright.rulesets.core.beginning import call, map_inside, place, where_in
from turnwright.rulesets.core.beginning import trouble as offered
from turnwright.rulesets.fifth_edition.fights.running import FIGHT_TAG
from turnwright.rulesets.fifth_edition.template import NEW_GAMES, TOOLKIT

if TYPE_CHECKING:
    from turnwright.rulesets.beginning import PlannedCall

_LEVEL = re.compile(r"\b(?:level|lvl)?\s*(?P<number>[0-9]{1,3})\b", re.IGNORECASE)
_COUNT = re.compile(r"[0-9]{1,2}")
_WORDS_AND_NUMBERS = re.compile(r"[-+]?\d[\d.,]*|[\w'\u2019-]+")
_JOINS_OF_LIST = re.compile(r",(?!\d)|&|\band\b|\bplus\b", re.IGNORECASE)
_NUMBERS = {**NUMBERS, "a": 1, "an": 1, "pair": 2, "couple": 2, "some": 3, "several": 3, "dozen": 12}
_SMALL = frozenset({"a", "an", "the", "of", "level", "lvl"})
_HIGHEST_LEVEL = 20
_MOST = 20
_MAX_WORDS_OF_NAME = 4
_MAX_KINDS = 6
_SHORT, _LONG = 4, 7
"""Letters of a word that a letter more or less makes another one, and of one in which two may be wrong."""


class Described(NamedTuple):
    """A character in words: the names of entries, as they were written."""

    name: str
    race: str | None
    class_: str | None
    background: str | None
    level: int


def hero(text: str, situation: Situation) -> Made:
    """Return a hero: `Greta, halfling rogue 2`, by default a human fighter of level 1.

    The hero joins the party, and the fight that runs.
    """
    described = described_character(text, situation, "the name of a hero")
    described = described._replace(race=described.race or "Human", class_=described.class_ or "Fighter")
    made = _character(described, situation, "pc")
    joining = [call("manage_party", operation="add", character_name=described.name)]
    if (fight := _only_fight(situation)) is not None:
        fighter = {"character_name": described.name}
        joining.append(call("manage_encounter", operation="add", encounter_id=fight.id, participants=[fighter]))
    return made._replace(calls=[*made.calls, *joining])


def _only_fight(situation: Situation) -> Encounter | None:
    """Return the running fight, if there is exactly one."""
    fights = situation.world.all_tagged(Encounter, RUNNING_TAG)
    return fights[0] if len(fights) == 1 else None


def npc(text: str, situation: Situation) -> Made:
    """Return a new NPC: `Lena, human innkeeper`; without a class they cannot fight."""
    return _character(described_character(text, situation, "the name of a person", has_calling=True), situation, "npc")


def described_character(text: str, situation: Situation, what: str, *, has_calling: bool = False) -> Described:
    """Return the character that a text describes: a name, then race, class, background and level in any order.

    Args:
        text: the description.
        situation: where the character goes.
        what: the thing asked for, for the message.
        has_calling: whether unknown words are a custom background, such as `innkeeper`; words that nearly name an entry
            are not.

    Raises:
        Unclear: when a name is missing or taken, or a word is unknown.
    """
    words = clear_words(text, what)
    head, *more = re.split(r"[,(]", words, maxsplit=1)
    if not more:
        head, more = _without_comma(words, situation.library)
    rest = "".join(more)
    name = new_name(head, situation.world, what)
    level = 1
    if found := _LEVEL.search(rest):
        level = int(found["number"])
        rest = f"{rest[: found.start()]} {rest[found.end() :]}"
        if not 1 <= level <= _HIGHEST_LEVEL:
            raise Unclear(f"a level is 1 to {_HIGHEST_LEVEL} (got {level})")
    left = re.sub(r"[,()]", " ", rest).split()
    if odd := [word for word in left if not any(map(str.isalpha, word))]:
        raise Unclear(f"a level is 1 to {_HIGHEST_LEVEL}, in digits (got {' '.join(odd)})")
    named: dict[str, str] = {}
    for kind in ("classes", "backgrounds", "races"):
        left, entry_name = _taken(left, kind, situation.library)
        if entry_name:
            named[kind] = entry_name
    strange = [word for word in left if word.casefold() not in _SMALL]
    meant = _meant(strange, situation.library)
    if has_calling and strange and not meant and "backgrounds" not in named:
        named["backgrounds"] = " ".join(strange)
    elif strange:
        raise Unclear(_strange(" ".join(strange), meant, situation.library))
    return Described(name, named.get("races"), named.get("classes"), named.get("backgrounds"), level)


def _without_comma(words: str, library: Library | None) -> tuple[str, list[str]]:
    """Return a name and what follows it where no comma does: `Elara elf wizard 5`, `Odo the bard`.

    The name ends where all that is left says race, class, background and level; else all of it is the name.
    """
    parts = words.split()
    for end in range(1, len(parts)):
        rest = parts[end:]
        left = _LEVEL.sub(" ", " ".join(rest)).split()
        for kind in ("classes", "backgrounds", "races"):
            left, _ = _taken(left, kind, library)
        if len(left) < len(rest) and all(word.casefold() in _SMALL for word in left):
            return " ".join(parts[:end]), [" ".join(rest)]
    return words, []


def _taken(words: list[str], kind: str, library: Library | None) -> tuple[list[str], str]:
    """Return the words without those that name an entry of a kind, the longest first, and the name of the entry."""
    from turnwright.rulesets.fifth_edition.sheets.building.facts import facts_of

    keys = {"races": "race", "classes": "class_", "backgrounds": "background"}
    if library is None:
        return words, ""
    for start, end in _spans(len(words)):
        name = " ".join(words[start:end])
        asked = dict.fromkeys(keys.values()) | {keys[kind]: name}
        if facts_of(library, **asked).found:
            return [*words[:start], *words[end:]], name
    return words, ""


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of up to four words, the longest first, and of these the last first."""
    for length in range(min(_MAX_WORDS_OF_NAME, count), 0, -1):
        for start in range(count - length, -1, -1):
            yield start, start + length


def _meant(words: Sequence[str], library: Library | None) -> list[str]:
    """Return the races, classes and backgrounds that words nearly name: `barbarien`, or `orc` for `Half-Orc`."""
    if library is None:
        return []
    found: dict[str, None] = {}
    for word, kind in product(words, ("races", "classes", "backgrounds")):
        try:
            found[library.look_up(word, kind).found.name] = None
        except AmbiguousEntry:
            continue
        except UnknownEntry as error:
            found |= dict.fromkeys(row.name for row in error.likely)
    return list(found)


def _strange(words: str, meant: Sequence[str], library: Library | None) -> str:
    if library is None:
        return f"nothing is called {words}: this campaign uses no content pack"
    if meant:
        return f"no race, class or background is called {words}; did you mean {' or '.join(meant)}?"
    rows = library.rows()
    races, classes = ([row.name for row in rows if row.kind == kind] for kind in ("races", "classes"))
    return (
        f"no race, class or background is called {words}; "
        f"races: {', '.join(races)}; classes: {', '.join(classes)}; then a level, 1 to {_HIGHEST_LEVEL}"
    )


def _character(described: Described, situation: Situation, character_type: str) -> Made:
    args: dict[str, Any] = {"name": described.name, "character_type": character_type}
    if described.race:
        args["race"] = described.race
    if described.class_:
        args |= {"class": described.class_, "level": described.level}
    if described.background:
        args["background"] = described.background
    if situation.area_id is not None:
        args["location_id"] = situation.area_id
    words = (described.race, described.class_ or (described.background if character_type == "npc" else None))
    kind = " ".join(part for part in words if part)
    level = f" {described.level}" if described.class_ else ""
    line = f"{described.name}{', ' if kind else ''}{kind}{level}"
    return Made([call("create_character", **args)], (), [line], described.name)


def sheet_lines(character: Character) -> list[str]:
    """Return a sheet in a few lines, for the person who decides whether to accept it."""
    from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
    from turnwright.rulesets.fifth_edition.sheets.sheet_rules import saves

    sheet, values = character.sheet or Sheet(), effective(character)
    scores = ", ".join(f"{ability} {score}" for ability, score in sheet.stats)
    lines = [
        f"{character.label}: {sheet.race} {sheet.class_} {sheet.level}",
        f"hit points {values.max_hp.effective}, armor class {values.ac.effective}, speed {values.speed.effective} feet",
        f"{scores}; saves {', '.join(saves(sheet))}",
    ]
    rows: tuple[tuple[str, Sequence[str]], ...] = (
        ("skills", [skill.replace("_", " ") for skill in sheet.skill_proficiencies]),
        ("cantrips", sheet.cantrips),
        ("spells", sheet.prepared_spells or sheet.known_spells),
        ("traits", [trait.name for trait in sheet.traits]),
        ("carries", [_counted(item.name, item.quantity) for item in character.inventory if item.container is None]),
    )
    return [*lines, *(f"{label}: {', '.join(names)}" for label, names in rows if names)]


def _counted(name: str, quantity: int) -> str:
    return name if quantity == 1 else f"{name} x {quantity}"


# monsters


class SeveralKinds(Unclear):
    """Words that name several kinds of monsters at once, as `bears` does."""


class Foes(NamedTuple):
    """Monsters that words name."""

    entry: Found
    number: int

    @property
    def as_args(self) -> dict[str, str | int]:
        """The monsters as tools take them."""
        return {"monster": self.entry.id, "count": self.number}


def foes_in(words: str, library: Library | None, heroes: int) -> list[Foes]:
    """Return the monsters in a text, one kind for each part of a list: "2 wolves and a worg".

    Args:
        words: the text.
        library: the entries in which names are looked up.
        heroes: the number that a plural without a count means; at least two.

    Raises:
        Unclear: when a number is not from 1 to 20, or comes before a misspelled monster.
        SeveralKinds: when it comes before several kinds of monsters.
    """
    return [foes for _, foes in _parts_of_list(words, library, heroes) if foes is not None]


def _parts_of_list(words: str, library: Library | None, heroes: int) -> list[tuple[str, Foes | None]]:
    """Return the parts of a list, each with the monsters that it names, or None."""
    return [(part, _kind_in(part, library, heroes)) for part in _JOINS_OF_LIST.split(words) if part.strip()]


def _kind_in(words: str, library: Library | None, heroes: int) -> Foes | None:
    if library is None:
        return None
    parts = _WORDS_AND_NUMBERS.findall(words)
    near = ""
    for start, end in _spans(len(parts)):
        if parts[start][-1:].isdigit():
            continue  # a number states the count
        name = " ".join(parts[start:end])
        number = _before(parts[:start]) if start else _after(parts[end:])
        try:
            match = library.look_up(name, "monsters")
        except AmbiguousEntry:
            continue
        except UnknownEntry as error:
            near = near or _kinds_of(name, error.likely) if _is_number(number) else near
            continue
        if match.how == "spelling" and _is_number(number) and _is_slip(name, match.found.name):
            raise Unclear(f"no monster is called {name}; did you mean {match.found.name}?")
        if match.how == "spelling" or match.found.value["tier"] == "reference":
            continue
        return Foes(match.found, _how_many(number, name, match.how == "plural", heroes))
    if near:
        raise SeveralKinds(near)
    return None


def _before(words: Sequence[str]) -> str:
    """Return the word that counts the following one: the last, or the one before it in `a pair of wolves`."""
    return words[-2] if len(words) > 1 and words[-1].casefold() == "of" else words[-1]


def _after(words: Sequence[str]) -> str:
    """Return the number that follows a name, as in `goblin x 3` and `goblin x3`; empty if there is none."""
    first, second = (*(word.casefold() for word in words[:2]), "", "")[:2]
    return second if first == "x" else first[1:] if first[:1] == "x" and first[1:].isdigit() else ""


def _is_number(word: str) -> bool:
    """Return whether a word counts the words after it."""
    return word[-1:].isdigit() or _NUMBERS.get(word.casefold(), 1) > 1


def _is_slip(name: str, meant: str) -> bool:
    """Return whether a name is another one with one wrong letter, two in a long word: carts are not cats."""
    return any(
        len(key.split("-")) == len(key_of(meant).split("-"))
        and all(map(_is_slip_of_word, key.split("-"), key_of(meant).split("-")))
        for key in keys_meant(name)
    )


def _is_slip_of_word(word: str, other: str) -> bool:
    slips = slip_of(word, other)
    if slips is None or word[0] != other[0]:
        return False
    return slips <= (2 if len(other) > _LONG else 1) and (len(word) == len(other) or len(word) > _SHORT)


def _kinds_of(name: str, rows: Sequence[Row]) -> str:
    """Return the question for a text that names several kinds of monsters at once, as `bears`; empty for others."""
    keys = keys_meant(name)
    kinds = [row.name for row in rows if key_of(row.name).rpartition("-")[2] in keys]
    return f"there are several kinds of {name}: {', '.join(kinds[:_MAX_KINDS])}" if len(kinds) > 1 else ""


def _how_many(before: str, name: str, is_plural: bool, heroes: int) -> int:
    """Return how many are meant by the word before a name."""
    if before[-1:].isdigit():
        said = int(before) if _COUNT.fullmatch(before) else 0
        if not 1 <= said <= _MOST:
            raise Unclear(f"how many {name}: 1 to {_MOST} (got {before})")
        return said
    return _NUMBERS.get(before.casefold(), max(2, min(heroes, _MOST)) if is_plural else 1)


def trouble(text: str, situation: Situation, heroes: int) -> Trouble:
    """Return the first trouble: a quest and, if the text names a monster, the start of the fight."""
    made = offered(text, situation, heroes)
    try:
        foes = foes_in(text, situation.library, heroes)
    except SeveralKinds as several:
        return made._replace(lines=[*made.lines, f"{several}; none is ready for a fight"])
    if not foes:
        return made
    return made._replace(calls=[*made.calls, _note(foes, made.place)], lines=[*made.lines, _ready(foes)])


def monster(text: str, situation: Situation) -> Made:
    """Return monsters, `2 giant rats` or `3 wolves in the old mill`: they join the fight that runs, or are noted."""
    words = clear_words(text, "the monsters")
    heroes = len(situation.world.campaign.selected.party_character_ids)
    foes: list[Foes] = []
    for part, named in _parts_of_list(words, situation.library, heroes):
        if named is None:
            raise Unclear(
                f"no monster of this campaign's content is named in {part.strip()}; "
                "`turnwright content find` lists them"
            )
        foes.append(named)
    where = where_in(words)
    if (fight := _only_fight(situation)) is not None and not where:
        monsters = [each.as_args for each in foes]
        joining = call("manage_encounter", operation="add", encounter_id=fight.id, monsters=monsters)
        return Made([joining], (), [f"{_told(foes)} in the fight"], foes[0].entry.name)
    return Made([_note(foes, where)], (), [_ready(foes)], foes[0].entry.name)


def _told(foes: Sequence[Foes]) -> str:
    return ", ".join(f"{each.entry.name} x {each.number}" for each in foes)


def _ready(foes: Sequence[Foes]) -> str:
    return f"{_told(foes)}, ready for a fight"


def _note(foes: Sequence[Foes], where: str) -> PlannedCall:
    """Return the call that notes, for the game master only, how their fight begins."""
    args = json.dumps({"monsters": [each.as_args for each in foes]})
    place_name = f" in {where}" if where else ""
    content = f"When the party meets them{place_name}: create_encounter {args}, with the party as participants."
    tags = [FIGHT_TAG, *(f"{each.number} {each.entry.name}" for each in foes)]
    return call("manage_notes", operation="add", content=content, tags=tags, importance="high")


FIFTH_EDITION = Beginning(
    title="fifth edition: heroes with sheets, monsters, spells and fights",
    needs=("create_character", "manage_party"),
    allowlist=TOOLKIT.allowlist,
    content=BUILT_IN_PACKS,
    settings=NEW_GAMES,
    readers={"hero": hero, "npc": npc, "place": place, "map": map_inside, "monster": monster},
    trouble=trouble,
    describe=sheet_lines,
    default_hero="Robin, human fighter 1",
    hero_words="name, kind, class, level",
)
