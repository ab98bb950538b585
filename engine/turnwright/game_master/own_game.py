"""A campaign from one sentence: a model drafts the answers, and the engine checks and repairs each of them.

Source: docs/your-own-campaign.md, "From one sentence".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.campaign.own_game import MAX_HEROES, MAX_TITLE, Answers, GameDraft
from turnwright.game_master.prompts.quoting import Ours
from turnwright.game_master.prompts.templates import render_from
from turnwright.game_master.prompts.wishes import Wishes
from turnwright.llm.port import LanguageModel, Limits, Message, ModelAnswer, ModelFailed, ModelRequest
from turnwright.model.errors import BadRequest
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json
from turnwright.rulesets.beginning import MAX_WORDS, Unclear, clear_words

if TYPE_CHECKING:
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.json_types import JsonObject

MAX_SENTENCE = 2000
"""Characters of the sentence."""
_LIMITS = Limits(temperature=0.7, max_tokens=800, timeout=120)
_ATTEMPTS = 2
_TEXT: JsonSchema = {"type": "string"}
_TEXTS: JsonSchema = {"type": "array", "items": _TEXT}
_KEYS: Mapping[str, JsonSchema] = {
    "title": _TEXT,
    "place": _TEXT,
    "heroes": _TEXTS,
    "trouble": _TEXT,
    "tone": _TEXT,
    "avoid": _TEXTS,
}
SCHEMA: JsonSchema = {
    "type": "object",
    "properties": {
        "output": {
            "type": "object",
            "properties": dict(_KEYS),
            "required": list(_KEYS),
            "additionalProperties": False,
        }
    },
    "required": ["output"],
    "additionalProperties": False,
}
"""The model's draft."""


class Drafted(NamedTuple):
    """Answers that a model drafted, and how they were repaired, in words."""

    answers: Answers
    repairs: Sequence[str]


def drafted_answers(
    sentence: str, game: str, model: LanguageModel, new_draft: Callable[[], GameDraft], seed: int | None = None
) -> Drafted:
    """Return a model's draft answers for a sentence; each is valid for `new`.

    Args:
        sentence: a person's wish for a game.
        game: the name of the ruleset.
        model: the drafting model.
        new_draft: returns an empty campaign of this game.
        seed: makes a model with seed support repeatable.

    Raises:
        BadRequest: when the sentence is empty or too long, or the model gave no draft.
    """
    try:
        words = clear_words(sentence, "the sentence", MAX_SENTENCE)
    except Unclear as unclear:
        raise BadRequest(str(unclear)) from None
    output = _asked(words, model, new_draft(), seed)
    return _Repairing(new_draft).repaired(output, game, words)


def _asked(words: str, model: LanguageModel, draft: GameDraft, seed: int | None) -> JsonObject:
    names = draft.names_of("races"), draft.names_of("classes")
    races, classes = (Ours(", ".join(each)) for each in names)
    system = render_from("own_game", {"races": races, "classes": classes, "wishes": Wishes()})
    limits = _LIMITS if seed is None else Limits(_LIMITS.temperature, _LIMITS.max_tokens, _LIMITS.timeout, seed)
    messages: tuple[Message, ...] = (Message("player", words),)
    for _ in range(_ATTEMPTS):
        try:
            answer = model.answer(ModelRequest(system, messages, (), SCHEMA, limits))
        except ModelFailed as failure:
            raise BadRequest(f"{model.name} gave no draft: {failure}") from None
        output = _output_of(answer)
        if output is not None:
            return output
        said = Message("game_master", answer.text or "...")
        messages = (*messages, said, Message("player", 'Hand in one JSON document: {"output": {...}}.'))
    raise BadRequest(f"{model.name} gave no draft: its answers were no JSON document with `output`")


def _output_of(answer: ModelAnswer) -> JsonObject | None:
    if isinstance(answer.output, Mapping):
        return answer.output
    start, end = answer.text.find("{"), answer.text.rfind("}")
    try:
        value = parse_json(answer.text[start : end + 1].encode(), max_depth=MAX_DEPTH)
    except (JsonError, UnicodeEncodeError):
        return None
    found = value.get("output", value) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) and _KEYS.keys() & found.keys() else None


class _Repairing:
    """Takes each part of a draft as it is, or as near to it as can be taken."""

    def __init__(self, new_draft: Callable[[], GameDraft]) -> None:
        self._new_draft = new_draft
        self._repairs: list[str] = []

    def repaired(self, output: JsonObject, game: str, sentence: str) -> Drafted:
        answers = Answers(
            game=game,
            title=self._words(output, "title", MAX_TITLE),
            place=self._place(output),
            heroes=self._heroes(output),
            trouble=self._words(output, "trouble", MAX_WORDS) or sentence[:MAX_WORDS],
            tone=self._words(output, "tone", MAX_WORDS),
            avoid=self._all(output, "avoid"),
        )
        for changes in ({}, {"trouble": ""}, {"place": "", "trouble": ""}):
            tried = answers._replace(**changes)
            try:
                self._new_draft().finished(tried)
            except Unclear as unclear:
                self._repairs.append(f"left out: {unclear}")
            else:
                return Drafted(tried, tuple(self._repairs))
        raise BadRequest("nothing could be made of the draft")

    def _words(self, output: JsonObject, key: str, most: int) -> str:
        """Return a text of the draft, cut where it is too long; empty where there is none."""
        value = output.get(key, "")
        if not value:
            return ""
        if not isinstance(value, str):
            self._repairs.append(f"{key} left out: it is no text")
            return ""
        readable = "".join(char if char.isprintable() else " " for char in value)
        words = " ".join(readable.split())
        if len(words) > most:
            words = words[:most].rpartition(" ")[0] or words[:most]
            self._repairs.append(f"{key} cut to {most} characters")
        return words if any(char.isalnum() for char in words) else ""

    def _all(self, output: JsonObject, key: str) -> tuple[str, ...]:
        values = output.get(key) or ()
        rows = values if isinstance(values, (list, tuple)) else [values]
        found = (self._words({key: value}, key, MAX_WORDS) for value in rows[:20])
        return tuple(each for each in found if each)

    def _place(self, output: JsonObject) -> str:
        place = self._words(output, "place", 560)
        for text in (place, place.partition(":")[0], place.partition(":")[0][:50].rpartition(" ")[0]):
            if not text:
                continue
            try:
                self._new_draft().add_places(text, "")
            except Unclear as unclear:
                self._repairs.append(f"place shortened: {unclear}")
            else:
                return text
        return ""

    def _heroes(self, output: JsonObject) -> tuple[str, ...]:
        draft = self._new_draft()
        if not draft.beginning.default_hero:
            return ()
        taken: list[str] = []
        for text in self._all({"heroes": _texts(output.get("heroes"))}, "heroes")[:MAX_HEROES]:
            hero = self._hero(draft, text)
            if hero:
                draft.take(draft.read("hero", hero))
                taken.append(hero)
        return tuple(taken)

    def _hero(self, draft: GameDraft, text: str) -> str:
        """Return a hero with the words that can be understood; empty where not even the name can be taken."""
        try:
            draft.read("hero", text)
        except Unclear as unclear:
            why = str(unclear).partition(";")[0]
        else:
            return text
        name, _, rest = text.partition(",")
        kept, is_taken = name, False
        for word in ["", *rest.replace(",", " ").split()]:
            tried = kept if not word else f"{kept}{' ' if ',' in kept else ', '}{word}"
            try:
                draft.read("hero", tried)
            except Unclear:
                continue
            kept, is_taken = tried, True
        self._repairs.append(f"hero {text!r} became {kept!r}: {why}" if is_taken else f"hero {text!r} left out: {why}")
        return kept if is_taken else ""


def _texts(heroes: Any) -> list[Any]:
    """Return heroes as texts; a model may write one as an object."""
    rows = heroes if isinstance(heroes, list) else [heroes] if heroes else []
    return [_text_of(row) if isinstance(row, Mapping) else row for row in rows]


def _text_of(row: JsonObject) -> str:
    kind = " ".join(str(row[key]) for key in ("race", "class", "level", "background") if row.get(key))
    return f"{row.get('name', '')}, {kind}" if kind else str(row.get("name", ""))
