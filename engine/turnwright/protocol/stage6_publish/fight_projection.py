"""What players may see of a fight: who is in it, how they look, and what is done in the open.

The members of the party are known in full, everybody else by what can be seen of them. Hidden
creatures and undiscovered objects are omitted.
Source: docs/stages/6-publish.md, "A fight".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from turnwright.model.character import Character
from turnwright.model.encounter import RUNNING_TAG, Encounter, Hazard, Participant, Prop, Terrain
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import texts_in
from turnwright.model.viewer import PARTY
from turnwright.model.vocabulary import ConditionWord
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge, is_known, is_own
from turnwright.rulesets.fifth_edition.fights.battlefield_rows import Battlefield, Figure, battlefield
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.targets import body_of
from turnwright.rulesets.health_words import look_at
from turnwright.rulesets.reference_lookup import PEOPLE, kind_of, people_called
from turnwright.rulesets.toolbox import Toolbox, tools_of
from turnwright.rulesets.visibility import HIDDEN, Audience

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import AppliedAction

Json = Mapping[str, Any]
_CONDITIONS = frozenset(get_args(ConditionWord))
"""A condition by another name may say what only the game master knows."""
_LOOKING = frozenset({"get", "history", "list", "query", "search", "status", "view"})
"""Operations that change nothing, of tools that do much else."""
_OF_TURN = ("round", "new_round", "previous", "current", "next", "death_save_required", "all_down")
"""The keys that a player who ended a turn may see: whose turn it is now, and not what happened to others."""
_SOURCES = ("source",)
"""Keys that only give the origin of an effect."""
_NOBODY = {"id": "", "name": "someone unseen"}
"""Whose turn it is, when that is somebody who hides."""


class FightSeen(NamedTuple):
    """A fight as the party sees it; the figures of others have no hit points."""

    field: Battlefield
    terrain: Terrain
    props: tuple[Prop, ...]


def known_fights(world: World) -> list[Encounter]:
    """Return the fights that players know of: those with a fighter that they play."""
    party = _party(world)
    return [fight for fight in world.all(Encounter) if is_known(fight, party)]


def fight_seen(world: World, encounter: Encounter, *, ascii: bool = False) -> FightSeen:
    """Return a fight as the party sees it.

    Args:
        world: the campaign.
        encounter: the fight, running or ended.
        ascii: draw with plain ASCII characters only.
    """
    party = _party(world)
    own = {person.id for person in encounter.participants if is_own(person, party)}
    unseen = {person.id for person in _hiding(encounter, own)} | {prop.id for prop in encounter.props if prop.hidden}
    bodies = {person.id: body_of(world, person) for person in encounter.participants}
    field = battlefield(encounter, bodies, ascii=ascii, unseen=unseen)
    legend = tuple(figure if figure.id in own else _from_outside(figure) for figure in field.legend)
    hazards = tuple(Hazard(position=hazard.position, type=hazard.type) for hazard in encounter.terrain.hazards)
    return FightSeen(
        field._replace(legend=legend),
        encounter.terrain.replace(hazards=hazards, timed=()),
        tuple(_prop(prop) for prop in encounter.props if prop.id not in unseen),
    )


def _from_outside(figure: Figure) -> Figure:
    conditions = tuple(name for name in figure.conditions if name in _CONDITIONS)
    return figure._replace(hp=None, max_hp=None, temp_hp=0, bloodied=False, conditions=conditions)


def _prop(prop: Prop) -> Prop:
    """Return a thing as it can be seen: not whether it is locked, and how much it withstands only once it is broken."""
    return Prop(
        id=prop.id,
        name=prop.name,
        type=prop.type,
        position=prop.position,
        state=prop.state,
        cover_type=prop.cover_type,
        blocks_movement=prop.blocks_movement,
        destructible=prop.is_broken,
        hp=0 if prop.is_broken else None,
    )


# who is who


def hiding_from(world: World, onlookers: Collection[str]) -> frozenset[str]:
    """Return every id of those who hide in a running fight from some characters: an enemy from who is in none."""
    unseen: set[str] = set()
    for fight in world.all_tagged(Encounter, RUNNING_TAG):
        watching = {person.id for person in fight.participants if person.character_id in onlookers}
        unseen.update(*(person.ids for person in _hiding(fight, watching)))
    return frozenset(unseen)


class _Acquaintance:
    """The enemies that the party met: in the area of a member, or in a fight of its own, even one that is over."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._party = party = _party(world)
        self._stood = {member.position for member in world.party() if member.position is not None}
        running = world.all_tagged(Encounter, RUNNING_TAG)
        known = [fight for fight in running if is_known(fight, party)]
        self._fought_with = _linked(known)
        elsewhere = [fight for fight in running if fight not in known]
        self.elsewhere = frozenset[str]().union(
            *(person.ids for fight in elsewhere for person in fight.participants if person.character_id is None)
        )
        """Every id of participants without a character in running fights that the party does not know of."""

    def is_stranger(self, one: Character) -> bool:
        """Return whether a character is an enemy that the party never met."""
        if one.character_type != "enemy" or one.id in self._party or one.position in self._stood:
            return False
        return one.id not in self._fought_with and one.id not in self._fought_ever

    @cached_property
    def _fought_ever(self) -> Collection[str]:
        return _linked(known_fights(self._world))


def _linked(fights: Iterable[Encounter]) -> Collection[str]:
    return {person.character_id for fight in fights for person in fight.participants if person.character_id is not None}


def out_of_sight(world: World) -> frozenset[str]:
    """Return every id of enemies that the party never met, and of fighters in fights that it does not know of."""
    met = _Acquaintance(world)
    return met.elsewhere.union(one.id for one in world.characters() if met.is_stranger(one))


class UnseenByParty(Set[str]):
    """What `unseen_by_party` returns; asked for one id, it looks at that one alone and not at every character."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._met = _Acquaintance(world)
        self._hiding = frozenset[str]().union(*hiding_from_party(world).values())

    def __contains__(self, named: object) -> bool:
        if named in self._hiding or named in self._met.elsewhere:
            return True
        one = self._world.character(named) if isinstance(named, str) else None
        return one is not None and self._met.is_stranger(one)

    def __iter__(self) -> Iterator[str]:
        return iter(self._every)

    def __len__(self) -> int:
        return len(self._every)

    @cached_property
    def _every(self) -> frozenset[str]:
        return unseen_by_party(self._world)


def unseen_by_party(world: World) -> frozenset[str]:
    """Return every id of who hides from the party now or is out of its sight."""
    return out_of_sight(world).union(*hiding_from_party(world).values())


def hiding_from_party(world: World) -> dict[str, frozenset[str]]:
    """Return every id of those who hide from the party, by the running fight in which they do."""
    party, unseen = _party(world), dict[str, frozenset[str]]()
    for fight in world.all_tagged(Encounter, RUNNING_TAG):
        own = {person.id for person in fight.participants if is_own(person, party)}
        unseen[fight.id] = frozenset().union(*(person.ids for person in _hiding(fight, own)))
    return unseen


def only_looks(tool: str, args: Json, tools: Toolbox) -> bool:
    """Return whether a call changes nothing: of a tool that reads, or by what it asks one to do."""
    known, operation = tools.get(tool), args.get("operation")
    if known is None or known.reads:
        return known is not None
    return "operation" in known.args.model_fields and isinstance(operation, str) and operation in _LOOKING


class Onlookers:
    """The party as it looks at what is done.

    Args:
        world: the campaign.
        unseen: every id of whom they did not see when that was done; by default of whom they do not see now.
    """

    def __init__(self, world: World, unseen: Collection[str] | None = None) -> None:
        self._world = world
        self._tools = tools_of(world.campaign)
        self.knowledge = WorldKnowledge(world, PARTY, unseen=unseen)
        """Their knowledge."""

    @cached_property
    def _others(self) -> Set[str]:
        """Return the ids of fighters in running fights that players do not play."""
        return {
            person.id
            for fight in self._world.all_tagged(Encounter, RUNNING_TAG)
            for person in fight.participants
            if not self.knowledge.knows_numbers(person.id)
        }

    @property
    def unseen(self) -> Set[str]:
        """Every id of the characters that hide from them, or that they never met."""
        return self.knowledge.unseen

    def audience_of(self, tool: str) -> Audience:
        """Return who besides the game master sees the calls of a tool."""
        return self._tools.visibility_of(tool).audience

    def action(self, action: AppliedAction) -> AppliedAction | None:
        """Return an action as it may be told to the party.

        None is one of somebody who hides, or of a sheet alone, and what only looks something up.

        Of others it tells how they look and not their hit points, and neither their armor class nor what they notice.
        """
        row = self._tools.visibility_of(action["tool"])
        if row is HIDDEN:
            return None
        args, result = self._unsourced(action["args"]), self._unsourced(action["result"])
        if "batch" in args and "results" in result:
            items = list(self._items(action["tool"], args, result["results"]))
            asked, entries = [item for item, _ in items], [entry for _, entry in items]
            totals = row.cut(result) | _counts(result)
            whole: AppliedAction = {
                **action,
                "args": {**args, "batch": asked},
                "result": {**totals, "results": entries},
            }
            return whole if items else None
        seen = self._result(action["tool"], args, result)
        return None if seen is None else {**action, "args": args, "result": seen}

    def tells(self, action: AppliedAction, draw: Json) -> bool:
        """Return whether the party may see a die of an action.

        Of an action that is shown in part these are the throws of their own: a die that several share, or that is the
        ground's, may tell of who hides. The initiative of others is never shown.
        """
        thrower, _, purpose = draw["why"].partition(" ")
        if "initiative" in purpose.split() and not self._is_own(thrower):
            return False
        seen = self.action(action)
        if seen is None or not self.unseen.isdisjoint(draw["why"].split()):
            return False
        return _has_every_row(seen["result"], action["result"]) or self._is_own(thrower)

    def is_thrown_by(self, character_id: str, draw: Json) -> bool:
        """Return whether a die was rolled for somebody of the party, or for who they are in a running fight."""
        thrower = draw["why"].partition(" ")[0].rstrip(",:")
        fights = self._world.all_tagged(Encounter, RUNNING_TAG)
        people = (person for fight in fights for person in fight.participants if person.character_id == character_id)
        return thrower == character_id or any(thrower in person.ids for person in people)

    def _items(self, tool: str, args: Json, entries: Iterable[Json]) -> Iterator[tuple[Json, Json]]:
        shared = {key: value for key, value in args.items() if key != "batch"}
        for asked, entry in zip(args["batch"], entries, strict=True):
            if entry["ok"]:
                seen = self._result(tool, {**shared, **asked}, entry["result"])
                if seen is not None:
                    yield asked, {**entry, "result": seen}
            elif self.sees(asked):
                yield asked, entry

    def own_result(self, action: AppliedAction) -> dict[str, Any]:
        """Return what a player may know of the result of their own call: nothing, where it may tell of others.

        Of tools for which it is not settled what the party sees of others, it is told when it is of the party alone.
        """
        tool, args, result = action["tool"], self._unsourced(action["args"]), self._unsourced(action["result"])
        if self._tools.visibility_of(tool) is HIDDEN:
            return {}
        if "batch" not in args or "results" not in result:
            return self._own_result(tool, args, result)
        shared = {key: value for key, value in args.items() if key != "batch"}
        entries = [
            {**entry, "result": self._own_result(tool, {**shared, **asked}, entry["result"])} if entry["ok"] else entry
            for asked, entry in zip(args["batch"], result["results"], strict=True)
        ]
        return {"results": entries, **_counts(result)}

    def _own_result(self, tool: str, args: Json, result: Json) -> dict[str, Any]:
        row = self._tools.visibility_of(tool)
        if row.subject == "caller":
            return row.cut(result)
        if tool in ("hp_delta", "advance_turn") or (tool == "execute_action" and self._is_own(result["actor"])):
            seen = self._result(tool, args, result) or {}
            return {key: seen[key] for key in _OF_TURN if key in seen} if tool == "advance_turn" else seen
        is_of_party = any(map(self._is_own, _people(tool, args, self._tools)))
        names_others = any(map(self._is_other, texts_in([args, result], _SOURCES)))
        return row.cut(result) if is_of_party and not names_others else {}

    def _is_other(self, text: str) -> bool:
        """Return whether a text names somebody who is not of the party."""
        if text in self._others or text in self.unseen:
            return True
        called = people_called(self._world, text)
        return not self._is_own(text) and not all(map(self.knowledge.knows_numbers, called))

    def sees_call(self, tool: str, args: Any) -> bool:
        """Return whether a failed call may be shown: it names nobody who hides, and would do something."""
        is_told = isinstance(args, Mapping) and self._tools.visibility_of(tool) is not HIDDEN
        return is_told and not only_looks(tool, args, self._tools) and self.unseen.isdisjoint(texts_in(args, _SOURCES))

    def sees(self, told: Json) -> bool:
        """Return whether nobody who hides is named in arguments, or in a result."""
        return self.unseen.isdisjoint(_named(told))

    def _result(self, tool: str, args: Json, result: Json) -> dict[str, Any] | None:
        if only_looks(tool, args, self._tools):
            return None
        if tool == "advance_turn":
            result = self._of_turn(result)
        if not self.sees(args) or not self.sees(result):
            return None
        row = self._tools.visibility_of(tool)
        if row.subject == "sheet" and not any(self._is_own(named) for named in _named(args)):
            return None
        result = {key: self._rows(value) if isinstance(value, list) else value for key, value in result.items()}
        if tool == "hp_delta":
            result = self._of_delta(args["target_character_id"], result)
        if tool == "execute_action":
            result = self._of_action(result)
        return row.cut(result)

    def _rows(self, rows: list[Any]) -> list[Any]:
        return [row for row in rows if not isinstance(row, Mapping) or self.sees(row)]

    def _unsourced(self, told: Any) -> Any:
        """Return what is told without who hides where it only says whom something comes from."""
        if isinstance(told, list):
            return [self._unsourced(each) for each in told]
        if not isinstance(told, Mapping):
            return told
        return {
            key: None if key == "source" and value in self.unseen else self._unsourced(value)
            for key, value in told.items()
        }

    def _of_turn(self, result: Json) -> dict[str, Any]:
        """Return what happened between two turns, be one of them that of somebody who hides."""
        whose = {key: result[key] if self.sees(result[key]) else _NOBODY for key in ("previous", "current")}
        if not self._is_own(result["current"]["id"]):
            whose["current"] = self._of_other(whose["current"])
        return {**result, **whose, "next": [each for each in result["next"] if each not in self.unseen]}

    def _of_other(self, whose: Json) -> dict[str, Any]:
        """Return of whose turn begins what can be seen of them."""
        conditions = [name for name in whose.get("conditions", ()) if name in _CONDITIONS]
        return {"id": whose["id"], "name": whose["name"], "conditions": conditions}

    def _of_delta(self, target_id: str, result: dict[str, Any]) -> dict[str, Any]:
        if self._is_own(target_id):
            return result
        person = self._world.character(target_id)
        look = look_at(result["new_hp"], counted_hp(person)[1] if person else None)
        return {} if look is None else {"look": look}

    def _of_action(self, result: Json) -> dict[str, Any]:
        seen = dict(result)
        if check := seen.get("check"):
            seen["check"] = {**check, "dc": None}
        if self._is_own(result["target"]):
            return seen
        if attack := seen.get("attack"):
            seen["attack"] = {key: value for key, value in attack.items() if key != "target_ac"}
        if hp := seen.get("target_hp"):
            is_dead = result.get("target_status") == "dead"
            seen["target_hp"] = {"look": "dead" if is_dead else look_at(hp["after"], hp["max"])}
        return seen

    def _is_own(self, named: str | None) -> bool:
        return named is not None and self.knowledge.knows(named)


def _counts(result: Json) -> dict[str, int]:
    """Return how many items of a batch were done, and how many were not."""
    return {key: result[key] for key in ("succeeded", "failed") if key in result}


def _named(told: Json) -> Iterator[str]:
    """Yield what may be an id in arguments or a result, and in what is nested in these; a list may name bystanders."""
    for value in told.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from (each for each in value.values() if isinstance(each, str))


def _people(tool: str, args: Json, tools: Toolbox) -> Iterator[str]:
    """Yield the ids of people that arguments of a call are marked to be."""
    for name, value in args.items():
        if isinstance(value, str) and kind_of(tools[tool].args, name) in PEOPLE:
            yield value


def _has_every_row(seen: Any, told: Any) -> bool:
    """Return whether no row of what was told is missing in what is seen of it."""
    if isinstance(told, Mapping):
        return all(_has_every_row(seen[key], told[key]) for key in told.keys() & seen.keys())
    if isinstance(told, list) and any(isinstance(each, Mapping) for each in told):
        return len(seen) == len(told) and all(map(_has_every_row, seen, told))
    return True


def _party(world: World) -> frozenset[str]:
    return frozenset(world.campaign.selected.party_character_ids)


def _hiding(encounter: Encounter, watching: Collection[str]) -> Iterator[Participant]:
    """Yield who hides from some participants: on the other side, or in a fight without these as an enemy."""
    sides = {person.is_enemy for person in encounter.participants if person.id in watching} or {False}
    for person in encounter.participants:
        if person.hidden and person.is_enemy not in sides:
            yield person
