"""What a person looks at in a session: the place, sheets, belongings, spells, quests, the fight, what was told.

Everything is printed as the seat may know it. Source: docs/agents.md, "Words of the terminal".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.cli._output import state_word
from turnwright.cli._scene_view import echo_wrapped
from turnwright.cli.play.seats import TABLE
from turnwright.model.authority import GM, player_of
from turnwright.model.viewer import GAME_MASTER, Viewer
from turnwright.rulesets.play_commands import find_option, named

if TYPE_CHECKING:
    from turnwright.cli.play.session import Session
    from turnwright.model.state.overlay import World
    from turnwright.views.shapes import NamedThing, PersonSeen, PlayerView, Sheet

Json = Mapping[str, Any]
_QUESTS_SHOWN = ("active", "offered", "completed", "failed", "declined")


def look(session: Session, _: str = "") -> None:
    """Tell where the acting character is, who is there, where one can go, and what one can do."""
    with session.campaign.reading() as world:
        view = _place_of(session, world)
    here = view["here"] if view is not None else None
    if view is None or here is None:
        session.screen.note("nobody of the party is anywhere on the map")
        return
    session.screen.title(here["name"])
    if here["description"]:
        echo_wrapped(here["description"], "  ")
    if people := [*view["party"], *view["others"]]:
        echo_wrapped(f"here: {_list(people)}", "  ")
    exits = list(
        dict.fromkeys([*_names(view["exits"]), *_names(view["place"].get("exits", ()) if "place" in view else ())])
    )
    echo_wrapped(f"ways: {', '.join(exits) or 'none that you know of'}", "  ")
    if session.is_own_master and session.is_game_master:
        _echo_ready(session)


def _echo_ready(session: Session) -> None:
    """Tell the person who is the game master which fights are ready, and how each begins."""
    from turnwright.rulesets.fifth_edition.play_commands import ready_fights

    with session.campaign.reading() as world:
        ready = [*ready_fights(world)] if session.fight_in(world) is None else []
    for monsters in ready:
        session.screen.note(f"ready for a fight: /encounter {monsters}")


def _place_of(session: Session, world: World) -> PlayerView | None:
    """Return what the seat sees of the place of the character who acts; None where that is nowhere."""
    from turnwright.views.state import player_view

    actor = player_of(session.reader()) or session.actor_id() or ""
    party = world.campaign.selected.party_character_ids
    if actor not in party:
        return None
    view = player_view(world, actor)
    here = view["here"]
    if here is None:
        return None
    view["party"] = [one for one in view["party"] if one["position"] == here["id"]]
    return view


def _list(people: Iterable[PersonSeen | NamedThing]) -> str:
    return ", ".join(str(one["name"]) for one in people)


def _names(places: Iterable[NamedThing]) -> list[str]:
    return [str(place["name"]) for place in places]


# one character


def sheet(session: Session, name: str) -> None:
    """Tell what is on a sheet: values, hit points, armor class, skills, conditions."""
    shown = _sheet_of(session, name)
    if shown is None:
        return
    character, who = shown.get("character", {}), shown
    values = character.get("sheet") or {}
    is_of = " ".join(_capital(str(values[key])) for key in ("race", "class") if values.get(key))
    level = f", level {values['level']}" if "level" in values else ""
    if others := values.get("other_classes"):
        levels = {values["class"]: values["level"] - sum(others.values()), **others}
        level += f" ({', '.join(f'{_capital(str(name))} {count}' for name, count in levels.items())})"
    session.screen.title(f"{who['name']}{f', {is_of}' if is_of else ''}{level}")
    most = f"/{who['max_hp']}" if who["max_hp"] is not None else ""
    facts = [f"hit points {who['hp']}{most}"] if who["hp"] is not None else []
    effective = shown.get("effective") or {}
    facts += [f"{label} {effective[key]['effective']}" for key, label in _VALUES.items() if key in effective]
    if character.get("proficiency_bonus") is not None:
        facts.append(f"proficiency {character['proficiency_bonus']:+}")
    if values.get("experience") is not None:
        facts.append(f"experience {values['experience']}")
    state = state_word(who["state"])
    echo_wrapped("   ".join([*facts, *([state] if state not in ("", "alive") else [])]), "  ")
    modifiers = character.get("ability_modifiers") or {}
    scores = [f"{key} {values['stats'][key]} ({modifiers.get(key, 0):+})" for key in values.get("stats") or ()]
    if scores:
        echo_wrapped("  ".join(scores), "  ")
    for label, key in (("skills", "skill_proficiencies"), ("expertise", "skill_expertise")):
        if values.get(key):
            echo_wrapped(f"{label}: {', '.join(str(one).replace('_', ' ') for one in values[key])}", "  ")
    if due := character.get("level_due"):
        echo_wrapped(f"level {due} is due: /levelup {who['name']}", "  ")
    for label, told in _derived(session, str(shown["id"])):
        echo_wrapped(f"{label}: {told}", "  ")
    traits = [*(each["name"] for each in values.get("traits") or ()), *(values.get("features") or ())]
    if traits:
        echo_wrapped(f"traits and features: {', '.join(traits)}", "  ")
    if conditions := [_condition(one) for one in shown.get("conditions") or ()]:
        echo_wrapped(f"conditions: {', '.join(conditions)}", "  ")
    _echo_slots(shown)


def _derived(session: Session, character_id: str) -> list[tuple[str, str]]:
    """Return the saving throws that a character is proficient in, and the attacks of their weapons."""
    from turnwright.rulesets.fifth_edition.imports.derived import derived_values
    from turnwright.rulesets.fifth_edition.sheets.sheet_rules import saves

    with session.campaign.reading() as world:
        character = world.character(character_id)
        if character is None or character.sheet is None:
            return []
        values = derived_values(world, character)
        proficient = ", ".join(saves(character.sheet))
    attacks = [f"{each['name']} {each['attack_bonus']:+d} ({each['damage']})" for each in values["attacks"]]
    rows = (("saves", proficient), ("attacks", ", ".join(attacks)))
    return [(label, told) for label, told in rows if told]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_VALUES = {"ac": "armor class", "speed": "speed"}


def _condition(condition: Any) -> str:
    if not isinstance(condition, Mapping):
        return str(condition)
    name = condition.get("custom_name") or condition.get("condition") or condition.get("name") or ""
    return str(name).replace("_", " ")


def inventory(session: Session, name: str) -> None:
    """Print a character's belongings, and which of them are worn or wielded."""
    shown = _sheet_of(session, name)
    if shown is None:
        return
    character = shown.get("character", {})
    worn = {item: slot for slot, item in (character.get("equipped") or {}).items()}
    things = character.get("inventory") or ()
    session.screen.title(f"{shown['name']} carries {'nothing' if not things else ''}".rstrip())
    for item in things:
        count = f"{item['quantity']} x " if item.get("quantity", 1) != 1 else ""
        where = f" ({worn[item['id']]})" if item["id"] in worn else ""
        inside = f", in the {item['container']}" if item.get("container") else ""
        echo_wrapped(f"{count}{item['name']}{where}{inside}", "  ")


def spells(session: Session, name: str) -> None:
    """Print a character's known spells, and the slots left."""
    shown = _sheet_of(session, name)
    if shown is None:
        return
    values = shown.get("character", {}).get("sheet") or {}
    lists = (("cantrips", "cantrips"), ("prepared", "prepared_spells"), ("known", "known_spells"))
    known = [(label, values[key]) for label, key in lists if values.get(key)]
    session.screen.title(f"{shown['name']} knows {'no spells' if not known else ''}".rstrip())
    for label, names in known:
        echo_wrapped(f"{label}: {', '.join(names)}", "  ")
    _echo_slots(shown)
    if concentration := shown.get("concentration"):
        echo_wrapped(f"concentrates on {concentration.get('spell_name', 'a spell')}", "  ")


def _echo_slots(shown: Sheet) -> None:
    slots = shown.get("spell_slots") or {}
    left = [f"level {level}: {pool['current']} of {pool['max']}" for level, pool in slots.items() if pool["max"]]
    if left:
        echo_wrapped(f"spell slots: {', '.join(left)}", "  ")


def _sheet_of(session: Session, name: str) -> Sheet | None:
    """Return the sheet of a character that the seat may read; None where it is told why not."""
    from turnwright.views.sheet import sheet_view

    with session.campaign.reading() as world:
        party = list(world.campaign.selected.party_character_ids)
        known = named(world, [one.id for one in world.characters()] if session.seat == GM else party)
        wanted = find_option(known, name) if name else session.actor_id()
        if wanted is None:
            session.screen.warn(f"whose? one of {', '.join(known) or 'nobody, as nobody is in the party'}")
            return None
        own = wanted if session.seat == TABLE else player_of(session.seat) or ""
        viewer = GAME_MASTER if session.seat == GM else Viewer.player(own)
        return sheet_view(world, viewer, wanted)


# the story


def quests(session: Session, _: str = "") -> None:
    """Tell which tasks the party has, and what is left to do."""
    from turnwright.views.state import campaign_view, player_view

    with session.campaign.reading() as world:
        actor = player_of(session.reader()) or ""
        is_member = actor in world.campaign.selected.party_character_ids
        view = campaign_view(world) if session.seat == GM else player_view(world, actor if is_member else "")
    goal = view["goal"].get("text")
    if goal:
        echo_wrapped(f"{goal}", "  goal: ")
    found = view.get("quests", [])
    for status in _QUESTS_SHOWN:
        for quest in (one for one in found if one["status"] == status):
            echo_wrapped(f"{quest['title']} ({status})", "  ")
            for objective in quest["objectives"]:
                echo_wrapped(objective["text"], f"    [{'x' if objective['done'] else ' '}] ")
    if not found and not goal:
        session.screen.note("there is no task yet")


def notes(session: Session, _: str = "") -> None:
    """Tell the game master what was noted, the fights that are ready by their monsters."""
    from turnwright.model.note import Note
    from turnwright.rulesets.fifth_edition.fights.running import FIGHT_TAG

    if not session.is_game_master:
        session.screen.warn("notes are the game master's; type /as gm")
        return
    with session.campaign.reading() as world:
        found = list(world.all(Note))
    for note in found:
        monsters = ", ".join(tag for tag in note.tags if tag != FIGHT_TAG)
        echo_wrapped(f"ready for a fight: {monsters}" if FIGHT_TAG in note.tags else note.content, "  ")
    if not found:
        session.screen.note("nothing was noted yet")


def recap(session: Session, _: str = "") -> None:
    """Tell what was said and told last."""
    from turnwright.cli.play.opening import echo_recap

    if not echo_recap(session.story(session.master.chronicle.turns()), session.screen):
        session.screen.note("nothing was said or told yet")
