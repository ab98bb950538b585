"""Fights: participants, turn order and actions."""
