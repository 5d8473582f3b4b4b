"""How many drafts of a model pass `writing/acceptance.py`, by language and kind, and why the others do not.

Run from the repository root: `python benchmarks/drafts.py COLLECTION … --with remote:http://localhost:PORT/v1#MODEL
[--kind K,…] [--limit N] [--option name=value] [-o FOLDER]`. Replies are kept in the user's cache, so that a run that
was stopped goes on when it is repeated. Variants that a collection has are ignored, so that all its schemas are asked
about. With -o, what passes is written to a review file per collection, for readers.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace
from pathlib import Path

import winoglot as wg
from winoglot.languages.rewriting import REWRITINGS
from winoglot.models.base import load_model
from winoglot.writing.drafting import ROOM, Drafter, draft_variants
from winoglot.writing.proposals import review_file

_REASONS = 4


def main() -> None:
    """Print one line per collection and kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("collections", nargs="+")
    parser.add_argument("--with", dest="model", required=True)
    parser.add_argument("--language", help="of a file in several languages")
    parser.add_argument("--kind", default=",".join(REWRITINGS), help="kinds, separated by commas")
    parser.add_argument("--limit", type=int, default=20, help="schemas of each collection")
    parser.add_argument("--option", action="append", default=[], help="setting of the model's family, name=value")
    parser.add_argument("--output", "-o", type=Path, help="folder for review files")
    arguments = parser.parse_args()
    more = {"answer-tokens": ROOM} | dict(option.partition("=")[::2] for option in arguments.option)
    drafter = Drafter(load_model(arguments.model, wg.Options(more=more)))
    for source in arguments.collections:
        whole = wg.load(source, language=arguments.language)
        first = tuple(replace(schema, variants=(), impossible=()) for schema in whole.schemas[: arguments.limit])
        collection = replace(whole, schemas=first)
        drafted = draft_variants(collection, arguments.kind.split(","), drafter)
        print(f"{collection.name} ({collection.language}): {len(first)} schemas")
        for kind in arguments.kind.split(","):
            reasons = Counter(refusal.reason for refusal in drafted.refused if refusal.task == kind)
            print(f"  {kind}: {len(drafted.proposed.get(kind, {}))} pass, {reasons.total()} do not")
            for reason, count in reasons.most_common(_REASONS):
                print(f"    {count} {reason}")
        if arguments.output:
            arguments.output.mkdir(parents=True, exist_ok=True)
            file = arguments.output / f"{collection.name}.yaml"
            file.write_text(review_file(collection, drafted.proposed, drafted.refused), encoding="utf-8")
    print(f"{drafter.asked} requests were not answered before")


if __name__ == "__main__":
    main()
