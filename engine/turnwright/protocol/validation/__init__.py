"""Whether documents are sound: hand edits and imports are checked here, by the checker too."""
