"""What goes over the wire: turns, replies, records, reasons and hints."""
