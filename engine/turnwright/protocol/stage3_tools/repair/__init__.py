"""Infer what a failed call meant: the hints that repair it. Valid calls never get here."""
