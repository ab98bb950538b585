"""Each kind of action: first its checks, then, as `Prepared.carry_out`, its rolls and changes."""
