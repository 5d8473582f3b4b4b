"""Experiments: one file says what is evaluated and reported; a lock file says what came out, and with what."""
