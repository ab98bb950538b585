"""The Stage 3 tools: they act as the acting character."""
