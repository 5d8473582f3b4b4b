"""The data model, the notation that people write it in, and the bundled collections.

| module | holds |
| --- | --- |
| `model` | the types: candidate, item, schema, collection, reading |
| `text`, `spans`, `hashing` | what they share: words and checks, spans and edits, content hashes |
| `markup` | the marks inside one string: `{pronoun}`, `[one|other]`; parsed and printed |
| `mentions` | where a text mentions a candidate |
| `entries`, `notation`, `spelling` | the keys of a YAML file, the way from there to a schema, and the way back |
| `typed`, `shape`, `json_schema` | checked construction; types from plain values, with places; the schema for editors |
| `statistics` | what a collection is made of; several languages side by side |
| `bundled` | the collections that come with Winoglot |
"""
