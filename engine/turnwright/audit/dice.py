"""The dice of a log, thrown again with its secrets.

Source: docs/stages/5-commit.md, "Dice".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from turnwright.model.dice.draws import face, real, uniform

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record


class DiceAudit:
    """The dice so far.

    Attributes:
        draws: how many draws there were, and `unchecked` of them for want of the secret.
        secrets: the record from which on a secret holds, and its SHA-256.
    """

    def __init__(self, secrets: Mapping[str, bytes] | None) -> None:
        """Begin before the first record.

        Args:
            secrets: the dice secrets by their SHA-256, or None where they are missing.
        """
        self.draws = self.unchecked = 0
        self.secrets: list[tuple[int, str]] = []
        self._known = secrets

    def take_secret(self, record: Record) -> str | None:
        """Switch to the secret that a record names; return the problem if that secret is missing."""
        seq, digest = record["seq"], record["secret_sha256"]
        self.secrets.append((seq, digest))
        if self._known is None or digest in self._known:
            return None
        return f"holds no secret with the SHA-256 that record {seq} speaks of"

    def faults(self, record: Record, number: int) -> Iterator[str]:
        """Compare each face with the one that the secret gives under the number of the record or first attempt."""
        drawn, secret, is_closed = Counter[int](), self._secret_at(number), record["kind"] != "attempt"
        for draw in record["draws"]:
            part, sides, value = draw["part"], draw["sides"], draw["value"]
            label = f"{number}/{part}/{draw['draw']}"
            # An attempt holds only what was given; the engine's draws between are made again.
            if draw["draw"] != drawn[part] and (is_closed or draw["draw"] < drawn[part]):
                yield f"the draw {label} is not the next one of its part"
            drawn[part] = draw["draw"] + 1
            self.draws += is_closed  # an attempt's are counted where its turn is closed
            if draw["given"]:
                if sides is not None and not 1 <= value <= sides:
                    yield f"the draw {label} was given as {value} on a die of {sides} sides"
            elif secret is None:
                self.unchecked += 1
            elif value != (due := _due(uniform(secret, label), sides)):
                yield f"the draw {label} ({draw['why']}) shows {value}; the secret gives {due}"

    def _secret_at(self, number: int) -> bytes | None:
        """Return the secret in use when a record was made; None if it is missing."""
        digest = next((digest for seq, digest in reversed(self.secrets) if seq <= number), "")
        return self._known.get(digest) if self._known else None


def _due(number: int, sides: int | None) -> float:
    return real(number) if sides is None else face(number, sides)
