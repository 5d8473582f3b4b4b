import json

import winoglot as wg
from six_schemas import six_file


def test_a_new_collection_is_written_and_what_stays_is_said(tmp_path, printed, refused):
    source, output = tmp_path / "mine.yaml", tmp_path / "out.yaml"
    source.write_text(
        "collection: mine\nlanguage: pt-BR\nkeep_names: [Rui, Ruy]\nschemas:\n  - id: ride\n"
        '    text: "Rui levou Davi, Newton e Caio até que {ele} [riu|dormiu]."\n'
        "    candidates: [Rui, Caio]\n    answers: [0, 1]\n",
        encoding="utf-8",
    )
    rename = ("rename", source, "--names", "pt-BR", "--seed", "7", "-o", output)
    out = printed(*rename)
    made = wg.load(output)
    assert (made.name, [item.answer for item in made.items]) == ("mine-pt-br", [0, 1])
    assert made.keep_names == ("Rui", "Ruy")
    assert made.items[0].text.startswith("Rui levou ")
    assert not {"Davi", "Caio"} & set(made.items[0].text.replace(",", "").split())
    assert "Newton" in made.items[0].text
    assert out.startswith("mine-pt-br (pt-BR): 2 names replaced in 1 of 1 schema, 1 kept")
    assert "  to be kept, but not in any text: Ruy\n" in out
    refused(*rename, says="--force")
    assert "  kept (in the list of names to keep): Davi, Rui\n" in printed(*rename, "--force", "--keep", "Davi")


def test_the_list_of_the_collection_s_language_and_a_seed_are_the_defaults(tmp_path, printed, refused):
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    printed("rename", six_file("pt"), "-o", one)
    printed("rename", six_file("pt"), "--names", "pt-BR", "--seed", "0", "-o", other)
    assert one.read_text("utf-8") == other.read_text("utf-8")
    klingon = tmp_path / "klingon.yaml"
    klingon.write_text(six_file("en").read_text("utf-8").replace("language: en", "language: tlh"), "utf-8")
    refused("rename", klingon, "-o", tmp_path / "out.yaml", says=["there is no list of names for tlh", "--names"])


def test_json_says_which_name_stands_for_which(tmp_path, printed):
    arguments = ["rename", six_file("en"), "--names", "en-US", "--seed", "1", "--keep", "Anna", "--json", "-o"]
    told = json.loads(printed(*arguments, tmp_path / "out.jsonl"))
    assert set(told["replaced"]["train-wave"]) == {"Rosa", "Lena"}
    assert told["kept"] == {"call-microphone": {"Anna": "in the list of names to keep"}}


def test_comments_of_a_yaml_file_are_kept(tmp_path, printed):
    lines = six_file("pt").read_text(encoding="utf-8").splitlines()
    commented = [f"{line}  # kept" if " - id: " in line else line for line in lines]
    source, output, plain = (tmp_path / name for name in ("mine.yaml", "out.yaml", "plain.jsonl"))
    source.write_text("\n".join(["# My schemas.", *commented]) + "\n", encoding="utf-8")
    printed("rename", source, "--names", "pt-BR", "--seed", "7", "-o", output)
    written = output.read_text(encoding="utf-8")
    assert written.startswith("# My schemas.\n")
    assert written.count("# kept") == source.read_text(encoding="utf-8").count("# kept") > 1
    printed("rename", six_file("pt"), "--names", "pt-BR", "--seed", "7", "-o", plain)
    assert wg.load(output).schemas == wg.load(plain).schemas
