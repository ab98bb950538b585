"""Stage 6: the reply, and what each viewer may see of it."""
