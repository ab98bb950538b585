"""What somebody at a table might do next: sensible moves for what is awaited, and others that are not.

Every function takes `draw`, which gives a value of a strategy; what is drawn first is what failures shrink to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from tests.builders import Json, call
from tests.scenes.beginnings import SCENARIO
from tests.scenes.doing import ENGAGEMENT, TOLD
from tests.scenes.invariants import HUSH, UNTOLD, collection
from tests.scenes.table import TOOLS, Table

from turnwright.rulesets.scenes.prices import PRICES
from turnwright.rulesets.scenes.tiers import RESOLUTIONS

Draw = Callable[[st.SearchStrategy[Any]], Any]
SAID = st.sampled_from(["I wait.", "1", "2", "9", "I go!", "x"])
NOISE = st.sampled_from(["the watch", "THE WATCH", "a debt", "fire", "rats", "rain", "  Fire "])
PLACES = st.sampled_from(["roof", "canal", "a coal barge", "the morgue"])
WILD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        3,
        99,
        2.5,
        "",
        " ",
        "x",
        "pending",
        "x" * 5000,
        [],
        {},
        [[]],
        2**60,
        "offer_1",
        "pc",
    ]
)
SCARS = ["cold", "haunted", "Soft", "volatile", "reckless", "vicious", "paranoid", "obsessed", "lame", "mute", "grim"]
COSTS = st.tuples(st.integers(-3, 4), st.integers(-1, 3), st.integers(-4, 8))
VARIANTS = st.sampled_from(
    [
        {"variant": "encounter", "source": "a customs man"},
        {"variant": "opportunity", "nature": "a job", "catch": "a price"},
        {"variant": "discovery", "what": "a door"},
    ]
)


class Words:
    """Gives words that must stay hidden until they are chosen, each only once."""

    def __init__(self) -> None:
        self._given = 0

    def new(self) -> str:
        self._given += 1
        return f"{UNTOLD}{self._given}"


def once_in(draw: Draw, times: int) -> bool:
    return bool(draw(st.integers(0, times - 1)) == times - 1)


def some(draw: Draw, chances: int, **fields: st.SearchStrategy[Any]) -> Json:
    """Return some of these fields, each once in so many times."""
    return {name: draw(values) for name, values in fields.items() if once_in(draw, chances)}


# calls


def call_in(draw: Draw, table: Table, words: Words) -> Json:
    """Return a call that fits the mood, or one of any mood where it has no tools."""
    mood = (table.mood or {}).get("mood", "scene")
    tools = {
        "scene": ["engage", "engage", "choose", "set_scene_style"],
        "action": ["resolve" if _is_chosen(table) else "spend_die"] * 3 + ["set_scene_style"],
        "aftermath": ["accept", "accept", "choose", "set_scene_style"],
        "bargain": ["accept_bargain", "accept_bargain", "retreat", "pass_out"],
    }.get(mood, list(TOOLS))
    return call_of(draw, draw(st.sampled_from(tools)), table, words)


def call_of(draw: Draw, tool: str, table: Table, words: Words) -> Json:
    return call(tool, **_ARGS[tool](draw, table, words))


def _is_chosen(table: Table) -> bool:
    pending = table.crew["pending_outcome"]
    return pending is not None and "chosen_die" in pending


def _style(draw: Draw, table: Table, words: Words) -> Json:
    return {"style_class": draw(st.sampled_from(["street", "gutter", "salon"]))}


def _choose(draw: Draw, table: Table, words: Words) -> Json:
    return {"options": [[1, f"{HUSH} left"], [draw(st.sampled_from([1, 0.5, 1e9])), f"{HUSH} right"]]}


def _engage(draw: Draw, table: Table, words: Words) -> Json:
    return {**ENGAGEMENT, "engage_position": draw(st.sampled_from(["risky", "Controlled", "desperate"]))}


def _spend(draw: Draw, table: Table, words: Words) -> Json:
    outcomes = []
    for place, face in enumerate(table.crew["dice_pool"]):
        stress, heat, coin = draw(COSTS)
        costs = {"stress_cost": stress, "heat_cost": heat, "coin_delta": coin}
        outcomes.append({"die_value": face, "hint": f"way {place} of some", "narrative": words.new(), **costs})
    return {"situation": "the skylight", "outcomes": draw(st.permutations(outcomes)) if len(outcomes) > 1 else outcomes}


def _resolve(draw: Draw, table: Table, words: Words) -> Json:
    tier = (table.crew["pending_outcome"] or {}).get("chosen_tier", "partial")
    how = draw(st.sampled_from(RESOLUTIONS[tier]))
    return {"resolve_outcome": how, "resolve_what": "in", "escape_route": "out", "resolve_costs": ["rope"]}


def _accept(draw: Draw, table: Table, words: Words) -> Json:
    return {"accept_transition": "on", **some(draw, 3, next_variant=VARIANTS)}


def _deal(draw: Draw, table: Table) -> Json:
    kind = draw(st.sampled_from(list(PRICES)))
    price = PRICES[kind]
    amount = draw(st.integers(price.low, price.high))
    targets = {
        "clock": [clock["id"] for clock in collection(table.state, "clocks").values()],
        "faction": [faction["id"] for faction in collection(table.state, "factions").values()],
        "item": ["a watch"],
    }
    deal = {"cost_type": kind, "cost_amount": amount, "dice_gained": draw(st.integers(1, price.max_dice(amount)))}
    if targets.get(kind):
        deal["cost_target"] = draw(st.sampled_from(targets[kind]))
    if kind == "trauma":
        deal["trauma_name"] = draw(st.sampled_from(SCARS))
    return deal


def _accept_bargain(draw: Draw, table: Table, words: Words) -> Json:
    deal = {f"bargain_{key}": value for key, value in _deal(draw, table).items()}
    return {"bargain_description": "a deal", **deal}


def _retreat(draw: Draw, table: Table, words: Words) -> Json:
    return {"retreat_narration": "away"}


def _threats(draw: Draw, table: Table, most: int = 2) -> list[str]:
    clocks = collection(table.state, "clocks").values()
    ids = [clock["id"] for clock in clocks if clock["type"] == "threat"]
    return draw(st.lists(st.sampled_from(ids), max_size=most, unique=True)) if ids else []


def _pass_out(draw: Draw, table: Table, words: Words) -> Json:
    told = {"pass_out_narration": "dark", "wake_up_location": draw(PLACES)}
    return {**told, "clocks_to_advance": _threats(draw, table)}


_ARGS: dict[str, Callable[[Draw, Table, Words], Json]] = {
    "set_scene_style": _style,
    "choose": _choose,
    "engage": _engage,
    "spend_die": _spend,
    "resolve": _resolve,
    "accept": _accept,
    "accept_bargain": _accept_bargain,
    "retreat": _retreat,
    "pass_out": _pass_out,
}


# outputs


def output_for(draw: Draw, table: Table, words: Words) -> Json:
    """Return the document that is awaited, as it should be for the most part."""
    stage, mood = table.crew["awaiting"]["stage"], table.crew["awaiting"]["mood"]
    if stage in _OUTPUTS:
        return _OUTPUTS[stage](draw, table, words)
    return bargain_output(draw, table, words) if mood == "bargain" else turn_output(draw, table, mood or "scene")


def turn_output(draw: Draw, table: Table, mood: str) -> Json:
    clocks = [clock["id"] for clock in collection(table.state, "clocks").values()]
    output: Json = {**TOLD, "suggested_actions": draw(st.sampled_from([["a", "b"], ["c", "d", "e"], []]))}
    if mood in ("scene", "aftermath"):
        output |= some(draw, 2, coin_delta=st.integers(-20, 20), threat_description=NOISE)
        output |= some(draw, 8, continue_scene=st.just(False), scene_variant=VARIANTS)
        if table.crew["unresolved_threats"]:
            output |= some(draw, 4, threats_resolved=st.just(table.crew["unresolved_threats"][:1]))
    if mood == "aftermath":
        output |= some(draw, 2, stress_delta=st.integers(-2, 2), heat_delta=st.integers(0, 2), cost_description=NOISE)
        if clocks:
            ticks = st.fixed_dictionaries({"clock_id": st.sampled_from(clocks), "ticks": st.integers(1, 2)})
            output |= some(draw, 2, clock_ticks=st.lists(ticks, max_size=2))
    if mood == "trauma":
        return output | {"trauma_assigned": draw(st.sampled_from(SCARS))}
    return output | {"consequence_effects": [_effects(draw, due) for due in table.crew["pending_consequences"]]}


def _effects(draw: Draw, due: Json) -> Json:
    ranges = {"stress_delta": (-2, 3), "heat_delta": (-2, 3), "coin_delta": (-4, 8), "wanted_delta": (0, 1)}
    numbers = some(draw, 3, **{name: st.integers(*span) for name, span in ranges.items()})
    shift = {"faction_id": "lampblacks", "steps": draw(st.integers(-1, 1))}
    more = some(draw, 4, threat=NOISE, rumor=NOISE, faction_shift=st.just(shift))
    return {"consequence_id": due["id"], "acknowledged": True, "note": "so it comes", **numbers, **more}


def bargain_output(draw: Draw, table: Table, words: Words) -> Json:
    offers = [
        {"label": f"deal {place}", "hint": "a hint", "narrative": words.new(), **_deal(draw, table)}
        for place in range(draw(st.integers(2, 4)))
    ]
    output: Json = {"narration": "The city leans in.", "offers": offers}
    if (table.mood or {}).get("can_retreat"):
        output |= some(draw, 2, retreat_plan=st.just({"narration": words.new()}))
    plan = {"narration": words.new(), "wake_up_location": draw(PLACES), "clocks_to_advance": _threats(draw, table)}
    return output | some(draw, 2, pass_out_plan=st.just(plan))


def _compression(draw: Draw, table: Table, words: Words) -> Json:
    output: Json = {"summary": "They met.", "key_moments": ["a door"]}
    output |= some(draw, 2, consequence_seeds=st.lists(NOISE, max_size=3), stress_change=st.integers(-3, 3))
    rumor = {"ri_content": f"{HUSH} it walks", "ri_spread": "whisper"}
    thread = {"hook": f"{HUSH} a key", "tension": "rising"}
    return output | some(draw, 2, new_rumors=st.just([rumor]), thread_updates=st.just([thread]))


def _entanglement(draw: Draw, table: Table, words: Words) -> Json:
    prices = draw(
        st.sampled_from([(("coin", 1), ("coin", 3), ("stress", 3)), (("stress", 1), ("stress", 2), ("stress", 4))])
    )
    ways = [
        {"eo_label": kind, "eo_cost_type": kind, "eo_cost_amount": amount, "eo_resolution": words.new()}
        for kind, amount in prices
    ]
    return {"eo_type": "raid", "eo_narration": "They knock.", "eo_options": ways}


def _transition(draw: Draw, table: Table, words: Words) -> Json:
    return {"text": "Days go by."}


def scene_init(draw: Draw, table: Table, words: Words) -> Json:
    known = [place["id"] for place in collection(table.state, "locations").values()]
    opening: Json = {"stakes": "find out", "opening_narration": "Morning.", "suggested_actions": ["Look", "Run"]}
    opening["variant"] = draw(VARIANTS)
    if once_in(draw, 3):
        return opening | {"new_location": {"name": "a cellar", "features": ["a drain"]}}
    return opening | {"location_id": draw(st.sampled_from(known))}


def scenario(draw: Draw, table: Table, words: Words) -> Json:
    clocks = [dict(clock) for clock in SCENARIO["clocks"]]
    clocks[1] |= {"name": f"{HUSH} The Raid", "id": f"{HUSH}-raid", "visible": False}
    factions = [{**faction, "secrets": [f"{HUSH} a mole"]} for faction in SCENARIO["factions"]]
    npcs = [{**npc, "knows": [f"{HUSH} a code"]} for npc in SCENARIO["npcs"]]
    stress = draw(st.integers(0, 4))
    return {**SCENARIO, "clocks": clocks, "factions": factions, "npcs": npcs, "starting_stress": stress}


_OUTPUTS: dict[str, Callable[[Draw, Table, Words], Json]] = {
    "dm_compression": _compression,
    "dm_entanglement": _entanglement,
    "dm_transition": _transition,
    "dm_scene_init": scene_init,
    "dm_scenario": scenario,
}


# answers


_ENDS = ("end_session", "give_up")
CHOICES = {"name": "Mira", "pronouns": "she_her", "archetype": "lurk"}


def value_for(draw: Draw, table: Table) -> Any:
    """Return a value that answers the open request."""
    request = table.crew["request"]
    if request["kind"] == "dice":
        return draw(st.integers(0, len(request["payload"]["dice"]) - 1))
    if request["kind"] == "choice":
        options = [option for option in request["payload"]["options"] if not option.get("disabled")]
        # Sessions do not end often, and the first scene that ends well is worth more than many that end early.
        fits = [option for option in options if option["key"] not in _ENDS or once_in(draw, 6)]
        option = draw(st.sampled_from(fits))
        return option["key"] if once_in(draw, 2) else option["index"]
    return CHOICES if request["kind"] == "creation" else draw(SAID)


# what is wrong


def spoilt(draw: Draw, value: Any) -> Any:
    """Return a value with something replaced, added or gone, somewhere within."""
    if isinstance(value, dict) and value and not once_in(draw, 8):
        key = draw(st.sampled_from(sorted(value)))
        how = draw(st.integers(0, 5))
        if how == 0:
            return {name: item for name, item in value.items() if name != key}
        if how == 1:
            return {**value, draw(st.sampled_from(["mood", "heat", "stressDelta", "x"])): draw(WILD)}
        return {**value, key: spoilt(draw, value[key])}
    if isinstance(value, list) and value and not once_in(draw, 4):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], spoilt(draw, value[place]), *value[place + 1 :]]
    return draw(WILD)
