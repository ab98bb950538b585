"""Coins: things that are counted as money.

Source: docs/stages/4-conflicts.md.
"""

from __future__ import annotations

_COINS = ("platinum", "gold", "electrum", "silver", "copper")
_SHORT = {"pp": "platinum", "gp": "gold", "ep": "electrum", "sp": "silver", "cp": "copper"}
_PIECES = ("piece", "pieces", "coin", "coins", *_SHORT)


def denomination(name: str) -> str | None:
    """Return which coin a thing of this name is, or None for no money: "Gold Piece", not "Gold Ring"."""
    words = name.lower().replace("(", " ").replace(")", " ").split()
    if len(words) == 1 and words[0] in _SHORT:
        return _SHORT[words[0]]
    coin = next((word for word in words if word in _COINS), None)
    rest = [word for word in words if word != coin]
    if rest == [] or (len(rest) == 1 and rest[0] in _PIECES):
        return coin or ("coin" if rest and rest[0].startswith("coin") else None)
    return None
