"""Studies for the platforms of other laboratories."""

import csv
import io
import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from cases import for_each
from study.participants import a_study, small_collection
from winoglot.errors import InputError
from winoglot.formats.yaml import parse
from winoglot.study.platforms import platform_files

_RUN = (Path(__file__).parent / "jspsych.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def storage(tmp_path_factory):
    url = str(tmp_path_factory.mktemp("platforms") / "study.db")
    with a_study(url, small_collection(8, ("reworded",)), kinds=("reworded",)) as storage:
        yield storage


def _rows(files, name):
    return list(csv.DictReader(io.StringIO(str(files[name]))))


def test_the_pages_of_jspsych_show_one_problem_of_each_schema(storage, tmp_path):
    files = platform_files(storage, "jspsych")
    (tmp_path / "all.js").write_text(_RUN + str(files["problems.js"]) + str(files["experiment.js"]), encoding="utf-8")
    node = shutil.which("node")
    if node is None:
        pytest.skip("absent: node")
    seen: Counter[str] = Counter()
    for number in range(4):
        program = [node, "-e", (tmp_path / "all.js").read_text(encoding="utf-8"), str(number)]
        made = json.loads(subprocess.run(program, check=True, capture_output=True, text=True).stdout)
        test = [one["item"] for one in made["shown"] if not one["training"]]
        assert len({item.partition(".")[0] for item in test}) == len(test) == 6
        seen.update(test)
        assert all(one["order"] == [1, 0] for one in made["shown"])
        assert all(one["choices"] == ["Eva", "Ana", "I can’t say"] for one in made["shown"])
        assert made["answered"]["choice"] == 1
        assert "Who is helped says thanks." in made["feedback"]
    assert set(seen.values()) == {1}
    assert len(seen) == 24


def test_pcibex_gets_one_list_per_group_and_feedback_in_training(storage):
    files = platform_files(storage, "pcibex")
    test = _rows(files, "test.csv")
    groups = {row["group"] for row in test}
    assert len(groups) == 4
    for group in groups:
        schemas = [row["item"].partition(".")[0] for row in test if row["group"] == group]
        assert len(set(schemas)) == len(schemas) == 6
    assert all("Who is helped says thanks." in row["feedback"] for row in _rows(files, "training.csv"))
    assert "{" not in str(files["main.js"]).replace("({", "").replace("{next}", "{")


def test_a_forced_choice_is_one_on_other_platforms_too(tmp_path):
    with a_study(f"{tmp_path}/study.db", forced_choice=True) as storage:
        assert '"cannot_say": []' in str(platform_files(storage, "jspsych")["problems.js"])
        assert '.split(" | ")))' in str(platform_files(storage, "pcibex")["main.js"])


@for_each("platform", ["jspsych", "pcibex"])
def test_keys_of_the_test_are_only_in_files_that_stay_at_home(storage, platform):
    files = platform_files(storage, platform)
    asked = parse(str(files["collection.yaml"]), "asked")
    for row in _rows(files, "key.csv"):
        assert asked[row["item"]].answer == int(row["answer"])
    shown = json.loads(str(files["problems.js"]).partition("=")[2].rstrip(";\n")) if platform == "jspsych" else {}
    assert all("answer" not in problem for problem in shown.get("test", []))
    with pytest.raises(InputError, match="Did you mean 'jspsych'"):
        platform_files(storage, "jspsyc")
