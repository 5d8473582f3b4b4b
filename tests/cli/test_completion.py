"""Shell completion, as a shell asks for it."""

import os
import subprocess
import sys

import pytest

from cases import listed
from winoglot.cli import completion


@pytest.fixture
def complete(run_winoglot, monkeypatch, tmp_path):
    """What bash would offer for the last of these words, in a folder with a collection and a model."""
    (tmp_path / "mine.yaml").touch()
    (tmp_path / "notes.md").touch()
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setenv("_WINOGLOT_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(("winoglot", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        _, out, err = run_winoglot()
        assert err == ""
        return [name for name in out.splitlines() if name]

    return call


@listed
def test_names_are_completed_without_loading_what_they_name(complete, words, offered):
    assert complete(*words) == offered


@listed
def test_paths_are_left_to_the_shell(words, complete):
    assert complete(*words) == []


def test_bundled_names_come_before_own_files(complete):
    languages = ("de", "en", "es", "fr", "it", "ja", "pt", "ru", "zh")
    assert complete("stats", "") == [*(f"winoglot-{language}" for language in languages), "winoglot", "mine.yaml"]


def test_every_plug_in_of_another_package_is_completed(outside):
    outside("models", "oracle", "def load(location, options): ...")
    assert completion.models("ora") == ["oracle"]


def test_completing_imports_nothing_slow_and_the_script_for_a_shell_is_shown():
    script = """
import os, sys
from winoglot.cli.main import main
for arguments in (["--show-completion", "bash"], []):
    sys.argv = ["winoglot", *arguments]
    try:
        main()
    except SystemExit:
        pass
    os.environ |= {"COMP_WORDS": "winoglot evaluate x --model ca", "COMP_CWORD": "4"}
    os.environ["_WINOGLOT_COMPLETE"] = "complete_bash"
print(*sorted({"torch", "transformers", "numpy", "scipy"} & set(sys.modules)))
"""
    environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert "complete -o default -F _winoglot_completion winoglot" in done.stdout
    assert done.stdout.splitlines()[-2:] == ["causal", ""]
