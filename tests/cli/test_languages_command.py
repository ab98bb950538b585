"""Languages of installed distributions: only those that a campaign names are read, and missing ones are reported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
from tests.builders import begin
from tests.cli.conftest import Play, Turnwright
from tests.distributions import Distributions

from turnwright import Campaign
from turnwright.audit.check import check_directory
from turnwright.model import data
from turnwright.model.entry_points import Group
from turnwright.rulesets.suggesting import PACKS
from turnwright.suggestions.pack_files import COMPANION, OF_COMPANION, RECOGNIZED, files_of

ROOT = Path(__file__).parents[2]
KLINGON = r"""
language: tlh
signs: {words: "jih heghlu bortas nuqneh"}
grammar:
  words: {selves: jih}
  patterns: {question: "\\?$"}
verbs: {take: tlhap}
rules:
  r15_rest_short:
    base: {rest: 0.9}
    patterns:
      rested:
        at: anywhere
        pattern: "\\bjih leS\\b|\\bjih les\\b"
        intents: [rest.short]
        match: ["jih leS"]
        no_match: ["jih?"]
""".lstrip()
MESSAGE = "nuqneh, jih les heghlu"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no pack be read yet."""
    monkeypatch.setattr(PACKS, "_kept", {})


@pytest.fixture
def klingon(distributions: Distributions) -> Path:
    """Install a language, and return the folder of its data."""
    files = {"klingon_words/tlh.yaml": KLINGON, "klingon_words/__init__.py": "raise RuntimeError\n"}
    return distributions.install("klingon", Group.LANGUAGES, {"tlh": "klingon_words"}, files) / "klingon_words"


# the distribution with the packs of this project


def test_the_distribution_registers_every_pack_that_it_holds() -> None:
    project = tomllib.loads((ROOT / "languages" / "pyproject.toml").read_text(encoding="utf-8"))
    package = "turnwright_languages"
    assert project["project"]["name"] == COMPANION
    assert project["project"]["entry-points"] == {Group.LANGUAGES: dict.fromkeys(OF_COMPANION, package)}
    held = {path.stem for path in (ROOT / "languages" / package).glob("*.yaml")}
    assert held == set(OF_COMPANION)


def test_turnwright_recognizes_every_language_of_the_distribution() -> None:
    by_script = {"ja", "ru", "zh"}
    assert {*data.load("suggest/languages")["small_words"], *by_script} == set(RECOGNIZED)


def test_the_installed_languages_are_those(turnwright: Turnwright) -> None:
    code, out, err = turnwright("languages")
    assert (code, err) == (0, "")
    assert tuple(row.split()[0] for row in out.splitlines()) == RECOGNIZED


def test_packs_are_read_without_importing_their_distribution() -> None:
    program = (
        "import sys\n"
        "from turnwright.rulesets.suggesting import PACKS\n"
        "for language in sys.argv[1:]:\n"
        "    read = PACKS.of(language).language\n"
        "    print(read, [name for name in sys.modules if 'turnwright_languages' in name])\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *OF_COMPANION], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{language} []" for language in OF_COMPANION]


# what a campaign names


def test_a_message_in_a_language_that_the_campaign_does_not_name_is_not_read(
    tmp_path: Path, turnwright: Turnwright
) -> None:
    begin(tmp_path / "c").close()
    code, out, err = turnwright("suggest", tmp_path / "c", "ich gehe nach Area 002")
    assert (code, err) == (0, "")
    assert "lang_unsupported" in out
    assert PACKS.in_use == ()


def test_a_message_in_a_language_that_the_campaign_names_is_read(tmp_path: Path, turnwright: Turnwright) -> None:
    begin(tmp_path / "c").close()
    languages = 'suggestions.languages=["de","en"]'
    code, out, err = turnwright("suggest", tmp_path / "c", "ich gehe nach Area 002", "--set", languages)
    assert (code, err) == (0, "")
    assert out.startswith("move  ")
    assert turnwright("set", tmp_path / "c", languages)[0] == 0
    assert turnwright("suggest", tmp_path / "c", "ich gehe nach Area 002") == (0, out, "")
    assert PACKS.in_use == ("de",)


def test_the_first_language_is_expected_where_a_message_shows_none(tmp_path: Path, turnwright: Turnwright) -> None:
    begin(tmp_path / "c").close()
    said = "👍"
    for languages, first in ((["de", "en"], "de"), (["en", "de"], "en"), (["de_AT"], "de")):
        setting = f"suggestions.languages={json.dumps(languages)}"
        answer = json.loads(turnwright("suggest", tmp_path / "c", said, "--json", "--set", setting)[1])
        assert answer["language"] == first


def test_a_language_of_another_distribution_is_known_by_the_signs_in_its_pack(
    tmp_path: Path, klingon: Path, turnwright: Turnwright
) -> None:
    begin(tmp_path / "c").close()
    setting = 'suggestions.languages=["en", "tlh"]'
    found = json.loads(turnwright("suggest", tmp_path / "c", MESSAGE, "--json", "--set", setting)[1])
    assert (found["language"], found["errors"]) == ("tlh", [])
    assert json.loads(turnwright("suggest", tmp_path / "c", MESSAGE, "--json")[1])["language"] != "tlh"
    assert "klingon_words" not in sys.modules
    files = files_of("tlh")
    assert files is not None
    assert files.folder.joinpath("tlh.yaml").read_text(encoding="utf-8") == KLINGON


def test_an_empty_list_reads_no_message(tmp_path: Path, turnwright: Turnwright) -> None:
    begin(tmp_path / "c").close()
    code, out, err = turnwright("suggest", tmp_path / "c", "I go to Area 002", "--set", "suggestions.languages=[]")
    assert (code, err) == (0, "")
    assert "lang_unsupported" in out


def test_the_distribution_that_the_page_describes_works(
    tmp_path: Path, distributions: Distributions, turnwright: Turnwright
) -> None:
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    toml, yaml = (
        re.findall(rf"^ *```{kind}\n(.*?)^ *```$", page, re.DOTALL | re.MULTILINE)[0] for kind in ("toml", "yaml")
    )
    [(group, points)] = tomllib.loads(toml)["project"]["entry-points"].items()
    pack = textwrap.dedent(yaml) + KLINGON.partition("\n")[2].partition("\n")[2]
    assert points == {"it": "turnwright_italian"}
    files = {"turnwright_italian/__init__.py": "", "turnwright_italian/it.yaml": pack}
    distributions.install("turnwright-italian", group, points, files)
    begin(tmp_path / "c").close()
    setting = 'suggestions.languages=["en", "it"]'
    found = json.loads(turnwright("suggest", tmp_path / "c", "adesso voglio jih les", "--json", "--set", setting)[1])
    assert found["errors"] == []
    assert found["language"] == "it"
    assert found["rules_version"]


# what `check` says


def problems_of(path: Path, *languages: str) -> list[tuple[str, str, bool]]:
    with begin(path) as campaign:
        if languages:
            campaign.set({"suggestions.languages": list(languages)})
    return [(one.path, one.message, one.warning) for one in check_directory(path)]


def test_languages_that_are_installed_are_no_problem(tmp_path: Path) -> None:
    assert problems_of(tmp_path / "a") == problems_of(tmp_path / "b", "de", "pt-BR", "en") == []


def test_a_language_that_is_not_installed_is_told_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwright.suggestions.pack_files.find", lambda *_: None)
    german, italian = problems_of(tmp_path / "c", "de", "it")
    assert german == (
        "$.settings.suggestions.languages[0]",
        "no language pack de is installed, so messages in it get hints from the state alone; "
        "turnwright-languages has it: pip install ./languages, in a checkout of turnwright",
        True,
    )
    assert "no language pack it is installed" in italian[1]
    assert "docs/languages.md" in italian[1]


@pytest.mark.parametrize("name", ["../campaign", "os", "https://example.org/pack", "turnwright_languages", "."])
def test_a_language_is_a_name_and_never_a_place(name: str, tmp_path: Path) -> None:
    [(_, told, _)] = problems_of(tmp_path / "c", name)
    assert "no language pack" in told


def test_a_distribution_cannot_take_a_language_of_turnwright_or_of_another(
    tmp_path: Path, distributions: Distributions
) -> None:
    distributions.install("thief", Group.LANGUAGES, {"en": "thief_words", "de": "thief_words"})
    [(_, english, _)] = problems_of(tmp_path / "a")
    assert english == "thief 1.0 registers en, which is a name of turnwright's own; what it registers is not used"
    [_, (_, german, _)] = problems_of(tmp_path / "b", "en", "de")
    assert german == (
        "de is registered more than once, by thief 1.0 and turnwright-languages 0.2.0; none is used. "
        "Uninstall all but one"
    )
    pack = PACKS.of("en")
    assert pack is not None
    assert len(pack.rules) > 20


def test_a_distribution_without_its_data_is_told(tmp_path: Path, distributions: Distributions) -> None:
    distributions.install("empty", Group.LANGUAGES, {"qya": "empty_words"}, {"empty_words/__init__.py": ""})
    distributions.install("gone", Group.LANGUAGES, {"sjn": "gone_words"})
    empty, gone = problems_of(tmp_path / "c", "qya", "sjn")
    assert empty[1] == "the language pack empty_words/qya.yaml of empty 1.0 is missing"
    assert gone[1] == "sjn of gone 1.0 cannot be used: ModuleNotFoundError: there is no package gone_words"


def test_set_warns_of_a_language_that_is_not_installed(tmp_path: Path, turnwright: Turnwright) -> None:
    begin(tmp_path / "c").close()
    code, out, err = turnwright("set", tmp_path / "c", 'suggestions.languages=["en", "sjn"]')
    assert (code, out) == (0, "changed: suggestions.languages (revision 1)\n")
    assert "$.settings.suggestions.languages[1]  no language pack sjn is installed" in err


# warnings in play


def test_a_session_tells_once_that_a_language_is_not_installed(hall: Path, play: Play) -> None:
    with Campaign.open(hall) as campaign:
        campaign.set({"suggestions.languages": ["en", "sjn"]})
    out = play(hall, [{"text": "So."}, {"text": "Well."}], "I look", "I wait")
    assert out.count("no language pack sjn is installed") == 1


def test_suggest_tells_it_on_stderr(tmp_path: Path, turnwright: Turnwright) -> None:
    begin(tmp_path / "c").close()
    setting = 'suggestions.languages=["sjn"]'
    code, out, err = turnwright("suggest", tmp_path / "c", "I go to Area 002", "--set", setting)
    assert code == 0
    assert "lang_unsupported" in out
    assert err.startswith("warning  no language pack sjn is installed")


def test_a_broken_pack_is_told_by_file_and_line_and_stops_nothing(
    tmp_path: Path, klingon: Path, turnwright: Turnwright
) -> None:
    (klingon / "tlh.yaml").write_text(KLINGON.replace("rest.short", "rest.shrot"), encoding="utf-8")
    begin(tmp_path / "c").close()
    setting = 'suggestions.languages=["en", "tlh"]'
    code, out, err = turnwright("suggest", tmp_path / "c", "I go to Area 002", "--set", setting)
    assert code == 0
    assert out.startswith("move  ")
    assert "klingon_words/tlh.yaml:14: " in err


# `turnwright languages`


def test_the_installed_packs_are_listed(klingon: Path, turnwright: Turnwright) -> None:
    code, out, err = turnwright("languages")
    assert (code, err) == (0, "")
    rows = [re.split(r"  +", line) for line in out.splitlines()]
    assert [row[0] for row in rows] == ["en", *sorted([*OF_COMPANION, "tlh"])]
    assert ["tlh", "klingon 1.0", "1 rules"] in rows


def test_packs_that_cannot_be_used_are_problems_of_the_list(
    klingon: Path, distributions: Distributions, turnwright: Turnwright
) -> None:
    (klingon / "tlh.yaml").write_text(KLINGON.replace("rest.short", "rest.shrot"), encoding="utf-8")
    distributions.install("empty", Group.LANGUAGES, {"qya": "empty_words"}, {"empty_words/__init__.py": ""})
    code, out, err = turnwright("languages")
    assert code == 1
    assert re.search(r"^tlh +klingon 1\.0 +cannot be used$", out, re.MULTILINE)
    assert "klingon_words/tlh.yaml:14: " in err
    assert "the language pack empty_words/qya.yaml of empty 1.0 is missing" in err


def test_a_name_that_is_taken_twice_is_a_problem_of_the_list(
    distributions: Distributions, turnwright: Turnwright
) -> None:
    distributions.install("thief", Group.LANGUAGES, {"EN": "thief_words", "en": "thief_words"})
    code, _, err = turnwright("languages")
    assert code == 1
    assert "thief 1.0 registers en, which is" in err
    assert "thief 1.0 registers 'EN': a name has" in err


def test_packs_in_a_folder_are_checked_and_compiled(tmp_path: Path, turnwright: Turnwright) -> None:
    (tmp_path / "tlh.yaml").write_text(KLINGON, encoding="utf-8")
    made = tmp_path / "made" / "tlh.json"
    assert turnwright("languages", tmp_path) == (0, "tlh: nothing is wrong\n", "")
    assert not made.exists()
    assert turnwright("languages", tmp_path, "--compile") == (0, f"tlh: nothing is wrong\nwrote {made}\n", "")
    held = made.read_bytes()
    made.write_bytes(b"{}")
    turnwright("languages", tmp_path, "--compile")
    assert made.read_bytes() == held
    assert turnwright("languages", tmp_path, "--compile")[1] == "tlh: nothing is wrong\n"


def test_a_pack_in_a_folder_that_cannot_be_used_is_told_with_its_line(tmp_path: Path, turnwright: Turnwright) -> None:
    (tmp_path / "tlh.yaml").write_text(KLINGON.replace("rest.short", "rest.shrot"), encoding="utf-8")
    (tmp_path / "qya.yaml").write_text("language: qya\ngrammar: {}\nrules: {}\n", encoding="utf-8")
    code, out, err = turnwright("languages", tmp_path)
    assert (code, out) == (1, "qya: nothing is wrong\n")
    assert err.startswith(f"problem  {tmp_path.name}/tlh.yaml:14: ")


def test_a_folder_without_packs_is_wrong_usage(tmp_path: Path, turnwright: Turnwright) -> None:
    assert turnwright("languages", tmp_path)[0] == 64
    assert turnwright("languages", "--compile")[0] == 64
