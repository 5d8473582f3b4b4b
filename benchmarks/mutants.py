"""The share of deliberate faults in a module that its tests notice (mutation testing).

    python benchmarks/mutants.py src/winoglot/runs/store.py tests/runs --sample 120

Without a module, five are measured that much rests on.

Every mutant changes one thing inside a function: a comparison, a condition, a number, a word, a return value, or one
statement less. Tests are collected once; then every mutant is put into a fork of this process and the tests that run
the changed line are tried, the fastest first, until one fails. A mutant with which they take three
times as long, or that ends the process, counts as noticed. The survivors are listed, so that one can see whether a test
is missing or the change makes no difference.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import gc
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}

MODULES = {
    "src/winoglot/runs/store.py": ["tests/runs"],
    "src/winoglot/schemas/notation.py": ["tests/schemas"],
    "src/winoglot/statistics/resampling.py": ["tests/statistics", "tests/metrics"],
    "src/winoglot/languages/readings.py": ["tests/languages"],
    "src/winoglot/formats/importing/rows.py": ["tests/formats"],
}


def mutations(node: ast.AST) -> Iterator[tuple[str, Callable[[Any], ast.AST]]]:  # noqa: PLR0912
    """What can be changed at a node: a description, and a function that changes a copy of it."""

    def with_fields(**fields: object) -> Callable[[Any], ast.AST]:
        def change(copied: Any) -> Any:
            for name, value in fields.items():
                setattr(copied, name, value)
            return copied

        return change

    match node:
        case ast.Compare(ops=[operator, *others]):
            yield "comparison", with_fields(ops=[_COMPARISONS[type(operator)](), *others])
        case ast.BoolOp(op=ast.And()):
            yield "and → or", with_fields(op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield "or → and", with_fields(op=ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield "not left out", lambda copied: copied.operand
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _ARITHMETIC:
            yield "arithmetic", with_fields(op=_ARITHMETIC[type(operator)]())
        case ast.Constant(value=bool(value)):
            yield "constant", with_fields(value=not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", with_fields(value=value + 1)
        case ast.Constant(value=str(value)) if " " not in value:  # the wording of messages is no behaviour
            yield "constant", with_fields(value=value + "x")
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition negated", lambda copied: with_fields(test=ast.UnaryOp(ast.Not(), copied.test))(copied)
        case ast.Return(value=value) if value is not None:
            yield "returns None", with_fields(value=ast.Constant(None))
        case ast.Break():
            yield "break → continue", lambda _: ast.Continue()
        case ast.Continue():
            yield "continue → break", lambda _: ast.Break()
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Raise | ast.Expr) and not is_docstring:
        yield "left out", lambda _: ast.Pass()


@dataclass(frozen=True)
class Mutant:
    """One changed place of a module: the position of its node in `ast.walk`, its line, and what becomes of it."""

    tree: ast.Module
    position: int
    line: int
    operator: str
    change: Callable[[Any], ast.AST]

    def codes(self, file: str) -> dict[str, CodeType]:
        """The code of every function and method in the changed module, by qualified name."""
        tree = copy.deepcopy(self.tree)
        target = list(ast.walk(tree))[self.position]
        changed = ast.copy_location(self.change(target), target)
        for parent in ast.walk(tree):
            for name, value in ast.iter_fields(parent):
                if value is target:
                    setattr(parent, name, changed)
                elif isinstance(value, list) and any(member is target for member in value):
                    setattr(parent, name, [changed if member is target else member for member in value])
        return dict(_functions(compile(ast.fix_missing_locations(tree), file, "exec")))


def _functions(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant.co_qualname, constant
            yield from _functions(constant)


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a module's functions, but for annotations, defaults, decorators and messages."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bodies = [
        statement for function in ast.walk(tree) if isinstance(function, ast.FunctionDef) for statement in function.body
    ]
    inside = {id(node) for statement in bodies for node in ast.walk(statement)}
    annotations = [getattr(node, "annotation", None) for node in ast.walk(tree)]
    messages = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    outside = {id(node) for part in [*annotations, *messages] if part is not None for node in ast.walk(part)}
    return [
        Mutant(tree, position, node.lineno, operator, change)  # type: ignore[attr-defined]
        for position, node in enumerate(ast.walk(tree))
        if id(node) in inside - outside
        for operator, change in mutations(node)
    ]


class Measurement:
    """A pytest plug-in that, instead of running the tests once, runs them against every mutant."""

    def __init__(self, path: Path, sample: int, seed: int) -> None:
        """Draw the mutants."""
        self.path = path
        every = mutants_of(path)
        self.mutants = sorted(
            random.Random(seed).sample(every, min(sample, len(every))), key=lambda mutant: mutant.position
        )
        self.total = len(every)
        self.survivors: list[Mutant] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find out which tests run which line; then try each mutant."""
        covering = _in_fork(lambda: self._coverage(session.items), 3600)
        for number, mutant in enumerate(self.mutants, 1):
            tests = sorted(covering.get(str(mutant.line), []), key=lambda test: test[1])
            limit = 20 + 3 * sum(duration for _, duration in tests)
            items = [session.items[index] for index, _ in tests]
            verdict = _in_fork(functools.partial(self._noticed, mutant, items), limit)
            if verdict is False:
                self.survivors.append(mutant)
            state = f"{number}/{len(self.mutants)} line {mutant.line} {mutant.operator}: {verdict}"
            print(f"{state} ({len(tests)} tests)", flush=True)
        return True

    def _coverage(self, items: list[pytest.Item]) -> dict[int, list[tuple[int, float]]]:
        """The tests that run each line, by index, with their durations."""
        file, covering = str(self.path), defaultdict(list)
        lines: set[int] = set()

        def on_line(frame: FrameType, _event: str, _argument: object) -> Any:
            lines.add(frame.f_lineno)
            return on_line

        def on_call(frame: FrameType, _event: str, _argument: object) -> Any:
            return on_line if frame.f_code.co_filename == file else None

        for index, item in enumerate(items):
            lines.clear()
            start = time.perf_counter()
            sys.settrace(on_call)
            passed = _passes(item)
            sys.settrace(None)
            for line in lines if passed else ():  # a test that fails without any mutant cannot notice one
                covering[line].append((index, time.perf_counter() - start))
        return covering

    def _noticed(self, mutant: Mutant, items: list[pytest.Item]) -> bool | str:
        codes = mutant.codes(str(self.path))
        gc.unfreeze()  # or the collector does not know the functions
        for thing in gc.get_objects():
            # By type, since isinstance() asks proxies for a class that they would have to import.
            if type(thing) is functools._lru_cache_wrapper:
                thing.cache_clear()  # what the unchanged module has computed
            elif type(thing) is FunctionType and thing.__code__.co_filename == str(self.path):
                if len(thing.__code__.co_freevars) != len(codes[thing.__qualname__].co_freevars):
                    return "another closure"
                thing.__code__ = codes[thing.__qualname__]
        return not all(map(_passes, items))


def _passes(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=None)
    return not any(report.failed for report in reports)


def _in_fork(task: Callable[[], Any], limit: float) -> Any:
    """What the task returns, as JSON; a word if its process was ended by something else."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder, "answer")
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            os.setsid()
            try:
                for stream in (1, 2):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
                result = {"result": task()}
            except Exception:
                result = {"failure": traceback.format_exc()}
            answer.write_text(json.dumps(result), encoding="utf-8")
            os._exit(0)
        deadline = time.monotonic() + limit
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "took too long"
            time.sleep(0.005)
        if not answer.exists():
            return "ended"
        result = json.loads(answer.read_text(encoding="utf-8"))
        return result["result"] if "result" in result else sys.exit(result["failure"])


def main() -> None:
    """Print the survivors and the share that was noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="?", type=Path, help="the file with the functions to change")
    parser.add_argument("tests", nargs="*", help="files or folders of tests")
    parser.add_argument("--sample", type=int, default=120, help="at most this many mutants")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.module is None:  # each in a process of its own, since tests are collected for one
        for module, tests in MODULES.items():
            options = ["--sample", str(arguments.sample), "--seed", str(arguments.seed)]
            subprocess.run([sys.executable, __file__, module, *tests, *options], check=True)
        return
    # Beside this script stand modules, such as corpus, that would hide packages of tests.
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]
    measurement = Measurement(arguments.module.resolve(), arguments.sample, arguments.seed)
    tests = [str(arguments.module), *arguments.tests]  # the module's doctests too
    options = ["-q", "--hypothesis-seed=0", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no"]
    if pytest.main([*options, *tests], plugins=[measurement]) not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit("the mutants could not be tried")
    for mutant in measurement.survivors:
        print(f"survives: line {mutant.line}, {mutant.operator}")
    tried, noticed = len(measurement.mutants), len(measurement.mutants) - len(measurement.survivors)
    share = f"{noticed} of {tried} mutants noticed ({noticed / tried:.1%})"
    print(f"{arguments.module}: {share}, drawn from {measurement.total}")


if __name__ == "__main__":
    main()
