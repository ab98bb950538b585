"""Belongings: rules and tools."""
