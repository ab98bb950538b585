"""Word a finding of the narration check for one viewer: the claim of a text, and the facts.

Built from findings in records, including those of older versions and of unknown kinds, and never logged.
Source: docs/stages/4-conflicts.md, "Findings in words".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Required, TypedDict

from turnwright.model.coin import denomination
from turnwright.model.json_types import JsonObject
from turnwright.model.knowledge import Knowledge, Standing
from turnwright.model.wire.reason import Reason
from turnwright.render.reason import describe_reason

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import FailedCall, Finding, Record, Reply

Json = Mapping[str, Any]
MARKED = ("error", "warn")
"""The severities that mark a text, worst first; a mere notice does not cast doubt on the text."""
_UNBORNE = "the record does not confirm this"
_UNTOLD = "something that the record does not confirm"
_MAX_FACES = 8


class Reading(NamedTuple):
    """A turn, and the reader of its findings.

    Attributes:
        knowledge: the reader's knowledge of the campaign after the turn.
        acting_id: the character who acted in the turn.
        is_applied: whether the calls in a finding were applied; those of a turn to be resubmitted were not.
        is_now: whether nothing changed since the turn; health and places at another time are not mentioned.
        has_read: whether the reader has the text, so that its name for a thing may be repeated.
    """

    knowledge: Knowledge
    acting_id: str | None = None
    is_applied: bool = True
    is_now: bool = True
    has_read: bool = False

    @classmethod
    def of(cls, turn: Reply | Record, knowledge: Knowledge, *, is_now: bool, has_read: bool = False) -> Reading:
        """Return the reading of a turn, given by its record or by the reply to it."""
        held: Mapping[str, Any] = turn
        acting = held.get("actor_id") or held.get("state_summary", {}).get("active_actor_id")
        failed = held.get("tool_feedback", {}).get("failed_calls", ())
        is_applied = all(call["reason"] != Reason.TURN_ABORTED for call in failed)
        return cls(knowledge, acting, is_applied, is_now, has_read)

    @property
    def is_master(self) -> bool:
        """Whether everything may be told."""
        return self.knowledge.is_game_master

    @property
    def acting(self) -> str | None:
        """The name of the acting character, where the reader may know it."""
        return self.knowledge.person(self.acting_id) if self.acting_id else None

    def standing(self, person_id: str) -> Standing | None:
        """Return the health of a character as the turn ended; None where that is not known."""
        return self.knowledge.standing(person_id) if self.is_now else None

    @property
    def place(self) -> str | None:
        """The place of the acting character as the turn ended, where the reader may know it."""
        at = self.knowledge.whereabouts(self.acting_id) if self.acting_id and self.is_now else None
        return self.knowledge.area(at) if at else None


def marked(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that a text is marked for, the worst first."""
    kept = [finding for finding in findings if finding.get("severity") in MARKED]
    return sorted(kept, key=lambda finding: MARKED.index(finding["severity"]))


def describe_facts(findings: Iterable[Finding], reading: Reading, most: int) -> list[str]:
    """Return what is so instead of what a text claims: one sentence a fact, at most so many.

    The last one says how many were left out.
    """
    facts = list(dict.fromkeys(describe_finding(finding, reading) for finding in marked(findings)))
    if len(facts) <= most:
        return facts
    return [*facts[: most - 1], f"{facts[most - 1]} (and {len(facts) - most} more)"]


def describe_finding(finding: Finding, reading: Reading) -> str:
    """Return what is so where a text says otherwise, as far as a viewer may know it."""
    shape = _shape_of(finding)
    return (shape.fact(_Found(finding, reading)) if shape else None) or _neutral(finding)


def describe_claim(finding: Finding, reading: Reading) -> str:
    """Return what a text claims: its words for the game master, and for players what they may know of it."""
    if reading.is_master and isinstance(finding.get("claim"), str) and finding["claim"]:
        return repr(finding["claim"])
    if finding.get("kind") == "unspoken":
        return "nothing of it"
    shape = _shape_of(finding)
    return (shape.claim(_Found(finding, reading)) if shape else None) or _UNTOLD


def describe_disagreement(finding: Finding, reading: Reading) -> str:
    """Return what a text claims and what is so: `the text said Mira is dead; in truth Mira is unhurt`."""
    claim, fact = describe_claim(finding, reading), describe_finding(finding, reading)
    if fact != _UNBORNE:
        return f"the text said {claim}; in truth {fact}"
    return f"the text said {claim}" + (f"; {fact}" if claim != _UNTOLD else "")


class UndoneCall(TypedDict, total=False):
    """The known data of a failed call; an older record may not say why it failed."""

    tool: Required[str]
    reason: str
    detail: str


def describe_failure(call: FailedCall | UndoneCall, args: JsonObject, reading: Reading) -> str:
    """Return what was not done and why, and where things stand where the call was to change that.

    Args:
        call: the failed call.
        args: its arguments.
        reading: the turn and who reads it; the game master reads the name of the tool and its own detail.
    """
    tool = call["tool"]
    undone = _UNDONE.get(tool, f"{_plain(tool)!r} was not done")
    if "{}" in undone:
        is_of_actor = tool == "execute_action"
        own = [one for key in ("actor_id", "character_id") if isinstance(one := args.get(key), str)]
        ids = own if is_of_actor else _ids_of_people(args)
        names = [name for one in ids if (name := reading.knowledge.person(one))]
        undone = undone.format(f" of {names[0]}" if names else "")
    why = call.get("detail") if reading.is_master else _broken_rule(call, args, reading)
    where = _where_things_stand(tool, args, reading)
    what = f"{tool} failed" if reading.is_master else undone
    return f"{what}: {why or describe_reason(call.get('reason'))}" + (f"; {where}" if where else "")


def _broken_rule(call: FailedCall | UndoneCall, args: JsonObject, reading: Reading) -> str | None:
    """Return the rule that was broken, when it and the call concern only characters that the reader plays."""
    detail = call.get("detail")
    if call.get("reason") != Reason.RULE_VIOLATION or not isinstance(detail, str) or "batch" in args:
        return None
    knowledge = reading.knowledge
    named = [
        one
        for key, value in args.items()
        if key.endswith(("_id", "_ids", "_name", "_names", "target", "targets")) and key not in _OF_NOBODY
        for one in (value if isinstance(value, list) else [value])
    ]
    is_own = bool(named) and all(isinstance(one, str) and knowledge.knows_numbers(one) for one in named)
    if not is_own or not knowledge.may_read(detail):
        return None
    return _WORD.sub(lambda word: knowledge.person(word[0]) or word[0], detail)


_WORD = re.compile(r"[\w-]+")
_OF_NOBODY = ("encounter_id", "item_id", "item_name", "spell_name")
"""Arguments that name neither a person nor a place."""
_UNDONE = {
    "advance_turn": "the turn was not ended",
    "create_encounter": "the fight was not begun",
    "end_encounter": "the fight was not ended",
    "execute_action": "the action{} was not taken",
    "hp_delta": "the hit points{} were not changed",
    "manage_condition": "the condition{} was not changed",
    "manage_inventory": "the belongings{} were not changed",
    "manage_party": "the party was not changed",
    "manage_quest": "the quest was not changed",
    "move": "the move was not made",
    "move_party": "the party did not move",
    "roll_check": "the check{} was not rolled",
    "roll_dice": "the dice were not rolled",
    "take_rest": "the rest{} was not taken",
}
"""Descriptions of failed calls in table language; `{}` is the owner."""
_OF_DICE = ("roll_check", "roll_dice")
"""Tools that change nothing by themselves."""


def _where_things_stand(tool: str, args: JsonObject, reading: Reading) -> str | None:
    if tool in _OF_DICE:
        return None
    if not any(key.endswith(("area_id", "location_id", "location_name")) for key in args):
        for person_id in _ids_of_people(args):
            name, standing = reading.knowledge.person(person_id), reading.standing(person_id)
            if name and standing:
                return f"{name} is {_as(standing)}"
        return None
    name, place = reading.acting, reading.place
    return f"{name} is at {place}" if name and place else None


def _ids_of_people(args: JsonObject) -> Iterator[str]:
    for key in ("target_character_id", "target_id", "character_id", "actor_id"):
        if isinstance(who := args.get(key), str):
            yield who


def _neutral(finding: Finding) -> str:
    kind = finding.get("kind")
    if kind == "rejected":
        return "the engine refused that"
    if kind == "unspoken":
        return f"{finding.get('tool') or 'a call'} was applied, and the text does not mention it"
    return _UNBORNE


class _Found:
    """One finding and its reading."""

    def __init__(self, finding: Finding, reading: Reading) -> None:
        self.kind = finding.get("kind")
        self.tool = finding.get("tool")
        self.expected = _object(finding.get("expected"))
        self.actual = _object(finding.get("actual")) if reading.is_applied or self.kind != "mismatch" else {}
        self.reading = reading
        self._claim = finding.get("claim") or ""

    def people(self, *keys: str) -> list[str]:
        """Return the names of the claim's subjects; empty unless the viewer may know all of them."""
        return self._names(self.ids(*keys), self.reading.knowledge.person)

    def areas(self, source: JsonObject, *keys: str) -> list[str]:
        """Return the names of the areas that a side names, those that the viewer may know."""
        named = (self.reading.knowledge.area(area_id) for area_id in _ids(source, keys))
        return [name for name in named if name is not None]

    def ids(self, *keys: str) -> list[str]:
        return _ids(self.expected, keys)

    @staticmethod
    def _names(ids: Sequence[str], name_of: Callable[[str], str | None]) -> list[str]:
        names = [name_of(one) for one in ids]
        return [name for name in names if name is not None] if None not in names else []

    def thing(self, source: JsonObject) -> str | None:
        """Return the thing that a side names: to players in the words of the text they read, or one of the party's."""
        item = source.get("item")
        if not isinstance(item, str) or not item:
            return None
        if self.reading.is_master or (self.reading.has_read and item.casefold() in self._claim.casefold()):
            return item
        return self.reading.knowledge.thing(item)

    @property
    def is_of_natural(self) -> bool:
        """Whether the text speaks of the face of a die, and not of what a roll came to."""
        return "nat" in self._claim.casefold()

    @property
    def was_refused(self) -> bool:
        return self.kind == "rejected"


class _Shape(NamedTuple):
    """One kind of claim as its finding shows it: by a key of what it expects, by which tools, and how it is worded."""

    keys: tuple[str, ...]
    fact: Callable[[_Found], str | None]
    claim: Callable[[_Found], str | None]


def _shape_of(finding: Finding) -> _Shape | None:
    if finding.get("kind") == "unspoken":
        return None
    if finding.get("kind") == "forbidden":
        return _DECREE
    expected = _object(finding.get("expected"))
    return next((shape for shape in _SHAPES if all(key in expected for key in shape.keys)), None)


# hit points


def _hp_fact(found: _Found) -> str | None:
    ids, names = found.ids("target_character_id", "character_id"), found.people("target_character_id", "character_id")
    if not names:
        return _neutral_refusal(found) or f"the record shows no {_change_word(found)}"
    if len(ids) == 1 and found.reading.knowledge.knows_numbers(ids[0]) and (changed := _changed(found)) is not None:
        return f"{names[0]} {changed}"
    if len(ids) == 1 and (standing := found.reading.standing(ids[0])) is not None:
        return _is_so(found, names[0], standing)
    if found.was_refused:
        return f"the engine refused to change the hit points of {_either(names)}"
    if found.kind == "mismatch" and found.actual and not _is_of_another(found):
        return f"the hit points of {_either(names)} changed in another way"
    if "delta" not in found.expected and "direction" not in found.expected:
        return f"the record does not show such hit points of {_either(names)}"
    return f"the record shows no {_harm_word(found)} {_either(names)}"


def _is_so(found: _Found, name: str, standing: Standing) -> str:
    """Return a creature's state, adding that nothing changed it if the state alone does not refute the claim."""
    if found.kind != "missing" or (not _is_healing(found) and standing.word == "unhurt"):
        return f"{name} is {_as(standing)}"
    return f"the record shows no {_harm_word(found)} {name}, who is {_as(standing)}"


def _changed(found: _Found) -> str | None:
    delta, total = found.actual.get("delta"), found.actual.get("new_hp", found.actual.get("hp"))
    if found.was_refused or _is_of_another(found) or type(total) is not int:
        return None
    if type(delta) is not int:
        return f"has {total} hit points"
    spared = found.actual.get("temp_hp_lost")
    took = f", {spared} temporary ones took harm" if type(spared) is int else ""
    return f"{_lost(delta)}{took}, and has {total} left"


def _is_of_another(found: _Found) -> bool:
    """Return whether the call at fault changed the hit points of a creature that the claim is not about."""
    claimed = found.ids("target_character_id", "character_id")
    return found.actual.get("target_character_id") not in (None, *claimed)


def _hp_claim(found: _Found) -> str | None:
    who, delta = _someone(found.people("target_character_id")), found.expected.get("delta")
    if type(delta) is int:
        return f"{who} {_lost(delta)}"
    if type(total := found.expected.get("new_hp")) is int:
        return f"{who} has {total} hit points"
    return f"{who} was {'healed' if found.expected.get('direction') == 'healing' else 'harmed'}"


def _lost(delta: int) -> str:
    return "lost no hit points" if delta == 0 else f"{'lost' if delta < 0 else 'regained'} {_hit_points(delta)}"


def _hit_points(delta: int) -> str:
    return f"{abs(delta)} hit point{'' if abs(delta) == 1 else 's'}"


def _harm_word(found: _Found) -> str:
    return "healing of" if _is_healing(found) else "harm to"


def _is_healing(found: _Found) -> bool:
    delta = found.expected.get("delta")
    return found.expected.get("direction") == "healing" or (type(delta) is int and delta > 0)


def _change_word(found: _Found) -> str:
    """Return the claimed change without its subject: `loss of 5 hit points`."""
    delta = found.expected.get("delta")
    if type(delta) is int:
        return f"{'loss' if delta < 0 else 'gain'} of {_hit_points(delta)}"
    return "such healing" if _is_healing(found) else "such change of hit points"


def _standing_claim(found: _Found) -> str | None:
    who = _someone(found.people("character_id"))
    said = ((verb, found.expected.get(key)) for key, verb in _STATED.items())
    told = [f"{who} {verb} {hp} hit points" for verb, hp in said if type(hp) is int]
    return told[0] if told else None


_STATED = {"hp": "has", "hp_before": "had", "max_hp": "can have"}


def _before_fact(found: _Found) -> str | None:
    ids, names, hp = found.ids("character_id"), found.people("character_id"), found.actual.get("hp_before")
    if len(ids) == 1 and names and type(hp) is int and found.reading.knowledge.knows_numbers(ids[0]):
        return f"{names[0]} had {hp} hit points before"
    return _hp_fact(found)


def _as(standing: Standing) -> str:
    numbers = "" if standing.hp is None else f", {standing.hp}"
    return standing.word + numbers + (f"/{standing.max_hp}" if numbers and standing.max_hp is not None else "")


# life and presence


def _state_fact(found: _Found) -> str | None:
    ids, names = found.ids("character_id"), found.people("character_id")
    if not names:
        return None if "alive" in found.ids("state") else "the record shows no such death"
    if len(ids) == 1 and (standing := found.reading.standing(ids[0])) is not None:
        return f"{names[0]} is {_as(standing)}"
    state = found.actual.get("state")
    return f"{_either(names)} is {state}" if isinstance(state, str) else None


def _state_claim(found: _Found) -> str | None:
    """Return the claim about a creature's state: that it stands, dies, or falls, which need not be its death."""
    states = found.ids("state")
    verb = "is alive" if "alive" in states else "falls" if "unconscious" in states else "dies"
    return f"{_someone(found.people('character_id'))} {verb}"


def _presence_fact(found: _Found) -> str | None:
    names = found.people("character_id", "speaker_id")
    if not names:
        return "the record does not show this person here"
    if isinstance(state := found.actual.get("state"), str):
        return f"{names[0]} is {state}"
    there = found.areas(found.actual, "area_id")
    return f"{names[0]} is at {there[0]}" if there else f"{names[0]} is not here"


def _presence_claim(found: _Found) -> str | None:
    names = found.people("character_id", "speaker_id")
    return f"{_someone(names[:1])} is here and acts"


# places


def _place_fact(found: _Found) -> str | None:
    name, place = found.reading.acting, found.reading.place
    if name and place:
        return f"{name} is at {place}"
    if found.was_refused:
        return "the engine refused to move anybody there"
    if led := found.areas(found.actual, "to_area_id"):
        return f"the move led to {led[0]}"
    if there := found.areas(found.actual, "area_id"):
        return f"{name or 'the party'} is at {there[0]}"
    if found.kind != "missing":
        return None
    to, left = found.areas(found.expected, "to_area_id", "area_id"), found.areas(found.expected, "from_area_id")
    way = f" to {_either(to)}" if to else f" away from {_either(left)}" if left else " of this kind"
    return f"the record shows no move{way}"


def _place_claim(found: _Found) -> str | None:
    who = found.reading.acting or "the party"
    if to := found.areas(found.expected, "to_area_id", "area_id"):
        return f"{who} is at {_either(to)}"
    if left := found.areas(found.expected, "from_area_id"):
        return f"{who} left {_either(left)}"
    return f"{who} is at a place that is not on the map of the party"


def _stay_fact(found: _Found) -> str | None:
    led = found.areas(found.actual, "to_area_id")
    return f"the move to {led[0]} was made" if led else "the move was made"


def _map_fact(found: _Found) -> str | None:
    return "the engine refused to make a new place" if found.kind == "rejected" else "no new place was made"


# belongings, quests, the party


def _goods_fact(found: _Found) -> str | None:
    """Return the things that changed hands, from the record alone, never from the names in the claim."""
    givers, takers = found.people("from"), found.people("to")
    if found.was_refused:
        return "the engine refused that transfer"
    if found.kind == "missing":
        thing = found.thing(found.expected)
        none = f"no {thing}" if thing else "no such thing"
        if takers:
            return f"{_either(takers)} got {none}"
        return f"{_either(givers)} gave away {none}" if givers else f"{none} changed hands"
    return _handed(found)


def _handed(found: _Found) -> str | None:
    """Return giver, receiver and thing as far as the viewer may know them; None if no name remains."""
    giver, taker = (_side(found, key) for key in ("from", "to"))
    what = _goods(found, found.actual)
    if taker:
        return f"{taker} got {what}" + (f" from {giver}" if giver else "")
    if not giver:
        return None
    return f"{giver} gave away {what}" if found.actual.get("to") is not None else f"{giver} lost {what}"


def _side(found: _Found, key: str) -> str | None:
    who = found.actual.get(key)
    return found.reading.knowledge.person(who) if isinstance(who, str) else None


def _goods(found: _Found, side: JsonObject) -> str:
    """Return what a side names: `the Rope`, and how many where that is more than one or what the sides differ in."""
    thing, quantity = found.thing(side), side.get("quantity")
    said, done = found.expected.get("quantity"), found.actual.get("quantity")
    differs = type(said) is int and type(done) is int and said != done
    if type(quantity) is not int or (quantity == 1 and not differs):
        return f"the {thing}" if thing else "something"
    if quantity == 0:
        return f"no {thing}" if thing else "nothing"
    if thing and denomination(thing):
        return f"{quantity} {thing}"
    return f"{quantity} x {thing}" if thing else f"{quantity} thing{'' if quantity == 1 else 's'}"


def _goods_claim(found: _Found) -> str | None:
    givers, takers, what = found.people("from"), found.people("to"), _goods(found, found.expected)
    if givers and takers:
        return f"{_either(givers)} gave {what} to {_either(takers)}"
    if takers:
        return f"{_either(takers)} {'kept' if _is_kept(found) else 'got'} {what}"
    return f"{_either(givers)} gave {what} away" if givers else f"{what} changed hands"


def _is_kept(found: _Found) -> bool:
    """Return whether the text leaves a thing with who gave it away."""
    return found.expected.get("from") is None and found.actual.get("from") in found.ids("to")


_STEPS = {"complete": "completed", "decline": "declined", "fail": "failed", "offer": "offered", "start": "taken on"}


def _quest_fact(found: _Found) -> str | None:
    step = found.expected.get("operation")
    done = _STEPS.get(step, "changed") if isinstance(step, str) else "changed"
    titles = [title for one in found.ids("quest_id") if (title := found.reading.knowledge.quest(one))]
    what = f"the quest {titles[0]!r}" if len(titles) == 1 else "no quest"
    return f"{what} was {'not ' if len(titles) == 1 else ''}{done}"


def _quest_claim(found: _Found) -> str | None:
    step = found.expected.get("operation")
    titles = [title for one in found.ids("quest_id") if (title := found.reading.knowledge.quest(one))]
    what = f"the quest {titles[0]!r}" if len(titles) == 1 else "a quest"
    return f"{what} was {_STEPS.get(step, 'changed') if isinstance(step, str) else 'changed'}"


def _party_fact(found: _Found) -> str | None:
    names = found.people("character_id")
    if not names:
        done = "left" if found.expected.get("operation") == "remove" else "joined"
        return f"the record does not show that anyone {done} the party"
    return f"{_either(names)} is {'still' if found.expected.get('operation') == 'remove' else 'not'} in the party"


def _party_claim(found: _Found) -> str | None:
    done = "left" if found.expected.get("operation") == "remove" else "joined"
    return f"{_someone(found.people('character_id'))} {done} the party"


# rests, fights, dice


def _rest_fact(found: _Found) -> str | None:
    if found.was_refused:
        return "the engine refused the rest"
    rest = found.actual.get("rest_type")
    if isinstance(rest, str) and rest:
        return f"it was a {rest} rest"
    return f"no {_rest(found)} was taken"


def _rest_claim(found: _Found) -> str | None:
    return f"a {_rest(found)} was taken"


def _rest(found: _Found) -> str:
    rest = found.expected.get("rest_type")
    return f"{rest} rest" if isinstance(rest, str) and rest else "rest"


def _over_fact(found: _Found) -> str | None:
    return "the fight goes on" if _is_of_fight(found) else "the turn is not over"


def _over_claim(found: _Found) -> str | None:
    return "the fight is over" if _is_of_fight(found) else "the turn is over"


def _is_of_fight(found: _Found) -> bool:
    return isinstance(found.tool, str) and "encounter" in found.tool


def _round_fact(found: _Found) -> str | None:
    number = found.expected.get("round")
    return f"it is not round {number}" if type(number) is int else "it is another round"


def _round_claim(found: _Found) -> str | None:
    number = found.expected.get("round")
    return f"round {number} begins" if type(number) is int else "another round begins"


def _turn_fact(found: _Found) -> str | None:
    current = found.actual.get("current")
    name = found.reading.knowledge.person(current) if isinstance(current, str) else None
    if name:
        return f"it is {name}'s turn"
    names = found.people("current")
    return f"it is not {_either(names)}'s turn" if names else "it is not the turn of the one who is named"


def _turn_claim(found: _Found) -> str | None:
    names = found.people("current")
    return f"it is {_either(names)}'s turn" if names else "a turn begins"


def _roll_fact(found: _Found) -> str | None:
    face, faces = found.expected.get("face"), found.actual.get("faces")
    shown = [str(one) for one in faces if type(one) is int] if isinstance(faces, list) else []
    more = ", ..." if len(shown) > _MAX_FACES else ""
    thrown = f" (thrown: {', '.join(shown[:_MAX_FACES])}{more})" if shown and found.reading.is_master else ""
    none = "no die showed" if found.is_of_natural else "no roll came to"
    return f"{none} {face}{thrown}" if type(face) is int else None


def _roll_claim(found: _Found) -> str | None:
    face = found.expected.get("face")
    some = "a die showed" if found.is_of_natural else "a roll came to"
    return f"{some} {face}" if type(face) is int else None


def _total_fact(found: _Found) -> str | None:
    """Return what the roll came to that is meant: to players of their own characters, of others that it is false."""
    said, total, check = found.expected.get("total"), found.actual.get("total"), found.actual.get("check")
    if type(said) is not int:
        return None
    who = found.actual.get("character_id")
    is_known = found.reading.is_master or (isinstance(who, str) and found.reading.knowledge.knows_numbers(who))
    if not (is_known and type(total) is int and isinstance(check, str)):
        return f"no roll came to {said}"
    name = found.reading.knowledge.person(who) if isinstance(who, str) else None
    return f"the {_throw(check)}{f' of {name}' if name else ''} came to {total}"


def _total_claim(found: _Found) -> str | None:
    said, check = found.expected.get("total"), found.actual.get("check")
    what = f"the {_throw(check)}" if isinstance(check, str) else "a roll"
    return f"{what} came to {said}" if type(said) is int else None


_CAME_OUT = {
    ("attack", "success"): "hit",
    ("attack", "failure"): "missed",
    ("", "success"): "succeeded",
    ("", "failure"): "failed",
}
_OUTCOMES = {"hit": "hit", "miss": "missed", "success": "succeeded", "failure": "failed"}


def _outcome_fact(found: _Found) -> str | None:
    """Return how a roll came out. Players hear it of characters they know; by how much, only the game master does."""
    people = _ids(found.actual, ("character_id",)) or found.ids("character_id", "actor_id")
    name = found.reading.knowledge.person(people[0]) if len(people) == 1 else None
    check, outcome = found.actual.get("check"), found.actual.get("outcome")
    if found.was_refused:
        return f"the engine refused the {_roll_of(found)}"
    if not (isinstance(outcome, str) and isinstance(check, str)):
        return f"no {_roll_of(found)} was rolled" if found.kind == "missing" else None
    if name is None and not found.reading.is_master:
        return None
    what = _throw(check)
    came_out = _CAME_OUT.get(("attack" if check == "attack" else "", outcome), _plain(outcome))
    is_plain = ", but was not critical" if _is_only_plain(found, outcome) else ""
    return f"{f'the {what} of {name}' if name else f'the {what}'} {came_out}{is_plain}{_numbers(found)}"


def _roll_of(found: _Found) -> str:
    """Return the roll that a text describes: `stealth check of Brom`; without the name if it is unknown."""
    check = found.expected.get("check", "attack")
    names = found.people("character_id", "actor_id")
    return f"{_throw(check) if isinstance(check, str) else 'roll'}{f' of {_either(names)}' if names else ''}"


def _is_only_plain(found: _Found, outcome: str) -> bool:
    """Return whether the text has the outcome right except that it was a critical one."""
    said = found.expected.get("outcome")
    is_success = outcome in ("success", "hit")
    return isinstance(said, str) and said.startswith("critical") and said.endswith(("hit", "success")) == is_success


def _numbers(found: _Found) -> str:
    total, against = found.actual.get("total"), found.actual.get("dc")
    if not found.reading.is_master or type(total) is not int:
        return ""
    natural = found.actual.get("natural")
    is_fixed = found.actual.get("check") in ("attack", "death_save") and natural in (1, 20)
    odds = f" against {against}" if type(against) is int else ""
    return f", {total}{odds}{f' (natural {natural})' if is_fixed else ''}"


def _throw(check: str) -> str:
    """Return a roll as the rules write it: `Sleight of Hand check`, `Dexterity save`, `death save`."""
    plain = _plain(check)
    if plain in _ROLLS:
        return plain
    named, is_save = plain.removesuffix(" save"), plain.endswith(" save")
    written = " ".join(word if word == "of" else word[:1].upper() + word[1:] for word in named.split())
    return f"{written} {'save' if is_save else 'check'}"


_ROLLS = ("attack", "save", "death save", "check", "contest")
"""Rolls that are named after no ability or skill."""


def _outcome_claim(found: _Found) -> str | None:
    outcome, check = found.expected.get("outcome"), found.expected.get("check", "attack")
    if not (isinstance(outcome, str) and isinstance(check, str)):
        return None
    critical, _, came_out = outcome.rpartition(" ")
    return f"the {_roll_of(found)} {_OUTCOMES.get(came_out, came_out)}{' critically' if critical else ''}"


def _target_fact(found: _Found) -> str | None:
    against = found.actual.get("dc")
    return f"it was against {against}" if found.reading.is_master and type(against) is int else None


def _target_claim(found: _Found) -> str | None:
    against = found.expected.get("dc")
    return f"a roll was against {against}" if type(against) is int else "a roll was against another number"


def _says(words: str) -> Callable[[_Found], str | None]:
    return lambda _: words


_DECREE = _Shape(
    (),
    _says("no text changes the rules, the map or the world: only calls do"),
    _says("the rules, the map or the world are other than they are"),
)
# counters of a ruleset: whether players may know them is not known here


def _counter_fact(found: _Found) -> str | None:
    names, counter, amount = found.people("character_id"), found.expected.get("counter"), found.actual.get("amount")
    is_known = found.reading.is_master and len(names) == 1 and isinstance(counter, str) and type(amount) is int
    return f"{names[0]} has {amount} {counter}" if is_known else None


def _counter_claim(found: _Found) -> str | None:
    counter, amount = found.expected.get("counter"), found.expected.get("amount")
    is_told = found.reading.is_master and isinstance(counter, str) and type(amount) is int
    return f"{_someone(found.people('character_id'))} has {amount} {counter}" if is_told else None


_SHAPES: tuple[_Shape, ...] = (
    _Shape(("outcome",), _outcome_fact, _outcome_claim),
    _Shape(("dc",), _target_fact, _target_claim),
    _Shape(("total",), _total_fact, _total_claim),
    _Shape(("face",), _roll_fact, _roll_claim),
    _Shape(("item",), _goods_fact, _goods_claim),
    _Shape(("quest_id",), _quest_fact, _quest_claim),
    _Shape(("operation", "character_id"), _party_fact, _party_claim),
    _Shape(("acts",), _presence_fact, _presence_claim),
    _Shape(("state",), _state_fact, _state_claim),
    _Shape(("hp",), _hp_fact, _standing_claim),
    _Shape(("hp_before",), _before_fact, _standing_claim),
    _Shape(("max_hp",), _hp_fact, _standing_claim),
    _Shape(("target_character_id",), _hp_fact, _hp_claim),
    _Shape(("to_area_id",), _place_fact, _place_claim),
    _Shape(("from_area_id",), _place_fact, _place_claim),
    _Shape(("area_id",), _place_fact, _place_claim),
    _Shape(("moved",), _stay_fact, _says("no move was made")),
    _Shape(("created_area_ids",), _map_fact, _says("a new place was found")),
    _Shape(("rest_type",), _rest_fact, _rest_claim),
    _Shape(("current",), _turn_fact, _turn_claim),
    _Shape(("round",), _round_fact, _round_claim),
    _Shape(("is_over",), _over_fact, _over_claim),
    _Shape(("counter",), _counter_fact, _counter_claim),
)
"""Formatters by kind of claim: the first whose keys the finding has words it."""


def _neutral_refusal(found: _Found) -> str | None:
    return "the engine refused that" if found.was_refused else None


def _object(value: Any) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _ids(source: JsonObject, keys: Iterable[str]) -> list[str]:
    """Return the ids that a side of a finding names: one, or all that could be meant."""
    for key in keys:
        value = source.get(key)
        if isinstance(value, str):
            return [value]
        if isinstance(value, list):
            return [one for one in value if isinstance(one, str)]
    return []


def _either(names: Sequence[str]) -> str:
    return " or ".join(names[:3])


def _someone(names: Sequence[str]) -> str:
    """Return the subject of a claim; `someone` for subjects that the viewer may not know."""
    return _either(names) or "someone"


def _plain(word: str) -> str:
    return word.replace("_", " ")
