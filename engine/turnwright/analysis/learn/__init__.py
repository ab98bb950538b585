"""Rules of suggestion proposed from what was played, for a person to judge."""
