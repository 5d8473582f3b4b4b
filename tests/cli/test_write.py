import json
import os
import pty
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


def test_new_then_status_then_review(run_winoglot, tmp_path):
    file = tmp_path / "es.yaml"
    code, out, _ = run_winoglot("new", "--from", six_file("en"), "--to", "es", "-o", file, "--id", "train-wave")
    assert code == 0
    assert f"winoglot review {file}" in out
    assert f"# Your progress: winoglot status {six_file('en')} {file}" in file.read_text("utf-8").splitlines()
    code, out, _ = run_winoglot("status", six_file("en"), file)
    assert code == 0
    assert out.splitlines()[-1] == "6 missing"
    code, out, _ = run_winoglot("review", file)
    assert code == 0
    assert "Not begun: train-wave" in out
    code, _, err = run_winoglot("new", "--from", six_file("en"), "--to", "es", "-o", file)
    assert code == 2
    assert "exists already" in err


def test_status_of_a_translation_from_a_file_of_several_languages(run_winoglot, tmp_path):
    tables = [tmp_path / f"{language}.tsv" for language in ("en", "pt")]
    for language, table in zip(("en", "pt"), tables, strict=True):
        assert run_winoglot("export", six_file(language), "--to", "xwinograd", "-o", table)[0] == 0
    both, file = tmp_path / "both.tsv", tmp_path / "es.yaml"
    both.write_text("".join(table.read_text(encoding="utf-8") for table in tables), encoding="utf-8")
    code, out, _ = run_winoglot("new", "--from", both, "--language", "pt", "--to", "es", "-o", file)
    assert code == 0
    assert out.splitlines()[-1] == f"To see your progress: winoglot status {both} {file} --language pt"
    assert run_winoglot("status", both, file)[0] == 2
    code, out, _ = run_winoglot("status", both, file, "--language", "pt")
    assert code == 0
    assert out.splitlines()[-1].endswith("missing")


def test_status_says_where_it_cannot_tell_whether_the_source_has_changed(run_winoglot):
    code, out, _ = run_winoglot("status", six_file("en"), six_file("pt"))
    assert code == 0
    assert "6 schemas without the source's hash" in out


def test_status_as_json(run_winoglot):
    code, out, _ = run_winoglot("status", six_file("en"), six_file("pt"), "--json")
    found = json.loads(out)
    assert code == 0
    assert found["counts"]["translated"] == len(found["schemas"])


def test_review_shows_readings_switched_form_and_findings(run_winoglot):
    code, out, _ = run_winoglot("review", "winoglot-pt", "--id", "train-wave")
    assert code == 0
    assert "= 0 Da plataforma, Rosa acenou para Lena até o trem levar {Rosa} embora." in out
    assert "⇄ Da [plataforma], Lena acenou para Rosa até o trem levá-{la} embora." in out
    assert "1 schema; 4 of 4 readings derived; 1 switched" in out


def test_a_file_named_like_a_command_is_reached_by_its_path(run_winoglot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "export").write_text(TEXT, encoding="utf-8")
    code, out, _ = run_winoglot("review", "./export", "--id", "jar-lid")
    assert code == 0
    assert "jar-lid.0" in out
    code, out, _ = run_winoglot("review", "--id", "jar-lid", "./export")
    assert code == 0


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


def test_a_blind_check_from_export_to_import(run_winoglot, tmp_path):
    collection = small(tmp_path)
    file = tmp_path / "small.yaml"
    for part in ("1/2", "2/2"):
        code, out, _ = run_winoglot(
            "review", "export", file, "--blind", "--part", part, "-o", tmp_path / part.replace("/", "-"), "--seed", 3
        )
        assert code == 0
        assert "3 questions" in out
    flagged = {"jar-lid.1": {"flag": "unnatural", "comment": "low is odd for a tap"}}
    lines = answered(collection, "r1", wrong=["bus-seat.0"], **flagged)
    path = write(tmp_path / "judgements.jsonl", [*lines, {"id": "0123456789-01234567", "reader": "r1", "choice": 0}])
    code, out, _ = run_winoglot("review", "import", file, path, "-o", tmp_path / "full.jsonl")
    assert "–: no item was answered by two readers" in out
    assert code == 0
    assert "To repair: 2 of 6 items" in out
    assert "r1: Liam (wrong)" in out
    assert "unnatural, low is odd for a tap" in out
    assert "Out of date, so left out: 1 judgement" in out
    code, out, _ = run_winoglot("review", "import", file, tmp_path / "full.jsonl", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["collections"][0]["right"]["value"] == pytest.approx(5 / 6)
    assert [item["item"] for item in found["items"] if item["repair"]] == ["bus-seat.0", "jar-lid.1"]


def test_bad_usage_of_a_blind_check(run_winoglot, tmp_path):
    small(tmp_path)
    file = tmp_path / "small.yaml"
    for arguments, message in (
        (["export", file, "-o", tmp_path / "x"], "Add --blind"),
        (["export", file, "--blind", "-o", tmp_path / "x", "--part", "3"], "'3' is not a part"),
        (["export", file, "--blind", "-o", tmp_path / "x", "--part", "3/2"], "there is no part 3 of 2"),
        (["import", file, tmp_path / "none.jsonl"], "cannot be read"),
    ):
        code, _, err = run_winoglot("review", *arguments)
        assert code == 2
        assert message in err
    assert not (tmp_path / "x").exists()


def test_review_and_export_refuse_a_file_in_another_language_than_asked_for(run_winoglot, tmp_path):
    small(tmp_path)
    file = tmp_path / "small.yaml"
    for arguments in ([file], ["export", file, "--blind", "-o", tmp_path / "x"]):
        code, _, err = run_winoglot("review", *arguments, "--language", "fr")
        assert (code, "the collection is in en, not in fr" in err) == (2, True)
        assert run_winoglot("review", *arguments, "--language", "en")[0] == 0
