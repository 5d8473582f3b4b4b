"""One module a family of models, which names it. It offers `load(location, options)`, which returns a solver."""
