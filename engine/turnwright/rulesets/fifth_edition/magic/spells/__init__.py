"""Spells by name: what an entry of content comes to, and how the engine carries it out."""
