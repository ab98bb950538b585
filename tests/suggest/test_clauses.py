import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.language.clauses import Clause, ClauseKind, analyse
from turnwright.language.lexicon import Adverbs, Lexicon, Phrases, lexicon
from turnwright.language.tokens import MAX_READ_LENGTH, words_of

K = ClauseKind


def english() -> Lexicon:
    words = lexicon("en")
    assert words is not None
    return words


def clauses(text: str, names: frozenset[str] = frozenset(), tools: frozenset[str] = frozenset()) -> list[Clause]:
    return list(analyse(text, english(), names, tools).clauses)


def norms(clause: Clause) -> str:
    return " ".join(word.norm for word in clause.words)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Mira falls.", [K.COMMIT]),
        ("Mira falls. Bran runs!", [K.COMMIT, K.COMMIT]),
        ("Does Mira fall?", [K.QUESTION]),
        ("Who falls", [K.QUESTION]),
        ("Mira falls — what do you do?", [K.COMMIT, K.QUESTION]),
        ("If the rope snaps, Mira falls.", [K.HYPOTHETICAL]),
        ("If the rope snaps, it whips back and hits Mira.", [K.HYPOTHETICAL, K.HYPOTHETICAL]),
        ("Mira falls and asks if it hurts.", [K.COMMIT, K.HYPOTHETICAL]),
        ("Mira could fall and break a leg.", [K.HYPOTHETICAL, K.HYPOTHETICAL]),
        ("Mira could fall, but Bran holds her.", [K.HYPOTHETICAL, K.COMMIT]),
        ("Mira will fall.", [K.FUTURE]),
        ("Mira falls tomorrow.", [K.FUTURE]),
        ("Yesterday Mira fell and broke a leg.", [K.PAST, K.PAST]),
        ("Mira has fallen.", [K.PAST]),
        ("Mira fell.", [K.COMMIT]),
        ("At once Mira falls.", [K.COMMIT]),
        ("Mira once fell.", [K.PAST]),
        ("Mira staggers as if she falls.", [K.COMMIT, K.HYPOTHETICAL]),
        ("Bran runs (Mira falls) home.", [K.COMMIT, K.META]),
        ("(Mira falls.)", [K.META, K.COMMIT, K.META]),
        ("OOC: Mira falls. Just kidding.", [K.COMMIT, K.COMMIT]),
        ("/mira falls. Bran runs.", [K.META, K.COMMIT]),
        ("What comes: Mira falls.", [K.QUESTION, K.COMMIT]),
        ("Remember: Mira falls.", [K.COMMIT, K.COMMIT]),
        ("You will see this: Mira falls.", [K.FUTURE, K.COMMIT]),
        ("What would come: Mira falls.", [K.QUESTION]),
        ("If you stay: Mira falls.", [K.HYPOTHETICAL]),
        ("Mira falls!?", [K.COMMIT]),
        ("Does Mira fall?!", [K.QUESTION]),
        ("Mira falls, doesn't she?", [K.COMMIT, K.QUESTION]),
        ("Mira falls, what do you do?", [K.COMMIT, K.QUESTION]),
        ("Mira falls?", [K.QUESTION]),
        ("Bran, who would never run, falls.", [K.COMMIT, K.HYPOTHETICAL]),
        ("Suddenly, perhaps too late to matter, Bran falls.", [K.COMMIT, K.HYPOTHETICAL]),
        ("Bran, perhaps, falls.", [K.HYPOTHETICAL]),
        ("With a roar that might wake the dead, Bran falls.", [K.COMMIT, K.COMMIT]),
        ("Mira falls, and would fall again.", [K.COMMIT, K.HYPOTHETICAL]),
        ("Mira falls, but if Bran runs, he lives.", [K.COMMIT, K.HYPOTHETICAL]),
        ("Mira falls, but only if Bran runs.", [K.HYPOTHETICAL, K.HYPOTHETICAL]),
        ('"Mira falls."', [K.SPEECH]),
        ('Bran says: "Mira falls."', [K.COMMIT, K.QUOTED]),
        ("‘Mira falls,’ says Bran.", [K.QUOTED, K.COMMIT]),
        ("The goblins' axes don't hit.", [K.COMMIT]),
    ],
)
def test_a_clause_has_the_kind_its_words_give_it(text: str, kinds: list[ClauseKind]) -> None:
    assert [clause.kind for clause in clauses(text)] == kinds


def test_a_sentence_that_speaks_of_a_tool_is_meta() -> None:
    tools = frozenset({"hp_delta", "move"})
    assert [c.kind for c in clauses("I use hp_delta, then Mira falls.", tools=tools)] == [K.META, K.META]
    assert [c.kind for c in clauses("I call `move` here.", tools=tools)] == [K.META]
    assert [c.kind for c in clauses("You move here.", tools=tools)] == [K.COMMIT]


def test_an_and_splits_only_before_a_new_verb() -> None:
    assert [norms(c) for c in clauses("Mira and Bran take bread and water and run home.")] == [
        "mira and bran take bread and water",
        "and run home",
    ]


def test_a_clause_without_subject_knows_that_it_continues() -> None:
    assert [c.elided for c in clauses("Mira falls and breaks a leg, but Bran runs.")] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "word", "denied"),
    [
        ("Mira does not fall", "fall", True),
        ("Mira doesn't fall", "fall", True),
        ("Mira falls, not Bran", "falls", False),
        ("Nobody falls", "falls", True),
        ("No, Mira falls", "falls", False),
        ("Mira not only falls", "falls", False),
        ("Without warning Mira falls", "falls", False),
        ("Without a rope, Mira falls", "falls", False),
        ("The rope does not hold, Mira falls", "falls", False),
        ("Mira almost falls", "falls", True),
        ("Bran says that Mira falls", "falls", True),
        ("Mira falls, says Bran", "falls", True),
        ("Mira falls, Bran says", "falls", True),
    ],
)
def test_a_denial_reaches_to_the_end_of_its_clause_and_no_further(text: str, word: str, denied: bool) -> None:
    found = [(c, i) for c in clauses(text, frozenset({"mira"})) for i, w in enumerate(c.words) if w.norm == word]
    assert [clause.is_denied(at) for clause, at in found] == [denied]


def test_a_denial_is_shared_by_a_verb_that_leans_on_it_only() -> None:
    shared = clauses("Mira does not fall and break a leg.")[1]
    own = clauses("Mira does not fall and breaks the rope.")[1]
    assert shared.is_denied(1)
    assert not own.is_denied(1)


def test_a_name_is_a_name_whatever_else_it_could_mean() -> None:
    assert [c.kind for c in clauses("May falls.", frozenset({"may"}))] == [K.COMMIT]
    assert [c.kind for c in clauses("May falls.")] != [K.COMMIT]


def test_a_wrapped_line_goes_on_and_a_new_line_does_not() -> None:
    assert [c.kind for c in clauses("If the rope snaps\nyou fall.")] == [K.HYPOTHETICAL]
    assert [c.kind for c in clauses("If the rope snaps,\nMira falls.")] == [K.HYPOTHETICAL]
    assert [c.kind for c in clauses("Perhaps.\nYou fall.")] == [K.HYPOTHETICAL, K.COMMIT]


def test_a_list_under_an_offer_is_offered_until_the_next_blank_line() -> None:
    kinds = [c.kind for c in clauses("You could:\n- you run\n- you hide\n\nMira falls.")]
    assert kinds == [K.HYPOTHETICAL, K.HYPOTHETICAL, K.HYPOTHETICAL, K.COMMIT]


def test_of_a_long_text_whole_sentences_of_both_ends_are_read() -> None:
    text = "Mira falls. " + "Bran runs over the hill. " * 2000 + "Lia sits."
    analysis = analyse(text, english())
    assert analysis.truncated
    assert (norms(analysis.clauses[0]), norms(analysis.clauses[-1])) == ("mira falls", "lia sits")
    assert {norms(c) for c in analysis.clauses[1:-1]} == {"bran runs over the hill"}
    assert all(
        c.words[-1].end <= MAX_READ_LENGTH // 2 or c.words[0].start >= len(text) - MAX_READ_LENGTH // 2
        for c in analysis.clauses
    )


def test_a_text_of_many_windows_is_read_in_full() -> None:
    text = "Bran runs. " * (MAX_READ_LENGTH // 11)
    analysis = analyse(text, english())
    assert not analysis.truncated
    assert len(analysis.clauses) == MAX_READ_LENGTH // 11


@given(st.text(max_size=400))
def test_offsets_are_those_of_the_text_as_given(text: str) -> None:
    for word in words_of(text):
        assert text[word.start : word.end].strip() or text[word.start : word.end] == "\n"
    seen = [w for c in clauses(text) for w in c.words]
    assert all(0 <= w.start <= w.end <= len(text) for w in seen)


SOUP = """Mira you and not if , . ! ? — - ( ) takes would ago says that ' [ ] { " """
PIECES = [*SOUP.split(), "\n"]


@given(st.lists(st.sampled_from(PIECES)))
def test_no_word_is_in_two_clauses(parts: list[str]) -> None:
    spans = [(w.start, w.end) for c in clauses(" ".join(parts)) for w in c.words if w.start < w.end]
    assert len(spans) == len(set(spans))


def test_only_languages_with_word_lists_have_a_lexicon() -> None:
    assert lexicon("en") is lexicon("en-GB")
    assert lexicon("xx") is None
    assert lexicon("../en") is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("five", 5),
        ("twenty", 20),
        ("twenty-three", 23),
        ("twenty-ten", None),
        ("17", 17),
        ("１７", 17),
        ("1,200", 1200),
        ("1,2", None),
        ("2d6", None),
        ("9" * 5000, None),
    ],
)
def test_a_number_is_read_in_digits_and_words(text: str, number: int | None) -> None:
    (word,) = words_of(text)
    assert english().number(word) == number


def test_adverbs_between_two_words_of_a_phrase_change_nothing() -> None:
    adverbs = Adverbs(endings=("wise",), shortest=6, in_phrases=frozenset({"so"}))
    phrases = Phrases(["stand fast"], {}, adverbs)
    assert phrases.find(words_of("we stand so likewise fast")) == [(1, 5)]
    assert phrases.find(words_of("we stand wise fast")) == []
    assert phrases.find(words_of("we stand barely fast")) == []
    assert Phrases(["stand fast"], {}, Adverbs()).find(words_of("we stand so fast")) == []


def test_phrases_look_behind_and_ahead_without_taking_what_they_see() -> None:
    phrases = Phrases(["^|we ignore the? rules $|now"], {}, Adverbs())
    assert phrases.find(words_of("ignore rules")) == [(0, 2)]
    assert phrases.find(words_of("we ignore the rules, friend")) == [(1, 4)]
    assert phrases.find(words_of("we ignore the rules now")) == [(1, 4)]
    assert phrases.find(words_of("you ignore the rules")) == []
    assert phrases.find(words_of("ignore the rules of chess")) == []
