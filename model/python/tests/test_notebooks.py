"""The notebooks of docs/notebooks run from end to end, and show what is kept in them."""

import os
import sys

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def run(path):
    """The notebook as it is after its cells ran, in the kernel of this Python."""
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=900, kernel_name="python3")
    client.create_kernel_manager()
    client.km.kernel_spec.argv[0] = sys.executable
    os.environ["PYTHONPATH"] = str(ROOT / "model/python")
    client.execute()
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    if "torch" in path.read_text(encoding="utf-8"):
        pytest.importorskip("torch")
    notebook = run(path)
    if os.environ.get("ASSAY_UPDATE_NOTEBOOKS"):
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, path)

    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kept = [
        output
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]

    def kinds(shown):
        return {kind for output in shown for kind in output.get("data", {})}

    assert kept and kinds(outputs) == kinds(kept)
