"""The data model, the notation that people write it in, and the bundled collections.

| module | holds |
| --- | --- |
| `span`, `candidate`, `forms`, `item`, `schema`, `collection`, `reading` | the types, frozen and checked |
| `words`, `language_tag`, `hashing` | what they share |
| `markup`, `markup_print` | the marks inside one string: `{pronoun}`, `[one|other]`; and back |
| `function_words`, `mentions` | determiners, contractions, pronouns; where a text mentions a candidate |
| `entries`, `drafts`, `notation` | the keys of a YAML file, and the way from there to a schema |
| `spelling`, `joining` | the way back |
| `typed`, `shape`, `json_schema` | checked construction; types from plain values, with places; the schema for editors |
"""
