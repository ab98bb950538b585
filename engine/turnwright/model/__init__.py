"""The nouns of the protocol: frozen values, no I/O."""
