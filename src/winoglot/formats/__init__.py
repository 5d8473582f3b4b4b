"""One module a file format; its name is the format's. A format offers one or more of

- `read(file: InputFile) -> Collection`
- `write(collection: Collection) -> str | bytes`
- `sniff(head: str) -> bool`: whether a file that begins like this is surely of this format
- `SUFFIXES`: how its files are called
"""
