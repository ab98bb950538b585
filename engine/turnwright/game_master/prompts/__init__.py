"""Prompts: each agent's input, within its token budget."""
