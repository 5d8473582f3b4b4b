"""How much longer an analysis takes than evaluating the same items: at most 1.3 times as long.

Both ask the originals and all kinds of a few schemas, without the cache of scores. Processor time, since other work on
the machine should not count: of the evaluation alone, and of the analysis from the collection to the last estimate. The
first ratio is that of answering with and without showing distributions and states (probes); scores must be the same.

    python benchmarks/analyse.py --model gemma-3-270m --limit 10
"""

import argparse
import sys
import time

import winoglot as wg
from winoglot.analysis.analyse import AnalysisRequest, analysed, prepared
from winoglot.models.base import Options, Solver, load_model
from winoglot.runs.run import Run
from winoglot.runs.session import Session
from winoglot.runs.spec import ModelSpec, RunSpec

LIMIT = 1.3


def main() -> int:
    """Evaluate, then analyse, and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="gemma-3-270m")
    parser.add_argument("--collection", default="winoglot-en")
    parser.add_argument("--limit", type=int, default=10, help="schemas (default: 10)")
    parser.add_argument("--renamed", type=int, default=2, help="draws of names (default: 2)")
    given = parser.parse_args()
    collection = wg.load(given.collection)[: given.limit]
    request = AnalysisRequest(renamed=given.renamed)
    solver = load_model(given.model, Options(device="cpu"))
    solver.cacheable = False
    solver.prepare()
    evaluated(solver, collection[:1], request)  # what is loaded or compiled at the first call
    run, alone = evaluated(solver, collection, request)
    shown, probing = evaluated(solver, collection, request, probes=True)
    if shown.predictions != run.predictions:
        print("scores with probes differ from those without")
        return 1
    start = time.process_time()
    asked = RunSpec(collections=(collection,), models=(ModelSpec.of(solver, Options()),))
    found = analysed(asked, request)
    whole = time.process_time() - start
    measuring = sum(seconds for name, seconds in found.seconds.items() if name != "answering")
    print(f"{solver.name}, {collection.name}: {len(run):,} items of {len(collection)} schemas and their variants")
    cost = f"{probing:.1f} s, without {alone:.1f} s: ratio {probing / alone:.2f}"
    print(f"answering with probes of {len(shown.probes):,} items {cost}")
    print(f"evaluation {alone:.1f} s, analysis {whole:.1f} s of processor time: {len(found)} estimates")
    print(f"of the analysis, measures take {measuring:.1f} s; ratio {whole / alone:.2f} (limit {LIMIT})")
    return 0 if whole <= LIMIT * alone else 1


def evaluated(
    solver: Solver, collection: wg.Collection, request: AnalysisRequest, *, probes: bool = False
) -> tuple[Run, float]:
    """What an analysis asks, and the seconds of processor time that answering alone takes."""
    start = time.process_time()
    whole, kinds = prepared(collection, request)
    spec = RunSpec(
        collections=(whole,),
        models=(ModelSpec.of(solver, Options()),),
        kinds=kinds,
        renamed=request.draws,
        probes=request.probed(kinds) if probes else (),
        takes_first_default=True,
    )
    (run,) = Session(spec).runs()
    return run, time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
