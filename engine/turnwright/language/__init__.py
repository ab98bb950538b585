"""Reading text: tokens, clauses, grammar, and the words of each language."""
