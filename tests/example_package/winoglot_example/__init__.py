"""Plug-ins for Winoglot, one module each, announced in pyproject.toml."""
