"""Characters: their sheets, their rolls, their rests."""
