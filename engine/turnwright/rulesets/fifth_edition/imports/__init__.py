"""Characters in files: sheets of our own, Foundry VTT actors, D&D Beyond characters, tables; out and in."""
