"""Whatever makes no sense raises assay.Error with a sentence, and nothing else happens."""

import ctypes
import gc
import multiprocessing
import threading
import weakref

import numpy as np
import pytest
from conftest import SCALED, WGMMA

import assay

A, B = np.ones((4, 16), np.float16), np.ones((16, 4), np.float16)
CODES = np.zeros((4, 4), np.uint32)


def read_only():
    array = np.zeros((4, 4), np.uint32)
    array.setflags(write=False)
    return array


class NoArray:
    def __array__(self, *_, **__):
        raise RuntimeError("no")


MATMUL = {
    "an int64": (
        (np.ones((4, 16), int), B),
        "a has dtype int64; codes of f16 have dtype uint16, and numbers are floats",
    ),
    "Python ints": (([[1] * 16], B), "a has dtype int64"),
    "codes of another width": ((A.view(np.uint16).astype(np.uint8), B), "a has dtype uint8"),
    "complex": ((A * 1j, B), "dtype complex"),
    "text": (([["x"] * 16], B), "dtype <U1"),
    "objects": ((np.array([[None] * 16]), B), "dtype object"),
    "ragged": (([[1.0], [1.0, 2.0]], B), "a is no array"),
    "nothing": ((None, B), "a has dtype object"),
    "no array at all": ((NoArray(), B), "a is no array: no"),
    "longdouble": ((A.astype(np.longdouble), B), "floats of at most 64 bits"),
    "bool": ((A.astype(bool), B), "dtype bool"),
    "dates": ((np.zeros((4, 16), "M8[s]"), B), "dtype datetime64"),
    "K = 0": ((A[:, :0], B[:0]), "a product needs a row, a column and a term"),
    "empty": ((A[:0], B), "a product needs a row"),
    "no axis": ((np.float16(1), B), "each needs an axis"),
    "another K": ((A[:, :8], B), "the last axis of a is as long as"),
    "no multiple of k": ((A[:, :8], B[:8]), "K is 8, which is no multiple of the 16 terms of"),
    "batches that do not go together": ((np.ones((2, 4, 16)), np.ones((3, 16, 4))), "do not go together"),
    "c of another shape": ((A, B, np.zeros((3, 4))), r"c has shape \(3, 4\); the product has \(4, 4\)"),
}


@pytest.mark.parametrize("what", MATMUL)
def test_matmul(wgmma, what):
    operands, words = MATMUL[what]
    with pytest.raises(assay.Error, match=words):
        wgmma.matmul(*operands)


OPTIONS = {
    "no threads": ({"threads": 0}, "threads is 0"),
    "many threads": ({"threads": 10**9}, "threads is 1000000000; it must be a whole number from 1 to 256"),
    "text threads": ({"threads": "2"}, "threads is '2'"),
    "promotion at 24": ({"promote_every": 24}, "promote_every is 24; it must be a multiple of the instruction's 16"),
    "promotion at 0": ({"promote_every": 0}, "promote_every is 0"),
    "no run": ({"split_k": 0}, "split_k is 0; it must be a whole number from 1"),
    "half a run": ({"split_k": 1.5}, "split_k is 1.5; it must be a whole number from 1"),
    "runs of another length": ({"split_k": 3}, "K is 16, which is no multiple of split_k, which is 3"),
    "runs too short": ({"split_k": 2}, "split_k is 2, which cuts K into runs of 8; a run is a multiple of the instruc"),
    "runs and into": ({"split_k": 2, "into": CODES}, "With split_k sums are added here, and `into` takes the unit's d"),
    "scales where there are none": ({"scale_a": np.ones((4, 1))}, "has no scales; leave scale_a out"),
    "into read-only": ({"into": read_only()}, "into is read-only"),
    "into of another dtype": ({"into": CODES.astype(np.float32)}, "into is float32 of shape"),
    "into of another shape": ({"into": CODES[:2]}, "the product needs an array of uint32 of shape"),
    "into a list": ({"into": [[0]]}, "into is list"),
    "into that repeats": ({"into": np.lib.stride_tricks.as_strided(CODES, (4, 4), (0, 4))}, "overlap each other"),
    "into that slides": ({"into": np.lib.stride_tricks.as_strided(CODES, (4, 4), (4, 4))}, "overlap each other"),
}


@pytest.mark.parametrize("what", OPTIONS)
def test_options_of_matmul(wgmma, what):
    options, words = OPTIONS[what]
    with pytest.raises(assay.Error, match=words):
        wgmma.matmul(A, B, **options)


def test_runs_of_integers(integers):
    with pytest.raises(assay.Error, match="gives i32; split_k adds f64, and floats of at most 25 significant bits"):
        integers.matmul(np.ones((1, 32), np.int8), np.ones((32, 1), np.int8), split_k=2)


def test_a_unit_never_changes(wgmma):
    with pytest.raises(AttributeError, match="A unit never changes: its k stays as it is, and `with_` makes another"):
        wgmma.k = 8
    with pytest.raises(AttributeError, match="A unit never changes: its d stays"):
        del wgmma.d
    with pytest.raises(TypeError):
        wgmma.more["x"] = wgmma.a


@pytest.mark.parametrize("name", ["hopper:wgmma.m64nNk16.f32.f16.f16\0 and more", "hop\0per:x", "\ud800"])
def test_names_are_text_without_an_end_inside(name):
    for opened in (assay.instruction, assay.format):
        with pytest.raises(assay.Error, match="has a NUL in it|is no text in UTF-8"):
            opened(name)


def test_numbers_of_numpy_are_numbers(wgmma):
    assert wgmma.with_(F=np.int64(20)).yaml == wgmma.with_(F=20).yaml
    ours, theirs = wgmma.generate(3, seed=np.int64(4)), wgmma.generate(3, seed=4)
    assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)
    assert wgmma.compare(wgmma, cases=np.int64(30), seed=np.int64(3)).passed
    with pytest.raises(assay.Error, match="is a complex, and no number"):
        wgmma.compare(wgmma, cases=1j)


# An axis of one element has any stride at all, and axes may lie between each other's elements.
def test_into_of_unusual_strides(wgmma):
    a = np.arange(64, dtype=np.float16).reshape(4, 16)
    b = a.T.copy()
    right = wgmma.matmul(a, b).view(np.uint32)
    row = np.zeros(4, np.uint32)
    wgmma.matmul(a[:1], b, into=np.lib.stride_tricks.as_strided(row, (1, 4), (0, 4)))
    assert np.array_equal(row, right[0])
    woven = np.lib.stride_tricks.as_strided(np.zeros(8, np.uint32), (2, 2), (12, 8))
    wgmma.matmul(a[:2], b[:, :2], into=woven)
    assert np.array_equal(woven, right[:2, :2])


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (1, 2, 4), (3, 1, 4)])
def test_into_is_c_of_one_row_or_column(wgmma, shape):
    a = np.arange(16 * np.prod(shape[:-1]), dtype=np.float16).reshape(*shape[:-1], 16) / 8
    b = B[:, : shape[-1]]
    c = np.full(shape, 0x3F800000, np.uint32)
    right = wgmma.matmul(a, b, c.copy())
    assert wgmma.matmul(a, b, c, into=c) is c
    assert np.array_equal(c, right.view(np.uint32))


def test_masked_elements(wgmma):
    masked = np.ma.masked_less(A, 1e9)
    with pytest.raises(assay.Error, match="a has masked elements, which have no number"):
        wgmma.matmul(masked, B)
    assert np.array_equal(wgmma.matmul(np.ma.masked_array(A), B), wgmma.matmul(A, B))


def test_into_that_overlaps_an_operand(wgmma):
    memory = np.zeros((8, 16), np.uint32)
    a = memory.view(np.uint16)[:4, :16]
    with pytest.raises(assay.Error, match="into overlaps an operand"):
        wgmma.matmul(a, B, into=memory[:4, :4])
    with pytest.raises(assay.Error, match="into overlaps an operand"):
        wgmma.matmul(A, B, memory[1:5, :4], into=memory[:4, :4])


def test_nan_for_a_format_without_one(scaled):
    a = np.full((1, 64), np.nan)
    with pytest.raises(assay.Error, match="a: Value 0 is NaN, and e2m1 has no NaN; replace it"):
        scaled.matmul(a, a.T, scale_a=np.ones((1, 2)), scale_b=np.ones((2, 1)))
    with pytest.raises(assay.Error, match="needs scale_a and scale_b: 2 of ue8m0 as scale_a, 2 of"):
        scaled.matmul(np.ones((1, 64)), np.ones((64, 1)))
    with pytest.raises(assay.Error, match=r"scale_a has shape \(1, 3\); this product takes \(1, 2\)"):
        scaled.matmul(np.ones((1, 64)), np.ones((64, 1)), scale_a=np.ones((1, 3)), scale_b=np.ones((2, 1)))
    for wrong in (np.ones((1, 1)), np.ones(1), np.ones(3)):  # of one instruction along K, where there are two
        with pytest.raises(assay.Error, match="scale_a has shape"):
            scaled.matmul(np.ones((1, 128)), np.ones((128, 2)), scale_a=wrong, scale_b=np.ones((4, 2)))
    with pytest.raises(assay.Error, match="scale_b has shape"):  # along the columns, where it is to be along K
        scaled.matmul(np.ones((1, 64)), np.ones((64, 2)), scale_a=np.ones((1, 2)), scale_b=np.ones(2))
    assert scaled.matmul(np.ones((1, 64)), np.ones((64, 2)), scale_a=2.0, scale_b=1.0).tolist() == [[128, 128]]
    with pytest.raises(assay.Error, match="scale_a is one number; .* takes 2 along its last axis"):
        scaled.dot(np.ones(64), np.ones(64), scale_a=1.0, scale_b=1.0)
    high = np.full((1, 64), 16, np.uint8)
    with pytest.raises(assay.Error, match="a has bits above the 4 of e2m1"):
        scaled.matmul(high, high.T, scale_a=np.ones((1, 2)), scale_b=np.ones((2, 1)))


def test_dot(wgmma):
    for operands, words in [
        (([], []), "a dot product needs a term"),
        ((1.0, 1.0), "a dot product needs a term"),
        ((np.ones(17), np.ones(17)), "a has 17 along its last axis; .* takes 16"),
        ((np.ones(3), np.ones(4)), "their last axes are as long as each other"),
        ((np.ones((2, 4)), np.ones((3, 4))), "do not go together"),
    ]:
        with pytest.raises(assay.Error, match=words):
            wgmma.dot(*operands)


def test_nothing_at_all_is_no_dot_product(wgmma):
    assert wgmma.dot(np.ones((0, 16)), np.ones((0, 16))).shape == (0,)


def test_formats():
    f = assay.format("e2m1")
    for codes, words in [
        ([16], "not 0 to 2"),
        ([-1], "not 0 to 2"),
        (np.uint8([16]), "bits above the 4"),
        ([1.0], "dtype float64"),
    ]:
        with pytest.raises(assay.Error, match=words):
            f.decode(codes)
    with pytest.raises(assay.Error, match="no format"):
        assay.format("")
    with pytest.raises(assay.Error, match="listed for formats of 16 bits and fewer"):
        _ = assay.format("f32").all_codes
    wide = "formats: {huge: {exponent: 11, mantissa: 2, bias: 4000, infinity: false, nan: none, signed_zero: true}}\n"
    with pytest.raises(assay.Error, match="The numbers of huge reach beyond those of a double"):
        assay.datapath("name: x\nlike: fused_f25\nk: 4\n" + wide + "operands: {a: huge, b: f16, c: f32, d: f32}\n")


def test_units(wgmma, tmp_path):
    for make, words in [
        (lambda: assay.instruction("hopper:nothing"), "nothing"),
        (lambda: assay.instruction(""), "."),
        (lambda: assay.datapath(tmp_path / "none.yaml"), "none.yaml"),
        (lambda: assay.datapath(5), "A datapath is a file, a text or a dict, found int"),
        (lambda: assay.datapath({"name": {1, 2}}), "The datapath is no YAML"),
        (lambda: assay.datapath({"name": "x", "like": "nothing"}), "nothing"),
        (lambda: assay.datapath("name: x\0\n"), "NUL"),
        (lambda: assay.datapath("unit.yaml\0 and more"), "NUL"),
        (lambda: wgmma.with_(G=5), "G"),
        (lambda: wgmma.with_(F="many"), "many"),
        (lambda: wgmma.with_(F={1}), "The settings are no YAML"),
        (lambda: wgmma.with_({"adders.none.add.product.keep": 5}), "none"),
        (lambda: assay.instruction("cdna1:v_mfma_i32_16x16x16i8").with_(F=5), "no input of this datapath is cut"),
        (lambda: wgmma.encode("e", [1.0]), "'e' is no operand; there are a, b, c"),
    ]:
        with pytest.raises(assay.Error, match=words):
            make()


def test_the_bench(wgmma, tmp_path):
    one = [1.0]
    for make, words in [
        (
            lambda: wgmma.explain(np.ones((2, 4)), np.ones((2, 4))),
            "One dot product is explained at a time; these are 2",
        ),
        (lambda: wgmma.explain(one, one, reference="oracle"), "There is a reference and no device"),
        (lambda: wgmma.compare("no_such_device"), "no_such_device"),
        (lambda: wgmma.compare(5), "A device is a name, a Unit or a function, found int"),
        (lambda: wgmma.compare(None), "Name the device"),
        (lambda: wgmma.compare("oracle", cases=-1), "cases"),
        (lambda: wgmma.compare("oracle", family="none"), "none"),
        (lambda: wgmma.compare("oracle", cases=1, level=1), "in place of"),
        (lambda: wgmma.compare(assay.instruction(SCALED), cases=5), "."),
        (lambda: wgmma.check(np.zeros(2, np.uint32), one, one), "d has shape"),
        (lambda: wgmma.generate(-1), "cases is -1"),
        (lambda: wgmma.generate(5, family="none"), "none"),
        (lambda: wgmma.score(10, raw=5), "raw"),
        (lambda: wgmma.coverage({"a": np.ones((1, 16))}), "b"),
        (lambda: wgmma.guarantee(k=7), "."),
        (lambda: assay.check(tmp_path / "none.jsonl"), "none.jsonl"),
    ]:
        with pytest.raises((assay.Error, TypeError) if words == "b" else assay.Error, match=words):
            make()


def test_a_handle_lives_as_long_as_its_object():
    """There is no call that frees one: an object that is gone takes its handle with it, and nobody can use it."""
    unit = assay.instruction(WGMMA)
    gone = weakref.ref(unit)
    dot = unit.dot
    del unit
    gc.collect()
    assert gone() is not None and dot([1.0], [1.0]) == 1
    del dot
    gc.collect()
    assert gone() is None
    for _ in range(300):
        assay.instruction(WGMMA)
    from assay import _library as lib

    with pytest.raises(assay.Error, match="unit is NULL"):
        lib.call("dot", ctypes.c_void_p(), 0, ctypes.byref(lib.Operands()), lib.Buffer())


def test_ten_threads_share_a_unit(wgmma):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 65536, (64, 64), np.uint16), rng.integers(0, 65536, (64, 64), np.uint16)
    expected, wrong = wgmma.matmul(a, b), []

    def work(seed):
        for i in range(10):
            if not np.array_equal(wgmma.matmul(a, b, threads=1 + seed % 3), expected):
                wrong.append(seed)
            if not wgmma.compare(wgmma.dot, cases=20, seed=seed).passed:
                wrong.append(seed)
            wgmma.with_(F=10 + i).dot([1.0], [1.0])
            with pytest.raises(assay.Error, match=f"nothing{seed}"):
                assay.instruction(f"hopper:nothing{seed}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _in_a_child(queue, unit, a):
    queue.put((unit.matmul(a, a.T, threads=2), unit.compare("oracle", cases=50).passed))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_uses_the_unit(wgmma, method):
    a = np.random.default_rng(0).integers(0, 65536, (32, 32), np.uint16)
    expected = wgmma.matmul(a, a.T, threads=2)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_in_a_child, args=(queue, wgmma, a))
    child.start()
    found, passed = queue.get(timeout=120)
    child.join()
    assert child.exitcode == 0 and passed and np.array_equal(found, expected)
