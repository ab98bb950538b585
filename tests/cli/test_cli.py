"""The commands as a person or a program meets them: output, exit codes, wrong usage."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from tests import warm_python
from tests.cached_fixtures import schemas
from tests.cli.conftest import Turnwright
from tests.fault_injection import break_turns
from tests.faults.processes import TURNWRIGHT, Child
from tests.sampling import sampled

from turnwright.campaign.inbox_watcher import Watcher
from turnwright.cli._streams import OutputFailed
from turnwright.cli.main import COMMANDS, run
from turnwright.model.errors import CampaignBusy
from turnwright.rulesets.toolbox import TOOLS
from turnwright.store.files import Files
from turnwright.store.lock import Lock

NOW = "--now=2026-01-14T16:05:31+00:00"
Result = tuple[int, str, str]


@pytest.fixture
def home(tmp_path: Path, turnwright: Turnwright) -> Path:
    """Give a new campaign."""
    assert turnwright("new", tmp_path / "home", "--seed", "x", NOW)[0] == 0
    return tmp_path / "home"


def move(to: str = "area_002", start: str = "area_001") -> dict[str, Any]:
    args = {"actor_id": "pc_001", "from_area_id": start, "to_area_id": to}
    return {"tool_calls": [{"id": "call_001", "tool": "move", "args": args}]}


def drop(home: Path, name: str, turn: object) -> Path:
    path = home / "turns" / name
    path.write_text(turn if isinstance(turn, str) else json.dumps(turn))
    return path


@pytest.mark.parametrize(
    ("turns", "code", "statuses"),
    [
        ([], 0, []),
        ([move()], 0, ["applied"]),
        ([{"user_input": "hello"}], 0, ["empty"]),
        ([move("nowhere")], 1, ["failed"]),
        ([move("nowhere"), move()], 1, ["failed", "applied"]),
        (["{", move()], 2, ["refused", "applied"]),
    ],
)
def test_exit_code_of_process_is_that_of_the_worst_turn(
    home: Path, turnwright: Turnwright, turns: list[object], code: int, statuses: list[str]
) -> None:
    for number, turn in enumerate(turns):
        drop(home, f"{number}.json", turn)
    left, out, _ = turnwright("process", home, "--json", NOW)
    assert left == code
    assert [json.loads(line)["status"] for line in out.splitlines()] == statuses


def test_people_are_told_what_failed_and_what_to_try(home: Path, turnwright: Turnwright) -> None:
    drop(home, "a.json", move("area_02"))
    _, out, _ = turnwright("process", home)
    why = "invalid args: area_02 cannot be reached from Starting Area (area_001)"
    assert f"{why} (try args.to_area_id: area_002)" in out
    assert turnwright("process", home)[1] == "no turn file waits\n"


def test_people_are_told_what_to_try_for_a_turn_and_for_an_argument(home: Path, turnwright: Turnwright) -> None:
    drop(home, "a.json", {"actor_id": "mira"})
    drop(home, "b.json", {"tool_call": []})
    drop(home, "c.json", {"tool_calls": [{"id": "a", "tool": "roll_dice", "args": {"expresion": "d6"}}]})
    both = {"expresion": "d6", "expression": "d6"}
    drop(home, "d.json", {"tool_calls": [{"id": "a", "tool": "roll_dice", "args": both}]})
    campaign = json.loads((home / "campaign.json").read_text())
    (home / "campaign.json").write_text(json.dumps(campaign | {"allowlist": ["roll_dice"]}))
    _, out, _ = turnwright("process", home)
    assert "mira is not in the party (actor_id: one of pc_001)\n" in out
    assert "the nearest one is tool_calls (tool_call: one of tool_calls, atomic, actor_id)\n" in out
    assert "args.expression: is given as expresion, which is not known " in out
    assert "(try args.expression: d6; leave args.expresion out)\n" in out
    assert "args.expresion: may not be given; did you mean expression? (leave args.expresion out)\n" in out


def test_a_turn_can_come_by_path_and_stays_where_it_is(home: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    path.write_text(json.dumps(move()))
    code, out, _ = turnwright("process", home, path, "--json", NOW)
    assert code == 0
    assert json.loads(out)["seq"] == 1
    assert path.exists()


def test_a_turn_can_come_from_standard_input(home: Path) -> None:
    command = [sys.executable, "-m", "turnwright", "process", str(home), "-", "--json"]
    done = subprocess.run(command, input=json.dumps(move()), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["status"] == "applied"


needs_bash = pytest.mark.skipif(sys.platform == "win32", reason="redirects streams by a shell")


@needs_bash
def test_streams_that_are_closed_are_empty(home: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m turnwright process {shlex.quote(str(home))} - --json"
    done = subprocess.run(f"{command} <&-", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, json.loads(done.stdout)["reason"]) == (2, "", "invalid_turn")
    done = subprocess.run(f"echo '{{}}' | {command} >&-", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def shell(line: str, **environment: str) -> tuple[int, str, str]:
    """Run a line of bash in which `turnwright` is ours; the first command of a pipe gives the code."""
    is_about_the_start = environment or "&-" in line
    python = shlex.join([sys.executable] if is_about_the_start else warm_python.command())
    program = f'turnwright() {{ {python} -m turnwright "$@"; }}\n{line}\nexit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", program], env=os.environ | environment, capture_output=True, encoding="latin-1", check=False
    )
    return done.returncode, done.stdout, done.stderr


@needs_bash
@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param("suggest HOME - <&-", 0, marks=pytest.mark.slow),
        pytest.param("undo HOME <&-", 0, marks=pytest.mark.slow),
        ("play HOME --model echo <&-", 0),
        pytest.param("verify HOME 2>&-", 0, marks=pytest.mark.slow),
        ("check HOME/nowhere 2>&-", 3),
        ("show HOME <&- >&- 2>&-", 0),
    ],
)
def test_no_command_needs_a_stream(home: Path, turnwright: Turnwright, line: str, code: int) -> None:
    drop(home, "a.json", {})
    turnwright("process", home)
    found, _, err = shell(f"turnwright {line.replace('HOME', shlex.quote(str(home)))}")
    assert found == code
    assert "Traceback" not in err


@needs_bash
@pytest.mark.parametrize(
    "command",
    [
        "show HOME",
        "play HOME --model echo",
        pytest.param("log HOME", marks=pytest.mark.slow),
        pytest.param("tools", marks=pytest.mark.slow),
        pytest.param("show HOME --json", marks=pytest.mark.slow),
        pytest.param("map HOME", marks=pytest.mark.slow),
        pytest.param("process HOME --json", marks=pytest.mark.slow),
    ],
)
def test_who_reads_our_output_may_leave_and_the_code_tells_it(home: Path, command: str) -> None:
    drop(home, "a.json", {})
    line = unread(home, f"{command} </dev/null")
    assert shell(line) == (141, "", "")
    drop(home, "b.json", {})
    assert shell(line, PYTHONUNBUFFERED="1") == (141, "", "")


def unread(home: Path, command: str, stream: str = "| true") -> str:
    """Return a line of bash whose reader has left before anything is written to it."""
    return f"{{ sleep 0.1; turnwright {command.replace('HOME', shlex.quote(str(home)))}; }} {stream}"


@needs_bash
def test_who_leaves_hides_no_damage_and_no_refusal(home: Path) -> None:
    (home / "characters" / "pc_001.json").unlink()
    assert run(["verify", str(home)]) == 3
    assert shell(unread(home, "verify HOME --json")) == (141, "", "")
    drop(home, "a.json", "{")
    assert shell(unread(home, "process HOME --json")) == (141, "", "")
    assert shell(unread(home, "process HOME/nowhere", "2> >(true)")) == (141, "", "")


@needs_bash
def test_a_watch_of_what_waits_whose_reader_left_ends(home: Path) -> None:
    drop(home, "a.json", {})
    assert shell(unread(home, "watch HOME --once")) == (141, "", "")


@needs_bash
def test_a_watch_whose_reader_leaves_while_a_recovery_is_told_does_not_go_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(watcher: Watcher) -> None:
        watcher._complain(home, CampaignBusy("kept"))
        monkeypatch.setattr("turnwright.cli.watch_command.echo_json", left)
        watcher.take(home)

    def left(value: object) -> None:
        raise OutputFailed(os.open(os.devnull, os.O_WRONLY), BrokenPipeError())

    monkeypatch.setattr(Watcher, "sweep_patiently", leave)
    assert run(["watch", str(home), "--once", "--json"]) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("command", sampled(["show --json", "show", "verify"], 1))
def test_output_that_cannot_be_written_is_not_blamed_on_the_campaign(home: Path, command: str) -> None:
    code, _, err = shell(f"turnwright {command} {shlex.quote(str(home))} >/dev/full")
    assert (code, err) == (74, "error  cannot write the output: No space left on device\n")


@needs_bash
@pytest.mark.parametrize(
    "encoding", ["latin-1", *(pytest.param(name, marks=pytest.mark.slow) for name in ("cp437", "utf-16"))]
)
def test_an_output_without_our_signs_gets_question_marks(home: Path, encoding: str) -> None:
    for command in ("map", "show", "log"):
        code, out, err = shell(f"turnwright {command} {shlex.quote(str(home))}", PYTHONIOENCODING=encoding)
        assert (code, err) == (0, "")
        assert out


def test_a_huge_file_is_refused_without_being_read_whole(home: Path, turnwright: Turnwright) -> None:
    with (home / "turns" / "huge.json").open("wb") as file:
        file.truncate(1 << 33)
    code, out, _ = turnwright("process", home, "--json")
    assert (code, json.loads(out)["detail"]) == (2, "longer than 1048576 bytes")
    assert (home / "turns/refused/huge.json.reason.json").exists()


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_refused_by_name(
    home: Path, turnwright: Turnwright, tmp_path: Path, name: str
) -> None:
    code, out, _ = turnwright("process", home, tmp_path / name, "--json")
    reply = json.loads(out)
    assert (code, reply["status"], reply["reason"]) == (2, "refused", "invalid_turn")
    assert str(tmp_path) in reply["detail"]


def test_a_dry_run_changes_no_file(home: Path, turnwright: Turnwright) -> None:
    drop(home, "a.json", move())
    before = snapshot(home)
    code, out, _ = turnwright("process", home, "--dry-run", "--json")
    reply = json.loads(out)
    assert (code, reply["status"], reply["dry_run"]) == (0, "applied", True)
    assert snapshot(home) == before


def snapshot(home: Path) -> dict[str, bytes]:
    files = (path for path in home.rglob("*") if path.is_file() and ".turnwright" not in path.parts)
    return {str(path.relative_to(home)): path.read_bytes() for path in files}


def test_there_is_no_campaign_in_an_empty_folder(tmp_path: Path, turnwright: Turnwright) -> None:
    for command in ("process", "show", "map", "log", "undo", "legal", "set"):
        code, _, err = turnwright(command, tmp_path)
        assert code == 3, command
        assert "there is no campaign here" in err


def test_an_invalid_campaign_is_told_as_data_too(home: Path, turnwright: Turnwright) -> None:
    (home / "maps" / "root.json").write_text('{"areas": {"area_001": {"id": "area_001", "nmae": "x"}}}')
    code, out, err = turnwright("process", home, "--json")
    told = json.loads(out)
    assert (code, told["reason"]) == (3, "campaign_invalid")
    assert {problem["path"] for problem in told["problems"]} >= {"$.areas.area_001.nmae"}
    assert "the nearest one is name" in err


def test_a_busy_campaign_leaves_the_turn_where_it_is(home: Path, turnwright: Turnwright) -> None:
    held = subprocess.Popen(
        [*warm_python.command(), "-c", _HOLD, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert held.stdout is not None
    assert held.stdout.readline() == "held\n"
    path = drop(home, "a.json", move())
    code, out, err = turnwright("process", home, "--wait", "0.1", "--json")
    held.communicate("\n")
    assert (code, json.loads(out)["reason"]) == (4, "campaign_busy")
    assert "another process" in err
    assert path.exists()
    assert turnwright("process", home, "--json")[0] == 0


@pytest.mark.parametrize(
    ("waiting", "code"),
    [([], 0), ([{}], 0), ([move("nowhere"), {}], 1), (["{", move("nowhere")], 2), ([{}, {"edited": True}], 3)],
)
def test_watching_once_leaves_with_the_code_of_the_worst(
    home: Path, turnwright: Turnwright, waiting: list[Any], code: int
) -> None:
    for number, turn in enumerate(waiting):
        drop(home, f"{number}.json", turn)
        os.utime(home / "turns" / f"{number}.json", (0, 0))
    if code == 3:
        (home / "characters" / "pc_001.json").write_text('{"id": 5}')
    assert turnwright("watch", home.parent, "--once", "--json", NOW)[0] == code
    assert turnwright("watch", home.parent, "--once", NOW)[0] == (3 if code == 3 else 0)


def test_process_and_watch_tell_what_is_so_where_a_text_says_otherwise(home: Path, turnwright: Turnwright) -> None:
    told = []
    for command in (("process", home), ("watch", home, "--once")):
        drop(home, "a.json", {**move(), "assistant_text": "You take 7 damage."})
        out = turnwright(*command, NOW)[1]
        told.append(next(line for line in out.splitlines() if "the text says" in line))
        assert turnwright("undo", home)[0] == 0
    of_process, of_watch = told
    assert of_process == of_watch
    assert of_watch.partition("; ")[2]


def test_watching_once_names_the_campaign_and_each_problem(home: Path, turnwright: Turnwright) -> None:
    drop(home, "a.json", move())
    (home / "characters" / "pc_001.json").write_text('{"id": 5, "hp": "x"}')
    code, out, err = turnwright("watch", home.parent, "--once", "--json", NOW)
    told = json.loads(out)
    assert (code, told.keys(), told["campaign"]) == (3, {"campaign", "error"}, str(home))
    assert [problem["path"] for problem in told["error"]["problems"]] == ["$.id", "$.hp"]
    assert [line.split("  ")[:2] for line in err.splitlines()] == [["problem", str(home)]] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="a locale")
def test_directories_are_named_in_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    elsewhere = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    place = tmp_path / "ö"

    def turnwright(*arguments: object) -> str:
        command = [sys.executable, "-m", "turnwright", *map(str, arguments)]
        return subprocess.run(command, env=os.environ | elsewhere, capture_output=True, check=True).stdout.decode()

    turnwright("new", place)
    assert json.loads((place / "campaign.json").read_text(encoding="utf-8"))["id"] == "ö"
    drop(place, "a.json", {})
    assert json.loads(turnwright("watch", tmp_path, "--once", "--json"))["campaign"] == str(place)


def test_watching_once_leaves_with_74_when_it_cannot_look_everywhere(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    code, out, err = turnwright("watch", home.parent, "--once", "--json", NOW)
    told = json.loads(out)
    assert (code, told["campaign"], told["error"]["reason"]) == (74, str(home.parent), "storage_failed")
    assert "Permission denied" in err


def test_watching_once_leaves_with_4_when_a_campaign_is_busy(home: Path, turnwright: Turnwright) -> None:
    drop(home, "a.json", move())
    with Lock(Files(home)).held(0):
        assert turnwright("watch", home.parent, "--once", "--wait", "0", NOW)[0] == 4


_HOLD = """
import sys
from pathlib import Path
from turnwright.store.files import Files
from turnwright.store.lock import Lock
with Lock(Files(Path(sys.argv[1]))).held(0):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["proces"],
        ["process"],
        ["process", "X", "--wat"],
        ["process", "X", "--now", "yesterday"],
        ["process", "X", "--now", "2026-01-14T16:05:31"],
        ["process", "X", "--now", "0001-01-01T00:00:00+23:00"],
        ["new", "X", "--now", "9999-12-31T23:59:59-23:00"],
        ["new", "X", "--template", "crosing"],
        ["tools", "mvoe"],
        ["show", "HOME", "--as", "somebody"],
        ["show", "HOME", "--at", "turn_9999"],
        ["legal", "HOME", "--as", "player:nope"],
        ["prompt", "HOME", "--as", "player:zz", "--message", "hi"],
        ["process", "HOME", "--wait", "nan"],
        ["new", "a\udcff"],
        ["new", "x" * 201],
        ["set", "HOME", "limits.calls"],
        ["set", "HOME", "limits.cals=3"],
        ["set", "HOME", "limits.calls=three"],
        ["set", "HOME", "limits.calls=3", "limits.calls=4"],
        ["set", "HOME", f"players.tools={'[' * 100_000}"],
        ["set", "HOME", "selected.active_actor_id=pc_002"],
        ["undo", "HOME", "turn_0007"],
        ["undo", "HOME", "0"],
        ["undo", "HOME"],
        ["new", "HOME"],
        ["new", "X", "--template", "stage3", "--from", "y"],
    ],
    ids=lambda words: " ".join(words)[:60],
)
def test_wrong_usage_is_told_in_a_sentence(
    home: Path, turnwright: Turnwright, tmp_path: Path, arguments: list[str]
) -> None:
    places = {"HOME": home, "X": tmp_path / "x"}
    code, out, err = turnwright(*(places.get(word, word) for word in arguments))
    assert code == 64
    assert out == ""
    assert len(err.strip()) > 20
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["proces"], "process"),
        (["tools", "mvoe"], "move"),
        (["set", "HOME", "limits.cals=3"], "limits.calls"),
        (["new", "HOME", "--template", "crosing"], "crossing"),
        (["show", "HOME", "--as", "player:pc_01"], "pc_001"),
        (["legal", "HOME", "--as", "player:pc_01"], "pc_001"),
        (["prompt", "HOME", "--as", "player:pc_01"], "pc_001"),
        (["play", "HOME", "--as", "tabel"], "--as wants table, gm or player:ID"),
        (["new", "a\udcff"], "the directory's name would be the id"),
        (["undo", "HOME", "turn_001"], "turn_0001"),
        (["tools", "apply_damage"], "an old name of update_character"),
        (["tools", "resolve_attack"], 'execute_action with {"action_type": "attack"}'),
        (["tools", "think"], "think is no more: the turn's dm_note"),
        (["tools", "zzz"], "`turnwright tools` lists them"),
        (["set", "HOME", "players.tools=move"], 'such as ["move", "move_options"]'),
        (["set", "HOME", "selected.active_actor_id=mira"], "'mira' is none of pc_001"),
    ],
)
def test_a_misspelt_name_is_told_the_nearest(
    home: Path, turnwright: Turnwright, arguments: list[str], meant: str
) -> None:
    drop(home, "a.json", move())
    turnwright("process", home)
    assert meant in turnwright(*(home if word == "HOME" else word for word in arguments))[2]


@pytest.mark.parametrize(
    "arguments", [["mcp"], ["version"], ["set", "HOME", "title=x"], ["show", "HOME", "--at", "99"]]
)
def test_nothing_is_guessed_that_was_hardly_meant(home: Path, turnwright: Turnwright, arguments: list[str]) -> None:
    code, _, err = turnwright(*(home if word == "HOME" else word for word in arguments))
    assert code == 64
    assert "did you mean" not in err


def test_help_can_be_asked_for_by_its_name(turnwright: Turnwright) -> None:
    assert turnwright("help") == turnwright("--help")
    assert turnwright("help", "undo") == turnwright("undo", "--help")
    assert turnwright("help", "unod")[0] == 64


def test_who_is_in_no_campaign_is_told_where_one_is(home: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    told = {
        home / "campaign.json": f"; did you mean {home}?",
        home / "log.jsonl": f"; did you mean {home}?",
        tmp_path: "; name one of those in it: home",
        tmp_path / "empty": "; `turnwright new` makes one",
        tmp_path / "nosuch": "; `turnwright new` makes one",
        home / "maps": "there is no campaign here",
    }
    for path, ending in told.items():
        for command in ("show", "verify")[: 1 if path == tmp_path else 2]:
            code, _, err = turnwright(command, path)
            assert (code, err.strip().endswith(ending)) == (3, True), err
    for path in (tmp_path / "empty", tmp_path / "nosuch"):
        assert f"there is no campaign.json in {path}{told[path]}" in turnwright("check", path)[2]


def test_settings_change_all_or_nothing(home: Path, turnwright: Turnwright) -> None:
    assert turnwright("set", home, "limits.calls=3", "narration.check=loud")[0] == 64
    code, out, _ = turnwright("set", home, "limits.calls=3", "goal.text=Cross the river", "--json")
    answer = json.loads(out)
    assert (code, answer["changed"], answer["settings_revision"]) == (0, ["limits.calls", "goal.text"], 1)
    assert json.loads((home / "campaign.json").read_text())["settings"] == {"limits": {"calls": 3}}
    assert json.loads(turnwright("set", home, "limits.calls=3", "--json")[1])["changed"] == []
    assert len(read_log(home)) == 2


def read_log(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "log.jsonl").read_text().splitlines()]


def test_undo_lists_what_it_takes_back_and_redo_brings_it_again(home: Path, turnwright: Turnwright) -> None:
    drop(home, "a.json", move())
    turnwright("process", home, NOW)
    _, out, _ = turnwright("undo", home, NOW)
    assert "takes back record 1  turn  turn_0001" in out
    assert "area_001" in turnwright("show", home)[1]
    turnwright("undo", home, "2", NOW)
    assert "area_002" in turnwright("show", home)[1]
    assert "area_001" in turnwright("show", home, "--at", "0")[1]


def test_the_way_back_from_an_undo_is_told_so_that_no_turn_is_meant(tmp_path: Path, turnwright: Turnwright) -> None:
    home = tmp_path / "my home"
    turnwright("new", home, "--seed", "x", NOW)
    for number in range(2, 5):
        drop(home, f"{number}.json", {"turn_id": str(number)})
    drop(home, "9.json", {**move(), "turn_id": "9"})
    turnwright("process", home, NOW)
    _, out, _ = turnwright("undo", home, "9", NOW)
    command = out.splitlines()[-1].split("`")[1]
    assert shlex.split(command) == ["turnwright", "undo", str(home), "#5"]
    assert "undo #5 to have it back" in turnwright("undo", home, "9", NOW)[2]
    assert turnwright(*shlex.split(command)[1:], NOW)[0] == 0
    assert "area_002" in turnwright("show", home)[1]


@pytest.mark.parametrize("options", [(), ("--yes",)])
def test_undo_asks_before_more_than_one_record_goes(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.confirm", lambda text, **_: asked.append(text))
    for turn in ("a", "b", "c"):
        drop(home, f"{turn}.json", {"turn_id": turn})
    turnwright("process", home, NOW)
    assert turnwright("undo", home, *options, NOW)[0] == 0
    assert asked == []
    assert turnwright("undo", home, "a", *options, NOW)[0] == 0
    assert asked == ([] if options else ["Go on?"])


def test_the_next_command_is_told_so_that_a_shell_can_read_it(tmp_path: Path, turnwright: Turnwright) -> None:
    home = tmp_path / "my crossing"
    out = turnwright("new", home, "--template", "crossing", "--seed", "x", NOW)[1]
    command = out.splitlines()[-1].split("`")[1]
    assert shlex.split(command) == ["turnwright", "process", str(home)]


MODELS = (
    "agents.default_model",
    "agents.larger_model",
    "agents.narrative.model",
    "agents.combat.model",
    "agents.npc_individual.model",
    "agents.npc_puppeteer.model",
    "agents.summarizer.model",
    "suggestions.llm",
)
WITH_PASSWORD = "openai:x@http://bob:hunter2@127.0.0.1/v1"
REFUSED = "holds a URL with a password in it, which would be shown and recorded; put the key into TURNWRIGHT_API_KEY"


def holds_password(home: Path) -> list[str]:
    found = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in found if b"hunter2" in path.read_bytes()]


@pytest.mark.parametrize("key", MODELS)
def test_the_url_of_a_model_is_not_kept_with_a_password_in_it(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    code, out, err = turnwright("set", home, f"{key}={WITH_PASSWORD}")
    assert (code, out, err) == (64, "", f"error  {key}: {REFUSED}\n")
    play = ("play", home) if key == "agents.default_model" else ("play", home, "--model", "echo")
    for command in (("prompt", home), ("suggest", home, "hello"), play):
        told = turnwright(*command, "--set", f"{key}={WITH_PASSWORD}")
        assert told[0] == 64
        assert REFUSED in told[2]
        assert "hunter2" not in "".join(map(str, told))
    monkeypatch.setenv(f"TURNWRIGHT_{key.replace('.', '_').upper()}", WITH_PASSWORD)
    assert REFUSED in turnwright("prompt", home)[2]
    assert holds_password(home) == []


def test_a_password_that_somebody_wrote_into_campaign_json_is_told_and_not_recorded(
    home: Path, turnwright: Turnwright
) -> None:
    document = json.loads((home / "campaign.json").read_text())
    document["settings"] = {"agents": {"combat": {"model": WITH_PASSWORD}}}
    (home / "campaign.json").write_text(json.dumps(document))
    drop(home, "a.json", move())
    for command in (("check", home), ("process", home, NOW), ("set", home, "suggestions.max=2", NOW)):
        code, out, err = turnwright(*command)
        assert code == 3
        assert f"campaign.json  $.settings.agents.combat.model  agents.combat.model {REFUSED}" in err
        assert "hunter2" not in out + err
    assert holds_password(home) == ["campaign.json"]


def test_a_password_in_an_imported_campaign_is_not_taken_over(turnwright: Turnwright, tmp_path: Path) -> None:
    campaign = {"id": "old", "settings_snapshot": {"agents": {"default_model": WITH_PASSWORD}}}
    (tmp_path / "old.json").write_text(json.dumps(campaign))
    code, out, err = turnwright("new", tmp_path / "new", "--from", tmp_path / "old.json", NOW)
    assert (code, REFUSED in err, "hunter2" in out + err) == (3, True, False)
    assert not (tmp_path / "new" / "log.jsonl").exists()


def test_set_warns_of_names_that_stand_for_nothing(home: Path, turnwright: Turnwright) -> None:
    assert turnwright("set", home, 'players.tools=["mvoe"]', "agents.combat.model=qq", NOW)[0] == 0
    code, out, err = turnwright("set", home, 'agents.individual_npcs=["zz"]', "suggestions.max=2", NOW)
    assert (code, out) == (0, "changed: agents.individual_npcs, suggestions.max (revision 2)\n")
    told = "there is no character zz, so nobody has an agent by it"
    assert err == f"warning  campaign.json  $.settings.agents.individual_npcs[0]  {told}\n"
    assert len(turnwright("check", home)[2].splitlines()) == 3


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("goal.txt", "goal.txt: is no setting; did you mean goal.text?"),
        ("allowlist", "allowlist: is no setting; edit campaign.json to change it"),
        ("narration.chek", "narration.chek: is no setting; did you mean narration.check?"),
        ("bogus", "bogus: is no setting"),
    ],
)
def test_a_key_that_is_no_setting_is_told_what_else_it_could_be(
    home: Path, turnwright: Turnwright, key: str, told: str
) -> None:
    assert turnwright("set", home, f"{key}=a") == (64, "", f"error  {told}\n")


def test_a_fork_goes_its_own_way(home: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    drop(home, "a.json", move())
    turnwright("process", home, NOW)
    code, out, _ = turnwright("fork", home, tmp_path / "other", "--at", "0", "--seed", "y", NOW)
    assert (code, out) == (0, f"{tmp_path / 'other'}: campaign home-1 goes on from 0\n")
    assert "area_001" in turnwright("show", tmp_path / "other")[1]
    assert "area_002" in turnwright("show", home)[1]
    assert turnwright("verify", tmp_path / "other")[0] == 0


def test_a_fork_that_cannot_be_written_says_so(home: Path, turnwright: Turnwright) -> None:
    place = home / "campaign.json" / "fork"
    code, _, err = turnwright("fork", home, place, "--at", "0")
    assert (code, f"cannot make {place}: " in err) == (74, True)


def test_a_campaign_that_is_a_directory_is_not_imported_as_one_file(
    home: Path, turnwright: Turnwright, tmp_path: Path
) -> None:
    for source, expected in ((home / "campaign.json", 3), (home, 64)):
        code, _, err = turnwright("new", tmp_path / "imported", "--from", source)
        assert (code, "copy the whole directory, or use `turnwright fork`" in err) == (expected, True)
    assert not (tmp_path / "imported").exists()


def test_a_player_is_shown_no_more_than_a_player_may_see(home: Path, turnwright: Turnwright) -> None:
    (home / "characters" / "spy.json").write_text(
        '{"id": "spy", "name": "Hidden Spy", "hp": 4, "position": "area_002"}'
    )
    assert turnwright("process", home)[0] == 0
    _, out, _ = turnwright("show", home, "--as", "player:pc_001")
    assert "Next Area (area_002)" in out
    assert "Spy" not in out
    assert "Hidden Spy" in turnwright("show", home)[1]
    assert turnwright("show", home, "--as", "player:spy")[0] == 64


def test_a_player_is_shown_no_way_that_nobody_has_found(home: Path, turnwright: Turnwright) -> None:
    (home / "locations").mkdir()
    (home / "locations" / "vault.json").write_text(
        '{"id": "vault", "name": "Vault", "area_id": "area_002", "discovered": false}'
    )
    assert turnwright("process", home)[0] == 0
    for words in (["show", home, "--as", "player:pc_001"], ["legal", home, "--as", "player:pc_001"]):
        assert "area_002" not in turnwright(*words)[1]


def test_the_map_can_be_read_and_drawn(home: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    assert "area_001" in turnwright("map", home)[1]
    assert turnwright("map", home, "--svg", tmp_path / "map.svg")[0] == 0
    assert ElementTree.parse(tmp_path / "map.svg").getroot().tag.endswith("svg")


def test_ctrl_c_ends_following_even_while_a_record_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(record: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("turnwright.cli.log_command.echo_json", interrupted)
    assert run(["log", str(home), "--follow", "--json"]) == 0
    assert run(["log", str(home), "--json"]) == 130


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_ends_following_though_python_drops_what_is_raised(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Rubbish:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        assert len(pauses) == 1
        Rubbish()

    monkeypatch.setattr("turnwright.cli.log_command.time.sleep", pause)
    before = signal.getsignal(signal.SIGINT)
    assert run(["log", str(home), "--follow", "--json"]) == 0
    assert signal.getsignal(signal.SIGINT) is before
    assert len(pauses) == 1


def test_the_log_follows_what_is_added(home: Path) -> None:
    with Child(*TURNWRIGHT, "log", home, "--follow", "--json") as following:
        assert [record["kind"] for record in following.hear_lines(1)] == ["new"]
        drop(home, "a.json", move())
        assert run(["process", str(home), "--json"]) == 0
        assert following.hear_lines(2)[1]["turn_id"] == "turn_0001"


@pytest.mark.parametrize("more", [0, 1, 2])
def test_the_log_is_followed_no_further_when_an_older_copy_was_put_back(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    copy = home.with_name("copy")
    shutil.copytree(home, copy)
    for number in range(more):
        assert turnwright("process", copy, drop(copy, f"{number}.json", {}))[0] == 0
    assert turnwright("process", home, drop(home, "a.json", move()))[0] == 0

    def put_back(_: float) -> None:
        home.rename(home.with_name("gone"))
        copy.rename(home)

    monkeypatch.setattr("turnwright.cli.log_command.time", SimpleNamespace(sleep=put_back))
    code, out, _ = turnwright("log", home, "--follow", "--json")
    *records, error = map(json.loads, out.splitlines())
    assert (code, [record["seq"] for record in records]) == (3, [0, 1])
    assert error["reason"] == "campaign_invalid"
    assert "is not the log that was followed" in error["detail"]


def test_a_schema_of_what_is_legal_takes_good_calls_only(home: Path, turnwright: Turnwright) -> None:
    import jsonschema

    schema = json.loads(turnwright("legal", home)[1])
    check = jsonschema.Draft202012Validator(schema)
    assert check.is_valid(move()["tool_calls"][0])
    assert not check.is_valid(move("area_001")["tool_calls"][0])
    turnwright("set", home, "rules.hp_zero_ends_game=true")
    drop(home, "a.json", {"tool_calls": [{"id": "h", "tool": "hp_delta", "args": hurt(-10)}]})
    turnwright("process", home)
    dying = jsonschema.Draft202012Validator(json.loads(turnwright("legal", home)[1]))
    assert not dying.is_valid(move()["tool_calls"][0])
    assert dying.is_valid({"id": "h", "tool": "hp_delta", "args": hurt(1)})


def hurt(delta: int) -> dict[str, Any]:
    return {"target_character_id": "pc_001", "delta": delta, "cause": "a stone"}


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp", "jsonschema"])
def test_tools_are_described_for_programs(turnwright: Turnwright, form: str) -> None:
    described = json.loads(turnwright("tools", "--format", form)[1])
    names = {entry.get("name") or entry.get("title") or entry["function"]["name"] for entry in described}
    assert names == set(TOOLS)
    assert len(described) == len(TOOLS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(turnwright: Turnwright, name: str) -> None:
    code, out, _ = turnwright(name, "--help")
    assert code == 0
    assert "Usage:" in out


def test_names_cannot_drive_the_terminal(home: Path, turnwright: Turnwright) -> None:
    person = {"id": "evil", "name": "\u001b[2J\u202eevil", "hp": 4, "position": "area_002"}
    (home / "characters" / "evil.json").write_text(json.dumps(person))
    drop(
        home,
        "a.json",
        {"user_input": "\u001b]0;owned\u0007", "tool_calls": [{"id": "\u001b[31m", "tool": "x", "args": {}}]},
    )
    for command in ("process", "show", "map", "log"):
        out = turnwright(command, home)[1]
        assert "\u001b[2J" not in out
        assert "\u001b]0;" not in out
        assert "\u001b[31m\u0020" not in out
        assert "\u202e" not in out
        assert "\u0007" not in out


def told_after_a_move(home: Path, program: str, **keys: Any) -> str:
    """Return what a program says on stderr in a process that took a move by the command line."""
    drop(home, "a.json", {**move(), **keys})
    begin = "import sys; from turnwright.cli.main import run; assert run(sys.argv[1:]) == 0;"
    command = [sys.executable, "-c", begin + program, "process", str(home)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONWARNINGS": ""})
    return done.stderr


def test_process_starts_without_what_it_does_not_need(home: Path) -> None:
    program = (
        "heavy = {'rich', 'watchfiles', 'jsonschema', 'ruamel', 'hypothesis', 'networkx', 'jinja2', 'asyncio',"
        " 'pydantic_ai', 'openai', 'httpx2', 'xllamacpp', 'turnwright.llm', 'turnwright.game_master'};"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    assert told_after_a_move(home, program) == "[]\n"


@pytest.mark.parametrize("keys", [{}, {"assistant_text": "You walk on."}])
def test_process_starts_without_games_that_are_not_played(home: Path, keys: dict[str, Any]) -> None:
    program = (
        "games = ('fights', 'sheets', 'magic', 'space', 'evidence', 'suggestions');"
        "rooms = tuple(f'turnwright.rulesets.fifth_edition.{game}' for game in games);"
        "rooms += ('turnwright.rulesets.scenes.', 'turnwright.suggestions', 'turnwright.rulesets.core.suggestions');"
        "print([name for name in sys.modules if name.startswith(rooms)], file=sys.stderr)"
    )
    assert told_after_a_move(home, program, **keys) == "[]\n"


def test_no_declaration_that_each_process_makes_has_to_be_compiled_again(home: Path) -> None:
    program = (
        "ours = [module for name, module in sys.modules.items() if name.startswith('turnwright.')];"
        "declared = [thing for module in ours for thing in vars(module).values() if isinstance(thing, type)"
        " and thing.__module__ == module.__name__ and (hasattr(thing, 'model_fields') or hasattr(thing, '_fields'))];"
        "assert len(declared) > 20;"
        "late = {one.__module__ for one in declared if hasattr(sys.modules[one.__module__], 'annotations')};"
        "print(sorted(late), file=sys.stderr)"
    )
    assert told_after_a_move(home, program) == "[]\n"


def test_schemas_are_not_written_over_a_campaign(home: Path, turnwright: Turnwright, tmp_path: Path) -> None:
    by_hand = tmp_path / "by_hand"
    by_hand.mkdir()
    (by_hand / "campaign.json").write_bytes((home / "campaign.json").read_bytes())
    for folder in (home, by_hand):
        before = sorted(folder.rglob("*")), (folder / "campaign.json").read_bytes()
        code, _, err = turnwright("schemas", folder)
        assert code == 64
        assert "holds a campaign" in err
        assert (sorted(folder.rglob("*")), (folder / "campaign.json").read_bytes()) == before
    (home / "campaign.json").unlink()
    assert turnwright("schemas", home)[0] == 64


@pytest.mark.parametrize("inner", ["characters", "turns", "anything/new", "link"])
def test_schemas_are_not_written_anywhere_into_a_campaign(
    home: Path, turnwright: Turnwright, tmp_path: Path, inner: str
) -> None:
    place = home / inner
    if inner == "link":
        place = tmp_path / "link"
        place.symlink_to(home / "maps")
    before = sorted(home.rglob("*"))
    code, _, err = turnwright("schemas", place)
    assert (code, f"lies in {home}, which holds a campaign" in err) == (64, True)
    assert sorted(home.rglob("*")) == before


def test_schemas_can_be_written_again(turnwright: Turnwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwright.schemas.schemas.all_schemas", schemas)
    for _ in range(2):
        assert turnwright("schemas", tmp_path / "schemas")[0] == 0


@pytest.mark.parametrize("is_dropped", [True, False])
def test_a_fault_of_the_program_in_one_turn_is_raised_when_the_others_are_done(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, *, is_dropped: bool
) -> None:
    break_turns(monkeypatch)
    files = [drop(home, "a.json", {"x_breaks": True}), drop(home, "b.json", move())]
    with pytest.raises(ExceptionGroup, match=r"failed at .*a\.json") as raised:
        turnwright("process", home, *(() if is_dropped else files), NOW)
    assert isinstance(raised.value.exceptions[0], LookupError)
    assert len((home / "log.jsonl").read_bytes().splitlines()) == 2
