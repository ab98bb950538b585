"""The tournament: what every stat block of the SRD lets its monster do is done, and every die is one of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.builders import Json, clock
from tests.sampling import some

from turnwright import Campaign
from turnwright.content.registry import built_in
from turnwright.model.content_shapes import StatBlock
from turnwright.model.encounter import Encounter
from turnwright.rulesets.fifth_edition.fights._deeds import Deed, deeds
from turnwright.rulesets.fifth_edition.fights.executable import block_not_executed, not_executed
from turnwright.rulesets.fifth_edition.fights.traits import block_in

POST: Json = {"id": "post", "name": "Post", "hp": 2000, "max_hp": 2000, "ac": 5, "position": {"x": 12, "y": 12}}
LAST: Json = {**POST, "id": "last", "name": "Last", "position": {"x": 12, "y": 13}}
FALLEN: Json = {
    **POST,
    "id": "fallen",
    "name": "Fallen",
    "hp": 0,
    "character_type": "pc",
    "position": {"x": 14, "y": 13},
}
"""Whom only who takes the lives of the fallen meets."""
MORSEL: Json = {**LAST, "id": "morsel", "name": "Morsel", "size": "tiny", "position": {"x": 12, "y": 11}}
"""Whom only who swallows meets."""
REFUSED = {"not_executable"}
"""What a deed of a block may fail with: all else would be a fault."""


def monsters() -> list[StatBlock]:
    pack = built_in("srd-5.1")
    found = (pack.entry("monsters", row.id) for row in pack.rows() if row.kind == "monsters")
    return [block_in(each) for each in found if each is not None]


BLOCKS = {value["id"]: value for value in monsters()}


def test_the_tier_of_a_monster_is_what_the_engine_executes() -> None:
    for value in BLOCKS.values():
        lacking = list(dict.fromkeys(told.partition(":")[0] for told in block_not_executed(value)))
        assert (value["tier"], value.get("missing", [])) == ("partly" if lacking else "full", lacking), value["id"]


@pytest.fixture(name="arena", scope="module")
def fixture_arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    place = tmp_path_factory.mktemp("arena") / "c"
    with Campaign.new(place, template="toolkit", seed="tournament", clock=clock) as campaign:
        yield campaign


def reply_to(campaign: Campaign, tool: str, **args: Any) -> Json:
    found: Json = campaign.process({"tool_calls": [{"id": "a", "tool": tool, "args": args}]})
    return found


def draws(reply: Json) -> list[tuple[int, str]]:
    """Return the sides of every die of a reply, with what it was thrown for."""
    return [(draw["sides"], draw["why"]) for draw in reply.get("draws", ())]


@pytest.mark.parametrize("name", some(sorted(BLOCKS), 40))
def test_a_monster_fights_a_round_with_its_own_figures(arena: Campaign, name: str) -> None:
    fought(arena, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_every_monster_fights_a_round_with_its_own_figures(arena: Campaign, name: str) -> None:
    fought(arena, name)


def fought(arena: Campaign, name: str) -> None:
    """Let a monster do everything that its stat block lets it do, and look at every figure of what happened."""
    block = BLOCKS[name]
    ground = {"width": 40, "height": 40}
    wanted = {"monster": name, "positions": [{"x": 13, "y": 12}]}
    fallen = [FALLEN] if any(_takes_the_fallen(deed) for deed in deeds(block)) else []
    morsel = [MORSEL] if any(_swallows(deed) for deed in deeds(block)) else []
    people = [POST, LAST, *fallen, *morsel]
    reply = reply_to(arena, "create_encounter", participants=people, monsters=[wanted], terrain=ground)
    assert reply["status"] == "applied", reply
    began = reply["applied_actions"][0]["result"]
    fight, actor = began["encounter_id"], began["monsters"][0]["ids"][0]
    done: set[str] = set()
    for deed in sorted(deeds(block), key=_moves_others):
        _go_on(arena, fight, actor, past=deed.group == "legendary")
        reply = _do(arena, fight, actor, deed)
        if reply["status"] != "applied":
            failed = reply["tool_feedback"]["failed_calls"][0]
            assert failed["reason"] in REFUSED, (name, deed.name, failed)
            assert deed.group == "reaction" or not_executed(deed.part), (name, deed.name, failed)
            continue
        done.add(deed.id)
        _look_at(block, deed, reply, actor)
    executed = {each.id for each in deeds(block) if each.group != "reaction" and not not_executed(each.part)}
    assert executed <= done, (name, executed - done)
    assert reply_to(arena, "end_encounter", encounter_id=fight, outcome="fled")["status"] == "applied"


def _takes_the_fallen(deed: Deed) -> bool:
    return bool(deed.part.get("figures", {}).get("target_hp") == 0)


def _swallows(deed: Deed) -> bool:
    return "via" in deed.part.get("figures", {}).get("swallow", {})


def _moves_others(deed: Deed) -> bool:
    return "forced_move" in deed.part or "teleport" in deed.part


def _go_on(arena: Campaign, fight: str, actor: str, *, past: bool) -> None:
    """Go on to the monster's turn, or past it: its legendary actions are back then."""
    for _ in range(6):
        if _acting(arena, fight) == actor:
            break
        assert reply_to(arena, "advance_turn", encounter_id=fight)["status"] == "applied"
    if past:
        assert reply_to(arena, "advance_turn", encounter_id=fight)["status"] == "applied"


def _acting(arena: Campaign, fight: str) -> str:
    """Return whose turn it is; one document is read for that, since fights of all monsters before it are there, too."""
    with arena.reading() as world:
        encounter = world.get(f"encounters/{fight}.json")
        assert isinstance(encounter, Encounter)
        return encounter.participants[encounter.turn_index].id


def _do(arena: Campaign, fight: str, actor: str, deed: Deed) -> Json:
    args: Json = {"encounter_id": fight, "actor_id": actor, "action": deed.name, "target_id": "post"}
    args["ignore_economy"] = deed.group != "legendary"
    if deed.group == "legendary":
        args["action_cost"] = "legendary"
    if "teleport" in deed.part:
        args["move_to"] = {"x": 15, "y": 14}
    bound = {"grappled_by_self": "grappled", "charmed_by_self": "charmed"}
    moved = deed.part.get("forced_move", {}).get("who")
    whom = deed.part["targets"].get("kind") if "targets" in deed.part else moved
    if (condition := bound.get(whom or "")) is not None:
        held = {"condition": condition, "source": actor, "duration": 10}
        given = {"encounter_id": fight, "target_id": "post", "operation": "add"}
        assert reply_to(arena, "manage_condition", **given, **held)["status"] == "applied"
    if "cast" in deed.part.get("figures", {}):
        return _cast(arena, fight, actor, deed)
    if _swallows(deed):
        args["target_id"] = "morsel"
        held = {"encounter_id": fight, "target_id": "morsel", "operation": "add", "condition": "grappled"}
        assert reply_to(arena, "manage_condition", **held, source=actor)["status"] == "applied"
    if _takes_the_fallen(deed):
        args["target_id"] = "fallen"
    if deed.part.get("kind") == "change_shape":
        return _changed(arena, args, deed)
    return reply_to(arena, "execute_action", **args)


def _cast(arena: Campaign, fight: str, actor: str, deed: Deed) -> Json:
    """Cast in another's turn: a cantrip, or the first prepared spell that is an attack or asks a save."""
    person = next(each for each in arena.state[f"encounters/{fight}.json"]["participants"] if each["id"] == actor)
    block = arena.state[f"encounters/{fight}.json"]["stat_blocks"][person["stat_block"]]
    prepared = next(each["spellcasting"]["prepared"] for each in block["traits"] if "spellcasting" in each)
    levels = ["0"] if deed.part["figures"]["cast"] == "cantrip" else [level for level in prepared if level != "0"]
    reply: Json = {}
    for spell in (spell for level in levels for spell in prepared[level]):
        args = {"encounter_id": fight, "caster_id": actor, "spell": spell, "target_ids": ["post"]}
        reply = reply_to(arena, "cast_spell", **args)
        if reply["status"] == "applied":
            break
    return reply


def _changed(arena: Campaign, args: Json, deed: Deed) -> Json:
    """Take a form and one's own again, so that what follows is done in one's own."""
    into = deed.part["figures"]["into"]
    form = next(iter(into)) if isinstance(into, dict) else "wolf"
    if into == "forms":
        form = next(
            each for each in BLOCKS[deed.part["figures"]["true_form"]]["forms_of"] if each not in args["actor_id"]
        )
    reply = reply_to(arena, "execute_action", **args, form=form)
    assert reply["status"] == "applied", reply["tool_feedback"]
    person = next(
        each
        for each in arena.state[f"encounters/{args['encounter_id']}.json"]["participants"]
        if each["id"] == args["actor_id"]
    )
    assert "true_shape" in person, deed.name
    return reply_to(arena, "execute_action", **args, form="true form")


def _look_at(block: Mapping[str, Any], deed: Deed, reply: Json, actor: str) -> None:
    result = reply["applied_actions"][0]["result"]
    if result["action_type"] == "cast_spell":
        return
    rows = result.get("targets") or [{**result, "action": result["action"], "target_id": result["target"]}]
    known = {part["name"]: part for part in _parts(block)}
    for row in rows:
        part = known[row["attack"]["weapon"] if row.get("attack") else row["action"]]
        if row.get("attack"):
            used = part if isinstance(part.get("attack"), Mapping) else _used(block, part, row)
            assert row["attack"]["bonus"] == used["attack"]["to_hit"], (block["id"], row)
            part = used
        if row.get("save"):
            assert (row["save"]["ability"], row["save"]["dc"]) in set(_saves(block, part)), (block["id"], row)
        if row.get("damage"):
            assert _types(row["damage"]) <= set(_own_types(block, part)), (block["id"], row)
            assert _dice(row["damage"]["expression"]) <= set(_own_dice(block, part)), (block["id"], row)
        for condition in row.get("inflicted", ()):
            assert condition in set(_own_conditions(block, part)), (block["id"], row)
    sides = {int(each) for each in re.findall(r"d(\d+)", str(block))} | {20, 6}
    assert {number for number, _ in draws(reply)} <= sides, (block["id"], deed.name, draws(reply), actor)


def _parts(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    legendary = block.get("legendary", {}).get("actions", ())
    for part in (*legendary, *block.get("traits", ()), *block.get("reactions", ()), *block.get("actions", ())):
        yield part
        yield from part.get("options", ())


def _used(block: Mapping[str, Any], part: Mapping[str, Any], row: Json) -> Mapping[str, Any]:
    """Return the action that a legendary one made."""
    del part
    return next(each for each in block["actions"] if each["name"] == row["attack"]["weapon"])


def _with_traits(block: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a part, and the traits that add to a hit with it."""
    yield part
    yield from (each for each in block.get("traits", ()) if each.get("kind") in ("charge", "extra_damage"))


def _saves(block: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    for each in _with_traits(block, part):
        if isinstance(each.get("save"), Mapping):
            yield each["save"]["ability"], each["save"].get("dc")


def _own_types(block: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[str]:
    for each in _with_traits(block, part):
        yield from (str(own.get("type")) for own in each.get("damage", ()))


def _own_dice(block: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[str]:
    for each in _with_traits(block, part):
        for own in each.get("damage", ()):
            yield str(own.get("dice", own.get("flat")))


def _own_conditions(block: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[str]:
    for each in _with_traits(block, part):
        yield from (own["id"] for own in each.get("conditions", ()))
        if "grapple" in each:
            yield from ("grappled", "restrained")


def _types(damage: Json) -> set[str]:
    return {part["type"] for part in damage.get("parts", ())} or {damage["type"]}


def _dice(expression: str | None) -> set[str]:
    """Return the dice of an expression; those of a critical hit stand there twice."""
    return set(re.findall(r"\d+d\d+", expression or "")) or ({expression} if expression else set())
