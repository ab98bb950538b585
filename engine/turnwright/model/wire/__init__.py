"""The wire formats: turns, replies, records, reasons and hints."""
