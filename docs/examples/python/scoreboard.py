#!/usr/bin/env python3
"""scoreboard.py LIBRARY: a unit that is a function in Python, held to the model through the C interface.

It adds products of signed bytes onto 32 bits, and leaves out the last one. Ends with 1, and says where it is wrong."""

import ctypes
import json
import sys

INSTRUCTION = b"cdna1:v_mfma_i32_16x16x16i8"
OK, MISMATCH = 0, 5  # of assay_status


class Buffer(ctypes.Structure):  # assay_in, assay_out
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]

    def as_array(self, element, count):
        return (element * count).from_address(self.data)


class Operands(ctypes.Structure):  # assay_operands
    _fields_ = [(name, Buffer) for name in ["a", "b", "c", "scale_a", "scale_b"]]


RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(Operands), Buffer, ctypes.c_void_p)


class Device(ctypes.Structure):  # assay_device
    _fields_ = [("name", ctypes.c_char_p), ("run", RUN), ("restart", ctypes.c_void_p), ("user", ctypes.c_void_p)]


assay = ctypes.CDLL(sys.argv[1])
assay.assay_text_data.restype = ctypes.c_char_p
message = ctypes.create_string_buffer(1024)  # assay_message
catalogue, unit, report = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()


def must(status, *expected):
    if status not in (OK, *expected):
        sys.exit(message.value.decode())
    return status


must(assay.assay_catalogue_open(None, ctypes.byref(catalogue), message))
must(assay.assay_unit_open(catalogue, INSTRUCTION, ctypes.byref(unit), message))
K = assay.assay_unit_k(unit)


def forgets_the_last(_user, count, operands, d, _message):
    a, b = (buffer.as_array(ctypes.c_int8, K * count) for buffer in (operands[0].a, operands[0].b))
    c, results = operands[0].c.as_array(ctypes.c_int32, count), d.as_array(ctypes.c_int32, count)
    for i in range(count):
        results[i] = c[i] + sum(a[t] * b[t] for t in range(i * K, i * K + K - 1))  # ctypes keeps the low 32 bits
    return 0


device = Device(b"my unit", RUN(forgets_the_last))
status = must(assay.assay_compare(unit, None, ctypes.byref(device), b'{"cases": 2000}', ctypes.byref(report), message), MISMATCH)
found = json.loads(assay.assay_text_data(report))
assay.assay_text_free(report)
assay.assay_unit_close(unit)
assay.assay_catalogue_close(catalogue)

print(f"{found['devices']}: {found['summary']['conclusion']}")
print("\n".join(found.get("explanation", [])))
sys.exit(1 if status == MISMATCH else 0)
