"""Dice: their notation, its rolls, and the draws that a secret gives."""
