"""Searching the log: what a viewer is told of past turns, and that no match depends on what is hidden."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import PEOPLE, Json, area, begin, call, documents, hp_delta, move, person, turn
from tests.scenes import night

from turnwright import BadRequest, Campaign, Viewer
from turnwright.campaign import recall as recall_module
from turnwright.model.viewer import GAME_MASTER, PARTY
from turnwright.store.store import Store

MIRA, TOMAS = Viewer.player("pc_001"), Viewer.player("pc_002")
OTHERS = [MIRA, TOMAS, PARTY, Viewer.player(""), Viewer.player("npc_001"), Viewer.character("npc_001")]
HALL = area("area_001", "area_002") | {"name": "Hall"}
YARD = area("area_002", "area_001") | {"name": "Old Yard"}


def told(campaign: Campaign, query: str | None = None, viewer: Viewer = GAME_MASTER, **asked: Any) -> list[str]:
    return [match["text"] for match in campaign.recall(query, viewer=viewer, **asked)["matches"]]


@pytest.fixture
def evening(tmp_path: Path) -> Campaign:
    """A campaign in which something was said, done, whispered, taken back and noted."""
    values = documents(PEOPLE, [HALL, YARD], allowlist=["move", "hp_delta"])
    campaign = begin(tmp_path / "evening", values)
    campaign.process({"user_input": "I look for the brass key.", "actor_id": "pc_001"})
    campaign.process(turn(hp_delta(-2), assistant_text="A beam falls on Mira.", dm_note="the beam was sawn"))
    campaign.process(turn(move("area_002"), user_input="I cross the yard."), authority="player:pc_001")
    campaign.process({"user_input": "Meet me at the well.", "private": True, "addressees": ["pc_002"]})
    campaign.process(turn(hp_delta(-1, "pc_002", "a wasp"), assistant_text="A wasp stings Tomas."))
    campaign.undo()
    return campaign


def test_matches_come_newest_first_with_what_was_said_and_done(evening: Campaign) -> None:
    found = evening.recall(viewer=GAME_MASTER)
    assert [match["seq"] for match in found["matches"]] == [4, 3, 2, 1]
    assert (found["more"], found["before"]) == (False, None)
    assert found["matches"][2] == {
        "seq": 2,
        "turn_id": "turn_0002",
        "timestamp": "2026-01-14T16:05:31+00:00",
        "place": "Hall",
        "text": "Mira 10 -> 8 hp (a falling stone)\nA beam falls on Mira.",
        "is_disputed": False,
    }


def test_all_words_have_to_occur_in_any_case_from_their_beginning(evening: Campaign) -> None:
    assert told(evening, "KEY brass") == ["Mira: I look for the brass key."]
    assert told(evening, "bras") == ["Mira: I look for the brass key."]
    assert told(evening, "ras") == told(evening, "brass lock") == []


def test_a_person_is_found_by_name_and_by_id(evening: Campaign) -> None:
    assert told(evening, person="pc_001") == told(evening, person="mira")
    assert len(told(evening, person="Mira")) == 4
    assert told(evening, "well", person="Tomas") == []


def test_a_place_is_found_where_a_turn_ended_and_where_it_is_named(evening: Campaign) -> None:
    ended = [match["seq"] for match in evening.recall(place="area_001", viewer=GAME_MASTER)["matches"]]
    assert ended == [2, 1]
    assert [match["seq"] for match in evening.recall(place="old yard", viewer=GAME_MASTER)["matches"]] == [4, 3]


def test_a_thing_is_found_by_name(evening: Campaign) -> None:
    assert told(evening, thing="brass key") == ["Mira: I look for the brass key."]
    assert told(evening, thing="key brass") == [], "the words of a name stand one after the other"


def test_undone_turns_are_left_out_and_come_back_when_the_undo_is_undone(evening: Campaign) -> None:
    assert told(evening, "wasp") == []
    evening.undo("#6")
    assert len(told(evening, "wasp")) == 1


def test_the_game_master_reads_whispers_and_nobody_else_but_who_had_a_part(evening: Campaign) -> None:
    hears = [viewer for viewer in (GAME_MASTER, *OTHERS) if told(evening, "well", viewer)]
    assert hears == [GAME_MASTER, MIRA, TOMAS, PARTY]


def test_notes_to_the_log_are_found_by_nobody(evening: Campaign) -> None:
    assert not any(told(evening, "sawn", viewer) for viewer in (GAME_MASTER, *OTHERS))


def test_a_player_is_told_of_their_own_calls_alone(evening: Campaign) -> None:
    (blow,) = told(evening, "beam", MIRA)
    assert blow == "A beam falls on Mira."
    (way,) = told(evening, "cross", MIRA)
    assert way.splitlines() == ["Mira: I cross the yard.", "Mira goes to Old Yard"]
    assert told(evening, "cross", TOMAS) == ["Mira: I cross the yard."]


def test_a_narration_that_the_turn_contradicts_is_marked(tmp_path: Path) -> None:
    with begin(tmp_path / "lie", documents(PEOPLE, [HALL, YARD])) as campaign:
        campaign.process(turn(assistant_text="Mira is dead."))
        for viewer in (GAME_MASTER, MIRA):
            (match,) = campaign.recall("dead", viewer=viewer)["matches"]
            assert match["is_disputed"]


def test_pages_hold_every_match_once(evening: Campaign) -> None:
    whole = evening.recall(viewer=GAME_MASTER)["matches"]
    pages: list[Any] = []
    before: int | None = None
    while True:
        found = evening.recall(viewer=GAME_MASTER, limit=1, before=before)
        pages += found["matches"]
        before = found["before"]
        assert found["more"] is (before is not None)
        if before is None:
            break
    assert pages == whole


def test_one_search_reads_a_bounded_number_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_module, "MAX_RECORDS", 5)
    read: list[int] = []
    real = Store.record

    def record(store: Store, seq: int) -> Any | None:
        read.append(seq)
        return real(store, seq)

    with begin(tmp_path / "long") as campaign:
        campaign.process({"user_input": "the needle"})
        for number in range(12):
            campaign.process({"user_input": f"straw {number}"})
        monkeypatch.setattr(Store, "record", record)
        found = campaign.recall("needle", viewer=GAME_MASTER)
        assert (found["matches"], found["more"], found["before"]) == ([], True, 9)
        assert len(read) == 5
        found = campaign.recall("needle", viewer=GAME_MASTER, before=found["before"])
        found = campaign.recall("needle", viewer=GAME_MASTER, before=found["before"])
        assert [match["seq"] for match in found["matches"]] == [1]


def test_undone_turns_are_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with begin(tmp_path / "undone") as campaign:
        for number in range(6):
            campaign.process({"user_input": f"straw {number}"})
        campaign.undo("#2")
        read: list[int] = []
        real = Store.record

        def record(store: Store, seq: int) -> Any | None:
            read.append(seq)
            return real(store, seq)

        monkeypatch.setattr(Store, "record", record)
        assert len(told(campaign)) == 1
        assert read == [7, 1, 0]


def test_a_letter_with_a_mark_is_found_in_either_spelling(tmp_path: Path) -> None:
    spellings = [unicodedata.normalize(form, "H\u00e9l\u00e8ne waits.") for form in ("NFC", "NFD")]
    with begin(tmp_path / "marks") as campaign:
        for text in spellings:
            campaign.process({"user_input": text})
        for text in spellings:
            assert len(told(campaign, text)) == 2
            assert len(told(campaign, person=text.partition(" ")[0])) == 2
        assert told(campaign, "ne") == []


LETTERS = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=5)


@given(LETTERS, LETTERS)
def test_words_are_compared_all_at_once_as_one_by_one(wanted: list[str], text: list[str]) -> None:
    prefixes = recall_module._Prefixes(wanted)
    assert prefixes.all_in(text) == all(any(word.startswith(one) for word in text) for one in wanted)
    runs = [text[at : at + len(wanted)] for at in range(len(text) - len(wanted) + 1)]
    assert prefixes.in_order(text) == any(all(map(str.startswith, run, wanted)) for run in runs)


def test_a_search_for_many_words_looks_at_each_word_of_a_text_a_few_times() -> None:
    looked_at: list[int] = []

    class Word(str):
        __slots__ = ()

        def __getitem__(self, key: Any) -> str:
            looked_at.append(1)
            return super().__getitem__(key)

    text = [Word("a" * 40)] * 1000
    for wanted in (["a"] * 199 + ["b"], [f"a{chr(1000 + number)}" for number in range(133)]):
        looked_at.clear()
        assert not recall_module._Prefixes(wanted).in_order(text)
        assert not recall_module._Prefixes(wanted).all_in(text)
        assert len(looked_at) == 2 * len(text)


def test_a_long_text_is_cut_to_what_was_found(tmp_path: Path) -> None:
    with begin(tmp_path / "wordy") as campaign:
        campaign.process({"user_input": f"{'dust ' * 500}needle {'dust ' * 500}"})
        (text,) = told(campaign, "needle")
        assert "needle" in text
        assert text.startswith("...")
        assert text.endswith("...")
        assert len(text) < 700


@pytest.mark.parametrize(
    "asked",
    [
        {"query": ""},
        {"query": 7},
        {"query": "x" * 401},
        {"person": " "},
        {"place": ["area_001"]},
        {"thing": b"key"},
        {"query": "!?"},
        {"person": "..."},
        {"limit": 0},
        {"limit": 101},
        {"limit": True},
        {"before": -1},
        {"before": "7"},
        {"viewer": "gm"},
        {"viewer": None},
    ],
    ids=str,
)
def test_what_nothing_can_be_found_by_is_refused(evening: Campaign, asked: Any) -> None:
    with pytest.raises(BadRequest, match=r"must be|must hold|Viewer"):
        evening.recall(**{"viewer": GAME_MASTER, **asked})


# what a viewer does not know changes nothing

SECRETS = ["zorblax", "quuxel"]


def keep_secrets(path: Path, secret: str) -> Campaign:
    """Play the same turns with one secret or another wherever somebody may keep one."""
    vault = area("vault", "area_001") | {"name": f"{secret} vault"}
    spy = person("npc_009", name=f"{secret} spy", position="vault", character_type="enemy", hp=7)
    people = [*PEOPLE, spy]
    campaign = begin(path, documents(people, [HALL, YARD, vault], allowlist=["move", "hp_delta", "move_options"]))
    campaign.process(turn(hp_delta(-1, "npc_009", secret), dm_note=secret, x_note=secret))
    campaign.process(turn(call("nothing", text=secret), assistant_text="Nothing happens."))
    campaign.process(turn(assistant_text=f"Meanwhile the {secret} stirs.", agent="summarizer"))
    whispered = turn(assistant_text=f"{secret}!", speaker_id="npc_009", addressees=["npc_001"], private=True)
    campaign.process(whispered)
    campaign.process(turn(assistant_text=f"All see the {secret}."))
    campaign.undo()
    return campaign


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[Campaign]:
    folder = tmp_path_factory.mktemp("kept")
    return [keep_secrets(folder / str(number), secret) for number, secret in enumerate(SECRETS)]


NAMES = ["npc_009", "npc_001", "pc_001", "vault", "area_001", "Mira", "Hall", "spy", "nothing", "mira is", *SECRETS]
asked = st.fixed_dictionaries(
    {},
    optional={
        "query": st.sampled_from(NAMES),
        "person": st.sampled_from([*NAMES, *(f"{secret} spy" for secret in SECRETS)]),
        "place": st.sampled_from([*NAMES, *(f"{secret} vault" for secret in SECRETS)]),
        "thing": st.sampled_from(NAMES),
    },
)


@given(asked, st.sampled_from(OTHERS))
def test_what_a_viewer_does_not_know_changes_no_answer(kept: list[Campaign], asked: Json, viewer: Viewer) -> None:
    one, other = (campaign.recall(viewer=viewer, **asked) for campaign in kept)
    assert one == other
    assert not any(secret in json.dumps(one) for secret in SECRETS)


def test_the_game_master_finds_what_others_do_not(kept: list[Campaign]) -> None:
    for campaign, secret in zip(kept, SECRETS, strict=True):
        assert len(told(campaign, secret)) == 3
        assert len(told(campaign, person="npc_009")) == 2


def test_a_scene_game_is_told_by_its_events_for_each_viewer(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "night", "scenes", seed="night") as campaign:
        night.begin(campaign)
        night.play(campaign, night.ENGAGE)
        night.play(campaign, night.CHOOSE)
        (mira_id,) = campaign.state["campaign.json"]["selected"]["party_character_ids"]
        mira = Viewer.player(mira_id)
        mine = campaign.recall(viewer=mira)
        assert mine["matches"]
        assert night.HUSH not in json.dumps(mine)
        assert night.HUSH in json.dumps(list(campaign.records()))
        for viewer in (mira, PARTY, Viewer.player("")):
            assert told(campaign, night.HUSH, viewer) == []
        assert told(campaign, "rain skylight", mira)
