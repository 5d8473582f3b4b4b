import json

import winoglot as wg
from six_schemas import six_file


def test_a_new_collection_is_written_and_what_stays_is_said(tmp_path, run_winoglot):
    source, output = tmp_path / "mine.yaml", tmp_path / "out.yaml"
    source.write_text(
        "collection: mine\nlanguage: pt-BR\nschemas:\n  - id: ride\n"
        '    text: "Rui levou Newton e Caio até que {ele} [riu|dormiu]."\n'
        "    candidates: [Rui, Caio]\n    answers: [0, 1]\n",
        encoding="utf-8",
    )
    code, out, _ = run_winoglot("rename", source, "--names", "pt-BR", "--seed", "7", "-o", output)
    made = wg.load(output)
    assert code == 0
    assert made.name == "mine-pt-br"
    assert [item.answer for item in made.items] == [0, 1]
    assert "Rui" not in made.items[0].text
    assert "Newton" in made.items[0].text
    assert out.startswith("mine-pt-br (pt-BR): 2 names replaced in 1 of 1 schema, 0 kept")
    code, out, _ = run_winoglot(
        "rename", source, "--names", "pt-BR", "--seed", "7", "-o", output, "--force", "--keep", "Rui"
    )
    assert code == 0
    assert "  kept (in the list of names to keep): Rui\n" in out
    assert "not in any text" not in out


def test_the_list_of_the_collection_s_language_and_a_seed_are_the_defaults(tmp_path, run_winoglot):
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    assert run_winoglot("rename", six_file("pt"), "-o", one)[0] == 0
    assert run_winoglot("rename", six_file("pt"), "--names", "pt-BR", "--seed", "0", "-o", other)[0] == 0
    assert one.read_text("utf-8") == other.read_text("utf-8")
    klingon = tmp_path / "klingon.yaml"
    klingon.write_text(six_file("en").read_text("utf-8").replace("language: en", "language: tlh"), "utf-8")
    code, _, err = run_winoglot("rename", klingon, "-o", tmp_path / "out.yaml")
    assert (code, "there is no list of names for tlh" in err, "--names" in err) == (2, True, True)


def test_names_that_the_file_keeps_stay_and_misspelt_ones_are_told(tmp_path, run_winoglot):
    source, output = tmp_path / "mine.yaml", tmp_path / "out.jsonl"
    source.write_text(
        "collection: mine\nlanguage: pt-BR\nkeep_names: [Rui, Ruy]\nschemas:\n  - id: ride\n"
        '    text: "Rui levou Davi e Caio até que {ele} [riu|dormiu]."\n'
        "    candidates: [Rui, Caio]\n    answers: [0, 1]\n",
        encoding="utf-8",
    )
    options = ["--names", "pt-BR", "--seed", "7", "-o", output, "--keep", "Davi"]
    code, out, _ = run_winoglot("rename", source, *options)
    assert code == 0
    assert "  kept (in the list of names to keep): Davi, Rui\n" in out
    assert "  to be kept, but not in any text: Ruy\n" in out
    made = wg.load(output)
    assert made.keep_names == ("Rui", "Ruy")
    assert made.items[0].text.startswith("Rui levou Davi e ")


def test_json_says_which_name_stands_for_which(tmp_path, run_winoglot):
    arguments = ["rename", six_file("en"), "--names", "en-US", "--seed", "1", "--keep", "Anna", "--json", "-o"]
    code, out, _ = run_winoglot(*arguments, tmp_path / "out.jsonl")
    told = json.loads(out)
    assert code == 0
    assert set(told["replaced"]["train-wave"]) == {"Rosa", "Lena"}
    assert told["kept"] == {"call-microphone": {"Anna": "in the list of names to keep"}}


def test_a_list_of_another_script_and_an_existing_output_are_refused(tmp_path, run_winoglot):
    output = tmp_path / "out.yaml"
    code, _, error = run_winoglot("rename", six_file("pt"), "--names", "zh-CN", "--seed", "1", "-o", output)
    assert code == 2
    assert "in another script than six-pt" in error
    assert not output.exists()
    output.write_text("", encoding="utf-8")
    code, _, error = run_winoglot("rename", six_file("pt"), "--names", "pt-BR", "--seed", "1", "-o", output)
    assert code == 2
    assert "--force" in error


def test_what_the_format_cannot_hold_is_told(tmp_path, run_winoglot):
    arguments = ["rename", six_file("pt"), "--names", "pt-BR", "--seed", "1", "-o", tmp_path / "out.tsv"]
    code, _, error = run_winoglot(*arguments)
    assert code == 0
    assert "not in xwinograd: variants" in error


def test_an_unknown_locale_is_told_with_the_nearest(tmp_path, run_winoglot):
    code, _, error = run_winoglot(
        "rename", six_file("pt"), "--names", "pt-BT", "--seed", "1", "-o", tmp_path / "out.yaml"
    )
    assert code == 2
    assert "pt-BR" in error


def test_comments_of_a_yaml_file_are_kept(tmp_path, run_winoglot):
    lines = six_file("pt").read_text(encoding="utf-8").splitlines()
    source = tmp_path / "mine.yaml"
    source.write_text(
        "# My schemas.\n" + "\n".join(f"{line}  # kept" if " - id: " in line else line for line in lines) + "\n",
        encoding="utf-8",
    )
    output = tmp_path / "out.yaml"
    assert run_winoglot("rename", source, "--names", "pt-BR", "--seed", "7", "-o", output)[0] == 0
    written = output.read_text(encoding="utf-8")
    assert written.startswith("# My schemas.\n")
    assert written.count("# kept") == source.read_text(encoding="utf-8").count("# kept") > 1
    assert (
        run_winoglot("rename", six_file("pt"), "--names", "pt-BR", "--seed", "7", "-o", tmp_path / "plain.jsonl")[0]
        == 0
    )
    assert wg.load(output).schemas == wg.load(tmp_path / "plain.jsonl").schemas
