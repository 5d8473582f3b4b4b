"""How a model behaves when the text changes: one module per measure. `base` describes what a measure is."""
