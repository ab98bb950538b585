"""The data files of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

from turnwright.model.data import load


def test_a_data_file_is_read_once() -> None:
    assert load("synonyms") is load("synonyms")


def test_what_is_shared_by_all_cannot_be_changed_by_one() -> None:
    synonyms = load("synonyms")
    with pytest.raises(TypeError):
        synonyms["ability"] = {}
    with pytest.raises(TypeError):
        synonyms["ability"]["str"] = ()
    assert type(synonyms["ability"]["str"]) is tuple


def test_a_file_that_does_not_exist_is_our_own_mistake() -> None:
    with pytest.raises(FileNotFoundError):
        load("no_such_file")


def test_a_word_given_exactly_or_in_another_case_costs_no_import_of_yaml() -> None:
    code = (
        "import sys\n"
        "from turnwright.model.fuzzy_words import match\n"
        "match('ability', 'str'), match('ability', ' STR ')\n"
        "assert not any(name.startswith('ruamel') for name in sys.modules)\n"
        "match('ability', 'strength')\n"
        "assert 'ruamel.yaml' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
