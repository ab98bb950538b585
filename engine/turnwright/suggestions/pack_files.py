"""Find the language packs: English in turnwright itself, each other one in a distribution that registers it.

A distribution registers its language codes in the entry point group `turnwright.languages`; each value names the
package that holds `<code>.yaml`. The package is never imported: a pack is data. Source: docs/languages.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from turnwright.model.entry_points import ExtensionError, Group, data_of, fault, find

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BUILT_IN = ("en",)
"""The languages of turnwright itself, which no distribution can replace."""
COMPANION = "turnwright-languages"
"""The distribution with the other packs of this project."""
OF_COMPANION = ("de", "es", "fr", "ja", "pt", "ru", "zh")
"""The languages in it."""
RECOGNIZED = (*BUILT_IN, *OF_COMPANION)
"""The languages whose signs turnwright knows; a pack of another language brings its own."""
COMPILED_FOLDER = "made"
"""The folder beside the packs with the compiled ones, which are made when a distribution is built."""


class PackFiles(NamedTuple):
    """The files of one pack.

    Attributes:
        language: the code under which it is installed.
        folder: the folder that holds them.
        name: the pack's file, as errors name it.
        owner: the distribution that registers it, with its version; empty where none does.
    """

    language: str
    folder: Traversable
    name: str
    owner: str = ""

    def __str__(self) -> str:
        return f"the language pack {self.name}" + (f" of {self.owner}" if self.owner else "")

    @property
    def file(self) -> Traversable:
        """The YAML file."""
        return self.folder.joinpath(f"{self.language}.yaml")

    def text(self) -> str:
        """Return what the YAML file holds.

        Raises:
            ExtensionError: when it cannot be read.
        """
        try:
            return self.file.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ExtensionError(f"{self} cannot be read: {error}") from error

    def compiled(self) -> str | None:
        """Return what the compiled file holds; None where there is none that can be read."""
        try:
            return self.folder.joinpath(COMPILED_FOLDER, f"{self.language}.json").read_text(encoding="utf-8")
        except (OSError, ValueError):
            return None


def primary(language: str) -> str:
    """Return the code of a language without its region: `en` of `en-GB` and `EN_us`."""
    return language.replace("_", "-").partition("-")[0].lower()


def files_of(language: str) -> PackFiles | None:
    """Return the files of the pack of a language code; None where none is installed.

    Raises:
        ExtensionError: when several distributions register the language, or the one that does has no such package.
    """
    if language in BUILT_IN:
        folder = resources.files("turnwright").joinpath("data", "suggest")
        return PackFiles(language, folder, f"suggest/{language}.yaml")
    extension = find(Group.LANGUAGES, language, BUILT_IN)
    if extension is None:
        return None
    return PackFiles(language, data_of(extension), f"{extension.value}/{language}.yaml", str(extension))


def language_fault(language: str) -> str | None:
    """Return why a language that a campaign names has no pack, and what to do; None where it has one.

    Only metadata and the names of files are looked at.
    """
    code = primary(language)
    if code in BUILT_IN:
        return fault(Group.LANGUAGES, code, BUILT_IN)
    try:
        files = files_of(code)
        if files is not None:
            return None if files.file.is_file() else f"{files} is missing"
    except ExtensionError as error:
        return str(error)
    told = f"no language pack {code} is installed, so messages in it get hints from the state alone"
    if code in OF_COMPANION:
        return f"{told}; {COMPANION} has it: pip install ./languages, in a checkout of turnwright"
    others = ", ".join(RECOGNIZED)
    return (
        f"{told}. turnwright and {COMPANION} have {others}; another one registers its packs as docs/languages.md says"
    )


def language_faults(languages: Iterable[str]) -> Iterator[str]:
    """Yield why languages that a campaign names have no pack, one sentence for each."""
    for language in dict.fromkeys(map(primary, languages)):
        if told := language_fault(language):
            yield told
