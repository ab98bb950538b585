"""Stage 0: build a model's input before a turn: tools, legal calls, the snapshot for suggestions."""
