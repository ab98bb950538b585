"""A campaign for programs in any language: JSON lines in, JSON lines out, one process for a whole session.

Source: docs/other-languages.md.
"""
