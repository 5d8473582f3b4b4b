"""Writing and translating collections: skeletons, how far a translation has got, a view while editing, blind checks."""
