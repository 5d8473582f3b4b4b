"""Writing and translating collections: skeletons, unfinished files, progress, review while editing, blind checks."""
