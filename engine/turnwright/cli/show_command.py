"""turnwright show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._options import campaign_argument, json_option, require_authority
from turnwright.cli._output import echo_json, echo_table, safe, word
from turnwright.model.authority import GM, NOBODY, player_of

if TYPE_CHECKING:
    from turnwright.world.overlay import World

_BAR = 10


@click.command()
@campaign_argument
@click.option("--at", "mark", help="Show it as it was after this turn (id) or record (number).")
@click.option("--as", "reader", default=GM, show_default=True, help="`gm`, or `player:ID` for what a player may see.")
@json_option
def command(campaign: Path, mark: str | None, reader: str, as_json: bool) -> None:
    """Show where a CAMPAIGN stands: its goal, and everybody with their hit points and whereabouts.

    Of a scene game: the scene, dice, clocks, stress and heat, what just happened, and what is asked of whom.
    """
    require_authority(reader)
    if reader == NOBODY:
        raise click.UsageError("--as player:ID wants the id of a character")
    echo_state(campaign, mark, reader, as_json=as_json)


def echo_state(campaign: Path, mark: str | None, reader: str, *, as_json: bool = False) -> None:
    """Print where a campaign stands, as one reader may know it.

    Args:
        campaign: its directory.
        mark: the turn or record after which it is shown; None for now.
        reader: the game master, a player, or nobody's player.
        as_json: print JSON.
    """
    from turnwright.campaign import Campaign
    from turnwright.cli._views import campaign_view, game_view, player_view

    player = player_of(reader)
    with Campaign.open(campaign) as opened, opened.moment(at=mark) as (world, last_turn):
        view = campaign_view(world) if player is None else player_view(world, player)
        game = game_view(world, reader, last_turn)
        if as_json:
            echo_json(view if game is None else {**view, "scene_game": game})
        elif game is not None:
            from turnwright.cli._request_view import answer_command

            _echo_game(view, game, world, answer_command(campaign, reader))
        elif player is None:
            _echo_campaign(view)
        else:
            _echo_player(view)


def _echo_game(view: Mapping[str, Any], game: Mapping[str, Any], world: World, answer: str) -> None:
    from turnwright.cli._request_view import echo_how, echo_request
    from turnwright.cli._scene_view import echo_game, echo_happened
    from turnwright.cli._views import people_of

    _echo_head(view)
    click.echo()
    if game["last_turn"] and game["last_turn"]["events"]:
        echo_happened(game["last_turn"]["events"], world)
        click.echo()
    echo_game(game)
    people = view["characters"] if "characters" in view else people_of(view)
    if any(person["position"] for person in people):
        click.echo()
        _echo_people(people, view.get("active_actor_id"))
    _echo_quests(view)
    if game["request"]:
        click.echo()
        echo_request(game["request"])
        echo_how(game["request"], answer)


def _echo_head(view: Mapping[str, Any]) -> None:
    click.secho(safe(view["title"] or view["id"]), bold=True)
    if view["goal"]["text"]:
        click.echo(f"goal: {safe(view['goal']['text'])} ({safe(view['goal']['status'])})")
    if view.get("ended"):
        click.echo(f"the campaign has ended: {safe(view['ended'])}")


def _echo_campaign(view: Mapping[str, Any]) -> None:
    _echo_head(view)
    click.echo(f"tools: {safe(', '.join(view['allowlist'])) or 'none'}")
    _echo_place(view)
    _echo_fights(view)
    click.echo()
    _echo_people(view["characters"], view["active_actor_id"], view.get("place"))
    _echo_quests(view)


def _echo_player(view: Mapping[str, Any]) -> None:
    from turnwright.cli._views import people_of

    click.secho(safe(view["title"]), bold=True)
    if here := view["here"]:
        click.echo(f"You stand in {safe(here['name'])} ({safe(here['id'])}). {safe(here['description'])}".rstrip())
    _echo_place(view)
    place = view.get("place")
    ways = place["exits"] if place and not here else view["exits"]
    click.echo(f"Ways out: {', '.join(map(_named, ways)) or 'none'}")
    _echo_fights(view)
    click.echo()
    _echo_people(people_of(view), view["you"]["id"] if view["you"] else None, place)
    _echo_quests(view)


def _echo_place(view: Mapping[str, Any]) -> None:
    if "place" in view:
        click.echo(f"The party is at {_named(view['place'])}")


def _echo_fights(view: Mapping[str, Any]) -> None:
    for fight in view.get("fights", ()):
        turn = f", {safe(fight['current']['name'])}'s turn" if fight["current"] else ""
        click.echo(f"fight {safe(fight['id'])}: round {fight['round']}{turn}")


def _named(place: Mapping[str, Any]) -> str:
    return f"{safe(place['name'])} ({safe(place['id'])})"


def _echo_people(
    people: Iterable[Mapping[str, Any]], active: str | None, place: Mapping[str, Any] | None = None
) -> None:
    rows = []
    for person in people:
        mark = "*" if person["id"] == active else " "
        kind = "party" if person["in_party"] else person["type"]
        named = safe(person["name"]) if person["name"] != person["id"] else ""
        rows.append(
            [
                mark,
                safe(person["id"]),
                named,
                kind,
                word(safe(person["state"] or "unknown")),
                *_hp(person),
                _where(person, place),
            ]
        )
    if rows:
        echo_table([["", "id", "name", "", "state", "hp", "", "where"], *rows])
    else:
        click.echo("nobody is here")


def _where(person: Mapping[str, Any], place: Mapping[str, Any] | None) -> str:
    """Return where somebody is: in an area of the map, else with the party at its place of the story."""
    if person["position"]:
        return f"{safe(person['area'] or '')} ({safe(person['position'])})"
    return _named(place) if place and person["in_party"] else "nowhere"


def _echo_quests(view: Mapping[str, Any]) -> None:
    """Print the quests, and what the open ones still ask for."""
    if not view.get("quests"):
        return
    rows = []
    for quest in view["quests"]:
        objectives = quest["objectives"]
        done = f"{sum(each['done'] for each in objectives)}/{len(objectives)}" if objectives else "-"
        is_open = quest["status"] in ("offered", "active")
        left = "; ".join(safe(each["text"]) for each in objectives if is_open and not each["done"])
        giver = [safe(quest["giver_id"] or "")] if "giver_id" in quest else []
        rows.append([safe(quest["id"]), safe(quest["title"]), word(quest["status"]), *giver, done, left])
    by = ["from"] if "giver_id" in view["quests"][0] else []
    click.echo()
    echo_table([["quest", "", "status", *by, "done", "to do"], *rows])


def _hp(person: Mapping[str, Any]) -> tuple[str, str]:
    """Return hit points as a number and, where there is a maximum, as a bar."""
    hp, most = person["hp"], person["max_hp"]
    if hp is None:
        return "-", ""
    if most is None:
        return str(hp), ""
    full = min(_BAR, -(-hp * _BAR // most))
    return f"{hp}/{most}", click.style("█" * full, fg="green" if hp * 2 > most else "red") + "░" * (_BAR - full)
