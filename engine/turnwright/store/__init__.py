"""The campaign directory: files, log, checkpoint, drop folder."""
