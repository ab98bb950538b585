"""An agent's knowledge: people, places and the texts it heard."""
