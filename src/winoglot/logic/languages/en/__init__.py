"""English needs no rules beside its table."""
