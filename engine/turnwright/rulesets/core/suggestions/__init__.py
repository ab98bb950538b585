"""What the core ruleset adds to suggestions: rules about quests, journeys and party members, and their tools."""
