"""Rules that check a collection: one module per rule, which has the rule's name. `base` says what a rule offers.

What rules share: `texts` (texts in a form to compare), `similarity` (how alike two texts are), `voting` (whether
something gives answers away over the whole collection).
"""
