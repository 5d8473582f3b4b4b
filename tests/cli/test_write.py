import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from six_schemas import six_file
from study.asked import TEXT, answered, small, write

GO = "from winoglot.cli.main import main; main()"
# what runs in the background of a shell inherits that it cannot be interrupted
LIVE = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {GO}"


def test_new_then_status_then_review(printed, refused, tmp_path):
    file = tmp_path / "es.yaml"
    new = ("new", "--from", six_file("en"), "--to", "es", "-o", file)
    assert f"winoglot review {file}" in printed(*new, "--id", "train-wave")
    assert f"# Your progress: winoglot status {six_file('en')} {file}" in file.read_text("utf-8").splitlines()
    assert printed("status", six_file("en"), file).splitlines()[-1] == "6 missing"
    assert "Not begun: train-wave" in printed("review", file)
    refused(*new, says="exists already")


def test_status_of_a_translation_from_a_file_of_several_languages(printed, refused, tmp_path):
    both, file = tmp_path / "both.tsv", tmp_path / "es.yaml"
    tables = [printed("export", six_file(language), "--to", "xwinograd") for language in ("en", "pt")]
    both.write_text("".join(tables), encoding="utf-8")
    out = printed("new", "--from", both, "--language", "pt", "--to", "es", "-o", file)
    assert out.splitlines()[-1] == f"To see your progress: winoglot status {both} {file} --language pt"
    refused("status", both, file)
    assert printed("status", both, file, "--language", "pt").splitlines()[-1].endswith("missing")


def test_status_says_where_it_cannot_tell_whether_the_source_has_changed(printed):
    assert "6 schemas without the source's hash" in printed("status", six_file("en"), six_file("pt"))
    found = json.loads(printed("status", six_file("en"), six_file("pt"), "--json"))
    assert found["counts"]["translated"] == len(found["schemas"])


def test_review_once_fails_if_there_are_errors(run_winoglot, tmp_path):
    file = tmp_path / "mine.yaml"
    text = six_file("en").read_text(encoding="utf-8")
    for old, new, code in (
        ("", "", 0),
        ("answers: [0, 1]", "answers: [0, 5]", 1),
        ("answers: [0, 1]", "answers: [0, 0]", 1),
    ):
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert run_winoglot("review", file, "--once")[0] == code, new


def test_review_says_what_is_wrong_with_a_schema_that_is_not_finished(run_winoglot, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("collection: mine\nlanguage: en\nschemas:\n- {id: a, txt: '{It} fell.', tag: [names]}\n", "utf-8")
    code, out, _ = run_winoglot("review", file, "--once")
    assert code == 1
    assert "still empty: text, candidates" in out
    for line in ("unknown key 'txt'. Did you mean 'text'?", "unknown key 'tag'. Did you mean 'tags'?"):
        assert re.search(rf"error [^:]*: {re.escape(line)}", " ".join(out.split()))


def test_review_shows_readings_switched_form_and_findings(printed):
    out = printed("review", "winoglot-pt", "--id", "train-wave")
    assert "= A Da plataforma, Rosa acenava para Lena enquanto o trem levava {Rosa} embora." in out
    assert "⇄ Da [plataforma], Lena acenava para Rosa enquanto o trem {a} levava embora." in out
    assert "1 schema; 4 of 4 readings derived; 1 switched" in out


def test_a_file_named_like_a_command_is_reached_by_its_path(printed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "export").write_text(TEXT, encoding="utf-8")
    for words in (("./export", "--id", "jar-lid"), ("--id", "jar-lid", "./export")):
        assert "jar-lid.0" in printed("review", *words)


def test_a_file_that_cannot_be_read_is_an_error_once_and_a_message_while_live(tmp_path):
    """On a terminal the view stays, shows what was saved, and says what is wrong with a broken file."""
    file = tmp_path / "work.yaml"
    file.write_text("collection: [", encoding="utf-8")
    once = [sys.executable, "-c", GO, "review", str(file)]
    done = subprocess.run(once, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not YAML" in done.stderr
    master, slave = pty.openpty()
    live = subprocess.Popen([once[0], "-c", LIVE, *once[3:]], stdin=slave, stdout=slave, stderr=slave)
    try:
        assert "not YAML" in _until(master, "waiting for work.yaml")
        file.write_text(TEXT, encoding="utf-8")
        assert "3 schemas" in _until(master, "waiting for work.yaml")
        file.write_text(TEXT.replace("too [tall|low]", "far too [tall|low]"), encoding="utf-8")
        shown = _until(master, "waiting for work.yaml")
        assert "jar-lid.0" in shown
        assert "bus-seat.0" not in shown
        live.send_signal(signal.SIGINT)
        assert live.wait(20) == 0
    finally:
        live.kill()
        live.wait()
        os.close(master)
        os.close(slave)


def _until(terminal, words):
    os.set_blocking(terminal, False)
    seen, end = "", time.monotonic() + 30
    while words not in seen:
        assert time.monotonic() < end, seen
        try:
            seen += os.read(terminal, 65536).decode(errors="replace")
        except BlockingIOError:
            time.sleep(0.05)
    return seen


def test_a_blind_check_from_export_to_import(printed, tmp_path):
    collection = small(tmp_path)
    file = tmp_path / "small.yaml"
    for part in ("1/2", "2/2"):
        target = tmp_path / part.replace("/", "-")
        out = printed("review", "export", file, "--blind", "--part", part, "-o", target, "--seed", 3)
        assert "3 questions" in out
    flagged = {"jar-lid.1": {"flag": "unnatural", "comment": "low is odd for a tap"}}
    lines = answered(collection, "r1", wrong=["bus-seat.0"], **flagged)
    path = write(tmp_path / "judgements.jsonl", [*lines, {"id": "0123456789-01234567", "reader": "r1", "choice": 0}])
    out = printed("review", "import", file, path, "-o", tmp_path / "full.jsonl")
    for words in (
        "–: no item was answered by two readers",
        "To repair: 2 of 6 items",
        "r1: Liam (wrong)",
        "unnatural, low is odd for a tap",
        "Out of date, so left out: 1 judgement",
    ):
        assert words in out
    found = json.loads(printed("review", "import", file, tmp_path / "full.jsonl", "--json"))
    assert found["collections"][0]["right"]["value"] == pytest.approx(5 / 6)
    assert [item["item"] for item in found["items"] if item["repair"]] == ["bus-seat.0", "jar-lid.1"]


def test_bad_usage_of_a_blind_check(printed, refused, tmp_path):
    small(tmp_path)
    file, output = tmp_path / "small.yaml", tmp_path / "x"
    export = ["export", file, "-o", output]
    for arguments, message in (
        (export, "Add --blind"),
        ([*export, "--blind", "--part", "3"], "'3' is not a part"),
        ([*export, "--blind", "--part", "3/2"], "there is no part 3 of 2"),
        (["import", file, tmp_path / "none.jsonl"], "cannot be read"),
        ([file, "--language", "fr"], "the collection is in en, not in fr"),
        ([*export, "--blind", "--language", "fr"], "the collection is in en, not in fr"),
    ):
        refused("review", *arguments, says=message)
    assert not output.exists()
    printed("review", *export, "--blind", "--language", "en")
