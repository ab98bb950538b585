"""How good the hints are, measured on messages that were labelled by hand."""
