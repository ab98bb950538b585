"""turnwright show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._options import campaign_argument, json_option, require_authority
from turnwright.cli._output import echo_json, echo_table, safe, word
from turnwright.cli._program import command_line
from turnwright.model.authority import GM, NOBODY, player_of

if TYPE_CHECKING:
    from turnwright.model.dice.draws import DiceRequest
    from turnwright.model.state.overlay import World
    from turnwright.views.shapes import CampaignView, GameView, NamedThing, PersonSeen, PlayerView

_BAR = 10
_MAX_TOOLS = 8
"""How many tools are named; where there are more, it is said where they are."""


@click.command()
@campaign_argument
@click.option("--at", "mark", help="Show it as it was after this turn (id) or record (number).")
@click.option("--as", "reader", default=GM, show_default=True, help="`gm`, or `player:ID` for what a player may see.")
@json_option
def command(campaign: Path, mark: str | None, reader: str, as_json: bool) -> None:
    """Show the state of a CAMPAIGN: its goal, and all characters with their hit points and locations.

    Of a scene game: the scene, dice, clocks, stress and heat, what just happened, and the open request. Dice that the
    table has to roll are at the end.
    """
    require_authority(reader)
    if reader == NOBODY:
        raise click.UsageError("--as player:ID wants the id of a character")
    echo_state(campaign, mark, reader, as_json=as_json)


def echo_state(campaign: Path, mark: str | None, reader: str, *, as_json: bool = False, shows_ids: bool = True) -> None:
    """Print the state of a campaign, as one reader may know it.

    Args:
        campaign: its directory.
        mark: the turn or record after which to show it; None for now.
        reader: the game master, a player, or a player without a character.
        as_json: print JSON.
        shows_ids: print ids behind names that a player knows, for authors of turn files.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._request_view import answer_command
    from turnwright.model.viewer import Viewer
    from turnwright.rulesets.views import view_texts
    from turnwright.views.state import campaign_view, game_view, player_view

    player = player_of(reader)
    with Campaign.open(campaign) as opened, opened.moment(at=mark) as (world, last_turn):
        wanted = opened.waiting_for_dice() if player is None and mark is None else None
        view = campaign_view(world) if player is None else player_view(world, player)
        game = game_view(world, reader, last_turn)
        texts = view_texts(world, Viewer.of(reader) if reader != NOBODY else Viewer.player(""))
        if as_json:
            shown: dict[str, Any] = {**view}
            shown |= {} if game is None else {"scene_game": game}
            shown |= {"views": texts} if texts else {}
            echo_json(shown if wanted is None else {**shown, "dice_request": wanted})
        elif game is not None:
            _echo_game(view, game, world, answer_command(campaign, reader), shows_ids=shows_ids)
        elif "characters" in view:
            _echo_campaign(view, campaign)
        else:
            _echo_player(view, shows_ids=shows_ids)
        if not as_json:
            _echo_views(texts)
        if wanted is not None and not as_json:
            _echo_wanted(wanted, world, answer_command(campaign, reader))


def _echo_views(texts: Mapping[str, str]) -> None:
    """Print what rulesets have to say of their documents, each under its name."""
    for name, text in texts.items():
        click.echo()
        click.secho(safe(name.replace("_", " ")), bold=True)
        for line in text.splitlines():
            click.echo(safe(line))


def _echo_wanted(wanted: DiceRequest, world: World, answer: str) -> None:
    from turnwright.cli._dice_view import echo_dice
    from turnwright.model.viewer import GAME_MASTER
    from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge

    click.echo()
    echo_dice(wanted, WorldKnowledge(world, GAME_MASTER, shows_ids=True), how=answer)


def _echo_game(view: CampaignView | PlayerView, game: GameView, world: World, answer: str, *, shows_ids: bool) -> None:
    from turnwright.cli._request_view import echo_how, echo_request
    from turnwright.cli._scene_view import echo_game, echo_happened
    from turnwright.views.state import people_of

    _echo_head(view)
    click.echo()
    if game["last_turn"] and game["last_turn"]["events"]:
        echo_happened(game["last_turn"]["events"], world)
        click.echo()
    echo_game(game)
    people = view["characters"] if "characters" in view else people_of(view)
    if any(person["max_hp"] for person in people):
        click.echo()
        _echo_people(people, view["active_actor_id"] if "characters" in view else None, shows_ids=shows_ids)
    _echo_quests(view, shows_ids=shows_ids)
    if game["request"]:
        click.echo()
        echo_request(game["request"])
        echo_how(game["request"], answer)


def _echo_head(view: CampaignView | PlayerView) -> None:
    click.secho(safe(view["title"] or (view["id"] if "characters" in view else "")), bold=True)
    if view["goal"]["text"]:
        click.echo(f"goal: {safe(view['goal']['text'])} ({safe(view['goal']['status'])})")
    if "characters" in view and view["ended"]:
        click.echo(f"the campaign has ended: {safe(view['ended'])}")


def _echo_campaign(view: CampaignView, campaign: Path) -> None:
    _echo_head(view)
    click.echo(safe(_tools(view["allowlist"], campaign)))
    _echo_place(view, _named)
    _echo_fights(view)
    click.echo()
    _echo_people(view["characters"], view["active_actor_id"], view.get("place"))
    _echo_quests(view)


def _tools(allowlist: Sequence[str], campaign: Path) -> str:
    if len(allowlist) <= _MAX_TOOLS:
        return f"tools: {', '.join(allowlist) or 'none'}"
    listing, describing = command_line("show", campaign, "--json"), command_line("tools", "NAME")
    return f"tools: {len(allowlist)}; `{listing}` names them, `{describing}` describes one"


def _echo_player(view: PlayerView, *, shows_ids: bool) -> None:
    from turnwright.views.state import people_of, table_name

    name = _named if shows_ids else _name
    click.secho(safe(view["title"]), bold=True)
    if here := view["here"]:
        click.echo(f"You stand in {name(here)}. {safe(here['description'])}".rstrip())
    _echo_place(view, name)
    place = view.get("place")
    ways = place["exits"] if place and not here else view["exits"]
    click.echo(f"Ways out: {', '.join(map(name, ways)) or 'none'}")
    if others := view["others"]:
        click.echo(f"Also here: {', '.join(safe(table_name(one)) for one in others)}")
    _echo_fights(view, shows_ids=shows_ids)
    click.echo()
    _echo_people(people_of(view), view["you"]["id"] if view["you"] else None, place, shows_ids=shows_ids)
    _echo_quests(view, shows_ids=shows_ids)


def _echo_place(view: CampaignView | PlayerView, name: Callable[[NamedThing], str]) -> None:
    if "place" in view and view["place"]["name"] != _here(view):
        click.echo(f"The party is at {name(view['place'])}")


def _here(view: CampaignView | PlayerView) -> str | None:
    here = None if "characters" in view else view["here"]
    return here["name"] if here else None


def _echo_fights(view: CampaignView | PlayerView, *, shows_ids: bool = True) -> None:
    for fight in view.get("fights", ()):
        turn = f", {safe(fight['current']['name'])}'s turn" if fight["current"] else ""
        name = f"fight {safe(fight['id'])}" if shows_ids else "fight"
        click.echo(f"{name}: round {fight['round']}{turn}")


def _named(place: NamedThing) -> str:
    return f"{safe(place['name'])} ({safe(place['id'])})"


def _name(place: NamedThing) -> str:
    return safe(place["name"])


def _echo_people(
    people: Iterable[PersonSeen],
    active: str | None,
    place: NamedThing | None = None,
    *,
    shows_ids: bool = True,
) -> None:
    from turnwright.cli._output import state_word
    from turnwright.views.state import table_name

    name = _named if shows_ids else _name
    rows = []
    for person in people:
        mark = "*" if person["id"] == active else " "
        kind = "party" if person["in_party"] else person["type"]
        named = safe(person["name"]) if person["name"] != person["id"] else ""
        who = [safe(person["id"]), named] if shows_ids else [safe(table_name(person))]
        state = person["state"] if shows_ids else state_word(person["state"])
        rows.append([mark, *who, kind, word(safe(state or "-")), *_hp(person), _where(person, place, name)])
    if rows:
        echo_table([["", *(["id"] if shows_ids else []), "name", "", "state", "hp", "", "where"], *rows])
    else:
        click.echo("nobody is here")


def _where(person: PersonSeen, place: NamedThing | None, name: Callable[[NamedThing], str]) -> str:
    """Return a character's location: an area of the map, else the party's place of the story."""
    if person["position"]:
        return name({"id": person["position"], "name": person["area"] or ""})
    return name(place) if place and person["in_party"] else "nowhere"


def _echo_quests(view: CampaignView | PlayerView, *, shows_ids: bool = True) -> None:
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
        named = [safe(quest["id"])] if shows_ids else []
        rows.append([*named, safe(quest["title"]), word(quest["status"]), *giver, done, left])
    by = ["from"] if "giver_id" in view["quests"][0] else []
    click.echo()
    head = ["quest", ""] if shows_ids else ["quest"]
    echo_table([[*head, "status", *by, "done", "to do"], *rows])


def _hp(person: PersonSeen) -> tuple[str, str]:
    """Return hit points as a number and, where there is a maximum, as a bar."""
    hp, most = person["hp"], person["max_hp"]
    if hp is None:
        return "-", ""
    if most is None:
        return str(hp), ""
    full = min(_BAR, -(-hp * _BAR // most))
    return f"{hp}/{most}", click.style("█" * full, fg="green" if hp * 2 > most else "red") + "░" * (_BAR - full)
