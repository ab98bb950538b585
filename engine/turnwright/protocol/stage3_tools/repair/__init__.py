"""What a failed call meant: the hints that repair it. No good call enters here."""
