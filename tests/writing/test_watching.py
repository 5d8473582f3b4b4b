from winoglot.writing.watching import saved


def test_a_save_is_noticed_also_when_the_file_is_replaced(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("one", encoding="utf-8")
    times = saved(path, pause=0.01)
    next(times)
    path.write_text("another", encoding="utf-8")
    next(times)
    (tmp_path / "b").write_text("another", encoding="utf-8")
    path.unlink()
    (tmp_path / "b").rename(path)
    next(times)


def test_a_save_while_the_first_look_is_taken_is_noticed(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("one", encoding="utf-8")
    times = saved(path, pause=0.01)
    next(times)
    path.write_text("two, longer", encoding="utf-8")  # before the caller asks again
    next(times)
