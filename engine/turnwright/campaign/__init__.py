"""A campaign directory: opened, read, written to, begun, forked and watched."""
