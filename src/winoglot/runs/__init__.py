"""Runs: one solver on one collection, stored as it proceeds and resumable; what it predicted, and how well."""
