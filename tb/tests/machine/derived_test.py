"""derived_test.py ASSAY: where the elements of MFMAs stand, with legal modifiers, and what comes of registers, derived
a second time from the published text alone: AMD's general formula ("A[b,i,k] is in item k % K_L of lane
i + M (b + B (k / K_L))") and its article's words on cbsz, abid and blgp. Numbers are Python's own integers, and exact
fractions rounded once for each multiply-add. Nothing is shared with the program but its output.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from struct import pack, unpack

BITS = {"f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "bf16_1k": 16, "i8": 8, "fp8": 8, "bf8": 8, "f64": 64}
SHAPES = """
cdna1 32x32x1/2/f32 16x16x1/4/f32 4x4x1/16/f32 32x32x2/1/f32 16x16x4/1/f32
cdna1 32x32x4/2/f16 16x16x4/4/f16 4x4x4/16/f16 32x32x8/1/f16 16x16x16/1/f16
cdna1 32x32x4/2/i8 16x16x4/4/i8 4x4x4/16/i8 32x32x8/1/i8 16x16x16/1/i8
cdna1 32x32x2/2/bf16 16x16x2/4/bf16 4x4x2/16/bf16 32x32x4/1/bf16 16x16x8/1/bf16
cdna2 32x32x1/2/f32 16x16x1/4/f32 4x4x1/16/f32 32x32x2/1/f32 16x16x4/1/f32
cdna2 32x32x4/2/f16 16x16x4/4/f16 4x4x4/16/f16 32x32x8/1/f16 16x16x16/1/f16
cdna2 32x32x4/2/i8 16x16x4/4/i8 4x4x4/16/i8 32x32x8/1/i8 16x16x16/1/i8
cdna2 32x32x2/2/bf16 16x16x2/4/bf16 4x4x2/16/bf16 32x32x4/1/bf16 16x16x8/1/bf16
cdna2 32x32x4/2/bf16_1k 16x16x4/4/bf16_1k 4x4x4/16/bf16_1k 32x32x8/1/bf16_1k 16x16x16/1/bf16_1k
cdna2 16x16x4/1/f64 4x4x4/4/f64
cdna3 32x32x1/2/f32 16x16x1/4/f32 4x4x1/16/f32 32x32x2/1/f32 16x16x4/1/f32
cdna3 32x32x4/2/f16 16x16x4/4/f16 4x4x4/16/f16 32x32x8/1/f16 16x16x16/1/f16
cdna3 32x32x4/2/bf16 16x16x4/4/bf16 4x4x4/16/bf16 32x32x8/1/bf16 16x16x16/1/bf16
cdna3 32x32x4/2/i8 16x16x4/4/i8 4x4x4/16/i8 32x32x16/1/i8 16x16x32/1/i8
cdna3 16x16x8/1/xf32 32x32x4/1/xf32 16x16x4/1/f64 4x4x4/4/f64
cdna3 16x16x32/1/fp8_fp8 32x32x16/1/fp8_bf8 16x16x32/1/bf8_fp8 32x32x16/1/bf8_bf8
"""

# Who feeds lane l of B, as the article says it: blgp -> lane.
FED_BY = [
    lambda lane: lane,
    lambda lane: lane if lane < 32 else lane - 32,
    lambda lane: lane if lane >= 32 else lane + 32,
    lambda lane: lane + 16 if lane < 48 else lane - 48,
    lambda lane: lane % 16,
    lambda lane: 16 + lane % 16,
    lambda lane: 32 + lane % 16,
    lambda lane: 48 + lane % 16,
]


class Shape:
    def __init__(self, architecture, text):
        sizes, blocks, self.type = text.split("/")
        self.architecture, self.blocks = architecture, int(blocks)
        self.m, self.n, self.k = map(int, sizes.split("x"))
        self.bits = BITS[self.type.split("_fp8")[0].split("_bf8")[0]]
        self.out = {"f64": "f64", "i8": "i32"}.get(self.type, "f32")
        between = "" if architecture != "cdna3" else "_" + (f"{blocks}b_" if self.blocks > 1 else "")
        self.name = f"v_mfma_{self.out}_{sizes}{between}{self.type}"

    def modifiers(self):
        lanes = 8 if self.type != "f64" or self.architecture == "cdna3" else 1
        deepest = self.blocks.bit_length() - 1 if self.type != "f64" else 0
        for cbsz in range(deepest + 1):
            for abid in range(1 << cbsz):
                for blgp in range(lanes):
                    yield cbsz, abid, blgp

    def place_in(self, outer, size, block, k):
        """Lane and first bit of an element of A or B."""
        each = self.k // (64 // (size * self.blocks))  # elements of k in one lane
        return outer + size * (block + self.blocks * (k // each)), k % each * self.bits

    def place_a(self, block, i, k, cbsz, abid):
        chosen = block // 2**cbsz * 2**cbsz + abid
        return self.place_in(i, self.m, chosen, k)

    def place_b(self, block, k, j, blgp):
        lane, bit = self.place_in(j, self.n, block, k)
        return (lane if self.type == "f64" else FED_BY[blgp](lane)), bit

    def place_d(self, block, i, j):
        if self.type == "f64" and self.m == 4:
            return 16 * i + 4 * block + j, 0
        rows = 1 if self.out == "f64" else 4  # that follow one another in a lane
        tile = self.n * self.m // rows
        blocks_abreast = -(-64 // tile)
        groups_abreast = 64 // blocks_abreast // self.n
        groups = self.m // (rows * groups_abreast)
        lane = j + self.n * (i // rows % groups_abreast + groups_abreast * (block % blocks_abreast))
        item = i % rows + rows * (i // (rows * groups_abreast) + groups * (block // blocks_abreast))
        return lane, item * (64 if self.out == "f64" else 32)


def shapes():
    for line in SHAPES.split("\n"):
        words = line.split()
        for text in words[1:]:
            yield Shape(words[0], text)


def assay(program, *words):
    ran = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{words}: {ran.stderr}"
    return ran.stdout


def check_places(program, shape, cbsz, abid, blgp):
    fields = ["--cbsz", cbsz, "--abid", abid, "--blgp", blgp]
    told = json.loads(assay(program, "layout", shape.architecture, shape.name, *fields, "--json"))
    for operand in told:
        for e in operand["elements"]:
            block, row, column = e.get("block", 0), e["row"], e["column"]
            if operand["operand"] == "a":
                expected = shape.place_a(block, row, column, cbsz, abid)
            elif operand["operand"] == "b":
                expected = shape.place_b(block, row, column, blgp)
            else:
                expected = shape.place_d(block, row, column)
            found = (e["lane"], 32 * e["word"] + e["bit"])
            assert found == expected, (shape.name, fields, operand["operand"], e)
        turned = shape.type == "f64" and operand["operand"] in "abc" and blgp >> "abc".index(operand["operand"]) & 1
        assert operand.get("negated", False) == bool(turned), (shape.name, blgp, operand["operand"])
    return sum(len(operand["elements"]) for operand in told)


# --- numbers ---


def field(words, lane, bit, bits):
    value = sum(words[bit // 32 + i][lane] << 32 * i for i in range(2 if bits == 64 else 1))
    return value >> bit % 32 & (1 << bits) - 1


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 else value


def double(bits):
    return unpack("<d", pack("<Q", bits))[0]


def product_of(shape, image, modifiers):
    """D's registers: integers modulo 2^32, doubles by one rounding for each multiply-add."""
    cbsz, abid, blgp = modifiers
    is_float = shape.out == "f64"
    width = 64 if is_float else 32
    d = [[0] * 64 for _ in image["c"]]
    for block in range(shape.blocks):
        for i in range(shape.m):
            for j in range(shape.n):
                lane, bit = shape.place_d(block, i, j)
                a = [field(image["a"], *shape.place_a(block, i, k, cbsz, abid), shape.bits) for k in range(shape.k)]
                b = [field(image["b"], *shape.place_b(block, k, j, blgp), shape.bits) for k in range(shape.k)]
                c = field(image["c"], lane, bit, width)
                if is_float:
                    signs = [-1 if blgp >> at & 1 else 1 for at in range(3)]
                    total = signs[2] * double(c)
                    for x, y in zip(a, b):
                        total = float(Fraction(signs[0] * double(x)) * Fraction(signs[1] * double(y)) + Fraction(total))
                    code = unpack("<Q", pack("<d", total))[0]
                else:
                    code = (c + sum(signed(x, 8) * signed(y, 8) for x, y in zip(a, b))) % 2**32
                d[bit // 32][lane] = code & 0xFFFFFFFF
                if is_float:
                    d[bit // 32 + 1][lane] = code >> 32
    return d


def random_image(shape, rng):
    def registers(count, is_float):
        if not is_float:
            return [[rng.getrandbits(32) for _ in range(64)] for _ in range(count)]
        words = []
        for _ in range(count // 2):
            codes = [unpack("<Q", pack("<d", rng.gauss(0, 1) * 2.0 ** rng.randint(-3, 3)))[0] for _ in range(64)]
            words += [[code & 0xFFFFFFFF for code in codes], [code >> 32 for code in codes]]
        return words

    is_float = shape.out == "f64"
    each = shape.m * shape.k * shape.blocks * shape.bits // 64 // 32
    out = shape.m * shape.n * shape.blocks * (64 if is_float else 32) // 64 // 32
    return {"a": registers(each, is_float), "b": registers(each, is_float), "c": registers(out, is_float)}


def check_numbers(program, shape, rng, folder):
    counted = 0
    for modifiers in [rng.choice(list(shape.modifiers()))]:
        image = random_image(shape, rng)
        file = Path(folder) / "registers.jsonl"
        texts = {name: [[f"{word:08x}" for word in lanes] for lanes in words] for name, words in image.items()}
        file.write_text(json.dumps(texts) + "\n")
        cbsz, abid, blgp = modifiers
        fields = ["--cbsz", cbsz, "--abid", abid, "--blgp", blgp]
        name = f"{shape.architecture}:{shape.name}"
        told = json.loads(assay(program, "wave", "--instruction", name, *fields, file))
        found = [[int(word, 16) for word in lanes] for lanes in told["d"]]
        assert found == product_of(shape, image, modifiers), (shape.architecture, shape.name, modifiers)
        assert [[int(word, 16) for word in lanes] for lanes in told["a"]] == image["a"], shape.name
        counted += 1
    return counted


def main():
    program = sys.argv[1]
    rng = random.Random(18)
    elements = forms = products = instructions = 0
    for shape in shapes():
        instructions += 1
        everything = list(shape.modifiers())
        # One of each; of one instruction all, and with ASSAY_FULL of every one.
        in_full = "ASSAY_FULL" in os.environ or (shape.architecture, shape.name) == ("cdna2", "v_mfma_f32_16x16x1f32")
        chosen = everything if in_full else [rng.choice(everything)]
        for modifiers in chosen:
            elements += check_places(program, shape, *modifiers)
            forms += 1
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes():
            if shape.type in ("i8", "f64"):
                products += check_numbers(program, shape, rng, folder)
    assert instructions > 70 and forms > 120 and products > 15, (instructions, forms, products)
    print(f"{instructions} instructions, {forms} with modifiers, {elements} places; {products} executions")


if __name__ == "__main__":
    main()
