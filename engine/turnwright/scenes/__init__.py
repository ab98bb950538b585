"""The machinery of a scene game: what tools, outputs and answers do to its documents."""
