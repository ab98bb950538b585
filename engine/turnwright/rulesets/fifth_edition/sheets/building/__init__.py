"""Characters made from entries of content: race, class and background to a whole sheet.

Source: docs/toolkit.md, "Characters from content".
"""
