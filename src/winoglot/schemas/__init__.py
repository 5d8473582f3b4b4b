"""The data model, the notation that people write it in, and the bundled collections. The modules in reading order:

- `text`, `spans`: words, names and language tags; spans of a text and edits
- `validation`: checked fields and entries; pydantic finds the faults, the messages are ours
- `hashing`: content hashes
- `model`: the types: candidate, item, variant, schema, collection, reading
- `documents`: YAML with the line and column of every value
- `entries`, `json_schema`: the keys of a YAML file, and the JSON Schema that editors use
- `markup`: the marks inside one string, `{pronoun}` and `[one|other]`; parsed and printed
- `mentions`: where a text mentions a candidate
- `notation`, `serialise`: from an entry to a schema, and back
- `marks`, `overview`: texts with their marks as HTML; what a notebook shows
- `bundled`: the collections that come with Winoglot
- `statistics`: what a collection contains, in numbers; several languages side by side
"""
