"""The name that `generate_items` had in earlier versions, which is documented: `winoglot.corpus.schemas.generate`."""

from winoglot.corpus.generate_items import generate

__all__ = ["generate"]
