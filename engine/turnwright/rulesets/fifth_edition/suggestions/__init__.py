"""What the fifth edition adds to suggestions: rules about fights, things, money, rests, checks and spells."""
