"""What one reader may see of a campaign now, as plain data and as what pictures are drawn from."""
