"""Claims of a narration, checked against the effects of a turn."""
