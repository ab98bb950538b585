"""The game master loop: build each agent's input, and turn its answers into turns."""
