"""What the party is asked to do, and what came of it."""
