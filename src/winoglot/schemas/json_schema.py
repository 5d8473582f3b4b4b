"""The JSON Schema of a collection's YAML file, for editors; `python -m winoglot.schemas.json_schema` prints it."""

from __future__ import annotations

import json
from typing import Any

from winoglot.schemas.entries import CollectionEntry
from winoglot.schemas.validation import adapter


def collection_json_schema() -> dict[str, Any]:
    """The JSON Schema, made from the keys in `entries`, so that editors and the reader agree."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **adapter(CollectionEntry).json_schema(),
        "title": "Winoglot collection",
    }


if __name__ == "__main__":
    print(json.dumps(collection_json_schema(), indent=1, ensure_ascii=False))
