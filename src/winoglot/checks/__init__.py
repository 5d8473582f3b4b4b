"""One module a rule; its name is the rule's code. A rule offers

- `check(collection: Collection, context: Context) -> Iterable[Finding]`: what it finds wrong
- `SEVERITY`: `error` (not a proper schema) or `warning` (look at it)

A rule that needs something it was not given raises `NotRun`.
"""
