"""Keys that a tool does not know: which of its own each was meant for, and whether it is about somebody.

Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from turnwright.model.nearest import alike
from turnwright.stages.spelling import snake
from turnwright.tools.candidates import participant_ids, people_called
from turnwright.world.overlay import World

Takes = Callable[[str], bool]
"""Whether the value would do under another key."""

_ROLES = ("actor", "attacker", "caster", "giver", "owner", "target", "to_character", "victim")
_ANYBODY = ("character", "combatant", "creature", "hero", "npc", "participant", "pc", "person", "player", "who", "whom")
_PEOPLE = frozenset((*_ROLES, *_ANYBODY))
"""What the keys of people are called, but for `_id` and `_name`."""
_ALSO: Mapping[str, Sequence[str]] = {
    "amount": ("quantity",),
    "attack_damage": ("damage",),
    "dice": ("expression",),
    "new_level": ("target_level",),
    "notation": ("expression",),
    "spell_level": ("slot_level", "spell_slot"),
    "text": ("content",),
}
"""Keys that resemble none they mean."""


class Stray(NamedTuple):
    """A key that is not known where it stands.

    Attributes:
        key: as it was given.
        around: the object in which it stands.
        known: the keys that could stand there.
        world: where people are looked for; None where nobody is named by an argument.
    """

    key: str
    around: Mapping[str, Any]
    known: Sequence[str]
    world: World | None

    @property
    def stem(self) -> str:
        """The key without what tells ids from names."""
        return _stem(snake(self.key))

    @property
    def value(self) -> Any:
        """What was given under the key."""
        return self.around[self.key]


def _stem(key: str) -> str:
    return key.removesuffix("_id").removesuffix("_name")


def key_meant(stray: Stray, takes: Takes) -> str | None:
    """Return the known key that is absent and takes the value, where only one is meant, or None."""
    if stray.stem in _PEOPLE or (stray.stem == "name" and is_somebody(stray)):
        return _person_meant(stray, takes)
    absent = [name for name in stray.known if name not in stray.around and not _is_there(stray, _stem(name))]
    found = _one([name for name in alike(stray.key, absent) if takes(name)][:1], stray)
    things = [name for name in absent if _stem(name) not in _PEOPLE]
    return found or _one([name for name in _kin(snake(stray.key), things) if takes(name)], stray)


def is_about_somebody(stray: Stray) -> bool:
    """Return whether a value must not get lost, because it says who is meant."""
    return (stray.stem in _PEOPLE and isinstance(stray.value, (str, list))) or is_somebody(stray)


def is_somebody(stray: Stray) -> bool:
    """Return whether a value is the id or the name of a character, or of who is in a fight."""
    named = stray.value if isinstance(stray.value, list) else [stray.value]
    return any(_is_id(stray.world, each) or _is_name(stray.world, each) for each in named)


def _is_id(world: World | None, value: Any) -> bool:
    if world is None or not isinstance(value, str):
        return False
    return world.character(value) is not None or value in participant_ids(world)


def _is_name(world: World | None, value: Any) -> bool:
    return world is not None and isinstance(value, str) and bool(people_called(world, value))


def _person_meant(stray: Stray, takes: Takes) -> str | None:
    """Return the key of the person that is meant: the one called so, or the only one of all if nobody else is named."""
    own = [name for name in stray.known if name == stray.stem or name.startswith(f"{stray.stem}_")]
    stems = {_stem(name) for name in stray.known if _stem(name) != name} & _PEOPLE
    stem = stray.stem if own else next(iter(stems), "")
    others = [key for key in stray.around if key != stray.key and _stem(snake(key)) in _PEOPLE - {stem}]
    if _is_there(stray, stem) or (not own and (len(stems) > 1 or others)):
        return None
    pair = [name for name in stray.known if name in (f"{stem}_id", f"{stem}_name") and takes(name)]
    return _one(pair, stray)


def _is_there(stray: Stray, stem: str) -> bool:
    """Return whether the id or the name of this is given, by any key but the unknown one."""
    return any(f"{stem}{end}" in stray.around for end in ("", "_id", "_name") if f"{stem}{end}" != stray.key)


def _one(names: Sequence[str], stray: Stray) -> str | None:
    """Return the only one of some keys; an id and a name of the same count as one, which the value decides."""
    if len(names) == 2 and len(set(map(_stem, names))) == 1:
        is_id = _is_id(stray.world, stray.value)
        return next(name for name in names if name.endswith("_id") == is_id)
    return names[0] if len(names) == 1 else None


def _kin(key: str, names: Sequence[str]) -> list[str]:
    """Return what a key is a part of, is the whole word for, or stands for."""
    return [name for name in names if _is_kin(key, name)]


def _is_kin(key: str, name: str) -> bool:
    is_part = name.startswith(f"{key}_") or name.endswith(f"_{key}")
    return is_part or (len(name) == 3 and key.startswith(name)) or name in _ALSO.get(key, ())
