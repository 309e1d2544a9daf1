#!/usr/bin/env python3
"""first_dot.py LIBRARY: the same dot product from Python, through the C interface and nothing else."""

import ctypes
import sys


class Buffer(ctypes.Structure):  # assay_in, assay_out
    _fields_ = [("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


class Operands(ctypes.Structure):  # assay_operands
    _fields_ = [(name, Buffer) for name in ["a", "b", "c", "scale_a", "scale_b"]]


def buffer(array):
    return Buffer(ctypes.cast(array, ctypes.c_void_p), ctypes.sizeof(array))


def must(status, message):
    if status != 0:
        sys.exit(message.value.decode())


assay = ctypes.CDLL(sys.argv[1])
message = ctypes.create_string_buffer(1024)  # assay_message
catalogue, unit = ctypes.c_void_p(), ctypes.c_void_p()
must(assay.assay_catalogue_open(None, ctypes.byref(catalogue), message), message)
must(assay.assay_unit_open(catalogue, b"hopper:wgmma.m64nNk16.f32.f16.f16", ctypes.byref(unit), message), message)

a, b = (ctypes.c_uint16 * 16)(0x3C00), (ctypes.c_uint16 * 16)(0x3C00)
c, d = (ctypes.c_uint32 * 1)(0xBF7FFFFF), (ctypes.c_uint32 * 1)()
operands = Operands(buffer(a), buffer(b), buffer(c))
must(assay.assay_dot(unit, ctypes.c_size_t(1), ctypes.byref(operands), buffer(d), message), message)
print(f"{assay.assay_unit_k(unit)} terms: d = {d[0]:08x}")

assay.assay_unit_close(unit)
assay.assay_catalogue_close(catalogue)
