"""One module per family of models, named after it. It offers `load(location, options)`, which returns a solver."""
