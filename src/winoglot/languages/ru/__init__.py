"""Russian: pronouns only, so far."""
