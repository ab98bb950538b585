"""Space: distances, areas, sight, cover, props, ways."""
