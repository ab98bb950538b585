"""Stage 0: what a model is given before a turn: tools, legal calls, the snapshot for suggestions."""
