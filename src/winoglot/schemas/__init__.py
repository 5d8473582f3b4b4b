"""The data model, the notation that people write it in, and the bundled collections.

| module | contents |
| --- | --- |
| `model` | the types: candidate, item, variant, schema, collection, reading |
| `text`, `spans`, `hashing` | words, names and language tags; spans and edits; content hashes |
| `validation` | checked fields and entries: pydantic finds the faults, the messages are ours |
| `documents` | YAML with the line and column of every value |
| `entries`, `json_schema` | the keys of a YAML file, and the JSON Schema that editors use |
| `markup` | the marks inside one string: `{pronoun}`, `[one|other]`; parsed and printed |
| `mentions` | where a text mentions a candidate |
| `notation`, `spelling` | from an entry to a schema, and back |
| `statistics` | what a collection contains, in numbers; several languages side by side |
| `bundled` | the collections that come with Winoglot |
"""
