"""One folder per language. Its `__init__.py` provides `WORDS`, the language's `FunctionWords`.

The folder is named after the language tag (`pt`, or `pt_pt` if a region needs its own).
"""
