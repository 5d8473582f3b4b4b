"""One module a file format; its name is the format's. A format offers one or more of

- `read(file: InputFile) -> Collection`
- `write(collection: Collection) -> str | bytes | dict[str, str | bytes]`: a file, or the files of a folder
- `write_several(collections: Sequence[Collection])`: the same for several side by side
- `lost(collection: Collection) -> list[str]`: what it cannot hold of a collection
- `sniff(head: str) -> bool`: whether a file that begins like this is surely of this format
- `SUFFIXES`: how its files are called
- `TAKES_LABELS`: whether its reader joins `file.labels` with the file
"""
