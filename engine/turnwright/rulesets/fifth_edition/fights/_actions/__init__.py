"""What each kind of action does: first what forbids it, then, as `Prepared.carry_out`, what it draws and changes."""
