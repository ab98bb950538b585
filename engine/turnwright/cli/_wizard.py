"""The questions of `turnwright new`, for a person at a terminal.

Every question has a default, says how to go back and how to leave, and is asked again when an answer is unclear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from turnwright.campaign.own_game import (
    DEFAULT_GAME,
    DEFAULT_PLACE,
    DEFAULT_TROUBLE,
    MAX_HEROES,
    MAX_TITLE,
    Answers,
    GameDraft,
    game_named,
    games,
)
from turnwright.cli._asking import leaves
from turnwright.cli._output import safe
from turnwright.cli._scene_view import echo_wrapped
from turnwright.rulesets.beginning import Unclear, clear_words

_WAYS = "(back, quit)"
ONLY_QUIT = "(quit)"
T = TypeVar("T")
_YES = frozenset({"", "y", "yes"})
_NO = frozenset({"n", "no"})


class Back(Exception):
    """The person wants the question before."""


class Leaving(Exception):
    """The person leaves; nothing is written."""


class Wizard:
    """Asks one question after the other.

    Args:
        campaign_id: the id of the campaign.
        now: the time, as records have it.
    """

    def __init__(self, campaign_id: str, now: str) -> None:
        self._id = campaign_id
        self._now = now
        self.answers = Answers()

    def run(self) -> Answers:
        """Return all answers.

        Raises:
            Leaving: when the person leaves instead.
        """
        echo_wrapped("Enter takes what stands in brackets; `back` goes to the question before, `quit` leaves.", "")
        place = 0
        while place < len(_STEPS):
            try:
                self.answers = _STEPS[place](self)
            except Back:
                place = max(0, place - 1)
            else:
                place += 1
        return self.answers

    def draft(self) -> GameDraft:
        """Return a draft of the game that was chosen."""
        return GameDraft(self.answers.game, self._id, self._now)


def ask(question: str, default: str, read: Callable[[str], T], ways: str = _WAYS) -> T:
    """Return what is made of an answer; an unclear one is asked for again.

    Args:
        question: what is asked.
        default: the answer that an empty line stands for.
        read: makes something of an answer; it raises `Unclear`.
        ways: the words that lead elsewhere, which the question shows.

    Raises:
        Leaving: when the person leaves.
        Back: when they want the question before.
    """
    while True:
        shown = f"{question} [{default}] {ways}" if default else f"{question} {ways}"
        text = _line(shown) or default
        if leaves(text):
            raise Leaving
        if text.strip().lower() == "back" and ways == _WAYS:
            raise Back
        try:
            return read(text)
        except Unclear as unclear:
            echo_wrapped(str(unclear), "  ! ", "yellow")


def _line(shown: str) -> str:
    try:
        text: str = click.prompt(shown, default="", show_default=False, prompt_suffix=" > ")
    except click.Abort:
        click.echo()
        raise Leaving from None
    return text.encode("utf-8", "replace").decode().strip()


def _game(wizard: Wizard) -> Answers:
    for name, beginning in games().items():
        echo_wrapped(beginning.title, f"  {safe(name):<14} ")
    return wizard.answers._replace(game=ask("which game", DEFAULT_GAME, game_named))


def _place(wizard: Wizard) -> Answers:
    def read(text: str) -> str:
        wizard.draft().add_places(text, "")
        return text

    place = ask("where does it begin (a village, a ship; `Old Keep, 8 areas` to explore)", DEFAULT_PLACE, read)
    return wizard.answers._replace(place=place)


def _title(wizard: Wizard) -> Answers:
    draft = wizard.draft()
    draft.add_places(wizard.answers.place, "")
    name = draft.begins_at
    title = ask("what is it called", name, lambda text: clear_words(text, "the title", MAX_TITLE))
    return wizard.answers._replace(title=title)


def _heroes(wizard: Wizard) -> Answers:
    beginning = wizard.draft().beginning
    if not beginning.default_hero:
        echo_wrapped(beginning.missing.get("hero", ""), "  ")
        return wizard.answers._replace(heroes=())
    taken: list[str] = []
    while len(taken) < MAX_HEROES:
        question = "another hero (Enter: no more)" if taken else f"who plays ({beginning.hero_words})"
        try:
            found = ask(question, "" if taken else beginning.default_hero, lambda text: _hero(wizard, taken, text))
        except Back:
            if not taken:
                raise
            taken.pop()
            continue
        if found is None:
            break
        if found:
            taken.append(found)
    return wizard.answers._replace(heroes=tuple(taken))


def _hero(wizard: Wizard, taken: Sequence[str], text: str) -> str | None:
    """Return a hero that the person takes; None for no more, and an empty text for one that is not taken."""
    if taken and not text:
        return None
    draft = wizard.draft()
    for other in taken:
        draft.take(draft.read("hero", other))
    for line in draft.preview(draft.read("hero", text)):
        echo_wrapped(line, "  ")
    try:
        return text if ask("take this hero, yes or no", "yes", yes_or_no) else ""
    except Back:
        return ""


def yes_or_no(text: str) -> bool:
    """Return whether an answer is yes; an empty one is.

    Raises:
        Unclear: when it is neither yes nor no.
    """
    word = text.strip().lower()
    if word not in _YES | _NO:
        raise Unclear("yes or no")
    return word in _YES


def _trouble(wizard: Wizard) -> Answers:
    def read(text: str) -> str:
        wizard.draft().finished(wizard.answers._replace(trouble=text))
        return text

    trouble = ask("what is the matter", DEFAULT_TROUBLE, read)
    return wizard.answers._replace(trouble=trouble)


def _tone(wizard: Wizard) -> Answers:
    question = "how should it sound, such as hopeful or dark (Enter: as it comes)"
    tone = ask(question, "", lambda text: clear_words(text, "the tone") if text else "")
    return wizard.answers._replace(tone=tone)


def _avoid(wizard: Wizard) -> Answers:
    question = "what must not occur, with commas between (Enter: nothing)"
    return wizard.answers._replace(avoid=ask(question, "", _things))


def _things(text: str) -> tuple[str, ...]:
    return tuple(clear_words(each, "what must not occur") for each in text.split(",")) if text else ()


_STEPS: Sequence[Callable[[Wizard], Answers]] = (_game, _place, _title, _heroes, _trouble, _tone, _avoid)
