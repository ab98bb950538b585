"""Names that installed distributions register: read from metadata, with one owner each, imported on use."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.distributions import Distributions

from turnwright.model.entry_points import ExtensionError, Group, data_of, fault, find, imported, installed

MARK = "raise RuntimeError('nobody may import this')\n"


def test_names_are_read_from_metadata_alone(distributions: Distributions) -> None:
    distributions.install("a-dist", Group.MODELS, {"one": "a_dist_code:open"}, {"a_dist_code.py": MARK})
    found = installed(Group.MODELS)["one"]
    assert [(one.name, one.value, str(one)) for one in found] == [("one", "a_dist_code:open", "a-dist 1.0")]
    assert "a_dist_code" not in sys.modules


def test_another_group_has_other_names(distributions: Distributions) -> None:
    distributions.install("a-dist", Group.MODELS, {"one": "a_dist_code:open"})
    assert find(Group.LANGUAGES, "one") is None


def test_a_name_of_turnwright_itself_cannot_be_taken(distributions: Distributions) -> None:
    distributions.install("a-dist", Group.MODELS, {"echo": "a_dist_code:open"})
    assert find(Group.MODELS, "echo", {"echo"}) is None
    told = fault(Group.MODELS, "echo", {"echo"})
    assert told == "a-dist 1.0 registers echo, which is a name of turnwright's own; what it registers is not used"


def test_a_name_of_two_distributions_means_neither(distributions: Distributions) -> None:
    distributions.install("b-dist", Group.MODELS, {"one": "b_dist_code:open"})
    distributions.install("a-dist", Group.MODELS, {"one": "a_dist_code:open"})
    with pytest.raises(
        ExtensionError, match=r"^one is registered more than once, by a-dist 1\.0 and b-dist 1\.0; none"
    ):
        find(Group.MODELS, "one")


@pytest.mark.parametrize("name", ["UPPER", "a.b", "../up", "ü"])
def test_a_name_has_a_plain_form(name: str, distributions: Distributions) -> None:
    distributions.install("a-dist", Group.MODELS, {name: "a_dist_code:open"})
    with pytest.raises(ExtensionError, match=r"^a-dist 1\.0 registers .*: a name has lower-case letters"):
        find(Group.MODELS, name)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise KeyError('lost')\n", "KeyError: 'lost'"),
        ("import sys; sys.exit(3)\n", "SystemExit: 3"),
        ("x = 1\n", "AttributeError"),
        ("def f(:\n", "SyntaxError"),
    ],
)
def test_code_that_cannot_be_imported_is_told_with_its_distribution(
    code: str, told: str, distributions: Distributions, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributions.install("a-dist", Group.MODELS, {"one": "broken_code:open_it"}, {"broken_code.py": code})
    monkeypatch.delitem(sys.modules, "broken_code", raising=False)
    extension = find(Group.MODELS, "one")
    assert extension is not None
    with pytest.raises(ExtensionError, match=r"^one of a-dist 1\.0 cannot be used: ") as caught:
        imported(extension)
    assert told in str(caught.value)


def test_a_module_that_is_not_there_is_told_with_its_distribution(distributions: Distributions) -> None:
    distributions.install("a-dist", Group.MODELS, {"one": "no_such_module_here:open"})
    extension = find(Group.MODELS, "one")
    assert extension is not None
    with pytest.raises(ExtensionError, match=r"^one of a-dist 1\.0 cannot be used: ModuleNotFoundError"):
        imported(extension)


def test_data_is_read_without_running_the_code_beside_it(distributions: Distributions) -> None:
    files = {"a_data_package/__init__.py": MARK, "a_data_package/tlh.yaml": "language: tlh\n"}
    distributions.install("a-dist", Group.LANGUAGES, {"tlh": "a_data_package"}, files)
    extension = find(Group.LANGUAGES, "tlh")
    assert extension is not None
    assert data_of(extension).joinpath("tlh.yaml").read_text(encoding="utf-8") == "language: tlh\n"
    assert "a_data_package" not in sys.modules


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("a_package.inner", "must name a package, without dots"),
        ("a_package:attribute", "must name a package, without dots"),
        ("../elsewhere", "must name a package, without dots"),
        ("https://example.org/x", "must name a package, without dots"),
        ("no_such_package_here", "there is no package"),
        ("a_module", "there is no package"),
        ("a_namespace", "the package a_namespace has no __init__.py"),
        ("sys", "there is no package"),
    ],
)
def test_data_is_that_of_an_installed_package_and_nothing_else(
    value: str, told: str, distributions: Distributions
) -> None:
    files = {"a_module.py": MARK, "a_namespace/tlh.yaml": "language: tlh\n"}
    distributions.install("a-dist", Group.LANGUAGES, {"tlh": value}, files)
    extension = find(Group.LANGUAGES, "tlh")
    assert extension is not None
    with pytest.raises(ExtensionError, match=r"^tlh of a-dist 1\.0") as caught:
        data_of(extension)
    assert told in str(caught.value)


def test_no_metadata_is_read_before_a_name_is_asked_for() -> None:
    program = "import sys, turnwright.model.entry_points; print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
