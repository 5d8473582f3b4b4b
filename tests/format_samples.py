"""One small file per format that can be read, in `formats/samples/`: the file's stem is the format's name."""

from pathlib import Path

import mutations
from six_schemas import six
from winoglot import registry
from winoglot.formats.base import InputFile
from winoglot.formats.importing.labels import with_labels
from winoglot.loading import dump

FOLDER = Path(__file__).parent / "formats" / "samples"
READERS = [name for name in registry.names("formats") if hasattr(registry.load("formats", name), "read")]
TEXT_READERS = [name for name in READERS if hasattr(registry.load("formats", name), "sniff")]
WRITERS = [name for name in registry.names("formats") if hasattr(registry.load("formats", name), "write")]
# Bytes that mean something in a format, besides those that mean something in every one.
MARKS = {
    "blocks": (b",", b"[MASK]", b"he", b"THE HERON"),
    "davis-xml": (*mutations.XML, b"<schema>", b"</schema>"),
    "french-xml": (*mutations.XML, b"<wordA>", b"</wordA>", b"<answer1>"),
    "perturbed-wsc": (b"-", b"\t-\t"),
    "portuguese-html": (*mutations.XML, b"<li>", b"</li>", b"<ol>", b"</ol>", b"<b>", b"</b>"),
    "pws": (b'""', b"_2", b"en", b"?"),
    "winogrande": (*mutations.JSON, b"_"),
    "wnli": (b"1",),
    "yaml": mutations.YAML,
}
# Of a file with several languages one must be wanted.
LANGUAGES = {"pws": ("en", "pt", "zh", "fr"), "table": ("en",), "xwinograd": ("en", "pt")}


def sample_path(name):
    """The sample of a format; a new format needs one."""
    (path,) = (path for path in FOLDER.iterdir() if path.stem == name)
    return path


def sample(name):
    return sample_path(name).read_text(encoding="utf-8")


def written(name, language="pt"):
    """What a format writes of six schemas: its one file, or the files of its folder."""
    made = dump([six(language)], name)
    return [
        one.encode() if isinstance(one, str) else one for one in (made.values() if isinstance(made, dict) else [made])
    ]


def reading(name, file_name):
    """A function that reads content in a format from a file: the collection, and the report on what was repaired."""

    def read(tmp_path, content, language=None, labels=()):
        path = tmp_path / file_name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        file = InputFile(path, language, labels=labels)
        return with_labels(registry.load("formats", name).read(file), file), file.report

    return read


def marks(name):
    return MARKS.get(name, mutations.JSON)
