"""Create a campaign directory: from a template, from a campaign in one file, or from documents people wrote.

In each case record 0 of the log holds every document. Source: docs/stages/1-intake.md, "A new campaign".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from hashlib import sha256 as _sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.campaign.legacy_import import (
    HOW_DIRECTORIES_ARE_COPIED,
    STARTER_AREAS,
    STARTER_HP,
    ImportFault,
    import_one_file,
)
from turnwright.model.area import layer_path
from turnwright.model.base import MAX_ID_LENGTH, Document
from turnwright.model.campaign import CAMPAIGN_PATH, DEFAULT_ALLOWLIST, FORMAT, CampaignDocument
from turnwright.model.dice.draws import Dice
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.fuzzy_match import nearest
from turnwright.model.json_types import JsonObject
from turnwright.model.lazy import load
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json, sha256
from turnwright.model.wire.reason import Problem
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage5_commit import changes_of, head_of
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.in_use import tables_at, tables_of
from turnwright.rulesets.registry import BUILT_IN, call_guarded
from turnwright.store import inbox as drop
from turnwright.store.documents import document_from, read_documents
from turnwright.store.files import ENGINE_FOLDER, Files, beside, read_foreign, require_path, storage_errors, utf_8
from turnwright.store.folders import folders_of_turns, make_folders
from turnwright.store.log import LOG_PATH
from turnwright.store.package_files import sample_campaigns
from turnwright.store.secret import SECRET_PATH, read_secrets, write_secrets
from turnwright.store.store import Store
from turnwright.store.system import new_secret, timestamp

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.rulesets.lifetime import Template

DEFAULT_TEMPLATE = "stage3"
_FIRST_WORDS = b'{"seq":0,"kind":"new",'
Documents = dict[str, Document]


def secret_of(seed: str) -> bytes:
    """Return the dice secret for a seed.

    Raises:
        BadRequest: when the text cannot be encoded.
    """
    if not isinstance(seed, str):
        raise BadRequest("the seed is a text")
    try:
        return _sha256(seed.encode()).digest()
    except UnicodeEncodeError:
        raise BadRequest("the seed holds a lone surrogate") from None


def require_empty(path: Path) -> None:
    """Refuse a directory that holds anything but what an interrupted beginning leaves behind."""
    require_path(path)
    if not path.exists():
        return
    if not path.is_dir():
        raise BadRequest(f"{path} is there and is no directory")
    leftovers = {ENGINE_FOLDER, drop.DROP_FOLDER, beside(LOG_PATH)}
    if _is_cut_off(path / LOG_PATH):
        leftovers.add(LOG_PATH)
    found = sorted(entry.name for entry in path.iterdir() if entry.name not in leftovers)
    dropped = path / drop.DROP_FOLDER
    if not found and dropped.is_dir():
        found = sorted(f"{dropped.name}/{entry.name}" for entry in dropped.iterdir())
    if found:
        raise BadRequest(f"{path} is not empty: it holds {', '.join(found[:5])}")


def _is_cut_off(log: Path) -> bool:
    """Return whether a log is the beginning of a first line and nothing more: its campaign never began."""
    if not log.is_file():
        return False
    with log.open("rb") as file:
        line = file.readline()
    return not line.endswith(b"\n") and (line.startswith(_FIRST_WORDS) or _FIRST_WORDS.startswith(line))


def begin_directory(
    path: Path,
    template: str | None,
    from_file: str | Path | None,
    seed: str | None,
    now: datetime,
    *,
    with_turns: bool = True,
) -> None:
    """Fill a new campaign directory and begin its log."""
    if template is not None and from_file is not None:
        raise BadRequest("a campaign begins from a template or from a file, not from both")
    if template is not None and type(template) is not str:
        raise BadRequest("a template is given by its name")
    for place in (path, from_file):
        require_path(place or "")
    stamp = timestamp(now)
    turns: list[Path] = []
    if from_file is not None:
        documents, repairs = _imported(Path(from_file), stamp)
    else:
        documents, repairs, turns = _from_template(template or DEFAULT_TEMPLATE, id_of(path), stamp)
    begin_with(path, documents, stamp, repairs, seed, turns if with_turns else ())


def world_of_template(path: Path, template: str, now: datetime) -> World:
    """Return the campaign that would begin from a template in a directory; nothing is written.

    Raises:
        BadRequest: when the directory is not empty or the template is unknown.
    """
    require_empty(path)
    documents, _, _ = _from_template(template, id_of(path), timestamp(now))
    return World(InMemorySource(documents))


def id_of(path: Path) -> str:
    """Return the id of a campaign that begins here: the directory's name."""
    name = utf_8(path.resolve().name)
    if not 0 < len(name) <= MAX_ID_LENGTH or any("\ud800" <= char <= "\udfff" for char in name):
        raise BadRequest(
            f"the directory's name would be the id, and {name!r} is no text of 1 to {MAX_ID_LENGTH} letters"
        )
    return name


def completing(path: Path) -> AbstractContextManager[None]:
    """Say of a campaign whose log stands that it is there, though the machine refuses to write its other files."""
    return storage_errors(f"{path} is begun, and its next turn writes the files that could not be written now")


def begin_with(
    path: Path,
    documents: Mapping[str, Document],
    now: str,
    repairs: Sequence[str] = (),
    seed: str | None = None,
    turns: Sequence[Path] = (),
) -> None:
    """Begin a campaign with these documents in an empty directory, and let these turn files wait in its drop folder.

    Raises:
        BadRequest: when the directory holds something.
        CampaignInvalid: when the documents form no valid campaign.
    """
    require_empty(path)
    world, secret = _valid(documents), _secret(seed)
    files = Files(path)
    make_folders(files)
    store = Store(files, tables_at(files).documents)
    try:
        with store.writing(wait=0):
            require_empty(path)  # somebody else may have begun here in the meantime
            for turn in turns:  # before the log: after it exists, they are not written again
                files.replace(_held_back(turn), turn.read_bytes())
            _append_first(store, world, documents, now, repairs, secret)
            with storage_errors(f"{path} is begun without some of its turn files: delete it, and make it again"):
                for turn in turns:
                    files.rename(_held_back(turn), f"{drop.DROP_FOLDER}/{turn.name}")
            with completing(path):
                store.flush(1)
    finally:
        store.close()


def _held_back(turn: Path) -> str:
    """Return the path of a turn file until its campaign has begun: no process takes it, and a retry may replace it."""
    return f"{ENGINE_FOLDER}/turn-{turn.name}"


def begin_record(
    store: Store, documents: Mapping[str, Document], now: str, repairs: Sequence[str] = (), seed: str | None = None
) -> None:
    """Append record 0, which holds every document as the campaign begins.

    Raises:
        CampaignInvalid: when the documents form no valid campaign, or the directory had a log before.
    """
    if shown := folders_of_turns(store.files):
        message = f"the log is missing, but {shown[0]} shows that turns were taken"
        raise CampaignInvalid([Problem(LOG_PATH, "$", "log", message)])
    _append_first(store, _valid(documents), documents, now, repairs, _secret(seed))


def _valid(documents: Mapping[str, Document]) -> World:
    """Return the campaign that documents form, or refuse them."""
    world = World(InMemorySource(documents))
    campaign = world.get(CAMPAIGN_PATH)
    if not isinstance(campaign, CampaignDocument):
        raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign.json")])
    problems = [problem for problem in campaign_problems(world, documents) if not problem.warning]
    if problems:
        raise CampaignInvalid(problems)
    return world


def _secret(seed: str | None) -> bytes:
    return new_secret() if seed is None else secret_of(seed)


def _append_first(
    store: Store, world: World, documents: Mapping[str, Document], now: str, repairs: Sequence[str], secret: bytes
) -> None:
    write_secrets(store.files, [*_secrets_of_before(store.files), secret])
    record = head_of(store.history, "new") | {"timestamp": now, "campaign_id": world.campaign.id}
    record |= {"secret_sha256": sha256(secret), "repairs": list(repairs)}
    drawn = open_documents(world, documents, secret, "0")
    documents = {**documents, **{path: document for path, document in world.touched.items() if document}}
    record["changes"] = changes_of(InMemorySource({}), documents)
    store.append(as_record({**record, **drawn}), documents)


def is_opened(world: World, paths: Collection[str]) -> bool:
    """Return whether a ruleset makes further changes when people wrote documents at these paths."""
    return bool(tables_of(world.campaign).opened(paths))


def open_documents(world: World, paths: Collection[str], secret: bytes, label: str) -> dict[str, Any]:
    """Let rulesets make the changes that follow when people wrote documents, such as a first question to players.

    Args:
        world: the campaign with these documents; receives the changes.
        paths: their paths.
        secret: the dice secret.
        label: the number of the record.

    Returns:
        the draws in the record's format; empty if there were none.

    Raises:
        CampaignInvalid: when an installed ruleset fails by itself.
    """
    dice = Dice(secret, label)
    part = dice.part(0)
    for ruleset, opened in tables_of(world.campaign).opened(paths):
        call_guarded(ruleset, "opened", partial(opened, world, part), world)
    return {"draws": dice.drawn} if dice.drawn else {}


def _secrets_of_before(files: Files) -> list[bytes]:
    """Return the existing secrets: earlier draws can be verified only while they are kept."""
    return read_secrets(files) if files.look(SECRET_PATH) else []


def _from_template(name: str, campaign_id: str, now: str) -> tuple[Documents, list[str], list[Path]]:
    if name in STARTERS:
        return STARTERS[name](campaign_id, now), [], []
    samples = sample_campaigns()
    if name not in samples:
        known = nearest(name, [*STARTERS, *samples])
        raise BadRequest(f"there is no template {name}; there are {', '.join(known)}")
    files = Files(samples[name])
    documents, problems = read_documents(files, tables_at(files).documents)
    if problems:
        raise CampaignInvalid(problems)
    campaign = documents[CAMPAIGN_PATH]
    assert isinstance(campaign, CampaignDocument)
    documents[CAMPAIGN_PATH] = campaign.replace(id=campaign_id, created_at=now)
    return documents, [], sorted(samples[name].glob(f"{drop.DROP_FOLDER}/*.json"))


def _starter(campaign_id: str, now: str) -> Documents:
    one_file: JsonObject = {
        "id": campaign_id,
        "selected": {
            "world_id": "world_001",
            "map_id": "map_001",
            "party_character_ids": ["pc_001"],
            "active_actor_id": "pc_001",
        },
        "allowlist": list(DEFAULT_ALLOWLIST),
        "map": {"areas": STARTER_AREAS, "connections": []},
        "positions": {"pc_001": "area_001"},
        "hp": {"pc_001": STARTER_HP},
        "character_states": {"pc_001": "alive"},
    }
    values, _ = import_one_file(one_file, now)
    return validated(values)


def _of_ruleset(place: str, campaign_id: str, now: str) -> Documents:
    """Return a campaign that begins from the template of a ruleset, without characters."""
    template: Template = load(place)
    documents = _unpeopled(campaign_id, now, template.allowlist)
    if template.content:
        documents[CAMPAIGN_PATH] |= {"content": list(template.content)}
    if template.settings:
        documents[CAMPAIGN_PATH] |= {"settings": dict(template.settings)}
    return validated({**documents, **template.documents})


def _unpeopled(campaign_id: str, now: str, allowed: Sequence[str]) -> dict[str, Any]:
    """Return a campaign with the starter's areas and no characters, allowing these tools beside the core ones."""
    areas = {area_id: {"parent_area_id": None, **area} for area_id, area in STARTER_AREAS.items()}
    allowlist = [*DEFAULT_ALLOWLIST, *allowed]
    campaign = {"format": FORMAT, "id": campaign_id, "allowlist": allowlist, "created_at": now}
    return {CAMPAIGN_PATH: campaign, layer_path(None): {"parent_area_id": None, "areas": areas}}


STARTERS: Mapping[str, Callable[[str, str], Documents]] = {
    DEFAULT_TEMPLATE: _starter,
    **{name: partial(_of_ruleset, place) for name, place in BUILT_IN.templates.items()},
}
"""The templates that are not sample campaigns."""


def _imported(path: Path, now: str) -> tuple[Documents, list[str]]:
    if path.is_dir():
        raise BadRequest(f"{path} is a directory, and no campaign in one file; {HOW_DIRECTORIES_ARE_COPIED}")
    try:
        value = parse_json(read_foreign(path), max_depth=MAX_DEPTH)
    except JsonError as error:
        raise CampaignInvalid([Problem(str(path), "$", "json", str(error))]) from None
    if not isinstance(value, dict) or not isinstance(value.get("id"), str):
        message = "is no campaign in one file: it wants an object with a string `id`"
        raise CampaignInvalid([Problem(str(path), "$", "shape", message)])
    try:
        values, repairs = import_one_file(value, now)
    except ImportFault as fault:
        raise CampaignInvalid([Problem(str(path), where, "shape", wrong) for where, wrong in fault.faults]) from None
    return validated(values), repairs


def validated(values: JsonObject) -> Documents:
    """Return documents, by path, from plain JSON.

    Raises:
        CampaignInvalid: when one of them does not fit its model.
    """
    documents: Documents = {}
    problems: list[Problem] = []
    for path, value in values.items():
        document, faults = document_from(path, value, BUILT_IN.documents)
        problems += faults
        if document:
            documents[path] = document
    if problems:
        raise CampaignInvalid(problems)
    return documents
