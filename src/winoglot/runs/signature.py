"""The signature of a run: all that decides a score, in one line that goes into a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot._version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from winoglot.examples import ExampleSource


def signature(source: ExampleSource, settings: Mapping[str, Any]) -> str:
    """As `winoglot-pt@1.0 sha:3f2a|readings:naive|scoring:partial|gemma-3-270m sha:91bc|precision:float32|v0.1.0`.

    The collection's hash is over the originals; each kind evaluated adds its own.
    """
    parts = [
        f"{source.name}@{source.version} sha:{source.hash[:8]}",
        *(f"{kind} sha:{source.kind_hash(kind)[:8]}" for kind in settings["kinds"]),
        f"readings:{settings['readings']}",
        f"scoring:{settings['scoring']}",
        f"{settings['model']} sha:{settings['fingerprint'][:8]}",
        *(f"{name}:{value}" for name, value in sorted(settings["model_settings"].items())),
        f"tie:{settings['tolerance']:g}",
    ]
    if settings["limit"] is not None:
        parts.append(f"limit:{settings['limit']} seed:{settings['seed']}")
    return "|".join([*parts, f"v{__version__}"])
