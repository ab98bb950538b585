"""What `verify` looks at: the log, the checkpoint, and the files that follow the log."""
