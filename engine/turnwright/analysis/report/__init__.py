"""What was suggested, called, refused and claimed in campaigns: counted from their logs and telemetry."""
