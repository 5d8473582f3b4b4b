"""One folder a language. A folder's `__init__.py` offers `WORDS`, its `FunctionWords`.

The name of the folder is the language's tag (`pt`, or `pt_pt` where a region needs its own).
"""
