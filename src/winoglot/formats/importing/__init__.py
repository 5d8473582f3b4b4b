"""What importers share: reading a source's lines, repairing what it marks wrongly, and turning rows into schemas.

- `sources`: tables, JSON Lines and JSON lists, line by line
- `repairs`: pronouns marked wrongly or not at all, spaces around gaps, which language a text is in
- `alignment`: the text behind two sentences in which the pronoun is already substituted
- `rows`: `SourceRow` and `build_collection`, which orders candidates, groups rows into schemas and finds segments
"""
