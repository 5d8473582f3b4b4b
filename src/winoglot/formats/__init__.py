"""File formats: one module per format, which has the format's name. What importers share is in `importing/`.

A format offers one or more of

- `read(file: InputFile) -> Collection`
- `write(collection: Collection) -> str | bytes | dict[str, str | bytes]`: a file, or the files of a folder
- `write_several(collections: Sequence[Collection])`: the same for several collections side by side
- `lost(collection: Collection) -> list[str]`: what it cannot hold of a collection
- `sniff(head: str) -> bool`: whether a file that begins like this is certainly of this format
- `SUFFIXES`: the suffixes of its files
- `MAGIC`: the first bytes of its files, if they are not text

The first line of its docstring is what `winoglot list formats` says about it. The modules in reading order:

- `base`: the file to read and the report on it, how a format is recognised, what a writer loses
- `yaml`, `jsonl`: Winoglot's own formats, the notation and its exact form
- `published`: published collections, recognised by their sentences
- `importing/`: what importers share
- `blocks`, `davis_xml`, `french_xml`, `mandarinograd`, `winogrande`, `superglue`, `wnli`, `xwinograd`, `perturbed_wsc`,
  `pws`, `portuguese_html`, `portuguese_json`: published files, read and in part written
- `table`: CSV and spreadsheets with one item per row, as people write them
- `parquet`: tables for data hubs
- `html`, `lm_eval`: pages and tasks, which are only written
"""
