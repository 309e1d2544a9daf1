"""A cocotb testbench of rtl_ref/dot_fused_f25_f16.sv: generated cases go in, a monitor reads the pins, a Checker judges.

A unit without the port probe_o is held at d alone.
"""

import assay
import cocotb
from cocotb.triggers import Timer

UNIT = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")
BEAT = 10  # ns from one dot product to the next; the unit is combinational


async def drive(dut, cases):
    for a, b, c in zip(cases["a"], cases["b"], cases["c"], strict=True):
        dut.a_i.value, dut.b_i.value = assay.pack(a, UNIT.a.bits), assay.pack(b, UNIT.b.bits)
        dut.c_i.value = int(c)
        await Timer(BEAT, "ns")


async def monitor(dut, checker):
    """Knows nothing but the pins: operands and results are what stands there in the middle of a beat."""
    await Timer(BEAT // 2, "ns")
    while True:
        a, b = (assay.unpack(int(port.value), [16] * UNIT.k) for port in (dut.a_i, dut.b_i))
        checker.expect(a, b, int(dut.c_i.value))
        checker.got(int(dut.d_o.value), probes=int(dut.probe_o.value) if hasattr(dut, "probe_o") else None)
        await Timer(BEAT, "ns")


async def run(dut, cases):
    checker = assay.Checker(UNIT, most_explained=3)
    watching = cocotb.start_soon(monitor(dut, checker))
    await drive(dut, cases)
    watching.cancel()
    return checker


@cocotb.test()
async def families_of_cases(dut):
    """Cases of every family, which are aimed at the edges of this datapath."""
    checker = await run(dut, UNIT.generate(500))
    covered = checker.coverage()
    hit = sum(bin.count > 0 for point in covered.points for bin in point.bins)
    dut._log.info("%d dot products, %d bins of coverage", checker.compared, hit)
    assert covered.cases == 500 and hit > 400
    checker.finish()


@cocotb.test()
async def constrained_cases(dut):
    """One family alone: terms that lie far apart, so that the aligners cut."""
    checker = await run(dut, UNIT.generate(400, family="alignment", seed=2))
    checker.finish()
