"""What importers share: reading a source's lines, repairing what it marks wrongly, and turning rows into schemas.

- `sources`: tables, JSON Lines and JSON lists, line by line
- `xml`: XML with one element per schema
- `snippets`: what a question or clause beside a sentence asks for, and where its words occur
- `pronoun_choice`: which pronoun is meant, if the source marks none or a wrong one
- `labels`: flags of items that are kept in separate files
- `repairs`: pronouns marked wrongly, spaces around gaps, which language a text is in
- `alignment`: the text behind two sentences in which the pronoun is already substituted
- `grouping`: which rows are items of one schema, and where these differ
- `rows`: `SourceRow` and `build_collection`, which orders candidates, groups rows into schemas and finds segments
"""
