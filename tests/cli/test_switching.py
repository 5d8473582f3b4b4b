import pytest

import winoglot as wg

COLLECTION = """
collection: mine
language: pt-BR
schemas:
  - id: tagged
    text: "Rui viu Caio e {{ele}} [riu|chorou]."
    candidates: [Rui, Caio]
    answers: [0, 1]
    {tags}
  - id: plain
    text: "A bola caiu na rede e {{ela}} [furou|rasgou]."
    candidates: [a bola, a rede]
    answers: [0, 1]
  - id: nested
    text: "A mãe da Ana sumiu e {{ela}} [riu|chorou]."
    candidates: [a mãe da Ana, Ana]
    answers: [0, 1]
"""


@pytest.fixture
def mine(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(COLLECTION.format(tags="tags: [switchable]"), encoding="utf-8")
    return file


def test_the_tagged_schemas_are_switched(mine, tmp_path, run_winoglot):
    code, out, _ = run_winoglot("switch", str(mine), "-o", str(tmp_path / "out.yaml"))
    made = wg.load(str(tmp_path / "out.yaml"))
    assert code == 0
    assert [variant.text for variant in made.variants("switched")] == [
        "Caio viu Rui e ele riu.",
        "Caio viu Rui e ele chorou.",
    ]
    assert [variant.answer for variant in made.variants("switched")] == [1, 0]
    assert made.items == wg.load(str(mine)).items
    assert "1 schema switched" in out


def test_comments_and_layout_of_a_yaml_file_are_kept(mine, tmp_path, run_winoglot):
    lines = mine.read_text(encoding="utf-8").replace("[Rui, Caio]", "[Rui, Caio]  # friends").splitlines()
    mine.write_text("# My schemas.\n" + "\n".join(lines) + "\n", encoding="utf-8")
    assert run_winoglot("switch", str(mine), "-o", str(tmp_path / "out.yaml"))[0] == 0
    written = (tmp_path / "out.yaml").read_text(encoding="utf-8").splitlines()
    assert [line for line in written if line in ("# My schemas.", *lines)] == ["# My schemas.", *lines]
    assert wg.load(tmp_path / "out.yaml").variants("switched")


def test_a_format_that_cannot_hold_variants_is_told(mine, tmp_path, run_winoglot):
    code, _, error = run_winoglot("switch", str(mine), "-o", str(tmp_path / "out.tsv"))
    assert code == 0
    assert "not in xwinograd: variants: tagged.0~switched, tagged.1~switched" in error


def test_where_none_is_tagged_all_are_tried(mine, tmp_path, run_winoglot):
    mine.write_text(COLLECTION.format(tags=""), encoding="utf-8")
    code, out, _ = run_winoglot("switch", str(mine), "-o", str(tmp_path / "out.yaml"))
    assert code == 0
    assert "2 schemas switched" in out
    assert "nested" in out
    assert "overlap" in out


def test_suggestions_name_the_untagged(mine, run_winoglot):
    code, out, _ = run_winoglot("switch", str(mine), "--suggest")
    assert code == 0
    assert "can switch 1 of the 2 others" in out
    assert "plain: yes" in out
    assert "nested: no" in out
    assert "tagged: " not in out


def test_suggestions_have_no_output(mine, tmp_path, run_winoglot):
    code, out, err = run_winoglot("switch", str(mine), "--suggest", "-o", str(tmp_path / "out.yaml"))
    assert (code, out, "-o" in err, (tmp_path / "out.yaml").exists()) == (2, "", True, False)


def test_bad_calls_write_nothing(mine, tmp_path, run_winoglot):
    code, _, err = run_winoglot("switch", str(mine))
    assert (code, "-o" in err) == (2, True)
    taken = tmp_path / "taken.yaml"
    taken.write_text("mine", encoding="utf-8")
    code, _, err = run_winoglot("switch", str(mine), "-o", str(taken))
    assert (code, taken.read_text(encoding="utf-8")) == (2, "mine")


def test_a_kind_that_no_schema_has_is_explained_with_a_command_for_the_user_s_file(run_winoglot, tmp_path):
    mine = tmp_path / "my file.yaml"
    mine.write_text(
        "collection: mine\nlanguage: pt\nschemas:\n  - id: book\n"
        '    text: "O Rui leu o livro ao Caio e nunca mais {o} viu."\n'
        "    candidates: [o livro, Caio]\n    answers: [0]\n",
        encoding="utf-8",
    )
    code, _, err = run_winoglot("evaluate", mine, "--model", "first", "--kinds", "switched")
    assert code == 2
    assert f"winoglot switch '{mine}' --suggest" in err
