"""Nothing that players, models, files or arguments bring along steers a terminal, whatever the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from tests import builders
from tests.hostile.samples import AS_A_NAME, STEERING, forged, steering_in, tree

from turnwright.cli.main import run

NOW = "--now=2026-01-14T16:05:31+00:00"
Said = tuple[int, str, str]
Turnwright = Callable[..., Said]


@pytest.fixture(name="turnwright")
def fixture_turnwright(capsys: pytest.CaptureFixture[str]) -> Turnwright:
    """Give a function that runs a command and returns its exit code, stdout and stderr."""

    def call(*arguments: object) -> Said:
        raised, code = "", 0
        try:
            code = run([str(argument) for argument in arguments])
        except Exception as error:
            raised = ascii(error)
        assert not raised  # out here, where nothing that cannot be encoded comes along
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def one_file() -> dict[str, Any]:
    """Return a campaign in one file in which every word steers."""
    areas = {"area_001": [STEERING], STEERING: ["area_001"], f"{STEERING}2": []}
    return {
        "id": STEERING,
        "selected": {"world_id": STEERING, "party_character_ids": ["pc_001", STEERING], "active_actor_id": "pc_001"},
        "goal": {"text": STEERING, "status": "active"},
        "allowlist": ["move", "hp_delta", "map_generate", STEERING],
        "map": {
            "areas": {
                name: {
                    "name": STEERING,
                    "description": STEERING,
                    "reachable_area_ids": ways,
                    "parent_area_id": STEERING if name.endswith("2") else None,
                }
                for name, ways in areas.items()
            }
        },
        "positions": {"pc_001": "area_001", STEERING: STEERING},
        "hp": {"pc_001": 9, STEERING: f"x{STEERING}"},
        "character_states": {"pc_001": "alive", STEERING: STEERING},
        STEERING: STEERING,
    }


CALLS = (
    {"id": STEERING, "tool": STEERING, "args": {STEERING: STEERING}},
    builders.call("move", STEERING, actor_id="pc_001", from_area_id="area_001", to_area_id=f"{STEERING}9"),
    builders.call("hp_delta", STEERING, target_character_id=STEERING, delta=-1, cause=STEERING),
    builders.call("hp_delta", STEERING, target_character_id=STEERING, delta=STEERING, cause=STEERING),
    builders.call("map_generate", STEERING, parent_area_id=STEERING, theme=STEERING, constraints={STEERING: 1}),
    builders.call("move", STEERING, actor_id="pc_001", from_area_id="area_001", to_area_id=STEERING),
    STEERING,
)
TURNS: Mapping[str, Any] = {
    "a": {
        "user_input": STEERING,
        "assistant_text": f"{STEERING} {STEERING} dies. Mira takes 5 {STEERING} damage.",
        "dialog_type": STEERING,
        "agent": STEERING,
        f"x_{STEERING}": STEERING,
        "output": {STEERING: STEERING},
        "tool_calls": CALLS,
    },
    "b": {STEERING: 1},
    "c": {"turn_id": STEERING},
    "d": {"actor_id": STEERING},
    "e": STEERING,
    "f": {"tool_calls": STEERING},
}


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path, turnwright: Turnwright) -> Path:
    """Give a campaign whose every name steers, in a folder whose name does, too, with turn files that wait."""
    (tmp_path / "one.json").write_text(json.dumps(one_file()), encoding="utf-8")
    home = tmp_path / AS_A_NAME
    code, out, err = turnwright("new", home, "--from", tmp_path / "one.json", NOW)
    assert (code, steering_in(out), err) == (0, [], "")
    put_turns(home)
    return home


def put_turns(home: Path) -> None:
    for name, turn in TURNS.items():
        (home / "turns" / f"{name}{AS_A_NAME}.json").write_text(json.dumps(turn), encoding="utf-8")
    (home / "turns" / f"g{AS_A_NAME}.json").write_text('{"a"\x1b', encoding="utf-8")
    link = home / "turns" / f"h{AS_A_NAME}.json"
    link.unlink(missing_ok=True)
    link.symlink_to("nowhere")


SHOWN: dict[str, tuple[tuple[object, ...], set[int]]] = {
    "check": (("check",), {2}),
    "dry run": (("process", "--dry-run"), {2}),
    "process": (("process",), {2}),
    "watch": (("watch", "--once"), {2}),
    "log": (("log",), {0}),
    "show": (("show",), {0}),
    "show as": (("show", "--as", "player:pc_001"), {0}),
    "show at": (("show", "--at", "0"), {0}),
    "map": (("map", "--full"), {0}),
    "verify": (("verify",), {0}),
    "set": (("set", f"goal.text={STEERING}"), {0}),
    "settings": (("set",), {0}),
    "undo": (("undo",), {0}),
    "legal": (("legal",), {0}),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_command_shows_steers_no_terminal(home: Path, turnwright: Turnwright, name: str) -> None:
    words, codes = SHOWN[name]
    if name not in ("check", "dry run", "process", "watch"):
        turnwright("process", home, NOW)
        put_turns(home)
    code, out, err = turnwright(words[0], home, *words[1:])
    assert code in codes
    assert len(out) + len(err) > 20
    assert (steering_in(out), steering_in(err)) == ([], [])


WITH_JSON = ("check", "dry run", "process", "watch", "verify", "set", "undo", "log", "show", "show as")


@pytest.mark.parametrize("name", WITH_JSON)
def test_json_stays_on_its_lines_and_steers_no_terminal(home: Path, turnwright: Turnwright, name: str) -> None:
    words, codes = SHOWN[name]
    if name not in ("check", "dry run", "process", "watch"):
        turnwright("process", home, NOW)
        put_turns(home)
    code, out, err = turnwright(words[0], home, *words[1:], "--json")
    assert code in codes
    assert all(json.loads(line) is not None for line in out.split("\n") if line)
    assert (steering_in(out), steering_in(err)) == ([], [])


# errors

NAMED = f"{AS_A_NAME}.none"
WRONG: tuple[tuple[object, ...], ...] = (
    (STEERING,),
    (f"--{STEERING}",),
    ("show",),
    ("show", "HOME", f"--{STEERING}"),
    ("show", "HOME", "--as", STEERING),
    ("show", "HOME", "--as", f"player:{STEERING}9"),
    ("show", "HOME", "--at", STEERING),
    ("show", NAMED),
    ("legal", "HOME", "--as", STEERING),
    ("legal", "HOME", "--as", "nonsense"),
    ("undo", "HOME", STEERING),
    ("fork", "HOME", NAMED, "--at", STEERING),
    ("new", "HOME"),
    ("new", NAMED, "--template", STEERING),
    ("new", NAMED, "--from", NAMED),
    ("new", NAMED, "--now", STEERING),
    ("set", "HOME", STEERING),
    ("set", "HOME", f"{STEERING}=1"),
    ("set", "HOME", f"limits.calls={STEERING}"),
    ("set", "HOME", f"goal.status={STEERING}"),
    ("set", "HOME", f"selected.active_actor_id={STEERING}9"),
    ("process", "HOME", NAMED),
    ("process", "HOME", "--wait", STEERING),
    ("process", NAMED),
    ("watch", NAMED),
    ("check", NAMED),
    ("verify", NAMED),
    ("map", "HOME", "--svg", "HOME"),
    ("tools", STEERING),
    ("tools", "--format", STEERING),
    ("schemas", f"HOME/turns/a{AS_A_NAME}.json"),
)


@pytest.mark.parametrize("as_json", [False, True])
def test_what_is_wrong_with_an_argument_is_told_in_words_that_steer_no_terminal(
    home: Path, turnwright: Turnwright, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    monkeypatch.chdir(home.parent)
    for words in WRONG:
        given = [str(word).replace("HOME", str(home)) for word in words]
        code, out, err = turnwright(*given, *(["--json"] if as_json else []))
        assert code in (0, 2, 3, 64, 74), words
        assert out + err, words
        assert steering_in(err) == [], words
        assert steering_in(out) == [], words


@pytest.mark.parametrize(
    "words",
    [
        ("undo", "HOME", "\udcff"),
        ("show", "HOME", "--at", "\udcff"),
        ("show", "\udcff"),
        ("set", "HOME", "goal.text=\udcff"),
        ("process", "HOME", "\udcff"),
        ("new", "HOME/\udcff"),
        ("new", "OTHER", "--template", "\udcff"),
        ("new", "OTHER", "--from", "\udcff"),
        ("legal", "HOME", "--as", "\udcff"),
        ("legal", "HOME", "--as", "player:\udcff"),
        ("new", "OTHER", "--seed", "\udcff"),
        ("fork", "HOME", "OTHER", "--at", "0", "--seed", "\udcff"),
        ("process", "HOME", "\udcff", "--json"),
        ("show", "\udcff", "--json"),
        ("map", "HOME", "--svg", "HOME/nowhere/map.svg"),
    ],
    ids=lambda words: ascii(" ".join(words)),
)
def test_an_argument_in_no_encoding_is_answered_in_words(
    home: Path, turnwright: Turnwright, words: tuple[str, ...]
) -> None:
    given = [word.replace("HOME", str(home)).replace("OTHER", str(home.parent / "other")) for word in words]
    code, out, err = turnwright(*given)
    assert code in (0, 2, 3, 64, 74)
    assert (steering_in(out), steering_in(err)) == ([], [])


def test_bytes_in_no_encoding_from_a_shell_make_no_traceback(home: Path) -> None:
    command: list[str | bytes] = [sys.executable, "-m", "turnwright", "undo", os.fsencode(home), b"\xff\x1b[2J"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 64
    assert b"Traceback" not in done.stderr
    assert steering_in(done.stderr.decode()) == []


# damage


@pytest.mark.parametrize("as_json", [False, True])
def test_damage_is_told_in_words_that_steer_no_terminal(home: Path, turnwright: Turnwright, as_json: bool) -> None:
    turnwright("process", home, NOW)
    (home / "characters" / f"{NAMED}.json").write_text("{}", encoding="utf-8")
    (home / f"{NAMED}.json").write_text("{}", encoding="utf-8")
    (home / NAMED).mkdir()
    (home / NAMED / "a.json").write_text("{}", encoding="utf-8")
    person = builders.person("pc_001", position=f"{STEERING}9", extra={STEERING: STEERING}) | {STEERING: STEERING}
    (home / "characters" / "pc_001.json").write_text(json.dumps(person), encoding="utf-8")
    for command in ("check", "verify", "process", "undo", "set", "watch"):
        options = [*(["--once"] if command == "watch" else []), *(["--json"] if as_json else [])]
        code, out, err = turnwright(command, home, *options)
        assert code == 3
        assert steering_in(err) == []
        assert steering_in(out) == []
    _, out, _ = turnwright("verify", home, "--repair")
    assert steering_in(out) == []


@pytest.mark.parametrize("field", ["kind", "timestamp", "status", "applied_actions"])
def test_a_forged_record_steers_no_terminal(tmp_path: Path, turnwright: Turnwright, field: str) -> None:
    with builders.begin(tmp_path / "table") as campaign:
        campaign.process(builders.turn(builders.hp_delta(-1), user_input="hello"))
    action = builders.call(STEERING, STEERING) | {"result": {STEERING: STEERING}, "timestamp": STEERING}
    forged(tmp_path / "table", 1, **{field: [action] if field == "applied_actions" else STEERING})
    for words in (("log",), ("verify",), ("show",), ("undo",)):
        _, out, err = turnwright(words[0], tmp_path / "table", *words[1:])
        assert (steering_in(out), steering_in(err)) == ([], []), words


# pictures


def test_a_picture_is_well_formed_and_its_markup_is_ours(home: Path, turnwright: Turnwright) -> None:
    evil = '"><script>x</script><!--]]>&lt;&#0;<![CDATA[' + STEERING
    (home / "campaign.json").write_text(
        (home / "campaign.json").read_text(encoding="utf-8").replace('"title": ""', f'"title": {json.dumps(evil)}'),
        encoding="utf-8",
    )
    picture = home.parent / "map.svg"
    code, out, err = turnwright("map", home, "--svg", picture)
    assert (code, steering_in(out), steering_in(err)) == (0, [], [])
    text = picture.read_text(encoding="utf-8")
    drawn = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert "svg" in drawn
    assert not drawn & {"script", "a", "image", "foreignObject", "iframe", "use", "animate", "set"}
    assert not [char for char in text if char < " " and char not in "\n\t"]
    assert str(picture.name) in tree(home.parent)
