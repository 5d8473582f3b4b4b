"""A rule that does not keep to the interface: it yields a text instead of a finding."""


def check(collection, context):
    yield "something is wrong"
