"""Tool suggestions for a message: rules, ranking and the block for the prompt."""
