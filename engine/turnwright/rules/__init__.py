"""Pure arithmetic that tools share."""
