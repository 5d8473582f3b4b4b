"""File formats: one module per format, which has the format's name. What importers share is in `importing/`.

A format offers one or more of

- `read(file: InputFile) -> Collection`
- `write(collection: Collection) -> str | bytes | dict[str, str | bytes]`: a file, or the files of a folder
- `write_several(collections: Sequence[Collection])`: the same for several collections side by side
- `lost(collection: Collection) -> list[str]`: what it cannot hold of a collection
- `sniff(head: str) -> bool`: whether a file that begins like this is certainly of this format
- `SUFFIXES`: the suffixes of its files
- `TAKES_LABELS`: whether its reader joins `file.labels` with the file

The first line of its docstring is what `winoglot list formats` says about it.
"""
