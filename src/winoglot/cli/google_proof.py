"""What `check --counts` prints of a collection and association."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from winoglot.cli.pretty import emit

if TYPE_CHECKING:
    from winoglot.metrics._google_proof import GoogleProof


def print_google_proof(found: GoogleProof) -> None:
    """How a collection fares against association: a few lines, then the items."""
    emit(Text(f"association (counts sha {found.counts[:8]}) decides {found.decided} of {found.items} items"))
    if found.right or found.wrong:
        emit(Text(f"  right in {len(found.right)}: {found.share:.1%}"))
    for name, ids in (("right", found.right), ("wrong", found.wrong), ("unlabelled", found.unlabelled)):
        if ids:
            emit(Text(f"  {name}: {', '.join(ids)}"))
    if found.abstained:
        reasons = ", ".join(f"{count} {reason}" for reason, count in found.abstained.items())
        emit(Text(f"  abstained: {reasons}"))
