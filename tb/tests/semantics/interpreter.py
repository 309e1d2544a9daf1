"""The chapter Semantics of docs/datapath.md as a program, section by section, in exact integers.

It was written from that chapter and from nothing else, and takes the chapter's tables of formats and of what is left out as
they stand there. Whoever changes it must not look at the model that it is held against.
"""

import bisect
import copy
import functools
import re
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "datapath.md"


def table(heading):
    """The rows of the first table under a heading of the page, as lists of cells without their code marks."""
    return rows_of(PAGE.read_text().split(f"\n### {heading}\n", 1)[1].split("\n### ", 1)[0])


def bare_table(chapter):
    """The same of the first table of a chapter."""
    return rows_of(PAGE.read_text().split(f"\n## {chapter}\n", 1)[1].split("\n## ", 1)[0])


def rows_of(text):
    lines = next(part for part in text.split("\n\n") if part.strip().startswith("|")).strip().split("\n")[2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in lines]


# --- Numbers ---

FINITE, INFINITY, NAN = range(3)


class Number(NamedTuple):
    kind: int
    negative: bool
    magnitude: int = 0  # of a NaN its payload
    quantum: int = 0
    exponent: int | None = None
    absent: bool = False
    signalling: bool = False  # of a NaN
    made: bool = False  # of a NaN

    def is_zero(self):
        return self.kind == FINITE and self.magnitude == 0


QUIET = 1 << 51


def new_nan(negative):
    return Number(NAN, negative, QUIET, made=True)


NEW_NAN = new_nan(True)


def leading(magnitude, quantum):
    return quantum + magnitude.bit_length() - 1


def is_power(magnitude, quantum, exponent):
    """Whether it is 2^exponent."""
    return magnitude & (magnitude - 1) == 0 and magnitude > 0 and leading(magnitude, quantum) == exponent


def less_than_power(magnitude, quantum, exponent):
    return magnitude == 0 or leading(magnitude, quantum) < exponent


def zero(negative, exponent=None):
    return Number(FINITE, negative, 0, 0, exponent)


# --- Flags ---


class Raised:
    """By everything so far, and by the last rounding alone; `tiny` is None where there are no flags."""

    def __init__(self):
        self.all, self.own, self.tiny = set(), set(), None


RAISED = Raised()


def operation(operands, made):
    nans = [n for n in operands if n.kind == NAN]
    makes = not nans and made is not None and made.kind == NAN
    if makes or any(n.signalling for n in nans):
        RAISED.all.add("invalid")
    return made


def by_rounding(n, made, result):
    """What became of the finite number n; RAISED.own says whether it was too large."""
    if "overflow" in RAISED.own:
        return {"overflow", "inexact"}
    if made.kind == NAN:
        return {"invalid"}
    if real(n) == real(made):
        return set()
    return {"underflow", "inexact"} if is_too_small(n, made, result) else {"inexact"}


def is_too_small(n, made, result):
    if result.at != "format" or result.format.integer:
        return False
    if result.format.list or result.format.mantissa == 0:
        return made.is_zero()
    return is_tiny(n, made, result, RAISED.tiny)


def what_decides(numbers):
    return operation(numbers, decision(numbers))


def decision(numbers):
    infinite = [n for n in numbers if n.kind != FINITE]
    if not infinite:
        return None
    for n in infinite:
        if n.kind == NAN:
            return n
    if any(n.negative != infinite[0].negative for n in infinite):
        return NEW_NAN
    return Number(INFINITY, infinite[0].negative)


# --- Cutting ---


class Chance(NamedTuple):
    """A stochastic MODE with its random word."""

    mode: str
    bits: int
    word: int


def rounds_away(rest, distance, chance):
    """Whether rest x 2^-distance, between 0 and 1, becomes 1."""
    n = chance.bits
    r = chance.word % (1 << n)
    if chance.mode == "stochastic_a":
        return (rest << n >> distance) + r >= 1 << n
    if chance.mode == "stochastic_b":
        return (rest << (n + 1) >> distance) + 2 * r + 1 >= 1 << (n + 1)
    return cut(False, rest << n, 0, distance, "nearest_even")[0] + r >= 1 << n


def cut(negative, magnitude, quantum, at, mode, is_odd=lambda kept: kept % 2 == 1):
    """The magnitude in units of 2^at, and whether ones were lost."""
    if quantum >= at:
        return magnitude << (quantum - at), False
    distance = at - quantum
    kept = magnitude >> distance
    rest = magnitude - (kept << distance)
    if rest == 0:
        return kept, False
    half = 1 << (distance - 1)
    if isinstance(mode, Chance):
        kept += rounds_away(rest, distance, mode)
    elif mode == "down":
        kept += negative
    elif mode == "up":
        kept += not negative
    elif mode == "nearest_even":
        kept += rest > half or (rest == half and is_odd(kept))
    elif mode == "nearest_away":
        kept += rest >= half
    elif mode == "nearest_up":
        kept += rest > half or (rest == half and not negative)
    elif mode == "to_odd":
        kept += not is_odd(kept)
    return kept, True


# --- Formats ---


class Format:
    def __init__(self, row, numbers):
        name, stored, sign, exponent, mantissa, bias, infinity, nan, signed_zero, ignored = row[:10]
        more = row[10] if len(row) > 10 else {}
        self.name, self.stored, self.sign = name, int(stored), int(sign)
        self.exponent, self.mantissa, self.bias = int(exponent), int(mantissa), int(bias)
        self.infinity, self.nan, self.signed_zero = infinity == "true", nan, signed_zero == "true"
        self.low = int(ignored.split()[0]) if "low" in ignored else 0
        if numbers:
            self.infinity, self.nan = False, "none"
        self.integer, self.list = False, False
        self.last = self.infinity and more.get("infinity_codes", DEFAULTS["FORMAT infinity_codes"]) == "last"
        self.has_zero = more.get("zero", "false" if name in NO_ZERO else DEFAULTS["FORMAT zero"]) == "true"
        self.ones = (1 << self.exponent) - 1
        self.hidden = 1 << self.mantissa
        self.sign_at = self.exponent + self.mantissa
        self.least = 1 - self.bias if self.has_zero else -self.bias
        below_sign = (1 << self.sign_at) - 1
        if self.nan == "ieee" or (self.infinity and not self.last):
            below_sign = (self.ones << self.mantissa) - 1
        else:
            below_sign -= (self.nan == "all_ones") + self.last
        self.greatest_code, self.last_code = below_sign, below_sign + 1
        top = self.read(below_sign << self.low)
        self.greatest, self.greatest_number = top.exponent, (top.magnitude, top.quantum)

    def read(self, code):
        code >>= self.low
        m, e = code & (self.hidden - 1), code >> self.mantissa & self.ones
        negative = self.sign == 1 and code >> self.sign_at & 1 == 1
        if self.last and code & ((1 << self.sign_at) - 1) == self.last_code:
            return Number(INFINITY, negative)
        if self.infinity and not self.last and e == self.ones and m == 0:
            return Number(INFINITY, negative)
        if self.nan == "ieee" and e == self.ones:
            return Number(NAN, negative, m << (52 - self.mantissa) | QUIET, signalling=2 * m < self.hidden)
        if self.nan == "all_ones" and e == self.ones and m == self.hidden - 1:
            return Number(NAN, negative, QUIET)
        if self.nan == "negative_zero" and negative and e == 0 and m == 0:
            return Number(NAN, False, QUIET)
        if self.has_zero and e == 0:
            if m == 0:
                return zero(negative)
            return Number(FINITE, negative, m, 1 - self.bias - self.mantissa, 1 - self.bias)
        return Number(FINITE, negative, self.hidden + m, e - self.bias - self.mantissa, e - self.bias)

    def is_subnormal(self, number):
        return number.kind == FINITE and 0 < number.magnitude < self.hidden

    def zero(self, negative):
        return zero(negative and self.signed_zero)

    def farthest(self, negative, overflow):
        if negative and not self.sign:
            return zero(False)
        top, quantum = self.greatest_number
        return Number(FINITE, negative, top, quantum, self.greatest)

    def write(self, n):
        """The code of a number that the format holds, and is no NaN."""
        sign = int(n.negative) << self.sign_at
        if n.kind == INFINITY:
            return (sign | (self.last_code if self.last else self.ones << self.mantissa)) << self.low
        if n.magnitude == 0:
            return (sign if self.signed_zero else 0) << self.low
        e = max(leading(n.magnitude, n.quantum), self.least)
        m = cut(False, n.magnitude, n.quantum, e - self.mantissa, "toward_zero")[0]
        field = e + self.bias if m >= self.hidden else 0
        return (sign | field << self.mantissa | m & (self.hidden - 1)) << self.low

    def quiet_nan(self):
        if self.nan == "ieee":
            return (self.ones << self.mantissa | self.hidden >> 1) << self.low
        return (1 << self.sign_at if self.nan == "negative_zero" else self.ones << self.mantissa | self.hidden - 1) << self.low

    def write_signed_nan(self, n):
        signed = self.sign and self.nan in ("ieee", "all_ones")
        return self.quiet_nan() | (int(n.negative and signed) << self.sign_at + self.low)

    def write_nan(self, n):
        if self.nan != "ieee":
            return self.quiet_nan()
        return (int(n.negative) << self.sign_at | self.ones << self.mantissa | n.magnitude >> (52 - self.mantissa)) << self.low


class Integer:
    integer, signed_zero, list, low = True, False, False, 0

    def __init__(self, name, bits, signed, fraction, magnitude=False):
        """`magnitude`: a sign and a magnitude, not two's complement."""
        self.name, self.bits, self.signed, self.fraction, self.magnitude = name, bits, signed, fraction, magnitude
        self.most = (1 << (self.bits - signed)) - 1
        self.least = 0 if not signed else -self.most if magnitude else -self.most - 1
        self.before_point = bits - fraction - magnitude

    def read(self, code):
        top = 1 << (self.bits - 1)
        if not self.signed or code < top:
            return self.number(code)
        return self.number(top - code if self.magnitude else code - 2 * top)

    def is_subnormal(self, number):
        return False

    def zero(self, negative):
        return zero(False)

    def farthest(self, negative, overflow):
        end = self.least if negative else self.most
        if negative and overflow == "symmetric":
            end = -self.most
        return self.number(end)

    def number(self, value):
        return zero(False) if value == 0 else Number(FINITE, value < 0, abs(value), -self.fraction, 0)

    def write(self, n):
        value = n.magnitude << (n.quantum + self.fraction) if n.magnitude else 0
        if self.magnitude:
            return value | n.negative << (self.bits - 1)
        return (-value if n.negative else value) & ((1 << self.bits) - 1)


class Listed:
    """A list: a number for each code."""

    integer, list, low = False, True, 0

    def __init__(self, name, numbers, ties, boundary=None, beyond=None):
        self.name, self.numbers, self.ties, self.beyond = name, numbers, ties, beyond
        self.boundary = boundary or (lambda low, high: (real(low[0]) + real(high[0])) / 2)
        finite = [n for n in numbers if n.kind == FINITE and n.magnitude > 0]
        self.least, self.greatest = min(n.exponent for n in finite), max(n.exponent for n in finite)
        self.mantissa = max(n.exponent - n.quantum for n in finite)
        self.signed_zero = any(n.is_zero() and n.negative for n in numbers)
        self.infinity = any(n.kind == INFINITY for n in numbers)
        self.sign = int(any(n.negative for n in numbers))
        self.nan = "listed"
        self.codes = {}
        for code, n in enumerate(numbers):
            self.codes.setdefault((n.kind, n.negative, real(n)), code)
        values = {real(n): code for code, n in reversed(list(enumerate(numbers))) if n.kind == FINITE and not (n.is_zero() and n.negative)}
        self.values = sorted(values)
        self.ascending = [(numbers[values[v]], values[v]) for v in self.values]

    def read(self, code):
        return self.numbers[code]

    def is_subnormal(self, number):
        return False

    def zero(self, negative):
        return zero(negative and self.signed_zero)

    def write(self, n):
        return self.codes[n.kind, n.negative, real(n)]

    def quiet_nan(self):
        return min(code for code, n in enumerate(self.numbers) if n.kind == NAN)

    def write_nan(self, n):
        return self.quiet_nan()

    def write_signed_nan(self, n):
        return self.quiet_nan()

    def rounded(self, n, result):
        if n.negative and not self.sign:
            return below_zero(result)
        x = real(n)
        place = bisect.bisect_left(self.values, x)
        if self.values[0] <= x <= self.values[-1]:
            found = self.ascending[place]
            taken = found if self.values[place] == x else self.taken(n, self.ascending[place - 1], found, result.cut)
            return self.zero(n.negative) if taken[0].is_zero() else taken[0]
        if x < self.values[0] and self.values[0] > 0:
            return self.ascending[0][0]
        last = self.ascending[0 if x < self.values[0] else -1]
        if self.beyond is not None:
            sign = -1 if n.negative else 1
            next = (of_real(sign * self.beyond), last[1] + 1)
            if abs(x) < self.beyond:
                taken = self.taken(n, *((next, last) if n.negative else (last, next)), result.cut)
                if taken is last:
                    return last[0]
        return too_large(n.negative, result)

    def farthest(self, negative, overflow):
        end = self.ascending[0 if negative else -1][0]
        return zero(False) if negative and not self.sign else end

    def taken(self, n, low, high, mode):
        inner, outer = (high, low) if n.negative else (low, high)
        if mode in ("toward_zero", "down", "up"):
            return {"toward_zero": inner, "down": low, "up": high}[mode]
        if mode == "to_odd":
            return inner if inner[1] % 2 else outer
        side = real(n) - self.boundary(low, high)
        if side != 0:
            return high if side > 0 else low
        ties = self.ties if self.ties != "cut" else {"nearest_away": "away", "nearest_up": "up"}.get(mode, "even_code")
        return {"down": low, "up": high, "away": outer, "even_code": high if low[1] % 2 else low}[ties]


def real(n):
    value = Fraction(n.magnitude) * Fraction(2) ** n.quantum
    return -value if n.negative else value


def of_real(value):
    """A number of a list, from its value, which is a whole number over a power of two."""
    if value == 0:
        return zero(False)
    quantum = 1 - abs(value).denominator.bit_length()
    magnitude = abs(value).numerator
    while magnitude % 2 == 0:
        magnitude, quantum = magnitude // 2, quantum + 1
    return Number(FINITE, value < 0, magnitude, quantum, leading(magnitude, quantum))


A_NAN = Number(NAN, False, QUIET)


def posit_value(code, bits, es):
    """Of a code that is neither zero nor NaN."""
    if code >> (bits - 1):
        return -posit_value((1 << bits) - code, bits, es)
    digits = format(code, f"0{bits}b")[1:]
    k = len(digits) - len(digits.lstrip(digits[0]))
    tail = digits[k + 1:]
    x = int((tail + "0" * es)[:es] or "0", 2)
    rest = tail[es:]
    f = Fraction(int(rest or "0", 2), 1 << len(rest))
    regime = k - 1 if digits[0] == "1" else -k
    return (1 + f) * Fraction(2) ** (regime * (1 << es) + x)


def posit(name, bits, es):
    top = 1 << (bits - 1)
    numbers = [zero(False) if code == 0 else A_NAN if code == top else of_real(posit_value(code, bits, es))
               for code in range(2 * top)]

    def boundary(low, high):
        if low[0].is_zero() or high[0].is_zero():
            return 0
        return posit_value(2 * low[1] + 1, bits + 1, es)

    return Listed(name, numbers, "even_code", boundary)


def prefix_magnitude(digits, d):
    prefixes = [("11", d), ("10", d - 1), ("01", d - 2)]
    prefixes += [("00" + "0" * i + "1", d - 3 - i) for i in range(d - 2)]
    for start, field in prefixes:
        if digits.startswith(start):
            rest = digits[len(start):]
            exponent = int("1" + rest[1:field], 2) * (-1 if rest[0] == "1" else 1) if field else 0
            rest = rest[field:]
            return (1 + Fraction(int(rest, 2), 1 << len(rest))) * Fraction(2) ** exponent
    rest = digits[d:]
    x = int(rest, 2)
    return Fraction(2) ** (x - (1 << len(rest)) - ((1 << d) - 1)) if x else Fraction(0)


def prefix(name, bits, d):
    top = 1 << (bits - 1)
    values = [prefix_magnitude(format(code, f"0{bits - 1}b"), d) for code in range(top)]
    infinity = values.index(max(values))
    positive = [Number(INFINITY, False) if code == infinity else of_real(v) for code, v in enumerate(values)]
    negative = [A_NAN if code == 0 else n._replace(negative=True) for code, n in enumerate(positive)]
    return Listed(name, positive + negative, "cut", beyond=max(values))


def stated(text):
    if text == "nan":
        return A_NAN
    if text.lstrip("+-") == "inf":
        return Number(INFINITY, text[0] == "-")
    digits, _, exponent = text.partition("*2^")
    value = Fraction(digits) * Fraction(2) ** int(exponent or 0)
    return zero(text[0] == "-") if value == 0 else of_real(value)


def nf4():
    block = PAGE.read_text().split("list with `ties: down`:\n\n```\n", 1)[1].split("```", 1)[0]
    return Listed("nf4", [stated(text.strip()) for text in block.replace("\n", " ").split(",")], "down")


def unpacked(name, format, last):
    """A list: `format` without subnormals, whose last codes are of magnitude `last`."""
    numbers = [format.read(code) for code in range(1 << format.stored)]
    numbers = [zero(n.negative) if format.is_subnormal(n) else n for n in numbers]
    for code in (len(numbers) // 2 - 1, len(numbers) - 1):
        numbers[code] = of_real(last)._replace(negative=numbers[code].negative)
    return Listed(name, numbers, DEFAULTS["FORMAT ties"])


NO_ZERO = ("ue8m0", "hif4_e6m2", "ue1m0")
FORMATS = {row[0]: row for row in table("Formats")}


def p3109(name):
    bits, precision, sign, domain = re.fullmatch(r"Binary(\d)p(\d)([su])([ef])", name).groups()
    signed = sign == "s"
    exponent = int(bits) - int(precision) + (not signed)
    return [name, int(bits), int(signed), exponent, int(precision) - 1, 1 << (exponent - 1), "true" if domain == "e" else "false",
            "negative_zero" if signed else "all_ones", "false", "", {"infinity_codes": "last"}]


NAMED = {
    "hif8": lambda: prefix("hif8", 8, 4),
    "nf4": nf4,
    "mxint8": lambda: Integer("mxint8", 8, True, 6),
    "sm8": lambda: Integer("sm8", 8, True, 0, magnitude=True),
    "e5m2_as_f16": lambda: unpacked("e5m2_as_f16", built_in("e5m2", True), Fraction(2047) * 2**6),
    "e4m3_as_f16": lambda: unpacked("e4m3_as_f16", built_in("e4m3", True), Fraction(2047, 2**2)),
}


@functools.cache
def built_in(name, numbers):
    if match := re.fullmatch(r"posit(\d+)_(\d)", name):
        return posit(name, int(match[1]), int(match[2]))
    if match := re.fullmatch(r"([iu])(\d+)", name):
        return Integer(name, int(match[2]), match[1] == "i", 0)
    if name in NAMED:
        return NAMED[name]()
    return Format(p3109(name) if name.startswith("Binary") else FORMATS[name], numbers)


def own_format(name, words, numbers):
    def word(key):
        return words.get(key, DEFAULTS[f"FORMAT {key}"])

    if "integer" in words:
        return Integer(name, int(words["integer"]), word("signed") == "true", int(word("fraction")), word("magnitude") == "true")
    if "values" in words:
        return Listed(name, [stated(text) for text in words["values"]], word("ties"))
    if "rule" in words:
        parameters = words["parameters"]
        if words["rule"] == "posit":
            return posit(name, int(parameters["bits"]), int(parameters["es"]))
        if words["rule"] == "prefix":
            return prefix(name, int(parameters["bits"]), int(parameters["exponent"]))
        return Format(p3109("Binary{bits}p{precision}{sign}{domain}".format(**parameters)), numbers)
    signed = word("signed") == "true"
    stored = signed + int(words["exponent"]) + int(words["mantissa"]) + int(word("unused_low")) + int(word("unused_high"))
    return Format([name, stored, int(signed), words["exponent"], words["mantissa"], words["bias"], words["infinity"],
                   words["nan"], words["signed_zero"], f"{word('unused_low')} low", words], numbers)


# --- What is left out ---

DEFAULTS = {key.strip(): word for keys, word in table("What is left out") for key in keys.split(",")}


def given(words, key, left_out):
    """A word of a mapping, or what the table says where it is left out."""
    return words[key] if key in words else DEFAULTS[left_out]


def optional(words, key, left_out):
    word = given(words, key, left_out)
    return None if word == "none" else int(word)


def merged_adder(old, new):
    out = {**old, **new}
    if "add" in new:
        out["add"] = {}
        for source, words in new["add"].items():
            before = old.get("add", {}).get(source, {})
            before = {} if before == "exact" else before
            if words == "exact":
                words, before = {}, {key: before[key] for key in ("empty", "lost_below", "negate") if key in before}
            out["add"][source] = {**before, **words}
    if isinstance(new.get("group"), dict) and isinstance(old.get("group"), dict):
        out["group"] = {**old["group"], **new["group"]}
    if "window" in new:
        out["window"] = {**old.get("window", {}), **new["window"]}
        if out["window"].get("exponent") == "fixed":
            out["window"] = {"exponent": "fixed", "at": out["window"]["at"]}
    if "errata" in new:
        out["errata"] = {**old.get("errata", {}), **new["errata"]}
    return out


def merged_adders(old, new):
    names = [adder["name"] for adder in old]
    if not all(adder["name"] in names for adder in new):
        return new
    changes = {adder["name"]: adder for adder in new}
    return [merged_adder(adder, changes.get(adder["name"], {})) for adder in old]


def merged(old, new):
    out = {**old, **new}
    for key in ("operands", "subnormals", "nans", "product", "slices", "formats", "k_order", "factors", "flags"):
        if key in old and key in new:
            out[key] = {**old[key], **new[key]}
    for outer, inner in (("operands", "scales"), ("operands", "zero_a"), ("operands", "zero_b"), ("operands", "mask"),
                         ("factors", "a"), ("factors", "b"), ("product", "rows")):
        before, after = old.get(outer, {}).get(inner), new.get(outer, {}).get(inner)
        if isinstance(before, dict) and isinstance(after, dict):
            out[outer][inner] = {**before, **after}
    for key in ("lanes", "step"):
        if key in old.get("k_order", {}) and key in new.get("k_order", {}):
            out["k_order"][key] = {**old["k_order"][key], **new["k_order"][key]}
    for key in ("adders", "finish"):
        if key in old and key in new:
            out[key] = merged_adders(old[key], new[key])
    return out


def read_file(text):
    words = yaml.load(text, Loader=yaml.CBaseLoader)
    like = words.pop("like", None)
    return merged(read_file((ROOT / "configs" / "datapath" / f"{like}.yaml").read_text()), words) if like else words


# --- The words ---


class Input:
    def __init__(self, source, words):
        words = {} if words == "exact" else words
        self.source = source
        self.keep = optional(words, "keep", "INPUT keep")
        again = given(words, "again", "INPUT again")
        cuts = [] if self.keep is None else [words] if again == "none" else [words, *again]
        self.cuts = [(int(one["keep"]), one["cut"]) for one in cuts]
        self.least_keep = min((keep for keep, _ in self.cuts), default=None)
        self.empty = optional(words, "empty", "INPUT empty")
        self.lost_below = optional(words, "lost_below", "INPUT lost_below")
        self.negate = given(words, "negate", "INPUT negate") == "true"


class Result:
    def __init__(self, words, format_named):
        self.cut = words["cut"]
        self.random_bits = int(words.get("random_bits", 0))
        self.at = words.get("at", "format")
        if self.at == "format":
            self.format = format_named(words["format"])
            self.subnormals = given(words, "subnormals", "RESULT subnormals")
            self.tiny = given(words, "tiny", "RESULT tiny")
            self.overflow = given(words, "overflow", "RESULT overflow")
            self.infinity = given(words, "infinity", "RESULT infinity")
            self.nan = given(words, "nan", "RESULT nan")
            self.negative = given(words, "negative", "RESULT negative")
            self.no_minus_zero = given(words, "minus_zero", "RESULT minus_zero") == "never"
        else:
            self.keep = int(words["keep"])
            self.least_exponent = optional(words, "least_exponent", "RESULT least_exponent")
            self.bits = optional(words, "bits", "RESULT bits")
            self.overflow = words.get("overflow")

    def with_word(self, word):
        drawn = copy.copy(self)
        drawn.cut = Chance(self.cut, self.random_bits, word)
        return drawn


def is_stochastic(result):
    return result is not None and isinstance(result.cut, str) and result.cut.startswith("stochastic")


def draws_of(results):
    return sum(map(is_stochastic, results))


class Codes:
    """What a case brings for each block: a scale, or zero points."""

    def __init__(self, name, words, format_named):
        self.name = name
        self.format = format_named(words["format"])
        self.read = remembering(self.format.read)
        self.block = optional(words, "block", "SCALE block")
        self.of = words.get("of")
        self.at = given(words, "at", "SCALE at")

    def of_term(self, more, i):
        return self.read(more[self.name][0 if self.block is None else i // self.block])


class Factor:
    def __init__(self, words, zeros, scales, format_named):
        self.zero_point = optional(words, "zero_point", "FACTOR zero_point")
        self.zeros, self.scales = zeros, scales
        round = given(words, "round", "FACTOR round")
        self.round = None if round == "exact" else Result(round, format_named)
        self.step = int(given(words, "step", "FACTOR step"))
        self.step_from = int(given(words, "from", "FACTOR from")) if self.step != 1 else 0
        self.empty = optional(words, "empty", "FACTOR empty")

    def stepped(self, exponent):
        return (exponent - self.step_from) // self.step * self.step + self.step_from

    def extent(self, x):
        if self.zero_point is not None or self.zeros is not None:
            bits = abs(self.zero_point).bit_length() if self.zeros is None else self.zeros.format.bits
            x = x._replace(before=max(x.before, bits) + 1)
        for scale in self.scales:
            x = x.times(extent_of_format(scale.format))
        x = x if self.round is None else extent_of_result(x, self.round)
        x = x._replace(least=self.stepped(x.least), greatest=self.stepped(x.greatest), before=x.before + self.step - 1)
        if self.empty is None:
            return x
        return x._replace(least=min(x.least, self.empty), greatest=max(x.greatest, self.empty))


class Adder:
    def __init__(self, words, format_named):
        self.name = words["name"]
        self.inputs = [Input(source, input) for source, input in words["add"].items()]
        self.group = given(words, "group", "adder group")
        self.shape = given(words, "shape", "adder shape")
        window = words.get("window", {})
        self.fixed = given(window, "exponent", "window.exponent") == "fixed"
        self.window_at = int(window["at"]) if self.fixed else None
        self.floor = None if self.fixed else optional(window, "floor", "window.floor")
        self.lost_at = None if self.fixed else optional(window, "lost_at", "window.lost_at")
        self.step = 1 if self.fixed else int(given(window, "step", "window.step"))
        self.step_from = 0 if self.fixed else int(given(window, "from", "window.from"))
        self.raised = 0 if self.fixed else int(given(window, "raise", "window.raise"))
        self.sticky = given(words, "sticky", "adder sticky") == "or"
        self.joins_result = given(words, "sticky", "adder sticky") == "at_result"
        self.no_exponent_of_zero = given(words, "cancelled", "adder cancelled") == "none"
        self.times_scales = given(words, "times", "adder times") == "scales"
        self.ieee_zero = given(words, "zero", "adder zero") == "ieee"
        results = given(words, "result", "adder result")
        self.results = [] if results == "none" else [Result(result, format_named) for result in results]
        self.minus_one = optional(words.get("errata", {}), "minus_one", "errata.minus_one")
        self.keeps = [input.least_keep for input in self.inputs if input.keep is not None]
        self.exact = len(self.keeps) < len(self.inputs)
        self.groups, self.count = [], 0  # of numbers of the first input; items of one group
        self.exact_grid = None  # of The grid of an exact sum
        self.scales = []  # that act at it

    def draws(self):
        sums = 1 if self.shape == "flat" else self.count - 1
        return len(self.groups) * sums * draws_of(self.results)


# --- The order of terms ---


def deal(items, group):
    """The lists of items that a GROUP makes."""
    group = {} if group == "none" else group
    terms = given(group, "terms", "GROUP terms")
    terms = len(items) if terms in ("all", "none") else int(terms)
    unit = int(given(group, "unit", "GROUP unit"))
    n = len(items) // terms
    groups = [[] for _ in range(n)]
    for i, item in enumerate(items):
        to = i // terms if given(group, "deal", "GROUP deal") == "neighbours" else i // unit % n
        groups[to].append(item)
    return groups


def deal_items(adders, counts):
    """Notes for each adder the groups of its first input, and how many items one sum has; `counts` says how many numbers
    each source brings."""
    for adder in adders:
        first, others = adder.inputs[0].source, adder.inputs[1:]
        adder.groups = deal(range(counts[first]), adder.group)
        adder.count = len(adder.groups[0]) + sum(counts[input.source] for input in others)
        counts[adder.name] = len(adder.groups)


# --- Products, Scaling ---


class Slice(NamedTuple):
    first: int  # bit, counted from the one of weight 2^(exponent + before) on
    bits: int | None  # None: all that follow
    before: int  # 0, or of integers their bits before the point less 1

    def of(self, n):
        """What it keeps of a number that is not zero."""
        top = n.exponent + self.before - self.first + 1
        below = 0 if self.bits is None else max(0, top - self.bits - n.quantum)
        return n._replace(magnitude=n.magnitude % (1 << max(0, top - n.quantum)) >> below << below)


class Pair(NamedTuple):
    a: Slice
    b: Slice
    lowering: int


# --- Rows ---


class Rows:
    """What a product becomes where it goes on as rows."""

    def __init__(self, words, mantissas, steps):
        self.mantissas, self.of_a, self.booth = mantissas, words["of"] == "a", words["digits"] == "booth4"
        bits = [m + step for m, step in zip(mantissas, steps)]
        self.bits_of_y, self.bits_of_x = bits if self.of_a else bits[::-1]
        self.count = self.bits_of_y // 2 + 1 if self.booth else self.bits_of_y
        self.turns_digits = self.booth and given(words, "sign", "ROWS sign") == "digits"
        self.has_constant = self.booth and given(words, "extension", "ROWS extension") == "constant"
        width = optional(words, "width", "ROWS width")
        self.width = self.bits_of_x + 2 if width is None else width
        self.chain = given(words, "compress", "ROWS compress") == "chain"
        self.first = optional(words, "first", "ROWS first") or self.count

    def pieces(self):
        return [Row(self, number) for number in range(3 if self.has_constant else 2)]

    def weight(self, i):
        return 4**i if self.booth else 2**i

    def digit(self, y, i):
        def bit(at):
            return y >> at & 1 if at >= 0 else 0

        return bit(2 * i - 1) + bit(2 * i) - 2 * bit(2 * i + 1) if self.booth else bit(i)

    def numbers(self, x, y, turned):
        """Sum and carry."""
        left = []
        for first in range(0, self.count, self.first):
            group, owed = [], 0
            for i in range(first, min(self.count, first + self.first)):
                digit = -self.digit(y, i) if turned else self.digit(y, i)
                row = x * digit - (digit < 0)
                if self.has_constant:
                    row += 2 ** (self.width - 1)
                group.append(row * self.weight(i) + owed)
                owed = self.weight(i) if digit < 0 else 0
            if self.booth:
                group.append(owed)
            left += self.compressed(group)
        return self.compressed(left)

    def compressed(self, rows):
        while len(rows) > 2:
            threes = 1 if self.chain else len(rows) // 3
            made = []
            for i in range(threes):
                x, y, z = rows[3 * i:3 * i + 3]
                made += [x ^ y ^ z, 2 * (x & y | x & z | y & z)]
            rows = made + rows[3 * threes:]
        return rows if len(rows) == 2 else [*rows, 0]

    def constant(self):
        return sum(2 ** (self.width - 1) * self.weight(i) for i in range(self.count))

    def bits(self):
        if not self.booth:
            return self.bits_of_x + self.bits_of_y
        if self.has_constant:
            return 1 + max(self.bits_of_x + self.bits_of_y, self.width + 2 * self.count - 2)
        groups = -(-self.count // self.first)
        return self.bits_of_x + 2 * self.count + self.times_fewer(self.first + 1) + self.times_fewer(2 * groups)

    def times_fewer(self, count):
        times = 0
        while count > 2:
            count -= 1 if self.chain else count // 3
            times += 1
        return times


class Row(NamedTuple):
    rows: Rows
    number: int  # 0 the sum, 1 the carry, 2 the constant

    @property
    def lowering(self):
        return 0

    def of(self, a, b):
        """Of numbers that are not zero."""
        whole = [cut(False, n.magnitude, n.quantum, n.exponent - m, "toward_zero")[0] for n, m in zip((a, b), self.rows.mantissas)]
        y, x = whole if self.rows.of_a else whole[::-1]
        negative = a.negative != b.negative
        turned = negative and self.rows.turns_digits
        value = -self.rows.constant() if self.number == 2 else self.rows.numbers(x, y, turned)[self.number]
        if negative and not turned:
            value = -value
        exponent = a.exponent + b.exponent
        return Number(FINITE, value < 0, abs(value), exponent - sum(self.rows.mantissas), exponent)


def multiply(a, b, *words):
    return operation([a, b], exact_product(a, b, *words))


def exact_product(a, b, pair=None, empty=None, counts_zeros=False):
    lowering = 0 if pair is None else pair.lowering
    if a.kind == FINITE and b.kind == FINITE:
        negative = a.negative != b.negative
        if a.is_zero() or b.is_zero():
            both = a.exponent is not None and b.exponent is not None
            exponent = a.exponent + b.exponent if counts_zeros and both else empty
            return zero(negative, None if exponent is None else exponent - lowering)
        if isinstance(pair, Row):
            return pair.of(a, b)
        x, y = (a, b) if pair is None else (pair.a.of(a), pair.b.of(b))
        exponent = a.exponent + b.exponent - lowering
        return Number(FINITE, negative, x.magnitude * y.magnitude, a.quantum + b.quantum, exponent)
    if a.kind == NAN:
        return a
    if b.kind == NAN:
        return b
    if a.is_zero() or b.is_zero():
        return NEW_NAN
    return Number(INFINITY, a.negative != b.negative)


def scaled(x, scale_a, scale_b):
    return operation([x, scale_a, scale_b], exactly_scaled(x, scale_a, scale_b))


def exactly_scaled(x, scale_a, scale_b):
    three = (x, scale_a, scale_b)
    negative = (x.negative + scale_a.negative + scale_b.negative) % 2 == 1
    for n in three:
        if n.kind == NAN:
            return n
    if any(n.kind == INFINITY for n in three):
        return NEW_NAN if any(n.is_zero() for n in three) else Number(INFINITY, negative)
    if scale_a.is_zero() or scale_b.is_zero():
        return zero(negative)
    exponent = None if x.exponent is None else x.exponent + scale_a.exponent + scale_b.exponent
    return Number(FINITE, negative, x.magnitude * scale_a.magnitude * scale_b.magnitude,
                  x.quantum + scale_a.quantum + scale_b.quantum, exponent)


ONE = Number(FINITE, False, 1, 0, 0)


def scaled_by(x, scales, more, i):
    for scale in scales:
        x = scaled(x, scale.of_term(more, i), ONE)
    return x


def less(q, z):
    value = (-q.magnitude if q.negative else q.magnitude) - z
    return Number(FINITE, value < 0, abs(value), 0, 0) if value else zero(False)


# --- A sum ---


def sum_of(adder, items):
    """Of (number, INPUT) pairs; and whether ones were lost."""
    numbers = [n for n, _ in items]
    decided = what_decides(numbers)
    if decided is not None:
        return decided, False
    # 1. the window
    counted = [input.empty if n.exponent is None else n.exponent for n, input in items if not n.absent]
    counted = [exponent for exponent in counted if exponent is not None]
    if not counted:
        window = 0  # of no consequence: the sum is empty
    elif adder.fixed:
        window = adder.window_at
    else:
        window = max(counted) + adder.raised
        if adder.floor is not None:
            window = max(window, adder.floor)
        window = -((adder.step_from - window) // adder.step) * adder.step + adder.step_from
    empty = not counted or (adder.lost_at is not None and window <= adder.lost_at)
    # 2. align
    aligned, lost = [], False
    for n, input in items:
        if empty or n.magnitude == 0:
            continue
        if input.lost_below is not None and n.exponent < window - input.lost_below:
            lost = True
            continue
        magnitude, quantum = n.magnitude, n.quantum
        for keep, mode in input.cuts:
            if quantum < window - keep:
                magnitude, some = cut(n.negative, magnitude, quantum, window - keep, mode)
                quantum = window - keep
                lost = lost or some
        aligned.append((-magnitude if n.negative else magnitude, quantum))
    if lost or (empty and any(n.magnitude for n in numbers)):
        RAISED.all.add("inexact")
    # 3. add
    lowest = min((quantum for _, quantum in aligned), default=0)
    total = sum(value << (quantum - lowest) for value, quantum in aligned)
    negative, magnitude = total < 0, abs(total)
    # 4. sticky
    if adder.sticky and lost:
        grid = adder.exact_grid if adder.exact else window - max(adder.keeps)
        below = min(lowest, grid - 1)
        magnitude = (magnitude << (lowest - below)) + (1 << (grid - 1 - below))
        lowest = below
    # 5. the sign of zero
    if magnitude == 0:
        signs = {n.negative for n in numbers if not n.absent}
        if not adder.ieee_zero or not signs:
            negative = False
        elif all(n.magnitude == 0 for n in numbers) and len(signs) == 1:
            negative = signs.pop()
        else:
            negative = bool(adder.results) and adder.results[-1].cut == "down"
    # 7. errata
    if adder.minus_one is not None and negative and is_power(magnitude, lowest, window - adder.inputs[0].keep):
        magnitude, lowest = 1, window + adder.minus_one
    # 6. the exponent
    gone = empty or (magnitude == 0 and adder.no_exponent_of_zero)
    return Number(FINITE, negative, magnitude, lowest, None if gone else window), lost


def and_a_trace(n):
    """Greater in magnitude by less than any bit that a RESULT can ask for."""
    below = n.quantum + 100_000
    return n._replace(magnitude=(n.magnitude << below) + 1, quantum=-100_000)


# --- A result ---


def result_of(n, result, word=0):
    if is_stochastic(result):
        result = result.with_word(word)
    RAISED.own = set()
    made = rounded(n, result)
    if RAISED.tiny is not None and n.kind == FINITE:
        RAISED.own = by_rounding(n, made, result)
    RAISED.all |= RAISED.own
    return made


def rounded(n, result):
    if n.kind != FINITE and result.at != "format":
        return n
    if result.at == "format":
        n = to_format(n, result)
        return zero(False) if result.no_minus_zero and n.is_zero() else n
    if n.magnitude == 0:
        return n
    if result.at == "window":
        at = n.exponent - result.keep
        n = n._replace(magnitude=cut(n.negative, n.magnitude, n.quantum, at, result.cut)[0], quantum=at)
        return n if result.bits is None else in_register(n, result)
    return at_leading_one(n, result.keep, result.cut, result.least_exponent)


def in_register(n, result):
    """Whose last bit weighs 2^quantum."""
    value, half = -n.magnitude if n.negative else n.magnitude, 1 << (result.bits - 1)
    least, most = (1 - half if result.overflow == "symmetric" else -half), half - 1
    if least <= value <= most:
        return n
    RAISED.own.add("overflow")
    value = (value + half) % (2 * half) - half if result.overflow == "wrap" else max(least, min(most, value))
    return n._replace(negative=value < 0, magnitude=abs(value))


def to_format(n, result):
    if n.kind != FINITE:
        return of_infinity(n, result) if n.kind == INFINITY else of_nan(n, result)
    if n.magnitude == 0:
        return result.format.zero(n.negative)
    if result.format.list:
        return result.format.rounded(n, result)
    return to_integer(n, result) if result.format.integer else to_floating(n, result)


def at_leading_one(n, keep, mode, least_exponent, bias=None):
    """`bias`: of a format without mantissa, whose codes are even or odd in place of its multiples."""
    e = leading(n.magnitude, n.quantum)
    if least_exponent is not None and least_exponent > e:
        e = least_exponent
    odd = (lambda kept: kept % 2 == 1) if bias is None else (lambda kept: kept == 1 and (e + bias) % 2 == 1)
    magnitude = cut(n.negative, n.magnitude, n.quantum, e - keep, mode, odd)[0]
    reached = not less_than_power(magnitude, e - keep, e + 1)
    return Number(FINITE, n.negative, magnitude, e - keep, e + 1 if reached else e)


def to_floating(n, result):
    format = result.format
    r = at_leading_one(n, format.mantissa, result.cut, format.least, format.bias if format.mantissa == 0 else None)
    if result.subnormals != "keep" and is_tiny(n, r, result, result.tiny):
        return format.zero(n.negative and result.subnormals == "signed_zero")
    if r.magnitude == 0:
        return format.zero(n.negative)
    if n.negative and not format.sign:
        return below_zero(result)
    top, quantum = format.greatest_number
    too_far = r.magnitude << max(0, r.quantum - quantum) > top << max(0, quantum - r.quantum)
    if too_far or (result.overflow == "top" and r.exponent >= format.greatest):
        return too_large(n.negative, result)
    return r


def below_zero(result):
    to_zero = result.negative == "zero" or (result.negative == "directed" and result.cut in ("toward_zero", "up"))
    return zero(False) if to_zero else nan_of(True)


def nan_of(negative):
    return new_nan(negative)


def too_large(negative, result):
    """By any word but `wrap`."""
    RAISED.own.add("overflow")
    farthest = result.format.farthest(negative, result.overflow)
    if result.overflow == "infinity":
        return Number(INFINITY, negative)
    if result.overflow == "nan":
        return nan_of(negative)
    if result.overflow == "top":
        return Number(FINITE, negative, 1, result.format.greatest, result.format.greatest)
    if result.overflow == "directed":
        back = {
            "toward_zero": True,
            "down": not negative,
            "up": negative,
            "to_odd": (result.format.write(farthest) >> result.format.low) % 2 == 1,
        }
        return farthest if back.get(result.cut, False) else Number(INFINITY, negative)
    return farthest


def of_infinity(n, result):
    format = result.format
    if n.negative and not format.integer and not format.sign:
        return zero(False) if result.negative == "zero" else nan_of(True)
    if result.infinity == "largest":
        return format.farthest(n.negative, result.overflow)
    return nan_of(n.negative) if result.infinity == "nan" else n


def of_nan(n, result):
    if result.nan == "positive":
        return nan_of(False)
    if result.nan == "zero":
        return zero(False)
    return result.format.farthest(False, result.overflow) if result.nan == "largest" else n


def is_tiny(n, rounded, result, tiny):
    least, mantissa = result.format.least, result.format.mantissa
    if tiny == "result":
        return less_than_power(rounded.magnitude, rounded.quantum, least)
    if tiny == "before":
        return less_than_power(n.magnitude, n.quantum, least)
    at = leading(n.magnitude, n.quantum) - mantissa
    return less_than_power(cut(n.negative, n.magnitude, n.quantum, at, result.cut)[0], at, least)


def to_integer(n, result):
    format = result.format
    magnitude = cut(n.negative, n.magnitude, n.quantum, -format.fraction, result.cut)[0]
    value = -magnitude if n.negative else magnitude
    if magnitude > format.farthest(n.negative, result.overflow).magnitude:
        if result.overflow != "wrap":
            return too_large(n.negative, result)
        RAISED.own.add("overflow")
        value = (value - format.least) % (1 << format.bits) + format.least
    return format.number(value)


# --- The grid of an exact sum ---


class Extent(NamedTuple):
    least: int
    greatest: int
    before: int
    behind: int
    fixed: int | None = None

    def lowest(self):
        return self.least - self.behind if self.fixed is None else self.fixed

    def depth(self):
        return self.behind if self.fixed is None else max(0, self.greatest - self.fixed)

    def times(self, other):
        both = self.fixed is not None and other.fixed is not None
        return Extent(self.least + other.least, self.greatest + other.greatest, self.before + other.before,
                      self.depth() + other.depth(), self.fixed + other.fixed if both else None)

    def normalised(self):
        more = self.before - 1
        return Extent(min(self.least, self.lowest()), self.greatest + more, 1, self.behind + more, self.fixed)

    def lowered(self, lowering, empty):
        least, greatest = self.least - lowering, self.greatest - lowering
        if empty is not None:
            least, greatest = min(least, empty - lowering), max(greatest, empty - lowering)
        return Extent(least, greatest, self.before, max(0, self.behind - lowering), self.fixed)

    def joined(self, other):
        fixed = self.fixed is not None or other.fixed is not None
        return Extent(min(self.least, other.least), max(self.greatest, other.greatest), max(self.before, other.before),
                      max(self.behind, other.behind), min(self.lowest(), other.lowest()) if fixed else None)


def may_carry(mode):
    return mode not in ("toward_zero", "to_odd")


def extent_of_format(format):
    if format.integer:
        return Extent(0, 0, format.before_point, format.fraction, -format.fraction)
    return Extent(format.least, format.greatest, 1, format.mantissa)


def extent_of_result(x, result):
    carry = 0 if result.at == "format" else int(may_carry(result.cut))
    if result.at == "window":
        before = x.before + carry
        if result.bits is not None:
            before = max(1, min(before, result.bits - result.keep))
        return Extent(x.least, x.greatest, before, result.keep)
    if result.at == "leading_one":
        least = x.lowest() if result.least_exponent is None else result.least_exponent
        greatest = x.greatest if result.least_exponent is None else result.least_exponent
        return Extent(min(least, x.least), max(x.greatest + x.before - 1 + carry, greatest), 1, result.keep)
    return extent_of_format(result.format)


def extent_of_sum(adder, inputs, count, scales):
    """Of (extent, INPUT) pairs and `count` items; notes the adder's grid."""
    empties = [input.empty for _, input in inputs if input.empty is not None]
    least = min([x.least for x, _ in inputs] + empties)
    greatest = max([x.greatest for x, _ in inputs] + empties)
    if adder.fixed:
        least = greatest = adder.window_at
    else:
        least, greatest = least + adder.raised, greatest + adder.raised
        if adder.floor is not None:
            least, greatest = adder.floor, max(greatest, adder.floor)
        greatest += adder.step - 1
    before = max(x.before + any(may_carry(mode) for _, mode in input.cuts) +
                 (max(0, x.greatest - adder.window_at) if adder.fixed else 0) for x, input in inputs)
    before += (count - 1).bit_length()
    behind = max(adder.keeps, default=0) + adder.sticky
    fixed = None
    if adder.exact:
        adder.exact_grid = min(x.lowest() if input.keep is None else least - input.least_keep for x, input in inputs)
        fixed = adder.exact_grid - adder.sticky
    if adder.lost_at is not None:
        least = max(least, min(adder.lost_at + 1, greatest))
    if adder.minus_one is not None:
        before = max(before, adder.minus_one + 1)
    out = Extent(least, greatest, before, behind, fixed)
    if adder.times_scales:
        out = out.times(scales.times(scales))
    for scale in adder.scales:
        out = out.times(extent_of_format(scale.format))
    for result in adder.results:
        out = extent_of_result(out, result)
    return out


def extent_of_adder(adder, inputs, count, scales):
    if adder.shape == "flat":
        return extent_of_sum(adder, inputs, count, scales)
    left = None
    for _ in range(count - 1 if adder.shape == "serial" else (count - 1).bit_length()):
        both = inputs if left is None else inputs + [(left, input) for _, input in inputs]
        found = extent_of_sum(adder, both, 2, scales)
        joined = found if left is None else left.joined(found)
        if joined == left:
            break
        left = joined
    return left


# --- The datapath ---


class Interpreter:
    def __init__(self, text):
        words = read_file(text)
        self.k = int(words["k"])
        self.specials = words["specials"]
        self.formats = {name: own_format(name, format, self.specials == "numbers")
                        for name, format in words.get("formats", {}).items()}
        operands = words["operands"]
        self.d = self.format_named(operands["d"])
        self.a, self.b, self.c = (self.reader(operands[name], words, name) for name in "abc")
        self.c_format = self.format_named(operands["c"])
        elements = [extent_of_format(self.format_named(operands[name])) for name in "ab"]
        self.has_scales = given(operands, "scale", "operands.scale") != "none"
        if self.has_scales:
            scale = self.format_named(operands["scale"]["format"])
            self.scale, self.block = remembering(scale.read), int(operands["scale"]["block"])
            self.scale_format = scale
        self.nan = words.get("nan")
        flags = given(words, "flags", "flags")
        self.flags = None if flags == "none" else flags
        self.masked = given(operands, "mask", "operands.mask") != "none"
        self.read_more(operands, words.get("factors", {}))
        self.read_product(words.get("product", {}))
        self.factors = [factor.extent(x) for factor, x in zip((self.factor_a, self.factor_b), elements)]
        self.read_slices(words.get("slices", {}))
        if self.rows is not None:
            self.read_rows(operands)
        self.read_order(words.get("k_order", {}))
        self.start = given(words, "start", "start")
        self.subnormal_acc = given(words.get("subnormals", {}), "acc", "subnormals.acc")
        self.adders = [Adder(adder, self.format_named) for adder in words["adders"]]
        finish = given(words, "finish", "finish")
        self.finish = [] if finish == "none" else [Adder(adder, self.format_named) for adder in finish]
        deal_items(self.adders, {"product": len(self.lanes[0][0]), "acc": 1})
        deal_items(self.finish, {"lanes": len(self.lanes), "c": 1})
        for adder in self.adders + self.finish:
            adder.scales = [scale for scale in self.scales if scale.at == adder.name]
        if any(adder.sticky and adder.exact for adder in self.adders + self.finish):
            self.find_grids()

    def format_named(self, name):
        if name == "d":
            return self.d
        if name in self.formats:
            return self.formats[name]
        return built_in(name, self.specials == "numbers")

    def read_more(self, operands, factors):
        scales = given(operands, "scales", "operands.scales")
        scales = {} if scales == "none" else scales
        self.scales = [Codes(name, words, self.format_named) for name, words in scales.items()]
        made = []
        for side in "ab":
            zeros = given(operands, f"zero_{side}", f"operands.zero_{side}")
            zeros = None if zeros == "none" else Codes(f"zero_{side}", zeros, self.format_named)
            own = [scale for scale in self.scales if scale.at == "operand" and scale.of == side]
            made.append(Factor(factors.get(side, {}), zeros, own, self.format_named))
        self.factor_a, self.factor_b = made
        self.product_scales = [scale for scale in self.scales if scale.at == "product"]

    def read_product(self, words):
        self.times_scales = given(words, "times", "product.times") == "scales"
        self.normalised = given(words, "exponent", "product.exponent") == "normalised"
        self.infinity_at = optional(words, "infinity_at", "product.infinity_at")
        self.empty = optional(words, "empty", "product.empty")
        round = given(words, "round", "product.round")
        self.round = None if round == "exact" else Result(round, self.format_named)
        rows = given(words, "rows", "product.rows")
        self.rows = None if rows == "none" else rows

    def mantissa(self, name, factor):
        return (self.format_named(name) if factor.round is None else factor.round.format).mantissa

    def read_rows(self, operands):
        mantissas = [self.mantissa(operands["a"], self.factor_a), self.mantissa(operands["b"], self.factor_b)]
        self.rows = Rows(self.rows, mantissas, [self.factor_a.step, self.factor_b.step])
        self.run, self.pairs = "together", self.rows.pieces()

    def read_slices(self, words):
        lowers = given(words, "exponent", "slices.exponent") == "slice"
        self.run = given(words, "run", "slices.run")
        pairs = given(words, "pairs", "slices.pairs")
        self.pairs = []  # or None alone, that of whole elements
        for pair in [] if pairs == "none" else pairs:
            x, y = slice_of(pair["a"], self.factors[0]), slice_of(pair["b"], self.factors[1])
            self.pairs.append(Pair(x, y, x.first + y.first if lowers else 0))
        self.pairs = self.pairs or [None]

    def read_order(self, words):
        self.lanes = []  # of steps, of products: (term, number of its pair)
        for lane in deal(range(self.k), words.get("lanes", {})):
            steps = deal(lane, words.get("step", {}))
            if given(words, "from", "k_order.from") == "last":
                steps = [step[::-1] for step in steps[::-1]]
            self.lanes.append(self.sliced(steps))

    def sliced(self, steps):
        pairs = range(len(self.pairs))
        if self.run == "together":
            return [[(i, pair) for i in step for pair in pairs] for step in steps]
        if self.run == "step":
            return [[(i, pair) for i in step] for step in steps for pair in pairs]
        return [[(i, pair) for i in step] for pair in pairs for step in steps]

    # --- Operands ---

    def reader(self, name, words, operand):
        format, word = self.format_named(name), given(words.get("subnormals", {}), operand, f"subnormals.{operand}")
        no_nan = given(words.get("nans", {}), operand, f"nans.{operand}") == "zero"

        def read(code):
            n = format.read(code)
            if no_nan and n.kind == NAN:
                return zero(False)
            if word != "keep" and format.is_subnormal(n):
                return zero(n.negative and word == "signed_zero")
            return n

        return remembering(read)

    def held_by_d(self):
        c, d = self.c_format, self.d
        if d.integer:
            return False
        return (not c.integer and not d.list and c.mantissa <= d.mantissa and c.greatest <= d.greatest and
                c.least - c.mantissa >= d.least - d.mantissa)

    def c_of(self, code):
        c = self.c(code)
        if c.kind == FINITE and c.magnitude > 0 and self.held_by_d():
            return c._replace(exponent=max(leading(c.magnitude, c.quantum), self.d.least))
        return c

    # --- Factors ---

    def factor(self, words, n, i, more, first_word):
        if words.zero_point is not None:
            n = less(n, words.zero_point)
        if words.zeros is not None:
            z = words.zeros.of_term(more, i)
            n = less(n, -z.magnitude if z.negative else z.magnitude)
        n = scaled_by(n, words.scales, more, i)
        if words.round is not None:
            n = result_of(n, words.round, self.word(more, first_word + i, words.round))
        if n.kind == FINITE and n.exponent is not None:
            n = n._replace(exponent=words.stepped(n.exponent))
        if words.empty is not None and n.is_zero() and n.exponent is None:
            n = n._replace(exponent=words.empty)
        return n

    # --- Random words ---

    @staticmethod
    def word(more, index, result):
        return more["random"][index] if is_stochastic(result) else 0

    def first_words(self):
        """Of factors a, factors b, products, the first step and the finish; and how many a step has."""
        counts = [self.k * is_stochastic(result) for result in (self.factor_a.round, self.factor_b.round, self.round)]
        counts[2] *= len(self.pairs)
        a, b, products = 0, counts[0], counts[0] + counts[1]
        steps = products + counts[2]
        of_step = sum(adder.draws() for adder in self.adders)
        return a, b, products, steps, steps + of_step * sum(map(len, self.lanes)), of_step

    # --- Products ---

    def product(self, x, y, pair, scales, i, more, word):
        counts_zeros = self.factor_a.empty is not None or self.factor_b.empty is not None
        p = multiply(x, y, pair, self.empty, counts_zeros)
        if self.times_scales:
            p = scaled(p, *scales)
        p = scaled_by(p, self.product_scales, more, i)
        if self.normalised and p.kind == FINITE and p.magnitude > 0:
            p = p._replace(exponent=leading(p.magnitude, p.quantum))
        if self.round is not None:
            p = result_of(p, self.round, word)
        return p

    def too_large(self, p):
        return (self.infinity_at is not None and p.kind == FINITE and
                not less_than_power(p.magnitude, p.quantum, self.infinity_at))

    # --- A step ---

    def decided_by_step(self, products, acc, scales, terms, more):
        seen = products + [acc]
        for adder in self.adders:
            if adder.times_scales:
                seen += [scale for pair in scales for scale in pair]
            for scale in adder.scales:
                seen += [scale.of_term(more, i) for i in terms]
        decided = what_decides(seen)
        if decided is None:
            decided = what_decides([Number(INFINITY, p.negative) for p in products if self.too_large(p)])
        return decided

    def acc_as_read(self, left):
        if self.subnormal_acc == "keep" or left.kind != FINITE or left.magnitude == 0:
            return left
        if leading(left.magnitude, left.quantum) >= self.adders[-1].results[-1].format.least:
            return left
        return zero(left.negative and self.subnormal_acc == "signed_zero")

    def step(self, products, acc, scales, terms, more, first_word, elements):
        """`elements`: a and b of each product, as they are read."""
        if self.specials == "step":
            decided = self.decided_by_step(products, acc, scales, terms, more)
            if decided is not None:
                for result in self.adders[-1].results:
                    decided = result_of(decided, result)
                self.own = set(RAISED.own)
                return decided
        if self.specials == "operation" and self.infinity_at is not None:
            products = [Number(INFINITY, p.negative) if self.too_large(p) else p for p in products]
        sources = {"product": list(zip(products, terms)), "acc": [(acc, None)]}
        left = self.run_adders(self.adders, sources, scales, more, first_word)
        return self.taken(left, sources, elements) if isinstance(self.nan, dict) and left.kind == NAN else left

    # --- Which NaN ---

    def taken(self, left, sources, elements):
        groups, after_element = [], False
        for place in self.nan["take"]:
            source, _, index = place.rstrip("]").partition("[")
            index = int(index or 0)
            is_element = source in ("a", "b")
            if not is_element or not after_element:
                groups.append([])
            after_element = is_element
            if source in ("a", "product"):
                groups[-1].append(elements[index][0])
            if source in ("b", "product"):
                groups[-1].append(elements[index][1])
            if not is_element:
                groups[-1].append(sources[source][index][0])
        for group in groups:
            nans = [n for n in group if n.kind == NAN]
            if self.nan.get("signalling", "alike") == "first":
                nans = [n for n in nans if n.signalling] + nans
            if nans:
                return nans[0]
        return left

    # --- An adder ---

    def run_adders(self, adders, sources, scales, more, first_word):
        """The last one's result. A source brings (number, term of k that it is made of); `scales` are the pairs of each
        product."""
        self.next_word = first_word
        left = []
        for adder in adders:
            left = [self.run_group(adder, members, sources, scales, more) for members in adder.groups]
            sources[adder.name] = left
        return left[0][0]

    def run_group(self, adder, members, sources, scales, more):
        first = adder.inputs[0]
        numbers = sources[first.source]
        items = [entering(*numbers[i], first) for i in members]
        for input in adder.inputs[1:]:
            items += [entering(*n, input) for n in sources[input.source]]
        if adder.shape == "flat":
            term = next((term for _, term, _ in items if term is not None), None)
            return self.leave(adder, items, scales[members[0]] if adder.times_scales else None, term, more), term
        if adder.shape == "serial":
            left = items[0]
            for item in items[1:]:
                left = self.pair(adder, left, item, more)
            return left[:2]
        while len(items) > 1:
            n, h = len(items), (len(items) + 1) // 2
            if adder.shape == "neighbours":
                pairs, over = [(i, i + 1) for i in range(0, n - 1, 2)], n - 1
            else:
                pairs, over = [(i, i + h) for i in range(n // 2)], h - 1
            summed = [self.pair(adder, items[i], items[j], more) for i, j in pairs]
            items = summed + ([items[over]] if n % 2 == 1 else [])
        return items[0][:2]

    def pair(self, adder, left, right, more):
        term = right[1] if left[1] is None else left[1]
        return self.leave(adder, [left, right], None, term, more), term, left[2]

    def leave(self, adder, items, scales, term, more):
        n, lost = sum_of(adder, [(number, input) for number, _, input in items])
        if adder.times_scales:
            n = scaled(n, *scales)
        n = scaled_by(n, adder.scales, more, 0 if term is None else term)
        if adder.joins_result and lost and n.kind == FINITE and n.magnitude > 0:
            n = and_a_trace(n)
        for result in adder.results:
            n = result_of(n, result, self.word(more, self.next_word, result))
            self.next_word += is_stochastic(result)
        self.own = set(RAISED.own)
        return n

    # --- Finish, and d ---

    def d_of(self, a, b, c, scale_a=(), scale_b=(), more=None):
        """The code of d, of lists of codes and the code of c; `more` are lists by name."""
        c, more = self.c_of(c), more or {}
        RAISED.all, RAISED.tiny = set(), self.flags and given(self.flags, "tiny", "FLAGS tiny")
        on = [not self.masked or more["mask"][i] != 0 for i in range(self.k)]
        of_a, of_b, of_products, next_word, of_finish, of_step = self.first_words()
        scales = None
        if self.has_scales:
            pairs = [(self.scale(x), self.scale(y)) for x, y in zip(scale_a, scale_b)]
            scales = [pairs[i // self.block] for i in range(self.k)]
        read_a, read_b = self.a, self.b
        products = {}  # by term, number of its pair
        for i in range(self.k):
            before = set(RAISED.all)
            x = self.factor(self.factor_a, read_a(a[i]), i, more, of_a)
            y = self.factor(self.factor_b, read_b(b[i]), i, more, of_b)
            if not on[i]:
                x = y = zero(False)
                RAISED.all = before
            for number, pair in enumerate(self.pairs):
                word = self.word(more, of_products + i * len(self.pairs) + number, self.round)
                products[i, number] = self.product(x, y, pair, scales and scales[i], i, more, word)
        lanes = []
        for steps in self.lanes:
            acc = c if self.start == "c" else zero(False)._replace(absent=self.start == "none")
            for number, step in enumerate(steps):
                if number > 0:
                    acc = self.acc_as_read(acc)
                terms = [i for i, _ in step]
                acc = self.step([products[one] for one in step], acc, scales and [scales[i] for i in terms], terms, more,
                                next_word, [(read_a(a[i]), read_b(b[i])) if on[i] else (zero(False), zero(False)) for i in terms])
                next_word += of_step
            lanes.append(acc)
        if not self.finish:
            return self.code_of(lanes[0])
        sources = {"lanes": [(n, None) for n in lanes], "c": [(c, None)]}
        return self.code_of(self.run_adders(self.finish, sources, None, more, of_finish))

    # --- Flags ---

    def raised(self, d):
        """By the number that d stands for."""
        raised = set(RAISED.all)
        if given(self.flags, "of", "FLAGS of") == "d":
            raised = (raised & {"invalid"}) | self.own
        if given(self.flags, "invalid", "FLAGS invalid") == "nan" and d.kind == NAN:
            raised.add("invalid")
        return raised

    def code_of(self, n):
        self.flags_raised = None if self.flags is None else self.raised(n)
        if n.kind != NAN:
            return self.d.write(n)
        if self.nan is None:
            return self.d.quiet_nan()
        if self.nan == "signed":
            return self.d.write_signed_nan(n)
        if isinstance(self.nan, dict) and n.made:
            return int(self.nan["default"], 16) if "default" in self.nan else self.d.quiet_nan()
        if isinstance(self.nan, dict):
            return self.d.write_nan(n)
        return self.d.write_nan(n) if self.nan == "propagate" else int(self.nan, 16)

    # --- The grid of an exact sum ---

    def find_grids(self):
        scales = extent_of_format(self.scale_format) if self.has_scales else None
        product = self.factors[0].times(self.factors[1])
        lowerings = [0 if pair is None else pair.lowering for pair in self.pairs]
        product = functools.reduce(Extent.joined, (product.lowered(lowering, self.empty) for lowering in lowerings))
        if self.rows is not None:
            product = product._replace(before=max(product.before, self.rows.bits() - product.behind))
        if self.times_scales:
            product = product.times(scales.times(scales))
        for scale in self.product_scales:
            product = product.times(extent_of_format(scale.format))
        if self.normalised:
            product = product.normalised()
        if self.round is not None:
            product = extent_of_result(product, self.round)
        c = extent_of_format(self.d if self.held_by_d() else self.c_format)
        acc = c if self.start == "c" else None
        for _ in range(len(self.lanes[0]) + 1):
            given_acc = Extent(0, 0, 1, 0) if acc is None else acc
            left = self.extents_of(self.adders, {"product": product, "acc": given_acc}, scales)
            following = left if acc is None else acc.joined(left)
            if following == acc:
                break
            acc = following
        self.extents_of(self.finish, {"lanes": left, "c": c}, scales)

    def extents_of(self, adders, sources, scales):
        """What the last one leaves."""
        left = None
        for adder in adders:
            inputs = [(sources[input.source], input) for input in adder.inputs]
            left = extent_of_adder(adder, inputs, adder.count, scales)
            sources[adder.name] = left
        return left


def slice_of(words, factor):
    return Slice(int(given(words, "from", "SLICE from")), optional(words, "bits", "SLICE bits"), factor.before - 1)


def entering(n, term, input):
    turned = input.negate and n.kind != NAN and not n.absent
    return n._replace(negative=not n.negative) if turned else n, term, input


def remembering(read):
    """`read` of codes, each read once."""
    known = {}

    def of(code):
        if code not in known:
            known[code] = read(code)
        return known[code]

    return of
