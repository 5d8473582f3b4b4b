"""The notebooks of the documentation show what really happens, and become pages of it."""

import pytest

from notebooks import NOTEBOOKS, executed, read, shown

by_name = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


def test_there_is_a_tutorial():
    assert [path.name for path in NOTEBOOKS] == ["tutorial.ipynb"]


@pytest.mark.slow
@by_name
def test_a_notebook_shows_what_its_cells_show_now(path, tmp_path):
    notebook = read(path)
    assert shown(executed(notebook, tmp_path)) == shown(notebook), "run: python tests/notebooks.py"
    assert (tmp_path / "report.html").is_file()


@by_name
def test_a_notebook_is_stored_with_the_outputs_of_one_run_from_top_to_bottom(path):
    cells = [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    kinds = {output["output_type"] for cell in cells for output in cell["outputs"]}
    assert kinds == {"stream", "execute_result"}  # no error
