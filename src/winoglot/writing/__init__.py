"""Writing and translating collections.

- `skeleton.py`: the start of a translation, every field empty below its source
- `unfinished.py`: unfinished files, read as far as they are finished
- `status.py`: what is missing in a translation, or older than its source
- `review.py`: what a writer sees while editing
- `blind.py`: questions for readers who do not know the answers
- `proposals.py`: files of proposed variants, and which of them were accepted
- `drafting.py`: variants and translations that a model drafts
- `conversation.py`: what it is asked, and what its reply says
- `acceptance.py`: what a draft must pass before a person sees it
- `yaml_edits.py`: single values of a YAML file, changed without touching the rest
"""
