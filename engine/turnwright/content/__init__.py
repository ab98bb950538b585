"""Content by name: packs of monsters, spells, items, races, classes and backgrounds. Data, never code.

Source: docs/content.md.
"""
