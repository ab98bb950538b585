"""What is fuzzed: each target is handed any bytes, and returns; whatever it raises is a bug.

A `CampaignError` is an answer and no bug; so is a `DiceError` for dice notation, and a `TurnRefused` where a turn is
only read.
"""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import cycle
from pathlib import Path
from xml.etree import ElementTree

from tests import builders
from tests.facts import findings

from turnwright import Campaign, CampaignError
from turnwright.audit import check as checker
from turnwright.audit import verify as verifier
from turnwright.model.dice import expression as dice
from turnwright.model.settings import settings_of
from turnwright.model.strict_json import JsonError, parse_json, sha256
from turnwright.narration.verifier import CallOutcome, Facts, Person
from turnwright.protocol import stage1_intake as intake
from turnwright.render.escape import terminal_safe
from turnwright.render.map_svg import render_svg
from turnwright.render.map_text import render_text
from turnwright.render.map_view import AreaView, MapView, TokenView
from turnwright.render.sheet_page import sheet_page
from turnwright.store.log import LOG_PATH

Target = Callable[[bytes], None]
_MAX_TEXT_LENGTH = 4000
_TURNS_PER_CAMPAIGN = 200


@cache
def home() -> Path:
    """Return a folder of our own; it is gone in the end."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


def fresh(name: str) -> Path:
    """Return a place for a directory where none is."""
    place = home() / name
    shutil.rmtree(place, ignore_errors=True)
    return place


@cache
def played() -> Path:
    """Return a campaign of a few records of every kind."""
    path = home() / "played"
    with builders.begin(path) as campaign:
        campaign.process(
            builders.turn(builders.move("area_002"), builders.hp_delta(-3), assistant_text="Mira takes 3 damage.")
        )
        campaign.process(builders.turn(builders.call("map_generate", parent_area_id=None, constraints={"size": 2})))
        campaign.set({"narration.check": "retry"})
        campaign.process({"turn_id": "claim", "assistant_text": "Mira dies."})
        campaign.undo()
    return path


class _Table:
    """A campaign that many turns are handed to, made anew now and then so that it stays small."""

    def __init__(self) -> None:
        self._taken = 0
        self._campaign: Campaign | None = None

    def campaign(self) -> Campaign:
        if self._campaign is None or self._taken >= _TURNS_PER_CAMPAIGN:
            if self._campaign:
                self._campaign.close()
            self._campaign, self._taken = builders.begin(fresh("table")), 0
        self._taken += 1
        return self._campaign


_TABLE = _Table()


def turn(data: bytes) -> None:
    """Take a turn file: it is refused or recorded, and the reply can be written down."""
    reply = _TABLE.campaign().process(data)
    assert reply["status"] in {"applied", "partial", "failed", "empty", "retry_needed", "refused"}
    builders.spelt(reply).encode()


def read(data: bytes) -> None:
    """Read a turn without taking it: what is read can be written down and read again, to the same content."""
    settings = settings_of({})
    with suppress(intake.TurnRefused):
        received = intake.receive(intake.read_text(data, settings), settings)
        assert intake.receive(json.loads(builders.spelt(received.raw)), settings).content == received.content


DOCUMENTS = tuple(builders.documents())


def directory(data: bytes) -> None:
    """Open a campaign one of whose documents is anything at all; `check` and the engine agree about it."""
    path = fresh("directory")
    for name, value in builders.documents().items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(json.dumps(value), encoding="utf-8")
    (path / DOCUMENTS[data[0] % len(DOCUMENTS) if data else 0]).write_bytes(data[1:])
    wrong = [problem for problem in checker.check_directory(path) if not problem.warning]
    is_taken = False
    with suppress(CampaignError), Campaign.open(path, builders.clock) as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1), builders.move("area_002")))
        is_taken = True
    assert is_taken is not bool(wrong), wrong


def one_file(data: bytes) -> None:
    """Import a campaign in one file; what is taken is sound and can be played."""
    source = home() / "one_file.json"
    source.write_bytes(data)
    path = fresh("imported")
    with suppress(CampaignError):
        with Campaign.new(path, from_file=source, seed="x", clock=builders.clock) as campaign:
            campaign.process(builders.turn(builders.hp_delta(-1), user_input="hello"))
        assert not verifier.verify(path).problems
        assert not [problem for problem in checker.check_directory(path) if not problem.warning]


def notation(data: bytes) -> None:
    """Read dice notation; what is read means the same when it is written down, and every throw is within bounds."""
    text = data.decode(errors="surrogatepass" if len(data) % 2 else "replace") if _decodes(data) else ""
    with suppress(dice.DiceError):
        tree = dice.parse(text)
        assert dice.render(dice.parse(dice.render(tree))) == dice.render(tree)
        for change in (dice.advantage, dice.disadvantage, dice.critical):
            with suppress(dice.DiceError):
                dice.bounds(change(tree))
        limits, faces = dice.bounds(tree), cycle([1, 2, 7])
        thrown = dice.roll(tree, lambda sides: min(next(faces), sides))
        assert limits.min <= thrown.total
        assert limits.max is None or thrown.total <= limits.max
        json.dumps(thrown.to_result())


def _decodes(data: bytes) -> bool:
    try:
        data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def settings(data: bytes) -> None:
    """Set settings to any JSON; what is in force afterwards is valid."""
    with suppress(CampaignError, JsonError):
        changes = parse_json(data, max_depth=64)
        if isinstance(changes, dict):
            campaign = _TABLE.campaign()
            campaign.set(changes)
            assert campaign.process({})["status"] in ("empty", "refused")


def log(data: bytes) -> None:
    """Open, verify and repair a campaign whose log is anything at all; an odd first byte mends the chain of hashes."""
    path = fresh("logged")
    shutil.copytree(played(), path)
    (path / LOG_PATH).write_bytes(chained(data[1:]) if data[:1] and data[0] % 2 else data[1:])
    if data[:1] and data[0] & 2:
        for file in path.glob(".turnwright/checkpoint*"):
            file.unlink()
    with suppress(CampaignError):
        verifier.verify(path)
    with suppress(CampaignError), Campaign.open(path, builders.clock) as campaign:
        builders.spelt(list(campaign.records())).encode()
        builders.spelt(campaign.state).encode()
    with suppress(CampaignError), Campaign.open(path, builders.clock) as campaign:
        campaign.undo(dry_run=True)
        campaign.process(builders.turn(builders.hp_delta(-1), user_input="hello"))
    with suppress(CampaignError):
        verifier.repair(path)


def chained(text: bytes) -> bytes:
    """Return a log in which every record that can be read has its number and the hash of the line before."""
    lines: list[bytes] = []
    for line in text.split(b"\n"):
        with suppress(JsonError):
            record = parse_json(line, max_depth=64)
            if isinstance(record, dict):
                prev = sha256(lines[-1]) if lines else "0" * 64
                record |= {"seq": len(lines), "prev": prev}
                line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        lines.append(line)
    return b"\n".join(lines)


def narration(data: bytes) -> None:
    """Check any text as a narration; findings are JSON, and lie within the text."""
    text = data.decode(errors="replace")[:_MAX_TEXT_LENGTH]
    name, _, told = text.partition("\n")
    people = (Person("pc_001", "Mira", "alive"), Person("npc_001", name or None, None))
    outcomes = (
        CallOutcome("hp_delta", {"target_character_id": "pc_001", "delta": -3}, True, None, {"new_hp": 7}),
        CallOutcome("move", {"actor_id": "pc_001", "to_area_id": name}, False, "invalid_args", {}),
    )
    scene = Facts("pc_001", people, {"area_001": name, "area_002": "Harbour"}, outcomes, (12,), "scene_description")
    for finding in findings(told, scene):
        start, end = finding["span"]
        assert 0 <= start <= end <= len(told)
        json.dumps(finding, allow_nan=False)


def picture(data: bytes) -> None:
    """Draw a map of any names: the text drives no terminal, the picture is well-formed."""
    names = data.decode(errors="surrogatepass" if _decodes(data) else "replace").split("\n")[:12] or [""]
    ids = list(dict.fromkeys(names))
    areas = tuple(
        AreaView(area_id, area_id, ids[place // 3] if place > 3 else None, (ids[place - 1], area_id[:3]))
        for place, area_id in enumerate(ids)
    )
    tokens = tuple(
        TokenView(name, name, name, name, place, 9 - place, place == 1, True) for place, name in enumerate(ids)
    )
    view = MapView(names[0], areas, tokens)
    for width in (60, 100):
        shown = render_text(view, width=width, full=len(data) % 2 == 0)
        assert terminal_safe(shown.replace("\n", "")) == shown.replace("\n", "")
    ElementTree.fromstring(render_svg(view))


@cache
def _guild() -> Campaign:
    """Return a campaign that characters are brought into, with content by name."""
    campaign = Campaign.new(home() / "guild", template="toolkit", seed="fixed", clock=builders.clock)
    atexit.register(campaign.close)
    return campaign


def character(data: bytes) -> None:
    """Bring a character in: the file is refused, or all of it is told and what comes goes out and in again."""
    campaign = _guild()
    name = "x.json" if data[:1] in b"{[" else "x.csv" if b"," in data.split(b"\n")[0] else "x.yaml"
    with suppress(CampaignError):
        answer = campaign.import_characters(data, name, replace=True)
        for report in answer["imported"]:
            own_id = report["character_id"]
            sheet = campaign.export_character(own_id)
            campaign.import_characters(sheet, "own.json", replace=True)
            assert campaign.export_character(own_id) == sheet
            if report["derived"] is not None:
                campaign.export_character(own_id, "csv").decode()
                campaign.import_characters(
                    campaign.export_character(own_id, "foundry"), "x.json", as_id="again", replace=True
                )
                sheet_page(campaign.character_page(own_id)).encode()
        builders.spelt(answer).encode()


TARGETS: dict[str, Target] = {
    "turn": turn,
    "read": read,
    "directory": directory,
    "one_file": one_file,
    "dice": notation,
    "settings": settings,
    "log": log,
    "narration": narration,
    "picture": picture,
    "character": character,
}
"""Every target by name."""
