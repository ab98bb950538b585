"""The tools of the ruleset, one module each."""
