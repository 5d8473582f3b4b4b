"""One folder per language: `grammar.toml`, `people.txt`, and spelling rules where the language needs them."""
