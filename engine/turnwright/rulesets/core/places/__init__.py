"""Places, the party and notes: rules and tools."""
