"""Stage 3: authorize, parse and apply each call of a turn."""
