"""Magic: slots, concentration, scrolls, auras, improvised spells."""
