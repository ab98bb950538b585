"""What an agent may know: people, places and what was said within its hearing."""
