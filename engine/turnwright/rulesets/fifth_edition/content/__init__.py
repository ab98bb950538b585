"""Tools that read content: entries of packs by name."""
