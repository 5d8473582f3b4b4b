"""Files with a few faults in them, and the one thing a reader may do about those it cannot read."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import winoglot as wg

often = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
COMMON = (b"\n", b"\r", b"\t", b" ", b"\0", b"\xff", b"\x1c", b"\xc2\x85", "字".encode(), b"-1", b"99", b'"')
JSON = (b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"1e999", b"NaN", b"\\ud800", b"\\u0000")
XML = (b"<", b">", b"</", b"&", b"&#0;", b"<![CDATA[", b"]]>", b"<![", b"<!--", b"<!ENTITY")
YAML = (b"{", b"}", b"[", b"]", b"|", b"\\", b"'", b": ", b"- ", b"& ", b"*a", b"!!", b"#", b"%", b"@", b"null", b"  ")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def mutated(draw, source, marks=()):
    """The source with stretches replaced by bytes that mean something in its format, or by any."""
    content = bytearray(source)
    junk = st.sampled_from([*COMMON, *marks]) | st.binary(max_size=3)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(content)))
        content[at : at + draw(st.integers(0, 12))] = draw(junk)
    return bytes(content)


def only_input_errors(read, *arguments):
    """A collection comes out, or an input error that names the file and a remedy; anything else is a failure."""
    refused = None
    try:
        assert read(*arguments).schemas
    except wg.InputError as error:
        refused = error
    assert refused is None or (refused.remedy and refused.file)
