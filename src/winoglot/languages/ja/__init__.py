"""Japanese: pronouns only, so far."""
