"""Rules that check a collection: one module per rule, which has the rule's name.

What all rules share comes first in reading order:

- `base`: what a rule offers, and the runner that applies all of them;
- `texts`: texts in a form to compare; `similarity`: how alike two texts are;
- `voting`: whether something gives answers away over the whole collection.

The rules:

- about a text and its marks: `pronoun_fits`, `segment_marked`, `candidate_order`, `known_tags`, `unique_texts`;
- about readings, questions and hypotheses: `readings_derived`, `written_readings`, `hypotheses_fit`;
- about what gives the answer away in one schema: `agreement`, `answer_moves`, `segment_grammar`, `segment_cue`,
  `association`; and over the collection: `balance`, `length_cue`; `near_duplicates` compares collections.
"""
