"""What a scene game adds to suggestions: its transitions, each in its own mood."""
