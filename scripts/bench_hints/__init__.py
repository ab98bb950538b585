"""How good the hints of failed calls are, measured on calls that were spoiled."""
