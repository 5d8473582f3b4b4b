"""The parts of the readable page that `formats/html.py` puts together."""
