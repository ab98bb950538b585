"""Fights: who is in them, whose turn it is, and what they do."""
