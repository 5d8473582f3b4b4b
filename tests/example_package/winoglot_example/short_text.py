"""A rule: no text of fewer than five words."""

from winoglot.checks.base import Finding


def check(collection, context):
    for item in collection.items:
        if item.text and len(item.text.split()) < 5:
            yield Finding("the text is short", "Write more.", schema=item.schema_id, item=item.id)
