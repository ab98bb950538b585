"""The nine tools of a scene game."""
