"""A rule: no text of fewer than five words."""


def check(collection):
    return [item.id for item in collection.items if item.text and len(item.text.split()) < 5]
