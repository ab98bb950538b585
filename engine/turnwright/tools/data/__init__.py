"""The campaign beside the fights: places, the party, belongings, notes."""
