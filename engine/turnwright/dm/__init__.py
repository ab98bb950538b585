"""What a game master that is a model is given: its voice, the state of the game, and what to hand in."""
