"""One folder per language: `grammar.toml`, `people.txt`, `places.txt`, and spelling rules if it needs them."""
