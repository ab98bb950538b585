"""All conditions of one creature taken together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turnwright.model.vocabulary import Ability, ConditionName, DamageType
from turnwright.rulesets.fifth_edition.condition_rules import AttacksAgainst, Mechanics, mechanics_of
from turnwright.rulesets.fifth_edition.fights.advantage import Sources
from turnwright.rulesets.fifth_edition.space.grid.distance import CLOSE


@dataclass(frozen=True, slots=True)
class Impairment:
    """The combined effects of one creature's conditions.

    Methods take `fear_in_sight` if it matters whether the creature sees the source of its fear, and `seen` if it
    matters whether the other creature sees it although it may be invisible.

    Attributes:
        conditions: the effects of each, by its name, in order of arrival.
    """

    conditions: tuple[tuple[str, Mechanics], ...] = ()

    def own_attacks(self, *, fear_in_sight: bool = True, seen: bool = False) -> Sources:
        """Return the sources of advantage and disadvantage of the creature's own attacks."""
        helped = tuple(name for name, done in self._acting(seen) if done.attacks_with_advantage)
        return Sources(helped) + self._handicapped("attack_rolls", fear_in_sight=fear_in_sight)

    def attacks_against(self, distance: int, *, seen: bool = False) -> Sources:
        """Return the sources of advantage and disadvantage of attacks on the creature from a distance in feet."""
        how = [(name, _from_afar(done.attacks_against, distance)) for name, done in self._acting(seen)]
        return Sources(
            tuple(name for name, mode in how if mode == "advantage"),
            tuple(name for name, mode in how if mode == "disadvantage"),
        )

    def is_hit_critically(self, distance: int) -> bool:
        """Return whether any hit from a distance in feet is critical."""
        return distance <= CLOSE and any(done.critical_when_close for _, done in self.conditions)

    def checks(self, *, fear_in_sight: bool = True) -> Sources:
        """Return the sources of disadvantage of ability checks, including initiative."""
        return self._handicapped("ability_checks", fear_in_sight=fear_in_sight)

    def saves(self, ability: Ability) -> Sources:
        """Return the sources of disadvantage of saving throws of an ability."""
        hindered = self._handicapped("saving_throws")
        return hindered + self._handicapped("dex_saves") if ability == "dex" else hindered

    @property
    def auto_fail_saves(self) -> frozenset[Ability]:
        """Abilities whose saving throws fail."""
        return frozenset(ability for _, done in self.conditions for ability in done.auto_fail_saves)

    @property
    def incapacitated(self) -> bool:
        """Whether it can take neither actions nor reactions, nor concentrate."""
        return any(done.incapacitated for _, done in self.conditions)

    @property
    def cannot_move(self) -> bool:
        """Whether its speed is 0, regardless of bonuses."""
        return any(done.cannot_move for _, done in self.conditions)

    @property
    def can_only_crawl(self) -> bool:
        """Whether each foot it moves costs one more."""
        return any(done.can_only_crawl for _, done in self.conditions)

    @property
    def fails_sight(self) -> bool:
        """Whether its checks that need sight fail."""
        return any(done.fails_sight for _, done in self.conditions)

    @property
    def fails_hearing(self) -> bool:
        """Whether its checks that need hearing fail."""
        return any(done.fails_hearing for _, done in self.conditions)

    @property
    def dead(self) -> bool:
        """Whether one of them kills."""
        return any(done.dead for _, done in self.conditions)

    @property
    def resistances(self) -> frozenset[DamageType]:
        """Damage it takes half of."""
        return frozenset(kind for _, done in self.conditions for kind in done.resistances)

    @property
    def immunities(self) -> frozenset[DamageType]:
        """Damage it takes nothing of."""
        return frozenset(kind for _, done in self.conditions for kind in done.immunities)

    @property
    def condition_immunities(self) -> frozenset[ConditionName]:
        """Conditions it cannot get."""
        return frozenset(condition for _, done in self.conditions for condition in done.condition_immunities)

    def _acting(self, seen: bool) -> Iterator[tuple[str, Mechanics]]:
        return ((name, done) for name, done in self.conditions if not (seen and done.only_unseen))

    def _handicapped(self, roll: str, *, fear_in_sight: bool = True) -> Sources:
        hindered = (
            name
            for name, done in self.conditions
            if roll in done.disadvantage_on and (fear_in_sight or not done.only_in_sight_of_source)
        )
        return Sources(disadvantage=tuple(dict.fromkeys(hindered)))


def impairment(
    conditions: Iterable[tuple[ConditionName, int]], others: Iterable[tuple[str, Mechanics]] = ()
) -> Impairment:
    """Return the combined effects of conditions.

    Args:
        conditions: each with its exhaustion level (0 for others), in order of arrival.
        others: conditions outside the fifteen, by name, with their effects.
    """
    known = ((name, mechanics_of(name, level)) for name, level in conditions)
    return Impairment((*known, *others))


def _from_afar(attacks: AttacksAgainst, distance: int) -> AttacksAgainst:
    if attacks == "by_distance":
        return "advantage" if distance <= CLOSE else "disadvantage"
    return attacks
