"""One module a group of commands; each parses, calls one function and prints."""
