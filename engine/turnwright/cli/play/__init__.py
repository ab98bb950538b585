"""The command `play`: a session at the terminal."""
