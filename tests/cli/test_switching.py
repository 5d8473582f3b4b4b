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


def test_the_tagged_schemas_are_switched_and_where_none_is_all_are_tried(mine, tmp_path, printed):
    output = tmp_path / "out.yaml"
    assert "1 schema switched" in printed("switch", mine, "-o", output)
    made = wg.load(output)
    texts = ["Caio viu Rui e ele riu.", "Caio viu Rui e ele chorou."]
    assert [variant.text for variant in made.variants("switched")] == texts
    assert [variant.answer for variant in made.variants("switched")] == [1, 0]
    assert made.items == wg.load(mine).items
    mine.write_text(COLLECTION.format(tags=""), encoding="utf-8")
    out = printed("switch", mine, "-o", output, "--force")
    assert "2 schemas switched" in out
    assert "nested" in out
    assert "overlap" in out


def test_comments_and_layout_of_a_yaml_file_are_kept(mine, tmp_path, printed):
    lines = mine.read_text(encoding="utf-8").replace("[Rui, Caio]", "[Rui, Caio]  # friends").splitlines()
    mine.write_text("# My schemas.\n" + "\n".join(lines) + "\n", encoding="utf-8")
    printed("switch", mine, "-o", tmp_path / "out.yaml")
    written = (tmp_path / "out.yaml").read_text(encoding="utf-8").splitlines()
    assert [line for line in written if line in ("# My schemas.", *lines)] == ["# My schemas.", *lines]
    assert wg.load(tmp_path / "out.yaml").variants("switched")


def test_suggestions_name_the_untagged(mine, printed):
    out = printed("switch", mine, "--suggest")
    for words in ("can switch 1 of the 2 others", "plain: ", "nested: no", "Not checked"):
        assert words in out
    assert "tagged: " not in out


def test_bad_calls_write_nothing(mine, tmp_path, refused):
    refused("switch", mine, says="-o")
    refused("switch", mine, "--suggest", "-o", tmp_path / "out.yaml", says="-o")
    assert list(tmp_path.iterdir()) == [mine]
    text = mine.read_text(encoding="utf-8")
    refused("switch", mine, "-o", mine, says="--force")
    assert mine.read_text(encoding="utf-8") == text


def test_a_kind_that_no_schema_has_is_explained_with_a_command_for_the_user_s_file(refused, tmp_path):
    mine = tmp_path / "my file.yaml"
    mine.write_text(
        "collection: mine\nlanguage: pt\nschemas:\n  - id: book\n"
        '    text: "O Rui leu o livro ao Caio e nunca mais {o} viu."\n'
        "    candidates: [o livro, Caio]\n    answers: [0]\n",
        encoding="utf-8",
    )
    suggested = f"winoglot switch '{mine}' --suggest"
    refused("evaluate", mine, "--model", "first", "--kinds", "switched", says=suggested)


def test_switched_items_that_nobody_confirmed_are_asked_and_not_scored(mine, tmp_path, printed):
    mine.write_text(COLLECTION.format(tags=""), encoding="utf-8")
    out = printed("evaluate", mine, "--model", "first", "--kinds", "switched", "-o", tmp_path / "runs")
    assert "whose answer nobody has confirmed, left out: " in out
    (run,) = wg.load_runs(tmp_path / "runs")
    assert run.outcomes("switched")
    assert not run.accuracy("switched").n
    assert "with a known answer" in run.estimate("consistency").method
