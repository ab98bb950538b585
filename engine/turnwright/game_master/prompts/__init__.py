"""Prompts: what each agent is shown, within its token budget."""
