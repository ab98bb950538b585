"""What can happen to the files of a campaign, and what is made of it by verify, by repair and by the next turn.

`python -m tests.faults.damage` prints the table of docs/reliability.md.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from tests import builders

from turnwright import Campaign

Json = Any
How = Callable[[Path], object]
CHECKPOINT, SECRET = ".turnwright/checkpoint.sqlite3", ".turnwright/secret.json"
PC, NPC, LAYER = "characters/pc_001.json", "characters/npc_001.json", "maps/area_003.json"
MIDDLE, LAST = 5, 10
"""Two records of the campaign that is damaged; the first is 0."""
TALL_TALE = "Tomas loses 30 hit points."


def begin(home: Path) -> Path:
    """Make a campaign with every kind of record but a fork, and beside it what a mistaken copy could bring in.

    0 new, 1 turn, 2 settings, 3 and 4 attempts, 5 turn, 6 edit, 7 turn, 8 undo of 5 and on, 9 undo of 8, 10 turn.
    """
    path = home / "campaign"
    with builders.begin(path) as campaign:
        generate = builders.call("map_generate", parent_area_id="area_003", constraints={"size": 3})
        campaign.process(builders.turn(generate, builders.hp_delta(-1), builders.move("nowhere"), user_input="Down!"))
        campaign.set({"narration.check": "retry"})
        for text in (TALL_TALE, TALL_TALE, "All is quiet."):
            campaign.process(builders.turn(builders.hp_delta(-1), turn_id="told", assistant_text=text))
    edited = json.loads((path / NPC).read_text(encoding="utf-8")) | {"name": "Grell the Grim"}
    (path / NPC).write_text(json.dumps(edited, indent=4), encoding="utf-8")
    with Campaign.open(path, builders.clock) as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1, "npc_001"), actor_id="pc_002"))
    shutil.copy(path / CHECKPOINT, home / "older.sqlite3")
    with Campaign.open(path, builders.clock) as campaign:
        campaign.undo("told")
        campaign.undo("8")
    (path / "turns/walk.json").write_text(json.dumps(builders.turn(builders.move("area_002"))), encoding="utf-8")
    with Campaign.open(path, builders.clock) as campaign:
        assert [reply["status"] for _, reply in campaign.process_drop()] == ["applied"]
    with builders.begin(home / "other", seed="another") as campaign:
        campaign.process(builders.turn(builders.hp_delta(-2), turn_id="elsewhere"))
        campaign.process(builders.turn(builders.hp_delta(-2)))
        campaign.process(builders.turn(builders.hp_delta(-2)))
    return path


# what happens to files


def lines(change: Callable[[list[bytes]], object]) -> How:
    """Change the lines of the log, given without their line feeds."""

    def how(path: Path) -> None:
        log = (path / "log.jsonl").read_bytes().split(b"\n")[:-1]
        change(log)
        (path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in log))

    return how


REGIONS = {
    "number": b'"seq":',
    "`prev`": b'"prev":"',
    "arguments": b'"tool_calls":[{"id":"call_001","tool":"',
    "changes": b'"changes":{"',
    "hash": b'"content":"',
    "line feed": b"\n",
}
"""Where a line is hit: the byte that follows the first of these, or this itself."""
FIRST_HASH = b'"secret_sha256":"'


def flip(record: int, region: str) -> How:
    """Change one bit of one byte in a region of a record's line."""

    def how(path: Path) -> None:
        log = bytearray((path / "log.jsonl").read_bytes())
        start = 0
        for _ in range(record):
            start = log.index(b"\n", start) + 1
        mark = FIRST_HASH if (record, region) == (0, "hash") else REGIONS[region]
        at = log.index(mark, start) + (0 if region == "line feed" else len(mark))
        if region == "number":
            at = log.index(b",", at) - 1
        log[at] ^= 1
        (path / "log.jsonl").write_bytes(log)

    return how


def cut(records: int, torn: int = 0) -> How:
    """Take records off the end of the log; of the first of these, leave some bytes."""

    def how(path: Path) -> None:
        log = (path / "log.jsonl").read_bytes().split(b"\n")
        kept = log[: len(log) - 1 - records]
        (path / "log.jsonl").write_bytes(b"".join(line + b"\n" for line in kept) + log[len(kept)][:torn])

    return how


def write(name: str, text: str) -> How:
    """Put some text where a file is, or where none was."""
    return lambda path: (path / name).write_text(text, encoding="utf-8")


def alter(name: str, **fields: Any) -> How:
    """Change some fields of a file."""

    def how(path: Path) -> None:
        value = json.loads((path / name).read_text(encoding="utf-8"))
        (path / name).write_text(json.dumps(value | fields, indent=2), encoding="utf-8")

    return how


def delete(*names: str) -> How:
    """Take files or folders away."""

    def how(path: Path) -> None:
        for name in names:
            shutil.rmtree(path / name) if (path / name).is_dir() else (path / name).unlink()

    return how


def bring(source: str, name: str) -> How:
    """Put a copy from beside the campaign in the place of a file."""
    return lambda path: shutil.copy(path.parent / source, path / name)


def both(*hows: How) -> How:
    """Do one damage after the other."""
    return lambda path: [how(path) for how in hows]


# the table


@dataclass(frozen=True)
class Damage:
    """One row of the table.

    Attributes:
        name: what happened.
        how: does it to a campaign directory.
        says: how each problem begins that `verify` names, as `file: message`; its exit code is 3 when there are any.
        notes: how notes begin that it gives beside these.
        mended: what `verify --repair` makes again.
        kept: where it puts what was no document, by the file it was in.
        left: what is wrong after that.
        turn: what becomes of the next turn, one of `TURNS`.
        refusal: what a refused turn is told, where that is not what `verify` says.
    """

    name: str
    how: How
    says: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    turn: str = "heals"
    refusal: str = ""


TURNS = {
    "heals": "taken; everything is made again with it",
    "adopts": "taken, after a record of kind `edit` that holds the edit",
    "taken": "taken; what is wrong stays as it is",
    "begins": "taken as the first of a new log",
    "refused": "refused, and nothing is changed: ",
}
UNSEEN = "the log no longer holds record 10 as it was written"
BEHIND = f"{PC} is behind the log"
EDITED = f"{PC} was edited by hand"
NO_CHECKPOINT = "there is no checkpoint"
LEFT = "without a checkpoint the end of the log was compared with {} only"
NOTHING_LEFT = "nothing is left to compare the end of the log with"
OTHER_HASH = "record {}: the turn it holds has another hash than its content"
DOCUMENTS = (
    "campaign.json", NPC, PC, "characters/pc_002.json", "maps/area_002.json", LAYER, "maps/root.json",
)  # fmt: skip
FOLDERS = ("campaign.json", "characters", "maps")
RESULTS = tuple(f"results/{turn_id}.json" for turn_id in ("told", "turn_0001", "turn_0003", "turn_0004"))
NO_DOCUMENTS = tuple(f"{path}: is missing; the log has it" for path in DOCUMENTS)
NO_RESULTS = tuple(f"{path}: is missing; the log has this reply" for path in RESULTS)
LATER = f"{RESULTS[3]}: is the reply to record 10, but the log ends with record {{}}"
NO_SECRET = f"{SECRET}: the dice secret is missing; without it no dice can be drawn; bring it back from a copy"
OTHER_SECRET = f"{SECRET}: holds no secret with the SHA-256 that record 0 speaks of"
OTHER_REPLY = f"{RESULTS[0]}: is not the reply in the log"
FOREIGN_REPLY = "results/elsewhere.json: no turn in the log has this reply"
EMPTY = "not JSON: Expecting value"
STRANGER = "characters/stranger.json"


def log_says(message: str) -> tuple[str]:
    return (f"log.jsonl: {message}",)


def not_after(record: int) -> tuple[str]:
    return log_says(f"record {record} was not written after the line that stands before it")


def lost(name: str, how: How, says: tuple[str, ...], turn: str = "refused", **fields: Any) -> Damage:
    """Return the row of a log that is not what it was: nothing can make it again."""
    return Damage(name, how, says, left=says, turn=turn, **{"refusal": UNSEEN if turn == "refused" else ""} | fields)


def flipped(record: int, place: str, turn: str, says: Mapping[str, tuple[str, ...]], hashed: set[str]) -> list[Damage]:
    notes = (OTHER_HASH.format(record),)
    return [
        lost(f"a byte changed in {place}: {region}", flip(record, region), said, turn,
             notes=notes if region in hashed else ())
        for region, said in says.items()
    ]  # fmt: skip


CHANGED = f"{UNSEEN}, or the checkpoint is foreign"
BYTES = [
    *flipped(0, "the first record", "taken", {
        "number": log_says("record 0 is not here"),
        "`prev`": log_says("record 0 speaks of a line before it, but is the first"),
        "changes": not_after(1),
        "hash": (
            *log_says("record 0: $.secret_sha256: has characters that cannot stand here"),
            OTHER_SECRET,
            *not_after(1),
        ),
        "line feed": log_says("record 0: not JSON: Extra data"),
    }, set()),
    *flipped(MIDDLE, "a record in the middle", "taken", {
        "number": log_says("record 5 is not here"),
        "`prev`": not_after(5),
        "arguments": not_after(6),
        "changes": log_says("the changes of record 5 do not fit: replace /hp does not fit"),
        "hash": not_after(6),
        "line feed": log_says("record 5: not JSON: Extra data"),
    }, {"arguments", "hash"}),
    *flipped(LAST, "the last record", "refused", {
        "number": log_says("record 10 is not here"),
        "`prev`": not_after(10),
        "arguments": log_says(CHANGED),
        "changes": log_says("the changes of record 10 do not fit: replace /position does not fit"),
        "hash": log_says(CHANGED),
        "line feed": log_says("the log ends with record 9, but the checkpoint knows record 10"),
    }, {"arguments", "hash"}),
]  # fmt: skip

LOG = [
    lost("the first line removed", lines(lambda log: log.pop(0)), log_says("record 0 is not here")),
    lost("a line in the middle removed", lines(lambda log: log.pop(MIDDLE)), log_says("record 5 is not here")),
    lost("two lines swapped", lines(lambda log: log.insert(4, log.pop(5))), log_says("record 4 is not here"), "taken"),
    lost("a line in the middle repeated", lines(lambda log: log.insert(5, log[5])), log_says("record 6 is not here")),
    lost(
        "the last line repeated",
        lines(lambda log: log.append(log[-1])),
        log_says("record 11 is not here"),
        refusal="record 11 is not here",
    ),
    lost("an empty line inserted", lines(lambda log: log.insert(5, b"")), log_says(f"record 5: {EMPTY}")),
    lost(
        "an empty line at the end",
        lines(lambda log: log.append(b"")),
        log_says(f"record 11: {EMPTY}"),
        refusal=f"record 11: {EMPTY}",
    ),
    lost("the last line removed", cut(1), log_says("the log ends with record 9, but the checkpoint knows record 10")),
    lost(
        "the last three lines removed",
        cut(3),
        log_says("the log ends with record 7, but the checkpoint knows record 10"),
    ),
    lost(
        "the log cut in the middle of a line",
        cut(3, torn=50),
        log_says("the log ends with record 7, but the checkpoint knows record 10"),
        notes=("the log ends with a torn line of 50 bytes",),
    ),
    lost(
        "the log emptied",
        write("log.jsonl", ""),
        log_says("the log holds no record, but the checkpoint knows record 10"),
    ),
    lost(
        "the log turned into CRLF",
        lines(lambda log: log.__setitem__(slice(None), [line + b"\r" for line in log])),
        log_says("the lines end in CRLF"),
        refusal="the lines end in CRLF",
    ),
    lost(
        "the log deleted",
        delete("log.jsonl"),
        log_says(f"is missing, but turns were taken: see results/, turns/done/, {CHECKPOINT}"),
        refusal="the log is missing, but the checkpoint knows of it; bring log.jsonl back from a copy",
    ),
    lost(
        "the log of another campaign",
        bring("other/log.jsonl", "log.jsonl"),
        (
            OTHER_SECRET,
            *log_says("the log ends with record 3, but the checkpoint knows record 10"),
        ),
    ),
]

BESIDE = [
    Damage(
        "the checkpoint deleted",
        delete(CHECKPOINT),
        notes=(NO_CHECKPOINT, LEFT.format("documents and results")),
        mended=(CHECKPOINT,),
    ),
    Damage(
        "an older copy of the checkpoint",
        bring("older.sqlite3", CHECKPOINT),
        notes=("the checkpoint is behind the log",),
        mended=(CHECKPOINT,),
    ),
    Damage(
        "the checkpoint is garbage",
        write(CHECKPOINT, "nonsense" * 500),
        (f"{CHECKPOINT}: cannot be used: file is not a database",),
        (LEFT.format("documents and results"),),
        mended=(CHECKPOINT,),
    ),
    Damage(
        "the checkpoint of another campaign",
        bring(f"other/{CHECKPOINT}", CHECKPOINT),
        (f"{CHECKPOINT}: is of another campaign",),
        (LEFT.format("documents and results"),),
        mended=(CHECKPOINT,),
        turn="refused",
        refusal="the log no longer holds record 3 as it was written",
    ),
    Damage("the results folder emptied", delete("results"), NO_RESULTS, mended=RESULTS, turn="taken"),
    Damage("a result altered", alter(RESULTS[0], status="failed"), (OTHER_REPLY,), mended=RESULTS[:1], turn="taken"),
    Damage(
        "a result of another campaign",
        bring("other/results/elsewhere.json", "results/elsewhere.json"),
        (FOREIGN_REPLY,),
        left=(FOREIGN_REPLY,),
        turn="taken",
    ),
    Damage("a document deleted", delete(PC), (f"{PC}: is missing; the log has it",), mended=(PC,)),
    Damage("all documents deleted", delete(*FOLDERS), NO_DOCUMENTS, mended=DOCUMENTS),
    Damage(
        "a document cut off",
        lambda path: (path / PC).write_bytes((path / PC).read_bytes()[:20]),
        notes=(BEHIND,),
        mended=(PC,),
    ),
    Damage("a document altered, and valid", alter(PC, hp=3), notes=(EDITED,), turn="adopts"),
    Damage(
        "a document altered, and not valid",
        alter(PC, hp=-3),
        (f"{PC}: wants at least 0",),
        mended=(PC,),
        kept={PC: f"{PC}.unusable"},
        turn="refused",
    ),
    Damage(
        "a document that is no JSON",
        write(PC, "hp: 3"),
        (f"{PC}: not JSON: Expecting value",),
        mended=(PC,),
        kept={PC: f"{PC}.unusable"},
        turn="refused",
    ),
    Damage("a document of another campaign", bring(f"other/{PC}", PC), notes=(EDITED,), turn="adopts"),
    Damage(
        "a document too many, and valid",
        write(STRANGER, '{"id": "stranger", "hp": 5}'),
        notes=(f"{STRANGER} was edited by hand",),
        turn="adopts",
    ),
    Damage(
        "a document too many, and not valid",
        write(STRANGER, '{"id": "stranger", "hp": -5}'),
        (f"{STRANGER}: wants at least 0",),
        left=(f"{STRANGER}: wants at least 0",),
        turn="refused",
    ),
    Damage("the dice secret deleted", delete(SECRET), (NO_SECRET,), left=(NO_SECRET,), turn="refused"),
    Damage(
        "the dice secret of another campaign",
        bring(f"other/{SECRET}", SECRET),
        (OTHER_SECRET,),
        left=(OTHER_SECRET,),
        turn="refused",
        refusal="is not the secret this campaign was begun with; bring it back from a copy",
    ),
]

TOGETHER = [
    Damage(
        "checkpoint, results and all documents deleted",
        delete(CHECKPOINT, "results", *FOLDERS),
        (*NO_DOCUMENTS, *NO_RESULTS),
        (NO_CHECKPOINT, NOTHING_LEFT),
        mended=(CHECKPOINT, *DOCUMENTS, *RESULTS),
    ),
    Damage(
        "`.turnwright/` deleted",
        delete(".turnwright"),
        (NO_SECRET,),
        (NO_CHECKPOINT,),
        mended=(CHECKPOINT,),
        left=(NO_SECRET,),
        turn="refused",
    ),
    lost(
        "a byte changed in the middle, and the checkpoint deleted",
        both(flip(MIDDLE, "arguments"), delete(CHECKPOINT)),
        not_after(6),
        notes=(OTHER_HASH.format(5),),
        refusal="record 6 was not written after the line that stands before it",
    ),
    Damage(
        "a byte changed in the hash of the last record, and the checkpoint deleted",
        both(flip(LAST, "hash"), delete(CHECKPOINT)),
        notes=(OTHER_HASH.format(10),),
        mended=(CHECKPOINT,),
    ),
    Damage(
        "three lines cut off, and the checkpoint deleted",
        both(cut(3), delete(CHECKPOINT)),
        (LATER.format(7),),
        (EDITED, LEFT.format("documents and results")),
        mended=(CHECKPOINT,),
        left=(LATER.format(7),),
        turn="refused",
    ),
    Damage(
        "a line cut off, and an older copy of the checkpoint",
        both(cut(1), bring("older.sqlite3", CHECKPOINT)),
        (LATER.format(9),),
        (EDITED,),
        mended=(CHECKPOINT,),
        left=(LATER.format(9),),
        turn="refused",
    ),
    Damage(
        "the last line feed changed, and the checkpoint deleted",
        both(flip(LAST, "line feed"), delete(CHECKPOINT)),
        (LATER.format(9),),
        (EDITED, "the log ends with a torn line"),
        mended=(CHECKPOINT,),
        left=(LATER.format(9),),
        turn="refused",
    ),
    Damage(
        "three lines cut off, checkpoint and documents deleted",
        both(cut(3), delete(CHECKPOINT, *FOLDERS)),
        (*NO_DOCUMENTS, LATER.format(7)),
        (LEFT.format("results"),),
        mended=(CHECKPOINT, *DOCUMENTS),
        left=(LATER.format(7),),
        turn="refused",
        refusal=LATER.format(7).partition(": ")[2],
    ),
    Damage(
        "three lines cut off, checkpoint and results deleted",
        both(cut(3), delete(CHECKPOINT, "results")),
        NO_RESULTS[:3],
        (EDITED, LEFT.format("documents")),
        mended=(CHECKPOINT, *RESULTS[:3]),
        turn="adopts",
    ),
    Damage(
        "three lines cut off, checkpoint, results and documents deleted",
        both(cut(3), delete(CHECKPOINT, "results", *FOLDERS)),
        (*NO_DOCUMENTS, *NO_RESULTS[:3]),
        (NOTHING_LEFT,),
        mended=(CHECKPOINT, *DOCUMENTS, *RESULTS[:3]),
    ),
    lost(
        "log and checkpoint deleted",
        delete("log.jsonl", CHECKPOINT),
        log_says("is missing, but turns were taken: see results/, turns/done/"),
        refusal="the log is missing, but results/ shows that turns were taken",
    ),
    lost(
        "the log emptied, and the checkpoint deleted",
        both(write("log.jsonl", ""), delete(CHECKPOINT)),
        log_says("holds no record, but turns were taken: see results/, turns/done/"),
        refusal="the log is missing, but results/ shows that turns were taken",
    ),
    Damage(
        "log, checkpoint, results and taken turn files deleted",
        delete("log.jsonl", CHECKPOINT, "results", "turns/done"),
        notes=("there is no log, but a dice secret",),
        turn="begins",
    ),
]
ALL = [*BYTES, *LOG, *BESIDE, *TOGETHER]


# as text


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of the table in docs/reliability.md: damage, verify, repair, next turn.

    What happens alike wherever a line is hit makes one row.
    """
    for name, group in groupby(ALL, key=lambda row: row.name.partition(": ")[0]):
        alike = list(group)
        said = [f"{row.name.partition(': ')[2]}: {_said(row)}" if len(alike) > 1 else _said(row) for row in alike]
        yield name, f"{3 if alike[0].says else 0} · {' · '.join(said)}", _repair(alike[0]), _turn(alike[0])


def _said(row: Damage) -> str:
    if not row.says:
        return "note: " + "; ".join(row.notes)
    shown = [f"`{file}`: {message}" for file, _, message in (text.partition(": ") for text in row.says)]
    few = shown if len(shown) <= 3 else [shown[0], f"and {len(shown) - 1} more"]
    unknown = [f"note: {note}" for note in row.notes if note == NOTHING_LEFT]
    return "; ".join(few + unknown)


def _repair(row: Damage) -> str:
    if row.mended:
        made = ", ".join(f"`{path}`" for path in row.mended) if len(row.mended) <= 3 else f"{len(row.mended)} files"
        aside = "".join(f"; what was there lies in `{place}`" for place in row.kept.values())
        return f"makes {made} again{aside}" + ("; the rest stays" if row.left else "")
    return "leaves everything alone" if row.left or row.notes else "nothing to do"


def _turn(row: Damage) -> str:
    told = TURNS[row.turn]
    if row.turn == "refused":
        told += row.refusal or row.says[0].partition(": ")[2]
    return told


def main() -> None:
    """Print the table as Markdown."""
    for row in [("damage", "`verify`", "`verify --repair`", "next turn"), ("---",) * 4, *rows()]:
        print("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |")


if __name__ == "__main__":
    main()
