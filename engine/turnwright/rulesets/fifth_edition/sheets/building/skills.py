"""Skills, languages and other proficiencies of a character built from content: fixed ones, then chosen ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from turnwright.model.vocabulary import Skill, words
from turnwright.rulesets.fifth_edition.sheets.building.facts import Facts
from turnwright.rulesets.fifth_edition.sheets.building.scores import Scores
from turnwright.rulesets.fifth_edition.sheets.skills import SKILL_ABILITIES

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.entry_shapes import ChoiceEntry

_SKILLS = frozenset(words(Skill))
_LIKED: Sequence[str] = (
    "perception",
    "stealth",
    "athletics",
    "persuasion",
    "insight",
    "investigation",
    "arcana",
    "survival",
    "medicine",
    "acrobatics",
    "intimidation",
    "religion",
    "nature",
    "history",
    "deception",
    "sleight_of_hand",
    "animal_handling",
    "performance",
)
"""The preference among skills with the same ability modifier: the most often rolled come first."""
_LANGUAGES = ("dwarvish", "elvish", "giant", "goblin", "gnomish", "halfling", "orc")
"""Languages to choose from, in this order."""
_EXPERTISE = "Expertise"


class Training(NamedTuple):
    """A character's training. Proficiencies are with armor, weapons and tools, by id."""

    skills: tuple[Skill, ...]
    expertise: tuple[Skill, ...]
    proficiencies: tuple[str, ...]
    languages: tuple[str, ...]


def training(facts: Facts, level: int, scores: Scores, skills: Sequence[Skill] | None) -> Training:
    """Return the training by race, class and background.

    Args:
        facts: the entries.
        level: of the character.
        scores: final scores: skills with the best modifiers are chosen first.
        skills: the skills, if given.
    """
    fixed = [*_words(facts.of_background.get("skills", ())), *_trait_skills(facts)]
    chosen, others = list(dict.fromkeys(fixed)), list(facts.of_class.get("proficiencies", ()))
    others += [name for trait in facts.traits() for name in _other_proficiencies(trait)]
    others += facts.of_background.get("tools", ())
    for choice in _choices(facts):
        options = _words(choice["options"])
        if options and set(options) <= _SKILLS:
            free = [skill for skill in _best(options, scores) if skill not in chosen]
            chosen += free[: choice["choose"]]
        else:
            flat = [name for name in _flat(choice["options"]) if name not in others]
            others += flat[: choice["choose"]]
    trained = cast("tuple[Skill, ...]", tuple(skills if skills is not None else chosen))
    return Training(
        tuple(sorted(trained, key=words(Skill).index)) if skills is None else trained,
        _expertise(facts, level, trained, scores),
        tuple(dict.fromkeys(others)),
        _languages(facts),
    )


def _choices(facts: Facts) -> Iterator[ChoiceEntry]:
    yield from facts.of_class.get("proficiency_choices", ())
    for trait in facts.traits():
        if choice := trait.get("figures", {}).get("choose_proficiencies"):
            yield {"choose": choice["choose"], "options": choice["from"]}


def _words(options: Iterable[Any]) -> list[str]:
    """Return skills as sheets spell them."""
    return [option.replace("-", "_") for option in options if isinstance(option, str)]


def _flat(options: Iterable[Any]) -> Iterator[str]:
    """Yield the names among options, including those in nested choices."""
    for option in options:
        if isinstance(option, str):
            yield option
        else:
            yield from _flat(option.get("options", ()))


def _trait_skills(facts: Facts) -> list[str]:
    return [skill for trait in facts.traits() for skill in _words(trait.get("figures", {}).get("skills", ()))]


def _other_proficiencies(trait: Any) -> list[str]:
    names = trait.get("figures", {}).get("proficiencies", ())
    return [name for name in names if name.replace("-", "_") not in _SKILLS]


def _best(options: Iterable[str], scores: Scores) -> list[str]:
    def rank(skill: str) -> tuple[int, int]:
        return -(scores[SKILL_ABILITIES[cast("Skill", skill)]] // 2), _LIKED.index(skill)

    return sorted(options, key=rank)


def _expertise(facts: Facts, level: int, skills: Sequence[Skill], scores: Scores) -> tuple[Skill, ...]:
    """Return two skills for each time that the class gives expertise."""
    times = sum(1 for feature in facts.features(level) if feature["name"].startswith(_EXPERTISE))
    best = cast("list[Skill]", _best(skills, scores))
    return tuple(sorted(best[: 2 * times], key=words(Skill).index))


def _languages(facts: Facts) -> tuple[str, ...]:
    known = list(facts.of_race.get("languages", ()))
    more = (facts.of_race.get("language_choices") or 0) + (facts.of_background.get("languages") or 0)
    more += sum(trait.get("figures", {}).get("languages", 0) for trait in facts.traits())
    known += [language for language in _LANGUAGES if language not in known][:more]
    return tuple(known)
