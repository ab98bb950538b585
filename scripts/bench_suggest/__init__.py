"""How good the hints are, measured on messages that were labeled by hand."""
