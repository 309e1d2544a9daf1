#!/usr/bin/env python3
"""p3109_test.py ASSAY: the operations of IEEE P3109, as the draft states them (interim report 4.0), held to the model.

Everything that is expected here is worked out from the draft's own rules in exact fractions, or by hand: formats by their
four parameters, decoding, NearestTiesToEven, SatNone, and a block as elements times their scale. Nothing of the project
is read but the names of its instructions, which say their formats.
"""

import json
import random
import re
import subprocess
import sys
import unittest
from fractions import Fraction

ASSAY = sys.argv.pop(1)
MAKER = "p3109_draft_4_0"
NAN, INF = "nan", "inf"  # and "-inf"; everything else is a Fraction
SEED = 20260626


# --- the extended reals ---


def negative(x):
    return x == "-inf" or (isinstance(x, Fraction) and x < 0)


def multiply(x, y):
    if NAN in (x, y):
        return NAN
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    if 0 in (x, y):
        return NAN
    return "-inf" if negative(x) != negative(y) else INF


def add(x, y):
    if NAN in (x, y) or {x, y} == {INF, "-inf"}:
        return NAN
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x + y
    return y if isinstance(x, Fraction) else x


# --- formats ---


def floor_log2(x):
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= x else exponent - 1


class Binary:
    """A format of the draft by its name: width K, precision P, signedness, domain."""

    def __init__(self, name):
        width, precision, sign, domain = re.fullmatch(r"Binary(\d)p(\d)([su])([ef])", name).groups()
        self.k, self.p, self.signed, self.extended = int(width), int(precision), sign == "s", domain == "e"
        self.bias = 2 ** (self.k - self.p - 1) if self.signed else 2 ** (self.k - self.p)
        self.nan = 2 ** (self.k - 1) if self.signed else 2**self.k - 1
        self.inf = (2 ** (self.k - 1) - 1 if self.signed else 2**self.k - 2) if self.extended else None
        last = 2 ** (self.k - 1) - 1 if self.signed else 2**self.k - 2
        self.greatest = last - 1 if self.extended else last
        self.digits = (self.k + 3) // 4

    def magnitude(self, code):
        e, t = divmod(code, 2 ** (self.p - 1))
        fraction = Fraction(t, 2 ** (self.p - 1))
        return fraction * Fraction(2) ** (1 - self.bias) if e == 0 else (1 + fraction) * Fraction(2) ** (e - self.bias)

    def decode(self, code):
        if code == self.nan:
            return NAN
        top = 2 ** (self.k - 1) if self.signed else 2**self.k
        below, is_negative = code % top, code >= top
        if below == self.inf:
            return "-inf" if is_negative else INF
        return -self.magnitude(below) if is_negative else self.magnitude(below)

    def side(self, code, is_negative):
        return code + 2 ** (self.k - 1) if is_negative else code

    def too_large(self, is_negative):
        """SatNone, and NearestTiesToEven, of what lies beyond the numbers of a side."""
        if is_negative and not self.signed:
            return self.nan
        return self.side(self.inf if self.extended else self.greatest, is_negative)

    def project(self, x):
        if x == NAN:
            return self.nan
        if x in (INF, "-inf"):
            return self.too_large(x == "-inf")
        if x == 0:
            return 0
        quantum = max(floor_log2(abs(x)), 1 - self.bias) - self.p + 1
        scaled = abs(x) / Fraction(2) ** quantum
        f = scaled.numerator // scaled.denominator
        rest = scaled - f
        even = f % 2 == 0 if self.p > 1 else f == 0 or (quantum + self.bias) % 2 == 0
        rounded = (f + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and not even))) * Fraction(2) ** quantum
        if rounded == 0:
            return 0
        if rounded > self.magnitude(self.greatest):
            return self.too_large(x < 0)
        if x < 0 and not self.signed:
            return self.nan
        return self.side(next(c for c in range(self.greatest + 1) if self.magnitude(c) == rounded), x < 0)


class Binary32:
    """An external format: -0 is read as 0, and a zero is written as +0."""

    nan, digits, k = 0x7FC00000, 8, 32

    def decode(self, code):
        field, mantissa, is_negative = code >> 23 & 255, code & (2**23 - 1), code >> 31
        if field == 255:
            return NAN if mantissa else "-inf" if is_negative else INF
        x = Fraction(mantissa + (2**23 if field else 0)) * Fraction(2) ** (max(field, 1) - 150)
        return -x if is_negative else x

    def project(self, x):
        if x == NAN:
            return self.nan
        sign = 2**31 if negative(x) else 0
        if x in (INF, "-inf"):
            return sign + 0x7F800000
        if x == 0:
            return 0
        exponent = max(floor_log2(abs(x)), -126)
        units = round(abs(x) / Fraction(2) ** (exponent - 23))  # Python rounds a Fraction to the nearest, ties to even
        code = units + ((exponent + 126) << 23)  # a unit of the field is 2^23 units; the leading one counts as one
        return 0 if code == 0 else sign + min(code, 0x7F800000)


def format_of(name):
    return Binary32() if name == "f32" else Binary(name)


class Operation:
    """One instruction: its formats stand in its name."""

    def __init__(self, name):
        self.name = name
        words = name.split(".")
        self.k = 1
        if words[1].startswith("b") and words[1][1:].isdigit():
            self.k = int(words.pop(1)[1:])
        kind, d, a, b, last = words
        self.a, self.b, self.d = format_of(a), format_of(b), format_of(d)
        self.scale = None if kind == "FMA" else format_of(last)
        self.c = format_of(last) if kind == "FMA" else self.d  # the draft's other operations sum from 0

    def d_of(self, case):
        total = self.c.decode(case["c"])
        for x, y in zip(case["a"], case["b"]):
            x, y = self.a.decode(x), self.b.decode(y)
            if self.scale:
                x = multiply(x, self.scale.decode(case["scale_a"][0]))
                y = multiply(y, self.scale.decode(case["scale_b"][0]))
            total = add(total, multiply(x, y))
        return self.d.project(total)

    def case(self, a, b, c=0, scale_a=0x80, scale_b=0x80):
        """Zeros fill up a and b."""
        zeros = [0] * (self.k - len(a))
        one = {"a": a + zeros, "b": b + zeros, "c": c}
        return one | ({"scale_a": [scale_a], "scale_b": [scale_b]} if self.scale else {})

    def line(self, case):
        formats = {"a": self.a, "b": self.b, "c": self.c, "scale_a": self.scale, "scale_b": self.scale}

        def text(key, code):
            return f"{code:0{formats[key].digits}x}"

        return {key: [text(key, code) for code in codes] if isinstance(codes, list) else text(key, codes)
                for key, codes in case.items()}

    def of_the_model(self, cases):
        header = {"assay": 1, "architecture": MAKER, "instruction": self.name}
        lines = "\n".join(json.dumps(line) for line in [header, *map(self.line, cases)]) + "\n"
        said = subprocess.run([ASSAY, "run", "-"], input=lines, capture_output=True, text=True, check=True).stdout
        return [int(json.loads(line)["d"], 16) for line in said.splitlines()[1:]]


def operations():
    listed = json.loads(subprocess.run([ASSAY, "list", MAKER, "--json"], capture_output=True, check=True).stdout)
    return [Operation(one["instruction"].split(":")[-1]) for one in listed]


# --- worked by hand ---

FMA = "FMA." + ".".join(["Binary8p4se"] * 4)  # 40 is 1; e = code div 8, t = code mod 8: (1 + t / 8) 2^(e - 8)
FMA4 = "FMA." + ".".join(["Binary4p2sf"] * 4)  # 0, .25, .5, .75, 1, 1.5, 2, 3, NaN, -.25, ..
FMA3 = "FMA." + ".".join(["Binary3p1se"] * 4)  # 0, .5, 1, inf, NaN, -.5, -1, -inf
TO_UNSIGNED = "FMA.Binary8p4ue.Binary8p3se.Binary8p3se.Binary8p3se"  # a: 40 is 1; d: 80 is 1, (1 + t / 8) 2^(e - 16)
TO_FIXED = "FMA.Binary8p8uf.Binary8p4se.Binary8p4se.Binary8p4se"  # d: code / 128, up to fe
TO_FIVE = "FMA.Binary5p2ue.Binary8p4se.Binary8p4se.Binary8p4se"  # d: up to 1d, (1 + 1 / 2) 2^(14 - 8) = 96
WIDE = "FMA.f32.Binary8p4se.Binary8p4se.f32"
DOT = "BlockDotProduct.b32.f32.Binary8p4se.Binary8p4se.Binary8p1uf"  # a scale is 2^(code - 128), 00 is 0, ff NaN
DOT8 = "BlockDotProduct.b32.Binary8p4se.Binary8p4se.Binary8p4se.Binary8p1uf"
DOT_UNSIGNED = "BlockDotProduct.b32.Binary8p4ue.Binary8p4se.Binary8p4se.Binary8p1uf"
TIMES = "ScaledMultiply.f32.Binary8p4se.Binary8p4se.Binary8p1uf"
TIMES4 = "ScaledMultiply.Binary4p2sf.Binary4p2sf.Binary4p2sf.Binary8p1uf"

WORKED = [
    # instruction, {operands}, d
    (FMA, {"a": [0x48], "b": [0x4C], "c": 0x40}, 0x56),  # 2 x 3 + 1 = 7 = 1.75 x 2^2: e 10, t 6
    (FMA, {"a": [0x41], "b": [0x41]}, 0x42),  # 1.125^2 = 1.265625, between 1.25 (42) and 1.375: the nearer
    (FMA, {"a": [0x41], "b": [0x44]}, 0x46),  # 1.125 x 1.5 = 1.6875, half-way between 45 and 46: the even code
    (FMA, {"a": [0x41], "b": [0x44], "c": 0x81}, 0x45),  # the same - 2^-10: below half-way; rounded twice it were 46
    (FMA, {"a": [0x7E], "b": [0x40], "c": 0x58}, 0x7E),  # 224 + 8 = 232, half-way to 240: 7e is even, so it is 224
    (FMA, {"a": [0x7E], "b": [0x40], "c": 0x59}, 0x7F),  # 224 + 9 = 233 goes to 240, which is too large: infinity
    (FMA, {"a": [0xFE], "b": [0x40], "c": 0xD9}, 0xFF),  # -233: -infinity
    (FMA, {"a": [0x01], "b": [0x38]}, 0x00),  # 2^-10 x .5, half-way between 00 and 01: the even code
    (FMA, {"a": [0x01], "b": [0x3C]}, 0x01),  # 2^-10 x .75: nearer to 01
    (FMA, {"a": [0x81], "b": [0x38]}, 0x00),  # -2^-10 x .5: there is one zero
    (FMA, {"a": [0x7F], "b": [0x00], "c": 0x40}, 0x80),  # infinity x 0 is NaN
    (FMA, {"a": [0x7F], "b": [0x40], "c": 0xFF}, 0x80),  # infinity - infinity is NaN
    (FMA, {"a": [0x7F], "b": [0xC0], "c": 0x7E}, 0xFF),  # infinity x -1 + 224
    (FMA, {"a": [0x80], "b": [0x7F], "c": 0x7F}, 0x80),  # NaN wins over infinities
    (FMA4, {"a": [7], "b": [7]}, 7),  # 9 is too large for a finite format: the greatest, 3
    (FMA4, {"a": [0xF], "b": [7]}, 0xF),  # and -3
    (FMA4, {"a": [5], "b": [3], "c": 1}, 5),  # 1.5 x .75 + .25 = 1.375, nearer to 1.5 than to 1
    (FMA3, {"a": [1], "b": [1], "c": 1}, 2),  # .25 + .5, half-way between .5 (1) and 1 (2): the even code
    (FMA3, {"a": [2], "b": [2], "c": 1}, 2),  # 1.5, half-way between 1 (2) and 2 (3, were it a number): the even code
    (FMA3, {"a": [2], "b": [2], "c": 2}, 3),  # 2: infinity
    (FMA3, {"a": [1], "b": [1]}, 0),  # .25, half-way between 0 and .5: 0
    (TO_UNSIGNED, {"a": [0x44], "b": [0x46], "c": 0x40}, 0x96),  # 7 = 1.75 x 2^2: e 18, t 6
    (TO_UNSIGNED, {"a": [0xC0], "b": [0x40]}, 0xFF),  # -1 is below all numbers: NaN
    (TO_UNSIGNED, {"a": [0x81], "b": [0x38]}, 0x00),  # -2^-17 x 2^-2 = -2^-19, half-way between 0 and -2^-18: 0, which there is
    (TO_UNSIGNED, {"a": [0x81], "b": [0x3A]}, 0xFF),  # -2^-17 x 1.5 x 2^-2 = -.75 x 2^-18 goes to -2^-18: NaN
    (TO_UNSIGNED, {"a": [0xFF], "b": [0x40]}, 0xFF),  # -infinity: NaN
    (TO_UNSIGNED, {"a": [0x7F], "b": [0x40]}, 0xFE),  # +infinity
    (TO_FIXED, {"a": [0x40], "b": [0x40], "c": 0x40}, 0xFE),  # 2 is too large: 254 / 128
    (TO_FIXED, {"a": [0x7F], "b": [0x40]}, 0xFE),  # and so is infinity, in a finite format
    (TO_FIXED, {"a": [0xC0], "b": [0x40], "c": 0x38}, 0xFF),  # -1 + .5: NaN
    (TO_FIVE, {"a": [0x74], "b": [0x40], "c": 0x58}, 0x1D),  # 96 + 8, nearer to 96 than to 128
    (TO_FIVE, {"a": [0x74], "b": [0x40], "c": 0x60}, 0x1E),  # 112, half-way to 128: 1d is odd, so it is infinity
    (WIDE, {"a": [0x00], "b": [0x00], "c": 0x80000000}, 0x00000000),  # -0 is read as 0 and written as +0
    (WIDE, {"a": [0x01], "b": [0x81], "c": 0x3F800000}, 0x3F7FFFF0),  # 1 - 2^-20, exactly: 2^24 - 2^4 units of 2^-24
    (DOT, {"a": [0x40] * 32, "b": [0x40] * 32}, 0x42000000),  # 32 = 2^5: field 132
    (DOT, {"a": [0x40] * 32, "b": [0x40] * 32, "scale_a": 0x81, "scale_b": 0x7E}, 0x41800000),  # x 2 / 4: 16
    (DOT, {"a": [0x78, 0xF8, 0x01], "b": [0x78, 0x78, 0x01]}, 0x35800000),  # 2^14 - 2^14 + 2^-20
    (DOT, {"a": [0x78, 0xF8, 0x01], "b": [0x78, 0x78, 0x01], "scale_a": 0xFE, "scale_b": 2}, 0x35800000),  # x 2^126 2^-126
    (DOT, {"a": [0x40], "b": [0x40], "scale_a": 0xFE, "scale_b": 0xFE}, 0x7F800000),  # 2^252 is too large for f32
    (DOT, {"a": [0x40], "b": [0xC0], "scale_a": 0xFE, "scale_b": 0xFE}, 0xFF800000),
    (DOT, {"a": [0x40, 0x7F], "b": [0x40, 0x40], "scale_a": 0x00}, 0x7FC00000),  # a zero scale x an infinite element
    (DOT, {"a": [0x40, 0x7E], "b": [0x40, 0x40], "scale_a": 0x00}, 0x00000000),  # and finite ones: 0
    (DOT, {"a": [0x40], "b": [0x40], "scale_b": 0xFF}, 0x7FC00000),  # a NaN scale
    (DOT, {"a": [0x7F, 0x7F], "b": [0x40, 0xC0]}, 0x7FC00000),  # infinity - infinity
    (DOT, {"a": [0x7F, 0x7E], "b": [0xC0, 0x7E]}, 0xFF800000),  # -infinity + 224^2
    (DOT8, {"a": [0x7E] * 32, "b": [0x7E] * 32, "scale_a": 0x73}, 0x7C),  # 32 x 50176 x 2^-13 = 196: 192 = 1.5 x 2^7
    (DOT8, {"a": [0x40] * 32, "b": [0x41] * 32, "scale_a": 0x83}, 0x7F),  # 32 x 1.125 x 8 = 288: infinity
    (DOT_UNSIGNED, {"a": [0x40, 0xC8], "b": [0x40, 0x40]}, 0xFF),  # 1 - 2: NaN
    (DOT_UNSIGNED, {"a": [0x48, 0xC0], "b": [0x40, 0x40]}, 0x80),  # 2 - 1
    (TIMES, {"a": [0x40], "b": [0xC0], "scale_a": 1, "scale_b": 1}, 0x00000000),  # -2^-254: +0
    (TIMES, {"a": [0x4C], "b": [0x4C], "scale_a": 0x7F}, 0x40900000),  # 3 x .5 x 3 = 4.5 = 1.125 x 2^2
    (TIMES4, {"a": [7], "b": [7], "scale_a": 0x7E}, 6),  # 3 x .25 x 3 = 2.25, nearer to 2 than to 3
    (TIMES4, {"a": [7], "b": [0xF], "scale_a": 0x88}, 0xF),  # -9 x 2^8: the least number
]


class Worked(unittest.TestCase):
    def test_the_model_gives_what_was_worked_out(self):
        for name, operands, d in WORKED:
            operation = Operation(name)
            with self.subTest(name, **operands):
                self.assertEqual(operation.of_the_model([operation.case(**operands)]), [d])

    def test_and_so_do_the_rules(self):
        for name, operands, d in WORKED:
            operation = Operation(name)
            with self.subTest(name, **operands):
                self.assertEqual(operation.d_of(operation.case(**operands)), d)


# --- many at random ---

CASES = {1: 400, 16: 100, 32: 100}  # of an operation of so many terms


class Drawn(unittest.TestCase):
    @staticmethod
    def code(draw, f):
        """Any code, the specials now and then; one in four is small, so that sums meet the ends of narrow formats."""
        if f.k == 32:
            exponent = draw.choice([0, 1, 255, draw.randrange(256), draw.randrange(110, 145)])
            return draw.getrandbits(1) << 31 | exponent << 23 | draw.choice([0, draw.getrandbits(23)])
        return draw.randrange(2**f.k)

    @classmethod
    def element(cls, draw, f, specials):
        while True:
            code = cls.code(draw, f)
            if specials or isinstance(f.decode(code), Fraction):
                return code

    @classmethod
    def case(cls, draw, operation):
        specials = draw.random() < 0.2

        def elements(f):
            return [cls.element(draw, f, specials) if draw.random() < 0.9 else 0 for _ in range(operation.k)]

        one = operation.case(elements(operation.a), elements(operation.b), cls.element(draw, operation.c, specials))
        if draw.random() < 0.5:
            one["c"] = 0
        if operation.k > 1 and draw.random() < 0.3:  # what cancels leaves the lowest bits
            half = operation.k // 2
            one["a"][half:] = [operation.a.project(multiply(operation.a.decode(x), Fraction(-1))) for x in one["a"][:half]]
            one["b"][half:] = one["b"][:half]
            one["b"][-1] = cls.element(draw, operation.b, False)
        if operation.scale:
            for side in ("scale_a", "scale_b"):
                near = draw.randrange(2**operation.scale.k // 2 - 6, 2**operation.scale.k // 2 + 7)
                one[side] = [draw.choice([near, near, near, cls.code(draw, operation.scale)])]
        return one

    def test_every_operation_is_as_the_rules_say(self):
        draw = random.Random(SEED)
        seen = {"nan": 0, "infinity": 0, "number": 0}
        total = 0
        for operation in operations():
            cases = [self.case(draw, operation) for _ in range(CASES[operation.k])]
            for case, got in zip(cases, operation.of_the_model(cases), strict=True):
                expected = operation.d_of(case)
                self.assertEqual(got, expected, f"{operation.name} {operation.line(case)}")
                value = operation.d.decode(expected)
                seen["nan" if value == NAN else "number" if isinstance(value, Fraction) else "infinity"] += 1
                total += 1
        self.assertEqual(total, sum(CASES[o.k] for o in operations()))
        for kind, count in seen.items():
            self.assertGreater(count, total // 50, kind)


if __name__ == "__main__":
    unittest.main()
