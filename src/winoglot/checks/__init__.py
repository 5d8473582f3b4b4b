"""One module a rule; its name is the rule's. A rule offers `check(collection)`, which yields what it finds wrong."""
