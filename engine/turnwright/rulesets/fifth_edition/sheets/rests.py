"""The recovery of rests. Source: SRD 5.1, "Resting"."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.model.creature import Effect

_PENALTIES = ("attack_bonus", "saving_throw_bonus", "check_bonus")


def hit_dice_spent(asked: int, left: int) -> int:
    """Return how many of the requested hit dice can be spent."""
    return max(0, min(asked, left))


def hit_die_healing(face: int, con_modifier: int) -> int:
    """Return the hit points that one hit die restores; never less than 0."""
    return max(0, face + con_modifier)


def short_rest_healing(faces: Iterable[int], con_modifier: int) -> int:
    """Return the healing of all hit dice together, before the hit point maximum caps it."""
    return sum(hit_die_healing(face, con_modifier) for face in faces)


def hit_dice_after_long_rest(left: int, level: int) -> int:
    """Return the hit dice after a long rest: half of all are regained, at least one, and never more than the level."""
    return min(level, left + max(1, level // 2))


def faded(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Return effects after a long rest: penalties that wear off are reduced, and removed at 0."""
    kept = []
    for effect in effects:
        if effect.fades is None:
            kept.append(effect)
            continue
        left = {name: _nearer_to_zero(getattr(effect, name), effect.fades) for name in _PENALTIES}
        if any(left.values()):
            kept.append(effect.replace(**left))
    return tuple(kept)


def _nearer_to_zero(penalty: int | str, by: int) -> int | str:
    return min(0, penalty + by) if isinstance(penalty, int) else penalty
