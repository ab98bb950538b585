"""Quests: tasks that the party is asked to do, and their outcomes."""
