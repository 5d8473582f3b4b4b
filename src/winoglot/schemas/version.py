"""The version of Winoglot's own file formats."""

from __future__ import annotations

from winoglot.errors import InputError
from winoglot.schemas.entries import FORMAT_VERSION
from winoglot.schemas.shape import shape_of


def check_version(found: object) -> None:
    """Refuse a file of a later version before its new keys look like mistakes; a file need not name a version."""
    if found is None:
        return
    try:
        version = shape_of(int).read(found)
    except InputError as error:
        error.path = ("winoglot",)
        raise
    if version > FORMAT_VERSION:
        raise InputError(
            f"the file is of format version {version}; this Winoglot reads up to {FORMAT_VERSION}",
            remedy="Upgrade: pip install --upgrade winoglot",
            path=("winoglot",),
        )
    if version < 1:
        raise InputError(f"there is no format version {version}", remedy="The first is 1.", path=("winoglot",))
