"""One vocabulary: names are clear, what is private stays private, and nothing is kept that nobody uses."""

import ast
import re
import runpy
import subprocess
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from cases import for_each
from winoglot.languages.lexicon import known_features, read_table

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "winoglot"
LANGUAGES = SOURCE / "languages"
BUNDLED = SOURCE / "schemas" / "data"  # read whole
TUNED = SOURCE / "models" / "gemma-3-270m-tuned"  # tests/models/test_gemma_tuned.py lists its files
ROOT_FILES = {
    ".gitattributes",
    ".gitignore",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "README.md",
    "SECURITY.md",
    "constraints.txt",
    "mkdocs.yml",
    "pyproject.toml",
}
ROOT_FOLDERS = {".ci", "benchmarks", "docs", "replicate", "scripts", "src", "tests"}
TABLES = {  # of a language, or of all of them
    *("pronouns", "determiners", "function_words", "nouns", "verbs", "adjectives", "phrases", "spelling", "names"),
    *("beside_names", "people", "countable", "synonyms", "vocabulary", "actions", "adverbs", "clauses", "paradigms"),
    *("verb_classes", "expressions", "things"),
}
IMPORTED_AS = {  # distributions whose module has another name, or is imported by another
    "axe-playwright-python": "axe_playwright_python",
    "gguf": "transformers",  # which reads GGUF files with it
    "markdown-it-py": "markdown_it",
    "psycopg": "sqlalchemy",  # which connects with it
    "pyyaml": "yaml",
    "scikit-learn": "sklearn",
    "sudachidict-small": "sudachipy",  # which finds its dictionary in it
    "types-pyyaml": "yaml",
    "vl-convert-python": "vl_convert",
    "z3-solver": "z3",
}
TOOLS = {  # development tools that are called, and where
    "import-linter": ("Makefile", "lint-imports"),
    "mkdocs-material": ("mkdocs.yml", "name: material"),
    "mkdocstrings": ("mkdocs.yml", "mkdocstrings"),
    "mypy": ("Makefile", "mypy"),
    "pytest-xdist": ("Makefile", "--dist worksteal"),
    "ruff": ("Makefile", "ruff"),
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


@cache
def tracked():
    """The files under version control that exist."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [path for path in map(Path, listed.rstrip("\0").split("\0")) if (ROOT / path).is_file()]


def text_of(paths):
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


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


def requirements(group):
    """The distributions of a group in pyproject.toml, without versions and without Winoglot itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    given = project["dependencies"] if group == "core" else project["optional-dependencies"][group]
    names = {re.split(r"[\[<>=~! ]", one)[0].lower() for one in given}
    return names - {"winoglot"}


def imported(code):
    return set(re.findall(r"^ *(?:from|import) (\w+)", code, re.MULTILINE))


def test_every_dependency_is_imported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    code = text_of(SOURCE.rglob("*.py"))
    used = imported(code) | set(re.findall(r'"(\w+)"', code))  # some are imported by name, if they are installed
    for group in ("core", *project["optional-dependencies"]):
        for name in requirements(group) if group != "dev" else ():
            module = IMPORTED_AS.get(name, name.replace("-", "_"))
            assert module in used, f"{name} ({group}) is imported nowhere"


def test_every_development_tool_is_used():
    folders = ("src", "tests", "benchmarks", "scripts")
    used = imported(text_of(path for folder in folders for path in (ROOT / folder).rglob("*.py")))
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    for name in requirements("dev"):
        if name in TOOLS:
            file, call = TOOLS[name]
            assert call in (ROOT / file).read_text(encoding="utf-8"), f"{file} does not use {name}"
        else:
            module = IMPORTED_AS.get(name, name.removeprefix("types-").removesuffix("-stubs").replace("-", "_"))
            built = any(one.startswith(name) for one in build)
            assert module in used or built, f"{name} is imported nowhere and called nowhere"


def test_no_stray_file_is_tracked():
    at_root = {path.name for path in tracked() if len(path.parts) == 1}
    assert at_root <= ROOT_FILES
    assert {path.parts[0] for path in tracked() if len(path.parts) > 1} <= ROOT_FOLDERS
    assert not [path for path in tracked() if path.suffix in {".bak", ".orig", ".rej", ".swp", ".tmp", ".pyc"}]


@pytest.mark.parametrize("folder", ["benchmarks", "docs", "scripts", "tests"])
def test_every_data_file_is_named_by_code_or_documentation(folder):
    """By its name, or else by its folder's, below which code finds it by a rule."""
    prose = {".py", ".md", ".yml", ".toml"}
    text = text_of(ROOT / path for path in tracked() if path.suffix in prose or path.name == "Makefile")
    data = [path for path in tracked() if path.parts[0] == folder and path.suffix not in prose]
    assert not [path for path in data if path.name not in text and path.parent.name not in text]


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


def test_every_word_list_is_read():
    """By the package itself, for whatever language, or by the language it belongs to."""
    languages = [path for path in LANGUAGES.iterdir() if (path / "__init__.py").exists()]
    shared = quoted(path for path in SOURCE.rglob("*.py") if not any(one in path.parents for one in languages))
    folders = (SOURCE / "report" / "templates", SOURCE / "study" / "web" / "templates")
    templates = "".join(text_of(folder.rglob("*.html")) for folder in folders)  # templates import each other
    shared |= {name.partition(".")[0] for name in re.findall(r"""(?:import |static\()["']([^"']+)["']""", templates)}
    shared |= quoted((LANGUAGES / "romance").rglob("*.py"))  # which several languages share
    known = {language: shared | quoted(language.rglob("*.py")) for language in languages}
    unread = []
    for path in sorted(SOURCE.rglob("*")):
        if path.is_file() and path.suffix not in {".py", ".pyc", ".typed"} and path.parent not in (BUNDLED, TUNED):
            names = known.get(next((one for one in languages if one in path.parents), None), shared)
            stem = path.name.partition(".")[0]
            if not {stem, f"{stem.partition('_')[0]}_"} & names:  # "names_" is read as names_{locale}.txt
                unread.append(str(path.relative_to(SOURCE)))
    assert not unread


def quoted(paths):
    """The names in the strings of some modules, without suffixes; of names_{locale}.txt, names_."""
    text = text_of(paths)
    whole = re.findall(r"""["'/]([\w-]+)(?:\.[\w.]+)?["']""", text)
    return {*whole, *re.findall(r"""["']([a-z]+_)[{(]""", text)}
