"""What the core ruleset adds to suggestions: rules about quests, ways and who comes along, and their tools."""
