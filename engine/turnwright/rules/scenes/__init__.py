"""The arithmetic of the scene game: plain values and functions that know no documents."""
