"""Runs: one solver on one collection, stored as it goes, resumable; what it predicted and how well."""
