"""Rule systems: what each declares, and which ones a campaign uses."""
