"""Products of matrices that PyTorch's libraries made on a GPU: one call of `matmul` gives each bit of them."""

import importlib.machinery
import importlib.util
import json
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import assay

FILE = ROOT / "tb/vectors/products/h200.npz"
SCRIPT = ROOT / "scripts/capture/products"


def read(file):
    with np.load(file) as arrays:
        codes = {name: arrays[name] for name in arrays.files}
    return json.loads(codes.pop("manifest").tobytes()), codes


MANIFEST, CODES = read(FILE)
PRODUCTS = {product["name"]: product for product in MANIFEST["products"]}


def whole_instructions(codes, runs, k):
    """Rows whose runs are each filled up with zeros to a multiple of k."""
    cut = np.split(codes, runs, axis=1)
    return np.concatenate([np.pad(run, [(0, 0), (0, -run.shape[1] % k)]) for run in cut], axis=1)


def differing(name, a=None, b=None, **other):
    """Elements of a recorded product that the model has otherwise; `other` replaces what the manifest says of it."""
    product = PRODUCTS[name]
    how = {**product["model"], **other}
    assert how["dealt_by"] is None
    unit, runs = assay.instruction(how["instruction"]), how["split_k"]
    a, b = (CODES[product["a_codes"]] if a is None else a), (CODES[product["b_codes"]] if b is None else b)
    a, b = whole_instructions(a, runs, unit.k), whole_instructions(b, runs, unit.k).T
    if how["operands"]:
        assert how["operands"] == unit.a.name and product["a"] == "f32"
        a, b = a.view(np.float32), b.view(np.float32)  # numbers, which are rounded to nearest, ties to even
    d = unit.matmul(a, b, promote_every=how["promote_every"], split_k=runs)
    if how["result"]:
        d = assay.format(how["result"]).encode(d.view(np.float32)).codes
    recorded = CODES[product["d_codes"]]
    assert recorded.shape == d.shape == (product["m"], product["n"]) and recorded.itemsize == d.itemsize
    return int((d.view(recorded.dtype) != recorded).sum())


@pytest.mark.parametrize("name", PRODUCTS)
def test_each_bit_of_a_recorded_product(name):
    assert differing(name) == 0


def test_each_kind_is_there():
    def longest(kind):
        return max((product["k"] for product in PRODUCTS.values() if product["kind"] == kind), default=0)

    for kind in ["f16.f32", "f16.f16", "bf16.f32", "bf16.bf16", "f64.f64", "i8.i32"]:
        assert longest(kind) >= 64, kind
    for b in ("e4m3", "e5m2"):
        for d in ("f32", "bf16", "f16"):
            assert longest(f"e4m3.{b}.{d}") >= 512 and longest(f"e4m3.{b}.{d}.fast") >= 512
    runs = {kind: {p["model"]["split_k"] for p in PRODUCTS.values() if p["kind"] == kind} for kind in
            ("tf32.f32", "f16.f16.accumulated_in_f16")}  # fmt: skip
    assert runs == {"tf32.f32": {1, 2, 4}, "f16.f16.accumulated_in_f16": {1, 2, 4}}
    assert {"device", "driver", "cuda", "torch", "date"} <= MANIFEST.keys()
    assert all(product["kernels"] for product in PRODUCTS.values())


OTHERS = [
    ("e4m3.e4m3.f32.64x64x512", {"promote_every": 32}),
    ("e4m3.e4m3.f32.64x64x512", {"promote_every": 64}),
    ("e4m3.e4m3.f32.64x64x512", {"promote_every": 256}),
    ("e4m3.e4m3.f32.64x64x512", {"promote_every": None}),
    ("e4m3.e4m3.f32.fast.64x64x512", {"promote_every": 128}),
    ("e4m3.e5m2.bf16.64x64x512", {"promote_every": 64}),
    ("e4m3.e5m2.f16.64x64x512", {"promote_every": None}),
    ("e4m3.e4m3.f32.64x64x16", {"instruction": "hopper:mma.m16n8k32.f32.e4m3.e4m3.f32"}),
    ("tf32.f32.64x64x128", {"split_k": 1}),
    ("tf32.f32.64x64x128", {"split_k": 2}),
    ("tf32.f32.64x64x16", {"split_k": 1}),
    ("tf32.f32.64x64x64", {"operands": None}),
    ("f16.f16.accumulated_in_f16.64x64x256", {"split_k": 1}),
    ("f16.f16.accumulated_in_f16.64x64x256", {"instruction": "hopper:mma.m16n8k8.f16.f16.f16.f16"}),
    ("f16.f32.64x64x512", {"split_k": 2}),
    ("f16.f32.64x64x512", {"instruction": "ampere:mma.m16n8k16.f32.f16.f16.f32"}),
    ("bf16.f32.64x64x512", {"promote_every": 128}),
    ("f32.f32.64x64x128", {"split_k": 1}),
]


@pytest.mark.parametrize(("name", "other"), OTHERS)
def test_what_the_manifest_does_not_say_gives_other_elements(name, other):
    assert differing(name, **other) > 0


def test_ties_of_tf32_go_to_even():  # one touches a row or a column of D
    product = PRODUCTS["tf32.f32.64x64x128"]
    away = [(CODES[product[side]] + np.uint32(0x1000)) & np.uint32(0xFFFFE000) for side in ("a_codes", "b_codes")]
    even = [assay.format("tf32").encode(CODES[product[side]].view(np.float32)).codes for side in ("a_codes", "b_codes")]
    assert sum(int((x != y).sum()) for x, y in zip(away, even, strict=True)) == 1
    assert differing(product["name"], *even) == 0
    assert 0 < differing(product["name"], *away) <= 64


def test_another_order_of_k_gives_other_elements():
    a, b = (CODES[PRODUCTS["f64.f64.64x64x64"][side]][:, ::-1] for side in ("a_codes", "b_codes"))
    assert differing("f64.f64.64x64x64", np.ascontiguousarray(a), np.ascontiguousarray(b)) > 0


# --- the script ---


def script(*words):
    ran = subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout.splitlines(), ran.stderr


def rewritten(file, manifest, codes):
    np.savez(file, manifest=np.frombuffer(json.dumps(manifest).encode(), np.uint8), **codes)
    return file


def test_hold_counts_what_differs(tmp_path):
    elements = sum(product["m"] * product["n"] for product in PRODUCTS.values())
    status, lines, _ = script("hold", FILE)
    assert status == 0
    assert lines[-1] == f"products: {len(PRODUCTS)} products of NVIDIA H200, {elements:,} elements; 0 differ."
    name = PRODUCTS["f16.f32.64x64x512"]["d_codes"]
    wrong = CODES[name].copy()
    wrong[3, 5] ^= 1
    status, lines, _ = script("hold", rewritten(tmp_path / "wrong.npz", MANIFEST, {**CODES, name: wrong}))
    assert status == 1
    assert lines[-2] == "products: f16.f32.64x64x512: 1 of 4,096 elements differ."
    assert lines[-1].endswith("elements; 1 differ.")


def test_hold_finds_how_k_was_cut(tmp_path):
    unknown = json.loads(json.dumps(MANIFEST))
    for product in unknown["products"]:
        if product["kind"] in ("tf32.f32", "f16.f16.accumulated_in_f16", "f32.f32"):
            product["model"]["split_k"] = None
    status, lines, _ = script("hold", rewritten(tmp_path / "unknown.npz", unknown, CODES), "-o", tmp_path / "found.npz")
    assert status == 0 and "0 differ" in lines[-2]
    manifest, codes = read(tmp_path / "found.npz")
    assert manifest == MANIFEST and codes.keys() == CODES.keys()


def test_take_keeps_what_its_products_need(tmp_path):
    names = ["f16.f16.64x64x512", "f16.f16.accumulated_in_f16.64x64x512"]
    assert script("take", FILE, "-o", tmp_path / "two.npz", *names)[0] == 0
    manifest, codes = read(tmp_path / "two.npz")
    assert [product["name"] for product in manifest["products"]] == names
    assert len(codes) == 4  # A and B are those of both
    status, _, said = script("take", FILE, "-o", tmp_path / "none.npz", "nothing")
    assert status == 2 and "has no product 'nothing'; it has f16.f32.64x64x512, " in said


def test_what_the_script_refuses(tmp_path):
    status, _, said = script("hold", tmp_path / "none.npz")
    assert status == 2 and "is no recording of products: it is not there, or no .npz" in said
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    status, _, said = script("hold", tmp_path / "other.npz")
    assert status == 2 and "is no recording of products" in said
    status, _, said = script("record", "-o", tmp_path / "d.npz", "--sizes", "64x64")
    assert status == 2 and "sizes such as 64x64x512,128x256x256 are needed, found '64x64'" in said
    nothing = {**MANIFEST, "products": [{**PRODUCTS["f16.f32.64x64x512"], "model": None}]}
    status, lines, _ = script("hold", rewritten(tmp_path / "unknown.npz", nothing, CODES))
    assert status == 3 and lines == ["products: nothing is known of the products of NVIDIA H200, so none was compared."]


def test_record_says_what_is_missing(tmp_path):
    torch = importlib.util.find_spec("torch")
    if torch and __import__("torch").cuda.is_available():
        pytest.skip("there is a GPU here")
    status, _, said = script("record", "-o", tmp_path / "d.npz")
    assert status == 4 and not (tmp_path / "d.npz").exists()
    assert said.startswith("products: PyTorch finds no GPU of NVIDIA's here." if torch else "products: PyTorch is not")


def test_what_is_recorded_lies_as_the_script_says():
    torch = pytest.importorskip("torch")
    loader = importlib.machinery.SourceFileLoader("products", str(SCRIPT))
    products = importlib.util.module_from_spec(importlib.util.spec_from_loader("products", loader))
    loader.exec_module(products)
    found, codes = products.recorded(torch, "cpu", [(16, 24, 32)], 7, True)
    by_kind = {product["kind"]: product for product in found}
    assert {"f16.f16", "f64.f64", "i8.i32", "e4m3.e4m3.f32"} <= by_kind.keys()
    a, b, d = (codes[by_kind["i8.i32"][side]] for side in ("a_codes", "b_codes", "d_codes"))
    assert (a.shape, b.shape, d.shape) == ((16, 32), (24, 32), (16, 24))
    assert np.array_equal(a.view(np.int8).astype(int) @ b.view(np.int8).astype(int).T, d.view(np.int32))
    assert by_kind["tf32.f32"]["a_codes"] == by_kind["f32.f32"]["a_codes"]
    assert not torch.backends.cuda.matmul.allow_tf32
