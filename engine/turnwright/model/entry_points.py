"""The named extensions of installed distributions: entry points, read from their metadata.

A campaign, a setting or the command line only ever gives a *name*. It is looked up among the names that installed
distributions register; it is never a path, a module or an address. Nothing of a distribution is imported before its
name is asked for, and data is read without importing it at all. No distribution can take a name of turnwright's own, or
share one with another distribution: then the name means neither.

Source: docs/extending.md, "Names".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_PACKAGE = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LONGEST_FAULT = 200


class Group(StrEnum):
    """The groups of entry points that turnwright reads."""

    LANGUAGES = "turnwright.languages"
    """Language packs: the value is the package that holds the data."""
    RULESETS = "turnwright.rulesets"
    """Rule systems: the value is a `Ruleset`."""
    MODELS = "turnwright.models"
    """Model adapters: the value is a function that opens the model."""
    CONTENT = "turnwright.content"
    """Content packs: the value is the package that holds the data."""


@dataclass(frozen=True, slots=True)
class Extension:
    """One name that a distribution registers.

    Attributes:
        group: the group that it is registered in.
        name: its name in campaigns and messages.
        value: its declared object, `package` or `package.module:attribute`; not resolved yet.
        distribution: the name of the distribution.
        version: the version of the distribution.
    """

    group: Group
    name: str
    value: str
    distribution: str
    version: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


class ExtensionError(Exception):
    """An installed name that cannot be used; the message says why, and which distribution registers it."""


@cache
def installed(group: Group) -> Mapping[str, tuple[Extension, ...]]:
    """Return every name of a group with the distributions that register it, both sorted; read once in a process.

    Only metadata is read. A name with more than one distribution means none of them: `find` refuses it.
    """
    from importlib.metadata import entry_points  # most commands look up no name

    found: dict[str, list[Extension]] = {}
    for point in entry_points(group=group):
        distribution = point.dist
        name, version = (distribution.name, distribution.version) if distribution else ("?", "?")
        found.setdefault(point.name, []).append(Extension(group, point.name, point.value, name, version))
    rows = {name: tuple(sorted(found[name], key=lambda one: (one.distribution, one.value))) for name in sorted(found)}
    return MappingProxyType(rows)


def fault(group: Group, name: str, reserved: Collection[str]) -> str | None:
    """Return why an installed name cannot be used; None if it can be, or if it is not installed.

    Args:
        group: where the name is registered.
        name: the name.
        reserved: turnwright's own names, which no distribution can take.
    """
    claims = installed(group).get(name, ())
    if not claims:
        return None
    owners = " and ".join(map(str, claims))
    if name in reserved:
        return f"{owners} registers {name}, which is a name of turnwright's own; what it registers is not used"
    if len(claims) > 1:
        return f"{name} is registered more than once, by {owners}; none is used. Uninstall all but one"
    if not _NAME.fullmatch(name):
        return f"{claims[0]} registers {name!r}: a name has lower-case letters, digits, - and _"
    return None


def find(group: Group, name: str, reserved: Collection[str] = ()) -> Extension | None:
    """Return what is installed under a name; None where nothing is, or where the name is one of `reserved`.

    Raises:
        ExtensionError: when several distributions register the name, or when it has no proper form.
    """
    if name in reserved or name not in installed(group):
        return None
    if wrong := fault(group, name, reserved):
        raise ExtensionError(wrong)
    return installed(group)[name][0]


def imported(extension: Extension) -> object:
    """Return the object that the value of an extension names; this imports and runs code of its distribution.

    Raises:
        ExtensionError: when it cannot be imported, whatever is wrong with it.
    """
    from importlib.metadata import EntryPoint

    try:
        loaded: object = EntryPoint(extension.name, extension.value, extension.group).load()
    except (Exception, SystemExit) as error:  # whatever the code of another distribution does
        raise failed(extension, error) from error
    return loaded


def unusable(extension: Extension, why: str) -> ExtensionError:
    """Return the error to raise where what a distribution registers cannot be used; the message names it."""
    return ExtensionError(f"{extension.name} of {extension} cannot be used: {why}")


def failed(extension: Extension, error: BaseException) -> ExtensionError:
    """Return the error to raise where code or data of a distribution raised one; the message names both."""
    return unusable(extension, f"{type(error).__name__}: {error}"[:_LONGEST_FAULT])


def data_of(extension: Extension) -> Traversable:
    """Return the folder of the package that the value of an extension names, without running any code of it.

    The package is one of the top level. It is found as an import would find it, and its module is made but never run.

    Raises:
        ExtensionError: when the value names no such package.
    """
    from importlib import resources
    from importlib.util import find_spec, module_from_spec

    if not _PACKAGE.fullmatch(extension.value):
        raise ExtensionError(
            f"{extension.name} of {extension} must name a package, without dots; got {extension.value!r}"
        )
    try:
        spec = find_spec(extension.value)
        if spec is None or spec.submodule_search_locations is None:
            raise ModuleNotFoundError(f"there is no package {extension.value}")
        if spec.origin is None:  # a namespace package: any folder of that name on the path would be part of it
            raise ModuleNotFoundError(f"the package {extension.value} has no __init__.py")
        return resources.files(module_from_spec(spec))
    except (ImportError, ValueError, TypeError, OSError) as error:
        raise failed(extension, error) from error
