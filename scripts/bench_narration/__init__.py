"""How well the check of narrations tells honest texts from lies, measured on texts that were labeled by hand."""
