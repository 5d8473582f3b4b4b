"""Models trained from a corpus: one loop, a recipe for each model of the papers.

`loop.train` makes a model's folder, `trained.load_trained` opens it.
"""
