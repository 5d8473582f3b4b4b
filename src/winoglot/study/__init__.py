"""What people say about schemas: their judgements, and how far they agree."""
