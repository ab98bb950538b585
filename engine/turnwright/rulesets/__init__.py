"""Rule systems: their declarations, and the choice of those that a campaign uses."""
