"""The game master loop: what each agent is sent, and how its answers become turns."""
