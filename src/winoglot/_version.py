"""The version of Winoglot."""

__version__ = "0.1.0"
