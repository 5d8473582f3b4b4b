"""One module a family of models; its name is the family's. It offers `load(location)`, which returns a solver."""
