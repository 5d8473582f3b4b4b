"""Writing and translating collections.

- `skeleton.py`: the start of a translation, every field empty below its source
- `unfinished.py`: unfinished files, read as far as they are finished
- `status.py`: what is missing in a translation, or older than its source
- `review.py`: what a writer sees while editing
- `blind.py`: questions for readers who do not know the answers
- `proposals.py`: files of proposed variants, and which of them were accepted
- `drafting.py`: drafts from a model, and `acceptance.py`: what they must pass before a person sees them
- `yaml_edits.py`: single values of a YAML file, changed without touching the rest
"""
