"""No text has fewer than five words."""

from winoglot.checks.base import Finding

SEVERITY = "warning"


def check(collection, context):
    for item in collection.items:
        if item.text and len(item.text.split()) < 5:
            yield Finding.about(item, "the text has fewer than five words", "Describe the situation.")
