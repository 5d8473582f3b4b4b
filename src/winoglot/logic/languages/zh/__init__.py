"""Chinese needs no rules beside its table."""
