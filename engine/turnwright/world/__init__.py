"""What a tool reads and puts, and how the log becomes documents."""
