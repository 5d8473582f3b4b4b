"""One vocabulary: names are clear, what is private stays private, and nothing is kept that nobody uses."""

import ast
import re
import runpy
from collections import defaultdict
from functools import cache
from pathlib import Path

from cases import for_each
from winoglot.languages.lexicon import known_features, read_table

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "winoglot"
LANGUAGES = SOURCE / "languages"
TABLES = {  # of a language, or of all of them
    *("pronouns", "determiners", "function_words", "nouns", "verbs", "adjectives", "phrases", "spelling", "names"),
    *("beside_names", "people", "countable", "synonyms", "vocabulary", "actions", "adverbs", "clauses", "paradigms"),
    *("verb_classes", "expressions", "things", "uses", "inflections"),
}


@cache
def trees():
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imports(tree):
    """All that a module imports, dotted: `a.b` and `a.b.name`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_package_has_two_public_classes_of_one_name():
    """Names must be clear where they are used; modules of different packages may each have a `Settings`."""
    homes = defaultdict(list)
    for module, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[module.rpartition(".")[0], node.name].append(module)
    assert not {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_nothing_private_is_imported_from_another_package():
    found = []
    for module, tree in trees().items():
        for name in imports(tree):
            steps = name.split(".")
            private = [at for at, step in enumerate(steps) if re.match(r"_[^_]", step)]
            if steps[0] == "winoglot" and private:
                owner = ".".join(steps[: private[0]])
                package = owner if (SOURCE.parent / Path(*owner.split("."))).is_dir() else owner.rpartition(".")[0]
                found += [f"{module} imports {name}"] if not f"{module}.".startswith(f"{package}.") else []
    assert not found


@cache
def tables():
    """Every word table: its path below the languages' folder, and its entries. Reading one refuses a wrong line."""
    paths = [path for path in LANGUAGES.rglob("*.txt") if path.stem in TABLES]
    packages = {path: ".".join(path.parent.relative_to(SOURCE.parent).parts) for path in paths}
    return {str(path.relative_to(LANGUAGES)): read_table(packages[path], path.stem).entries for path in paths}


@for_each("name", sorted(map(str, (path.relative_to(LANGUAGES) for path in LANGUAGES.rglob("*.txt")))))
def test_every_entry_of_a_table_parses(name):
    """And every file in a language's folder is a table, or one of the few kinds with a format of their own."""
    own_format = {"contractions.txt", "hints.txt", "features.txt", "famous_names.txt", "compound_names.txt"}
    is_list_of_names = re.fullmatch(r"names_[a-z]{2}-[A-Z]{2}\.txt", Path(name).name)
    assert Path(name).name in own_format or is_list_of_names or tables()[name]


def test_every_feature_is_documented_once():
    lines = (LANGUAGES / "features.txt").read_text(encoding="utf-8").splitlines()
    names = [line.partition(" = ")[0] for line in lines if line and not line.startswith("#")]
    assert sorted(names) == sorted(known_features())
    assert all(known_features().values())


def test_the_page_on_languages_lists_every_feature():
    script = runpy.run_path(str(ROOT / "scripts" / "list_features.py"))
    assert script["PAGE"].read_text(encoding="utf-8") == script["page"](), "run: python scripts/list_features.py"


def test_every_feature_is_used_by_a_table():
    others = read_table("winoglot.perturb.switched", "people_and_things").entries
    lines = [line for table in (*tables().values(), others) for entries in table.values() for line in entries]
    used = frozenset().union(*(line.features for line in lines))
    assert not known_features().keys() - used - {"dual"}  # which an author may state


def test_every_feature_is_read_by_the_code():
    """By its name in quotation marks, perhaps made of parts, or as a value of gender, number, animacy or case."""
    read = runpy.run_path(str(ROOT / "scripts" / "list_features.py"))["readers"]()
    assert not known_features().keys() - read.keys()
