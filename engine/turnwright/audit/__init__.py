"""The checks of `verify`: the log, the checkpoint, and the files derived from the log."""
