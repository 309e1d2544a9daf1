#!/usr/bin/env python3
"""Readings of the chapter Semantics that are wrong, one rule each, as changes of interpreter.py.

Each is noticed by a case of agreement_test.py: `faults.py DRAW_CASES FIRST COUNT CASES` shows by which. A rule whose fault
nothing notices is not held by anything.
"""

import subprocess
import sys
import types
from pathlib import Path

import agreement_test

SOURCE = Path(__file__).with_name("interpreter.py")

# name: (text of interpreter.py, what stands there instead), or several such pairs
FAULTS = {
    # Numbers
    "the last NaN decides": ("    for n in infinite:\n        if n.kind == NAN:\n            return n\n    if any",
                             "    for n in infinite[::-1]:\n        if n.kind == NAN:\n            return n\n    if any"),
    "infinities decide before NaN": ("        if n.kind == NAN:\n            return n\n    if any(n.negative",
                                     "        if n.kind == NAN and len(infinite) == 1:\n            return n\n    if any(n.negative"),
    "infinities of both signs are one": ("    if any(n.negative != infinite[0].negative for n in infinite):\n        return NEW_NAN\n",
                                         ""),
    "an infinity decided is positive": ("    return Number(INFINITY, infinite[0].negative)\n", "    return Number(INFINITY, False)\n"),
    "the new NaN is positive": ("NEW_NAN = Number(NAN, True, QUIET)", "NEW_NAN = Number(NAN, False, QUIET)"),
    # Cutting
    "cut down to zero": ("        kept += negative\n", "        pass\n"),
    "cut up away from zero": ("        kept += not negative\n", "        kept += 1\n"),
    "nearest_even: ties to zero": (" or (rest == half and kept % 2 == 1)", ""),
    "nearest_even: ties away": (" or (rest == half and kept % 2 == 1)", " or rest == half"),
    "nearest_away: ties to zero": ("kept += rest >= half", "kept += rest > half"),
    "to_odd: nothing": ("        kept |= 1\n", "        pass\n"),
    "to_odd: adds one": ("        kept |= 1\n", "        kept += 1\n"),
    # Formats
    "low bits are read": ("        code >>= self.low\n", "        code = code >> self.low | code & ((1 << self.low) - 1)\n"),
    "e4m3 has an infinity": ('if self.nan == "all_ones" and e == self.ones and m == self.hidden - 1',
                             'if self.nan == "all_ones" and e == self.ones'),
    "a NaN read is positive": ("            return Number(NAN, negative, m <<", "            return Number(NAN, False, m <<"),
    "a payload on the right": ("m << (52 - self.mantissa) | QUIET", "m | QUIET"),
    "a signalling NaN stays one": ("m << (52 - self.mantissa) | QUIET", "m << (52 - self.mantissa)"),
    "an all-ones NaN is positive": ("            return Number(NAN, negative, QUIET)\n", "            return Number(NAN, False, QUIET)\n"),
    "a NaN on -0 is negative": ("            return Number(NAN, False, QUIET)\n", "            return Number(NAN, True, QUIET)\n"),
    "-0 is read as +0 without signed_zero": ("                return zero(negative)\n            return Number(FINITE",
                                            "                return self.zero(negative)\n            return Number(FINITE"),
    "-0 is read as +0": ("                return zero(negative)\n            return Number(FINITE",
                         "                return zero(False)\n            return Number(FINITE"),
    "a zero operand has an exponent": ("                return zero(negative)\n            return Number(FINITE",
                                       "                return zero(negative, self.least)\n            return Number(FINITE"),
    "a subnormal has its leading exponent": ("1 - self.bias - self.mantissa, 1 - self.bias)",
                                             "1 - self.bias - self.mantissa, leading(m, 1 - self.bias - self.mantissa))"),
    "ue8m0 has a zero": ('self.has_zero = name != "ue8m0"', "self.has_zero = True"),
    "numbers: infinity stays one": ("        if numbers:\n", "        if False:\n"),
    "the top exponent is the same with infinity": ("self.greatest = self.ones - self.bias - self.infinity -",
                                                   "self.greatest = self.ones - self.bias -"),
    "all_ones takes no exponent": (' - (self.nan == "all_ones" and self.mantissa == 0)', ""),
    "all_ones takes no number": (' - (self.nan == "all_ones" and self.mantissa > 0)', ""),
    "an integer's exponent is its leading one": ("return Number(FINITE, value < 0, abs(value), 0, 0) if value else zero(False)\n\n    def is",
                                                 "return Number(FINITE, value < 0, abs(value), 0, leading(abs(value), 0)) if value else zero(False)\n\n    def is"),
    "an integer zero has exponent 0": ("0, 0) if value else zero(False)\n\n    def is", "0, 0)\n\n    def is"),
    # Operands
    "zero keeps the sign": ('return zero(n.negative and word == "signed_zero")\n            return n', "return zero(n.negative)\n            return n"),
    "signed_zero loses the sign": ('return zero(n.negative and word == "signed_zero")\n            return n', "return zero(False)\n            return n"),
    "subnormals are kept": ('if word != "keep" and format.is_subnormal(n)', "if False"),
    "scales are flushed": ("self.scale, self.block = remembering(scale.read),",
                           "self.scale, self.block = remembering(lambda code: zero(False) if scale.is_subnormal(scale.read(code)) else scale.read(code)),"),
    "c keeps its own exponent": ("if c.kind == FINITE and c.magnitude > 0 and self.held_by_d():", "if False:"),
    "c always takes d's exponent": ("if c.kind == FINITE and c.magnitude > 0 and self.held_by_d():",
                                    "if c.kind == FINITE and c.magnitude > 0 and not self.c_format.integer:"),
    "c below d's least exponent": ("exponent=max(leading(c.magnitude, c.quantum), self.d.least)", "exponent=leading(c.magnitude, c.quantum)"),
    "d holds c though its mantissa is shorter": ("c.mantissa <= d.mantissa and ", ""),
    "d holds c though it reaches less far up": (" and c.greatest <= d.greatest", ""),
    "d holds c though it reaches less far down": (" and\n                c.least - c.mantissa >= d.least - d.mantissa", ""),
    "d holds c by the least exponent": ("c.least - c.mantissa >= d.least - d.mantissa", "c.least >= d.least"),
    # The order of terms
    "neighbours are dealt as strided": ('i // terms if given(group, "deal", "GROUP deal") == "neighbours" else i // unit % n', "i // unit % n"),
    "strided without unit": ("i // unit % n", "i % n"),
    "from: last turns steps only": ("[step[::-1] for step in steps[::-1]]", "steps[::-1]"),
    "from: last turns terms only": ("[step[::-1] for step in steps[::-1]]", "[step[::-1] for step in steps]"),
    "from: last is first": ('if given(words, "from", "k_order.from") == "last":', "if False:"),
    "from: last turns the lanes": ("            self.lanes.append(steps)\n",
                                   "            self.lanes.append(steps)\n        if given(words, \"from\", \"k_order.from\") == \"last\":\n            self.lanes = self.lanes[::-1]\n"),
    # Products
    "a zero product is positive": ("            return zero(negative)\n        return Number(FINITE, negative, magnitude, a.quantum",
                                   "            return zero(False)\n        return Number(FINITE, negative, magnitude, a.quantum"),
    "a zero product has an exponent": ("            return zero(negative)\n        return Number(FINITE, negative, magnitude, a.quantum",
                                       "            return zero(negative, (a.exponent or 0) + (b.exponent or 0))\n        return Number(FINITE, negative, magnitude, a.quantum"),
    "the NaN of b comes first": ("    if a.kind == NAN:\n        return a\n    if b.kind == NAN:\n        return b\n",
                                 "    if b.kind == NAN:\n        return b\n    if a.kind == NAN:\n        return a\n"),
    "zero times infinity is infinite": ("    if a.is_zero() or b.is_zero():\n        return NEW_NAN\n", ""),
    "an infinite product is positive": ("    return Number(INFINITY, a.negative != b.negative)", "    return Number(INFINITY, False)"),
    "normalised after round": ("        if self.normalised and p.kind == FINITE and p.magnitude > 0:\n            p = p._replace(exponent=leading(p.magnitude, p.quantum))\n        if self.round is not None:\n            p = result_of(p, self.round)\n",
                               "        if self.round is not None:\n            p = result_of(p, self.round)\n        if self.normalised and p.kind == FINITE and p.magnitude > 0:\n            p = p._replace(exponent=leading(p.magnitude, p.quantum))\n"),
    "normalised before the scales": ("        if self.times_scales:\n            p = scaled(p, *scales)\n        if self.normalised and p.kind == FINITE and p.magnitude > 0:\n            p = p._replace(exponent=leading(p.magnitude, p.quantum))\n",
                                     "        if self.normalised and p.kind == FINITE and p.magnitude > 0:\n            p = p._replace(exponent=leading(p.magnitude, p.quantum))\n        if self.times_scales:\n            p = scaled(p, *scales)\n"),
    "raw is normalised": ("if self.normalised and p.kind", "if p.kind"),
    "scales after round": ("        if self.times_scales:\n            p = scaled(p, *scales)\n        if self.normalised and p.kind == FINITE and p.magnitude > 0:\n            p = p._replace(exponent=leading(p.magnitude, p.quantum))\n        if self.round is not None:\n            p = result_of(p, self.round)\n",
                           "        if self.normalised and p.kind == FINITE and p.magnitude > 0:\n            p = p._replace(exponent=leading(p.magnitude, p.quantum))\n        if self.round is not None:\n            p = result_of(p, self.round)\n        if self.times_scales:\n            p = scaled(p, *scales)\n"),
    "too large before round": [("        if self.round is not None:\n            p = result_of", "        self.large = self.infinity_at is not None and not less_than_power(p.magnitude, p.quantum, self.infinity_at)\n        if self.round is not None:\n            p = result_of"),
                               ("        return (self.infinity_at is not None and p.kind == FINITE and\n", "        return (self.infinity_at is not None and p.kind == FINITE and self.large and\n")],
    "too large before the scales": [("        if self.times_scales:\n            p = scaled(p, *scales)\n", "        self.large = self.infinity_at is not None and not less_than_power(p.magnitude, p.quantum, self.infinity_at)\n        if self.times_scales:\n            p = scaled(p, *scales)\n"),
                                    ("        return (self.infinity_at is not None and p.kind == FINITE and\n", "        return (self.infinity_at is not None and p.kind == FINITE and self.large and\n")],
    "too large above the power only": ("not less_than_power(p.magnitude, p.quantum, self.infinity_at))",
                                       "not less_than_power(p.magnitude, p.quantum, self.infinity_at) and p.magnitude.bit_count() > 1)"),
    "blocks take turns": ("scales = [pairs[i // self.block] for i in range(self.k)]", "scales = [pairs[i % len(pairs)] for i in range(self.k)]"),
    # Scaling
    "scaling: no sign": ("negative = (x.negative + scale_a.negative + scale_b.negative) % 2 == 1", "negative = x.negative"),
    "scaling: the NaN of scale_b comes first": ("    three = (x, scale_a, scale_b)\n", "    three = (x, scale_b, scale_a)\n"),
    "scaling: zero times infinity is infinite": ("return NEW_NAN if any(n.is_zero() for n in three) else", "return"),
    "scaling: a scale of zero leaves the exponent": ("    if scale_a.is_zero() or scale_b.is_zero():\n        return zero(negative)\n",
                                                     "    if scale_a.is_zero() or scale_b.is_zero():\n        return zero(negative, x.exponent)\n"),
    "scaling: a zero loses its exponent": ("exponent = None if x.exponent is None else", "exponent = None if x.magnitude == 0 else"),
    "scaling: the exponent stays": ("else x.exponent + scale_a.exponent + scale_b.exponent", "else x.exponent"),
    # A step
    "start: zero is c": ('acc = c if self.start == "c" else zero(False)', "acc = c"),
    "start: zero is -0": ('acc = c if self.start == "c" else zero(False)', 'acc = c if self.start == "c" else zero(True)'),
    "start: zero has an exponent": ('acc = c if self.start == "c" else zero(False)', 'acc = c if self.start == "c" else zero(False, 0)'),
    "step: acc comes first": ("        seen = products + [acc]\n", "        seen = [acc] + products\n"),
    "step: scales of adders are not seen": ("            if adder.times_scales:\n                seen +=", "            if False:\n                seen +="),
    "step: scale_b comes first": ("for pair in scales for scale in pair]", "for pair in scales for scale in pair[::-1]]"),
    "step: large products count with infinities": ("        decided = what_decides(seen)\n        if decided is None:\n            decided = what_decides([",
                                                   "        decided = what_decides(seen)\n        if decided is None or decided.kind == INFINITY:\n            decided = what_decides(seen + ["),
    "step: large products stay finite": ("if decided is None:\n            decided = what_decides([", "if False:\n            decided = what_decides(["),
    "step: sees exact products": ("        seen = products + [acc]\n",
                                  "        seen = [p for p in products if self.round is None or p.kind != INFINITY] + [acc]\n"),
    "operation: large products stay finite": ('if self.specials == "operation" and self.infinity_at is not None:', "if False:"),
    "operation is step": ('if self.specials == "step":\n', 'if self.specials != "numbers":\n'),
    "step is operation": ('if self.specials == "step":\n', "if False:\n"),
    # An adder
    "inputs in another order": ("        for input in adder.inputs[1:]:\n            items += [(n, input) for n in sources[input.source]]\n",
                                "        for input in adder.inputs[1:]:\n            items = [(n, input) for n in sources[input.source]] + items\n"),
    "serial from the last": ("            left = items[0]\n            for item in items[1:]:\n", "            left = items[-1]\n            for item in items[-2::-1]:\n"),
    "neighbours: the odd one leads": ("items = [self.pair(adder, items[i], items[j]) for i, j in pairs] + ([items[over]] if n % 2 == 1 else [])",
                                      "items = ([items[over]] if n % 2 == 1 else []) + [self.pair(adder, items[i], items[j]) for i, j in pairs]"),
    "halves: half rounded down": ("pairs, over = [(i, i + h) for i in range(n // 2)], h - 1", "pairs, over = [(i, i + n // 2) for i in range(n // 2)], n - 1"),
    "halves are neighbours": ('if adder.shape == "neighbours":', "if True:"),
    "neighbours are halves": ('if adder.shape == "neighbours":', "if False:"),
    "a sum enters as its right item": ("return self.leave(adder, [left, right], None), left[1]", "return self.leave(adder, [left, right], None), right[1]"),
    "results before the scales": ("        if adder.times_scales:\n            n = scaled(n, *scales)\n        for result in adder.results:\n            n = result_of(n, result)\n",
                                  "        for result in adder.results:\n            n = result_of(n, result)\n        if adder.times_scales:\n            n = scaled(n, *scales)\n"),
    "results of pairs only": ("        for result in adder.results:\n            n = result_of(n, result)\n", "        for result in adder.results[-1:]:\n            n = result_of(n, result)\n"),
    "each group takes the first scales": ("scales[members[0]] if", "scales[0] if"),
    # A sum
    "window: zeros with an exponent do not count": ("counted = [input.empty if n.exponent is None else n.exponent for n, input in items]",
                                                    "counted = [input.empty if n.magnitude == 0 else n.exponent for n, input in items]"),
    "window: empty counts not": ("counted = [input.empty if n.exponent is None else n.exponent for", "counted = [n.exponent for"),
    "window: leading exponents": ("counted = [input.empty if n.exponent is None else n.exponent for",
                                  "counted = [input.empty if n.exponent is None else leading(n.magnitude, n.quantum) if n.magnitude else n.exponent for"),
    "window: no floor": ("            window = max(window, adder.floor)\n", "            pass\n"),
    "window: step rounds down": ("window = -(-window // adder.step) * adder.step", "window = window // adder.step * adder.step"),
    "window: step before floor": ("        if adder.floor is not None:\n            window = max(window, adder.floor)\n        window = -(-window // adder.step) * adder.step\n",
                                  "        window = -(-window // adder.step) * adder.step\n        if adder.floor is not None:\n            window = max(window, adder.floor)\n"),
    "window: fixed is largest": ("    elif adder.fixed:\n", "    elif False:\n"),
    "lost_below: at the distance too": ("n.exponent < window - input.lost_below", "n.exponent <= window - input.lost_below"),
    "lost_below: the leading exponent": ("n.exponent < window - input.lost_below", "leading(n.magnitude, n.quantum) < window - input.lost_below"),
    "lost_below: nothing is dropped": ("if input.lost_below is not None and", "if False and"),
    "lost_below: nothing is lost": ("            lost = True\n            continue", "            continue"),
    "keep: one bit less": ("magnitude, some = cut(n.negative, magnitude, quantum, window - input.keep, input.cut)\n            quantum = window - input.keep\n",
                           "magnitude, some = cut(n.negative, magnitude, quantum, window - input.keep + 1, input.cut)\n            quantum = window - input.keep + 1\n"),
    "keep: below its own exponent": ("if input.keep is not None and quantum < window - input.keep:\n            magnitude, some = cut(n.negative, magnitude, quantum, window - input.keep, input.cut)\n            quantum = window - input.keep\n",
                                     "if input.keep is not None and quantum < n.exponent - input.keep:\n            magnitude, some = cut(n.negative, magnitude, quantum, n.exponent - input.keep, input.cut)\n            quantum = n.exponent - input.keep\n"),
    "sticky: two's complement": ("        magnitude = (magnitude << (lowest - below)) + (1 << (grid - 1 - below))\n        lowest = below\n",
                                 "        total = (total << (lowest - below)) + (1 << (grid - 1 - below))\n        negative, magnitude, lowest = total < 0, abs(total), below\n"),
    "sticky: only toward_zero": ("            lost = lost or some\n", '            lost = lost or (some and input.cut in ("toward_zero", "down"))\n'),
    "sticky: a zero sum stays": ("    if adder.sticky and lost:\n", "    if adder.sticky and lost and magnitude:\n"),
    "sticky: the least keep": ("window - max(adder.keeps)", "window - min(adder.keeps)"),
    "sticky: at the grid": ("(1 << (grid - 1 - below))", "(1 << (grid - below))"),
    "sticky: two bits below": ("        below = min(lowest, grid - 1)\n        magnitude = (magnitude << (lowest - below)) + (1 << (grid - 1 - below))\n",
                               "        below = min(lowest, grid - 2)\n        magnitude = (magnitude << (lowest - below)) + (1 << (grid - 2 - below))\n"),
    "sticky: none": ("    if adder.sticky and lost:\n", "    if False:\n"),
    "sticky: an exact sum's grid follows the window": ("grid = adder.exact_grid if adder.exact else window - max(adder.keeps)",
                                                       "grid = window - max(adder.keeps, default=0)"),
    "sticky: below the last bit there is": ("grid = adder.exact_grid if adder.exact else window - max(adder.keeps)",
                                            "grid = min(lowest, window - max(adder.keeps, default=0)) if adder.exact else window - max(adder.keeps)"),
    "zero: positive is ieee": ("        if not adder.ieee_zero:\n            negative = False\n        elif", "        if"),
    "zero: ieee is positive": ("        if not adder.ieee_zero:\n", "        if True:\n"),
    "zero: down whatever the signs": ("        elif all(n.magnitude == 0 for n in numbers) and len(signs) == 1:\n            negative = signs.pop()\n", ""),
    "zero: terms that were cut away count": ("all(n.magnitude == 0 for n in numbers) and len(signs) == 1", "len(signs) == 1"),
    "zero: down is not looked at": ('negative = bool(adder.results) and adder.results[-1].cut == "down"', "negative = False"),
    "zero: the first result's MODE": ('adder.results[-1].cut == "down"', 'adder.results[0].cut == "down"'),
    "zero: the inputs' MODE": ('negative = bool(adder.results) and adder.results[-1].cut == "down"',
                               'negative = any(input.cut == "down" for input in adder.inputs)'),
    "a zero sum has no exponent": ("window if counted else None)", "window if counted and magnitude else None)"),
    "a floor gives zeros an exponent": ("    if not counted:\n        window = 0  # of no consequence: all are zeros\n",
                                        "    if not counted and adder.floor is not None:\n        counted, window = [adder.floor], -(-adder.floor // adder.step) * adder.step\n    elif not counted:\n        window = 0\n"),
    "a fixed window gives zeros an exponent": ("    if not counted:\n        window = 0  # of no consequence: all are zeros\n",
                                               "    if not counted and adder.fixed:\n        counted, window = [adder.window_at], adder.window_at\n    elif not counted:\n        window = 0\n"),
    "a sum's exponent is its leading one": ("lowest, window if counted else None)",
                                            "lowest, (leading(magnitude, lowest) if magnitude else window) if counted else None)"),
    # A result
    "a zero keeps its sign in any format": ('return result.format.zero(n.negative) if result.at == "format" else n', 'return zero(n.negative) if result.at == "format" else n'),
    "a zero keeps its exponent in a format": ('return result.format.zero(n.negative) if result.at == "format" else n',
                                              'return result.format.zero(n.negative)._replace(exponent=n.exponent) if result.at == "format" else n'),
    "a zero loses its exponent at a window": ('return result.format.zero(n.negative) if result.at == "format" else n',
                                              'return result.format.zero(n.negative) if result.at == "format" else zero(n.negative)'),
    "a zero loses its sign at a window": ('return result.format.zero(n.negative) if result.at == "format" else n',
                                          'return result.format.zero(n.negative) if result.at == "format" else zero(False, n.exponent)'),
    "a zero is flushed": ('    if n.magnitude == 0:\n        return result.format.zero(n.negative) if result.at == "format" else n\n',
                          '    if n.magnitude == 0:\n        return result.format.zero(n.negative and result.subnormals != "zero") if result.at == "format" else n\n'),
    "window: at the leading one": ('    if result.at == "window":\n        at = n.exponent - result.keep\n',
                                   '    if result.at == "window":\n        at = leading(n.magnitude, n.quantum) - result.keep\n'),
    "leading_one: no least_exponent": ("    if least_exponent is not None and least_exponent > e:\n        e = least_exponent\n", ""),
    "leading_one: least_exponent is the last bit's": ("return at_leading_one(n, result.keep, result.cut, result.least_exponent)",
                                                      "return at_leading_one(n, result.keep, result.cut, None if result.least_exponent is None else result.least_exponent + result.keep)"),
    "leading_one: least_exponent is of the window": ("return at_leading_one(n, result.keep, result.cut, result.least_exponent)",
                                                     "return at_leading_one(n, result.keep, result.cut, None if result.least_exponent is None or n.exponent >= result.least_exponent else result.least_exponent)"),
    "leading_one: no carry": ("e - keep, e + 1 if reached else e)", "e - keep, e)"),
    "leading_one: the exponent stays the window's": ("return at_leading_one(n, result.keep, result.cut, result.least_exponent)",
                                                     "return at_leading_one(n, result.keep, result.cut, result.least_exponent)._replace(exponent=n.exponent)"),
    "at: what is cut to zero is positive": ("        at = n.exponent - result.keep\n        return n._replace(",
                                            "        at = n.exponent - result.keep\n        if less_than_power(n.magnitude, n.quantum, at):\n            return n._replace(negative=n.negative and cut(n.negative, n.magnitude, n.quantum, at, result.cut)[0] > 0, quantum=at, magnitude=cut(n.negative, n.magnitude, n.quantum, at, result.cut)[0])\n        return n._replace("),
    "leading_one: what is cut to zero is positive": ("    return Number(FINITE, n.negative, magnitude, e - keep,", "    return Number(FINITE, n.negative and magnitude > 0, magnitude, e - keep,"),
    "leading_one: what is cut to zero has no exponent": ("e - keep, e + 1 if reached else e)", "e - keep, None if magnitude == 0 else e + 1 if reached else e)"),
    "at: what is cut to zero has no exponent": ("        return n._replace(magnitude=cut(n.negative, n.magnitude, n.quantum, at, result.cut)[0], quantum=at)\n",
                                                "        r = n._replace(magnitude=cut(n.negative, n.magnitude, n.quantum, at, result.cut)[0], quantum=at)\n        return r if r.magnitude else zero(n.negative)\n"),
    "format: no least exponent": ("at_leading_one(n, format.mantissa, result.cut, format.least)", "at_leading_one(n, format.mantissa, result.cut, None)"),
    "format: flushed to the sign": ('format.zero(n.negative and result.subnormals == "signed_zero")', "format.zero(n.negative)"),
    "format: flushed to +": ('format.zero(n.negative and result.subnormals == "signed_zero")', "format.zero(False)"),
    "format: subnormals are kept": ('if result.subnormals != "keep" and is_tiny', "if False and is_tiny"),
    "format: what rounds to zero is not flushed": ("    if result.subnormals != \"keep\" and is_tiny(n, r, result):", "    if result.subnormals != \"keep\" and r.magnitude and is_tiny(n, r, result):"),
    "format: zero has no sign": ("    if r.magnitude == 0:\n        return format.zero(n.negative)\n", "    if r.magnitude == 0:\n        return format.zero(False)\n"),
    "format: a zero has the least exponent": ("    if r.magnitude == 0:\n        return format.zero(n.negative)\n", "    if r.magnitude == 0:\n        return format.zero(n.negative)._replace(exponent=format.least)\n"),
    "tiny: result is before": ('if result.tiny == "result":', "if False:"),
    "tiny: before is result": ('    if result.tiny == "before":\n        return less_than_power(n.magnitude, n.quantum, least)\n',
                               '    if result.tiny == "before":\n        return less_than_power(rounded.magnitude, rounded.quantum, least)\n'),
    "tiny: after is result": ("    at = leading(n.magnitude, n.quantum) - mantissa\n    return", "    return less_than_power(rounded.magnitude, rounded.quantum, least)\n    return"),
    "tiny: after is before": ("    at = leading(n.magnitude, n.quantum) - mantissa\n    return", "    return less_than_power(n.magnitude, n.quantum, least)\n    return"),
    "overflow: the greatest overflows": ("if r.magnitude << max(0, r.quantum - quantum) > top", "if r.magnitude << max(0, r.quantum - quantum) >= top"),
    "overflow: by the exponent only": ("if r.magnitude << max(0, r.quantum - quantum) > top << max(0, quantum - r.quantum):", "if r.exponent > format.greatest:"),
    "overflow: always infinite": ('if result.overflow == "infinity":', "if format.infinity:"),
    "overflow: largest is positive": ("return Number(FINITE, n.negative, top, quantum, format.greatest)", "return Number(FINITE, False, top, quantum, format.greatest)"),
    "integer: wrap saturates": ('if result.overflow == "wrap":', "if False:"),
    "integer: largest wraps": ('if result.overflow == "wrap":', "if True:"),
    "integer: symmetric": ("value = min(max(value, format.least), format.most)", "value = min(max(value, -format.most if format.signed else 0), format.most)"),
    "integer: the MODE is not looked at": ("magnitude, format = cut(n.negative, n.magnitude, n.quantum, 0, result.cut)[0], result.format",
                                           'magnitude, format = cut(n.negative, n.magnitude, n.quantum, 0, "toward_zero")[0], result.format'),
    "integer: a zero has exponent 0": ("    return Number(FINITE, value < 0, abs(value), 0, 0) if value else zero(False)\n\n\n", "    return Number(FINITE, value < 0, abs(value), 0, 0)\n\n\n"),
    "integer: the exponent stays": ("    return Number(FINITE, value < 0, abs(value), 0, 0) if value else zero(False)\n\n\n", "    return Number(FINITE, value < 0, abs(value), 0, n.exponent) if value else zero(False)\n\n\n"),
    # Finish, and d
    "finish takes c as it is": ("        c = self.c_of(c)\n", '        c = self.c(c) if self.start == "zero" else self.c_of(c)\n'),
    "d: NaN codes are not looked at": ('return self.d.write_nan(n) if self.nan == "propagate" else int(self.nan, 16)',
                                       'return self.d.write_nan(n) if self.nan == "propagate" else self.d.quiet_nan()'),
    "d: propagate loses the sign": ("return (int(n.negative) << self.sign_at | self.ones", "return (self.ones"),
    "d: propagate writes the quiet NaN": ("return self.d.write_nan(n) if", "return self.d.quiet_nan() if"),
    "d: an all-ones NaN keeps its sign": ('        if self.nan != "ieee":\n            return self.quiet_nan()\n',
                                          '        if self.nan != "ieee":\n            return self.quiet_nan() | (int(n.negative) << self.sign_at if self.nan == "all_ones" else 0)\n'),
    "d: the quiet NaN is negative": ("return (self.ones << self.mantissa | self.hidden >> 1) << self.low", "return (1 << self.sign_at | self.ones << self.mantissa | self.hidden >> 1) << self.low"),
    "d: low bits are not there": ("return (sign | field << self.mantissa | m & (self.hidden - 1)) << self.low", "return sign | field << self.mantissa | m & (self.hidden - 1)"),
    # What is left out
    "like: an input begins anew": ('before = old.get("add", {}).get(source, {})', "before = {}"),
    "like: exact leaves keep": ('words, before = {}, {key: before[key] for key in ("empty", "lost_below") if key in before}', "words = {}"),
    "like: exact takes all back": ('words, before = {}, {key: before[key] for key in ("empty", "lost_below") if key in before}', "words, before = {}, {}"),
    "like: a window begins anew": ('out["window"] = {**old.get("window", {}), **new["window"]}', 'out["window"] = new["window"]'),
    "like: fixed keeps floor and step": ('            out["window"] = {"exponent": "fixed", "at": out["window"]["at"]}\n', "            pass\n"),
    "like: a group begins anew": ('        out["group"] = {**old["group"], **new["group"]}\n', "        pass\n"),
    "like: a list of inherited names replaces": ("    if not all(adder[\"name\"] in names for adder in new):\n        return new\n", "    return new\n"),
    "like: a list always changes": ("    if not all(adder[\"name\"] in names for adder in new):\n        return new\n", ""),
    "like: a mapping begins anew": ('for key in ("operands", "subnormals", "product", "formats", "k_order"):\n', "for key in ():\n"),
    "like: the order of terms begins anew": ('    for key in ("lanes", "step"):\n', "    for key in ():\n"),
    # The grid of an exact sum
    "extent: x times y without depth": ("                      self.depth() + other.depth(), ", "                      self.behind + other.behind, "),
    "extent: normalised keeps the least exponent": ("return Extent(self.lowest(), self.greatest + more,", "return Extent(self.least, self.greatest + more,"),
    "extent: normalised keeps the bits behind": ("1, self.behind + more, self.fixed)", "1, self.behind, self.fixed)"),
    "extent: normalised keeps the greatest exponent": ("Extent(self.lowest(), self.greatest + more, 1", "Extent(self.lowest(), self.greatest, 1"),
    "extent: joined is never fixed": ("fixed = self.fixed is not None or other.fixed is not None", "fixed = False"),
    "extent: joined by its least exponent": ("max(self.behind, other.behind), min(self.lowest()", "other.behind, min(self.lowest()"),
    "extent: a window result stays fixed": ("return Extent(x.least, x.greatest, x.before + carry, result.keep)", "return Extent(x.least, x.greatest, x.before + carry, result.keep, x.fixed)"),
    "extent: leading_one by least_exponent alone": ("return Extent(min(least, x.least),", "return Extent(least,"),
    "extent: leading_one without least_exponent": ("least = x.lowest() if result.least_exponent is None else result.least_exponent", "least = x.lowest()"),
    "extent: a sum without empty": ("least = min([x.least for x, _ in inputs] + empties)", "least = min([x.least for x, _ in inputs])"),
    "extent: a sum without floor": ("least, greatest = adder.floor, max(greatest, adder.floor)", "pass"),
    "extent: a sum in a fixed window": ("        least = greatest = adder.window_at\n    else", "        pass\n    else"),
    "extent: a sum's greatest without step": ("        greatest += adder.step - 1\n", ""),
    "extent: a sum's bits before the point": ("    before += (count - 1).bit_length()\n", ""),
    "extent: a sum's grid without keep": ("x.lowest() if input.keep is None else least - input.keep for x, input in inputs)", "x.lowest() for x, input in inputs if input.keep is None)"),
    "extent: a sum's sticky bit": ("fixed = adder.exact_grid - adder.sticky", "fixed = adder.exact_grid"),
    "extent: a sum's sticky bit behind": ("behind = max(adder.keeps, default=0) + adder.sticky", "behind = max(adder.keeps, default=0)"),
    "extent: sums without scales": ("    if adder.times_scales:\n        out = out", "    if False:\n        out = out"),
    "extent: pairs once": ("for _ in range(count - 1 if adder.shape == \"serial\" else (count - 1).bit_length()):", "for _ in range(1):"),
    "extent: pairs not joined": ("joined = found if left is None else left.joined(found)", "joined = found"),
    "extent: products without scales": ("            product = product.times(scales.times(scales))\n", "            pass\n"),
    "extent: products not rounded": ("            product = extent_of_result(product, self.round)\n", "            pass\n"),
    "extent: c of its own format": ("c = extent_of_format(self.d if self.held_by_d() else self.c_format)", "c = extent_of_format(self.c_format)"),
    "extent: acc once": ("for _ in range(len(self.lanes[0]) + 1):", "for _ in range(1):"),
    "extent: acc not joined": ("following = left if acc is None else acc.joined(left)", "following = left"),
    "extent: start zero has no extent": ("following = left if acc is None else acc.joined(left)", "following = given_acc.joined(left)"),
    "extent: one time more": ("for _ in range(len(self.lanes[0]) + 1):", "for _ in range(len(self.lanes[0]) + 2):"),
}

# What the table of what is left out says, wrongly.
LEFT_OUT = {
    "subnormals.a": "zero", "subnormals.b": "signed_zero", "subnormals.c": "zero", "product.exponent": "normalised",
    "product.infinity_at": "3", "GROUP terms": "1", "GROUP deal": "strided", "GROUP unit": "2", "k_order.from": "last",
    "start": "zero", "adder shape": "serial", "adder sticky": "or", "adder zero": "ieee", "window.floor": "0",
    "window.step": "2", "INPUT empty": "0", "INPUT lost_below": "20", "RESULT least_exponent": "-3",
    "RESULT subnormals": "zero", "RESULT tiny": "before", "RESULT overflow": "largest",
}


def with_fault(name):
    """The interpreter with one fault, as a module."""
    source = SOURCE.read_text()
    if name in LEFT_OUT:
        source += f"\nDEFAULTS[{name!r}] = {LEFT_OUT[name]!r}\n"
    else:
        for old, new in FAULTS[name] if isinstance(FAULTS[name], list) else [FAULTS[name]]:
            if source.count(old) != 1:
                raise ValueError(f"The fault '{name}' changes what stands {source.count(old)} times in {SOURCE.name}.")
            source = source.replace(old, new)
    module = types.ModuleType("faulty")
    module.__file__ = str(SOURCE)
    exec(compile(source, str(SOURCE), "exec"), module.__dict__)  # noqa: S102
    return module


def names():
    return list(FAULTS) + list(LEFT_OUT)


def first_noticed(module, datapaths):
    """(number of the datapath, cases before) of the first case that notices the fault."""
    before = 0
    for number, text, cases in datapaths:
        try:
            different = next(iter(agreement_test.differences(module, text, cases)), None)
        except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            different = True  # it cannot even be run
        if different:
            return number, before
        before += len(cases)
    return None


def main(arguments):
    output = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True).stdout
    datapaths = list(agreement_test.drawn(output.splitlines(keepends=True)))
    unnoticed = 0
    for name in names():
        noticed = first_noticed(with_fault(name), datapaths)
        unnoticed += noticed is None
        print(f"{name}: " + ("not noticed" if noticed is None else f"datapath {noticed[0]}, after {noticed[1]} cases"), flush=True)
    print(f"{len(names())} faults, {unnoticed} not noticed.")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
