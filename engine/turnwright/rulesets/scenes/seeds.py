"""The seeds of an opening: places, factions, people and clocks, and the rules among them.

Source: docs/tools/scenes.md, "Starting a game".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from turnwright.model.base import Entry, Flag, ListOf, Model, SafeInt, Text
from turnwright.model.character import Character, Disposition
from turnwright.model.clock import SEGMENTS, Clock
from turnwright.model.intrigue import Attitude, Faction
from turnwright.model.location import Location
from turnwright.model.mood import Label, Said, Words
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason

PLAIN_ID = r"^[a-z0-9_-]{1,64}$"
SeedId = Annotated[Text, Field(json_schema_extra={"pattern": PLAIN_ID})]
"""An id that the opening assigns; it is validated when the opening is applied."""
_MAX_TOLD = 10


class NewLocation(Model):
    """A place."""

    id: SeedId | None = Field(default=None, description="Such as old-mill; generated if left out.")
    name: Label
    description: Words = ""
    controlled_by: Text | None = Field(default=None, description="Id of the faction that controls it.")
    features: ListOf[Said] = Field(
        default=(), description="Things that characters could use, hide behind or fall from."
    )

    def document(self, identifier: str) -> Location:
        """Return the place as a document."""
        return Location(
            id=identifier,
            name=self.name,
            description=self.description or None,
            controlled_by=self.controlled_by,
            features=self.features,
        )


class LocationSeed(NewLocation):
    """A place that other parts of the opening refer to."""

    id: SeedId = Field(description="Such as old-mill; other parts refer to it.")


class FactionSeed(Model):
    """Some people with one will."""

    id: SeedId = Field(description="Such as lampblacks; other parts refer to it.")
    name: Label
    attitude: Attitude = Field(default="neutral", description="Towards the crew.")
    goal: Said = Field(description="Its current goal.")
    secrets: ListOf[Said] = Field(default=(), description="Facts that only the faction knows.")

    def document(self) -> Faction:
        """Return the faction as a document."""
        secrets = [{"content": secret, "known_by": [self.id]} for secret in self.secrets]
        goals = [{"id": "goal-1", "description": self.goal}]
        return Faction.model_validate(
            {"id": self.id, "name": self.name, "attitude": self.attitude, "goals": goals, "secrets": secrets}
        )


class NpcSeed(Model):
    """A non-player character."""

    id: SeedId = Field(description="Such as mother-harrow; other parts refer to it.")
    name: Label
    faction: Text | None = Field(default=None, description="Id of the faction they belong to.")
    location: Text | None = Field(default=None, description="Id of the place where they usually are.")
    disposition: Disposition = Field(default="neutral", description="Towards the crew.")
    want: Said = Field(description="The goal of this person.")
    fear: Said | None = Field(default=None, description="The fear of this person.")
    knows: ListOf[Said] = Field(default=(), description="Secrets that they know.")
    voice_notes: Words | None = Field(default=None, description="The manner of speech.")

    def document(self) -> Character:
        """Return the person as a document."""
        value: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "character_type": "npc",
            "faction": self.faction,
            "disposition": self.disposition,
            "wants": [{"description": self.want, "urgency": "medium"}],
            "fears": [{"description": self.fear}] if self.fear else [],
            "knows": [{"content": secret, "known_by": [self.id]} for secret in self.knows],
            "location": self.location,
            "voice_notes": self.voice_notes,
        }
        return Character.model_validate({key: given for key, given in value.items() if given})


class ClockSeed(Model):
    """A clock that a card seeds: past and present become threats, the future a goal."""

    id: SeedId | None = Field(default=None, description="Generated if left out.")
    from_card: Literal["past", "present", "future"]
    name: Label
    segments: SafeInt = Field(description="How long it takes.", json_schema_extra={"enum": list(SEGMENTS)})
    filled: SafeInt | None = Field(
        default=None,
        description="Past and present: 1 or 2. Future: 0.",
        json_schema_extra={"minimum": 0, "maximum": 2},
    )
    consequence: Said = Field(description="2 or 3 sentences: the events when it is full.")
    visible: Flag = Field(default=True, description="false hides it from players.")
    forces_action: Flag | None = Field(
        default=None, description="Whether it interrupts a scene; null: only a threat does."
    )

    @property
    def type(self) -> Literal["threat", "goal"]:
        """The type of the clock."""
        return "goal" if self.from_card == "future" else "threat"

    @property
    def range_filled(self) -> tuple[int, int]:
        """The least and the most segments that are filled as the game begins."""
        return (0, 0) if self.type == "goal" else (1, 2)

    def document(self, identifier: str) -> Clock:
        """Return the clock as a document."""
        value = self.as_written | {"id": identifier, "type": self.type}
        value["filled"] = self.range_filled[0] if self.filled is None else self.filled
        return Clock.model_validate({key: value[key] for key in value if key != "from_card"})


class Faults:
    """Every fault of an opening. All of them are reported at once; the hint repairs the first."""

    def __init__(self, reason: Reason) -> None:
        """Begin without faults; `reason` is the reason of the failure if there are any."""
        self._reason = reason
        self._found: list[tuple[str, hint.Hint]] = []

    def add(self, field: str, wrong: str, repair: hint.Hint) -> None:
        """Add a fault of a field."""
        self._found.append((f"{field}: {wrong}", repair))

    def require_none(self) -> None:
        """Fail, if there is anything."""
        if not self._found:
            return
        told = [text for text, _ in self._found[:_MAX_TOLD]]
        if more := len(self._found) - len(told):
            told.append(f"and {more} more")
        raise CallFailed(self._reason, "; ".join(told), self._found[0][1])

    def count(self, field: str, items: Sequence[Any], low: int, high: int) -> None:
        """Note a list with too few items or too many."""
        if low <= len(items) <= high:
            return
        plain = [item.as_written if isinstance(item, Model) else item for item in items]
        wanted = str(low) if low == high else f"{low} to {high}"
        self.add(field, f"wants {wanted}, not {len(items)}", hint.ask(field, plain))

    def within(self, field: str, number: int, low: int, high: int) -> None:
        """Note a number out of its range."""
        if not low <= number <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            self.add(field, f"wants {wanted}", hint.ask(field, number))

    def ids(self, world: World, model: type[Entry], given: Sequence[tuple[str, str | None]]) -> None:
        """Add faults for ids that are invalid, duplicate or in use.

        Args:
            world: where they must be new.
            model: the kind of document.
            given: field and id of each; None for one that will be generated.
        """
        seen: set[str] = set()
        for field, identifier in given:
            if identifier is None:
                continue
            if wrong := _fault_of_id(world, model, identifier, seen):
                self.add(field, wrong, hint.ask(field, identifier))
            seen.add(identifier)

    def refers(self, field: str, identifier: str | None, known: Collection[str], kind: str) -> None:
        """Add a fault for a reference to a missing document."""
        if identifier is not None and identifier not in known:
            self.add(field, f"there is no {kind} {identifier}", hint.name(field, identifier, known))

    def no_repeats(self, field: str, names: Sequence[str]) -> None:
        """Add faults for duplicate names."""
        for place, name in enumerate(names):
            if name in names[:place]:
                self.add(f"{field}.{place}", f"{name} stands twice", hint.remove(f"{field}.{place}"))


def _fault_of_id(world: World, model: type[Entry], identifier: str, seen: Collection[str]) -> str | None:
    if not re.fullmatch(PLAIN_ID, identifier):
        return "wants 1 to 64 of a-z, 0-9, _ and -"
    if identifier in seen:
        return f"{identifier} stands twice"
    return f"{identifier} is in use" if world.get(model.path_of(identifier)) is not None else None
