"""Edit distance: the number of letters to insert, delete or replace to turn one word into another."""

from __future__ import annotations


def edit_distance(left: str, right: str, most: int) -> int | None:
    """Return the Levenshtein distance, or None when it is greater than `most`.

    Letters that changed places cost 2: one is deleted and inserted again.
    """
    if abs(len(left) - len(right)) > most:
        return None
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, 1):
        line = [row]
        for column, other in enumerate(right, 1):
            line.append(min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != other)))
        if min(line) > most:
            return None
        above = line
    return above[-1] if above[-1] <= most else None
