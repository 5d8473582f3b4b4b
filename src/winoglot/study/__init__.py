"""People's answers: judgements of items, and how far they agree. Blind checks and human studies share the record."""
