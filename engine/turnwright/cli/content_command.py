"""turnwright content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.cli._options import campaign_argument, clock_of, json_option, now_option, wait_option
from turnwright.cli._output import echo_json, echo_table, safe
from turnwright.content.kinds import KINDS
from turnwright.model.errors import BadRequest

if TYPE_CHECKING:
    from turnwright.content.library import Filters, Library
    from turnwright.content.pack import Found, Pack, Row
    from turnwright.content.source import PackProblem

_kind = click.option("--kind", type=click.Choice(KINDS), help="Only entries of this kind.")
_campaign = click.option(
    "--campaign",
    type=click.Path(path_type=Path),
    help="The packs and own entries of this campaign; without it, the packs that come with turnwright.",
)
_BOUNDS = re.compile(r"(?P<least>\d+(?:[./]\d+)?)(?:-(?P<most>\d+(?:[./]\d+)?))?")
_WIDTH = 96
_MAX_NEAR = 5
_WITH_FEATURES = {"races": "traits", "classes": "features"}


@click.group()
def command() -> None:
    """Monsters, spells and items by name: read, find, check and add content packs."""


@command.command(short_help="Show one entry by its name.")
@click.argument("name")
@_kind
@_campaign
@json_option
def show(name: str, kind: str | None, campaign: Path | None, as_json: bool) -> int:
    """Show the entry of this NAME: an id, a name in any order of its words, a plural, or `kind/id`.

    Exit code 1 when there is none, or several; the nearest names are told then.
    """
    from turnwright.content.library import AmbiguousEntry, UnknownEntry

    with _library(campaign) as library:
        try:
            match = library.look_up(name, kind)
        except AmbiguousEntry as error:
            return _report_several(name, error.choices)
        except UnknownEntry as error:
            near = [f"{row.name} ({row.reference})" for row in error.likely[:_MAX_NEAR]]
            return _report_unknown(name, [*_features_called(library, name, kind), *near])
        found = match.found
        if match.how == "spelling":
            near = [f"{found.name} ({found.reference})"]
            return _report_unknown(name, [*_features_called(library, name, kind), *near])
    if as_json:
        echo_json({"pack": found.pack or None, "kind": found.kind, "matched": match.how, "entry": dict(found.value)})
    else:
        _echo_entry(found)
    return 0


@command.command(short_help="List the entries that have some words in their name.")
@click.argument("text", default="")
@_kind
@click.option("--cr", help="Challenge rating of monsters: 1/2, 3, or from-to as 1-4.")
@click.option("--level", help="Level of spells: 0 to 9, or from-to as 1-3.")
@click.option("--class", "of_class", help="Spells of this class.")
@click.option("--type", "kind_of", help="Type of creatures, category of items, rarity or school.")
@click.option("--tier", type=click.Choice(("full", "partly", "reference")), help="How far the engine executes them.")
@_campaign
@json_option
def find(
    text: str,
    kind: str | None,
    cr: str | None,
    level: str | None,
    of_class: str | None,
    kind_of: str | None,
    tier: str | None,
    campaign: Path | None,
    as_json: bool,
) -> int:
    """List the entries whose name has all words of TEXT, and that pass the filters.

    Exit code 1 when there are none.
    """
    from turnwright.content.library import Filters

    filters = Filters(kind, _bounds("--cr", cr), _bounds("--level", level), of_class, kind_of, tier)
    with _library(campaign) as library:
        rows = library.search(text, filters)
        if not rows:
            _refuse_unknown(library, filters)
    if as_json:
        for row in rows:
            echo_json({"kind": row.kind, "id": row.id, "name": row.name, "tier": row.tier, **row.facets})
    else:
        echo_table([[safe(row.reference), safe(row.name), row.tier, safe(_facets(row))] for row in rows])
    if not rows:
        click.echo("nothing was found", err=True)
    return 0 if rows else 1


@command.command(short_help="Check a pack: every entry, and what entries refer to.")
@click.argument("place", type=click.Path(path_type=Path))
@click.option("--compile", "target", type=click.Path(path_type=Path), help="Write the pack as one file, for a wheel.")
@json_option
def check(place: Path, target: Path | None, as_json: bool) -> int:
    """Check the pack in a folder or ZIP archive PLACE: every entry, and what entries refer to.

    Each problem names file, entry and JSON path. Exit code 1 when there is one.
    """
    from turnwright.content.folders import checked, read_place
    from turnwright.content.pack import PackError
    from turnwright.content.registry import PackRegistry

    try:
        source = checked(read_place(place), PackRegistry())
    except PackError as error:
        raise BadRequest(str(error)) from None
    if source.problems or source.manifest is None:
        return _report_problems(source.problems, as_json=as_json)
    pack = source.loaded()
    if target is not None:
        from turnwright.content.compiled import compile_pack

        target.write_bytes(compile_pack(source.manifest, source.entries))
    if as_json:
        echo_json({"id": pack.id, "sha256": pack.sha256, "entries": source.count})
    else:
        click.echo(f"{safe(pack.id)}: nothing is wrong; {source.count} entries, SHA-256 {pack.sha256[:16]}")
    return 0


@command.command(short_help="Write a commented example of a pack.")
@click.argument("directory", type=click.Path(path_type=Path))
def new(directory: Path) -> int:
    """Write a commented example of a pack into a new DIRECTORY; its name becomes the id."""
    from turnwright.content.example import example_files
    from turnwright.content.kinds import BUILT_IN_PACKS
    from turnwright.content.names import key_of
    from turnwright.content.source import is_pack_id

    name = directory.resolve().name
    pack_id = key_of(name)
    if not is_pack_id(pack_id) or pack_id in BUILT_IN_PACKS:
        raise BadRequest(f"{name!r} gives no id of a pack: begin with a letter, then letters, digits and -")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise BadRequest(f"{directory} is there and is not an empty directory")
    for path, data in example_files(pack_id, name, str(directory)).items():
        place = directory / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    click.echo(f"{safe(directory)}: the pack {pack_id}; README.md says what is what")
    return 0


@command.command(short_help="Check a pack, copy it into a campaign, and use it there.")
@campaign_argument
@click.argument("place", type=click.Path(path_type=Path))
@wait_option
@now_option
@json_option
def add(campaign: Path, place: Path, wait: float, now: datetime | None, as_json: bool) -> int:
    """Check the pack in a folder or ZIP archive PLACE, copy it into a CAMPAIGN, and use it there.

    All of it or nothing. It lies in `content/packs/<id>/` then, and travels with the campaign. Exit code 1 when
    something is wrong with it.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.campaign.content import PackInvalid, require_addable
    from turnwright.content.folders import read_place
    from turnwright.content.pack import PackError

    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        try:
            pack = require_addable(read_place(place), opened.open_packs())
        except PackInvalid as invalid:
            return _report_problems(invalid.problems, as_json=as_json)
        except PackError as error:
            raise BadRequest(str(error)) from None
        done = opened.add_content(pack)
    if as_json:
        echo_json(done)
    elif done["record"] is None and not done["copied"]:
        click.echo(f"{safe(campaign)} has and uses this very pack {safe(pack.id)} already")
    else:
        click.echo(f"{safe(campaign)} uses the pack {safe(pack.id)}: {pack.entries} entries")
    return 0


@command.command(short_help="Say how hard a fight with monsters would be for the party.")
@campaign_argument
@click.argument("monsters", nargs=-1, required=True)
@click.option("--runs", type=click.IntRange(1, 50), default=20, show_default=True, help="How often it is simulated.")
@click.option("--seed", type=click.IntRange(0, 2**53), default=0, show_default=True, help="Of the simulations' dice.")
@json_option
def threat(campaign: Path, monsters: tuple[str, ...], runs: int, seed: int, as_json: bool) -> int:
    """Say how hard a fight with MONSTERS, such as "goblin x 3, ogre", would be for the party of a CAMPAIGN.

    By the XP of the rules, and by a simulated fight: the engine plays both sides on a copy in memory. Nothing in the
    campaign changes, and its dice are not used. The same state and seed give the same figures. Exit code 1 when there
    is no such monster, or no party member can fight.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._threat_view import monsters_named, threat_lines

    args: dict[str, Any] = {"monsters": monsters_named(" ".join(monsters)), "runs": runs, "seed": seed}
    with Campaign.open(campaign) as opened:
        answer = opened.query("get_encounter", args)
    if not answer["ok"]:
        choices = answer.get("hint", {}).get("choices", [])
        near = f"; the nearest: {', '.join(map(str, choices[:_MAX_NEAR]))}" if choices else ""
        click.echo(safe(f"{str(answer['detail']).replace('args.', '')}{near}"), err=True)
        return 1
    found = answer["result"]["threat"]
    if as_json:
        echo_json(found)
    else:
        for line in threat_lines(found):
            _echo_wrapped(line, first="", indent=0) if line else click.echo()
    return 0


@command.command("license")
@_campaign
@json_option
def show_license(campaign: Path | None, as_json: bool) -> int:
    """Print the license and the attribution of each pack."""
    with _library(campaign) as library:
        packs = [pack for pack in library.packs if pack.id]
        if as_json:
            for pack in packs:
                echo_json({**pack.manifest.as_json(), "sha256": pack.sha256})
        else:
            click.echo("\n\n".join(map(_license_text, packs)))
    return 0


@contextmanager
def _library(campaign: Path | None) -> Iterator[Library]:
    """Give the entries of a campaign, or of turnwright's own packs."""
    from turnwright.content.kinds import BUILT_IN_PACKS
    from turnwright.content.library import Library
    from turnwright.content.pack import PackError
    from turnwright.content.registry import PackRegistry

    try:
        if campaign is None:
            yield Library(PackRegistry().packs(BUILT_IN_PACKS))
            return
        from turnwright.campaign.campaign import Campaign
        from turnwright.rulesets.content_library import library_of

        with Campaign.open(campaign) as opened, opened.reading() as world:
            yield library_of(world, opened.open_packs())
    except PackError as error:
        raise BadRequest(str(error)) from None


def _refuse_unknown(library: Library, filters: Filters) -> None:
    """Refuse a class or a type that no entry has: a slip is not the same as finding nothing."""
    from turnwright.content.library import known_words
    from turnwright.content.names import key_of
    from turnwright.model.fuzzy_match import did_you_mean

    classes, types = known_words(library.rows())
    for option, given, known in (("--class", filters.of_class, classes), ("--type", filters.type, types)):
        if given is not None and key_of(given) not in known:
            rest = did_you_mean(key_of(given), sorted(known)) or f"; there are {', '.join(sorted(known))}"
            raise click.UsageError(f"{option}: no entry has {given!r}{rest}")


def _bounds(option: str, text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    found = _BOUNDS.fullmatch(text.replace(" ", ""))
    try:
        if found is None:
            raise ValueError(text)
        least = _number(found["least"])
        most = _number(found["most"]) if found["most"] else least
    except (ValueError, ZeroDivisionError):
        raise click.UsageError(f"{option} must be a number or from-to, such as 1/4, 3 or 1-4 (got {text!r})") from None
    if least > most:
        raise click.UsageError(f"{option}: from-to begins with the lower number (got {text!r})")
    return least, most


def _number(text: str) -> float:
    over, slash, under = text.partition("/")
    return float(over) / float(under) if slash else float(text)


def _facets(row: Row) -> str:
    from turnwright.content.figure_words import plain

    told = []
    for key, value in row.facets.items():
        words = ", ".join(map(plain, value)) if isinstance(value, (list, tuple)) else plain(value)
        told.append(f"CR {words}" if key == "cr" else f"level {words}" if key == "level" else words)
    return "; ".join(told)


def _echo_entry(found: Found) -> None:
    from turnwright.content.describe import describe, executed

    told = describe(found)
    where = f"pack {found.pack}" if found.pack else "this campaign's own"
    click.echo(f"{click.style(safe(found.name), bold=True)}  {safe(found.reference)}  ({safe(where)})")
    click.echo(safe(told.subtitle))
    click.echo(f"{safe(executed(found.value))}\n")
    _echo_lines((line.label, line.text) for line in told.facts)
    heading = None
    for group, line in told.parts:
        if group != heading:
            heading = group
            click.echo(f"\n{click.style(safe(group), bold=True)}")
        _echo_wrapped(f"{line.label}. {line.text}" if line.text else line.label)


def _echo_lines(lines: Iterable[tuple[str, str]]) -> None:
    listed = list(lines)
    width = max((len(label) for label, _ in listed), default=0)
    for label, text in listed:
        _echo_wrapped(text, first=f"{label.ljust(width)}  ", indent=width + 2)


def _echo_wrapped(text: str, first: str = "  ", indent: int = 4) -> None:
    import textwrap

    wrapped = textwrap.wrap(safe(text), _WIDTH, initial_indent=safe(first), subsequent_indent=" " * indent)
    click.echo("\n".join(wrapped))


def _license_text(pack: Pack) -> str:
    manifest = pack.manifest
    told = [f"{manifest.title} ({manifest.id}, version {manifest.version or 'unknown'})"]
    told += [f"license: {manifest.license}"] if manifest.license else []
    told += ["", manifest.attribution] if manifest.attribution else []
    told += ["", *(f"source: {source}" for source in manifest.sources)] if manifest.sources else []
    return "\n".join("\n".join(map(safe, line.split("\n"))) for line in told)


def _report_several(name: str, choices: Sequence[Found]) -> int:
    kinds = [each.kind for each in choices]
    which = f"; say {' or '.join(f'--kind {kind}' for kind in kinds)}" if len(set(kinds)) == len(kinds) else ""
    listed = ", ".join(each.reference for each in choices)
    click.echo(safe(f"{name} is the name of several entries: {listed}{which}"), err=True)
    return 1


def _features_called(library: Library, name: str, kind: str | None) -> Iterator[str]:
    """Yield the features of classes and the traits of races of this name, which are no entries of their own."""
    from turnwright.content.names import key_of

    for row in library.rows():
        if row.kind in _WITH_FEATURES and kind in (None, row.kind) and (found := library.entry(row.kind, row.id)):
            called = [each["name"] for each in found.value.get(_WITH_FEATURES[row.kind], ())]
            if same := [each for each in called if key_of(each) == key_of(name)]:
                yield f"{same[0]} of {row.name} ({row.reference})"


def _report_unknown(name: str, near: Sequence[str]) -> int:
    others = "`turnwright content find WORD` lists those with a word in their name"
    told = f"the nearest: {', '.join(near)}" if near else others
    click.echo(safe(f"there is no entry {name}; {told}"), err=True)
    return 1


def _report_problems(problems: Iterable[PackProblem], *, as_json: bool) -> int:
    for problem in problems:
        if as_json:
            echo_json(problem.as_json())
        else:
            click.echo(f"{click.style('problem', fg='red')}  {safe(problem)}", err=True)
    return 1
