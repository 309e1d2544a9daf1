"""The same unit in a pyuvm environment: an agent drives and watches the pins, a predictor asks Assay, a scoreboard compares."""

import assay
import cocotb
import pyuvm
from cocotb.triggers import Timer
from pyuvm import (
    ConfigDB,
    uvm_agent,
    uvm_analysis_port,
    uvm_component,
    uvm_driver,
    uvm_env,
    uvm_monitor,
    uvm_sequence,
    uvm_sequence_item,
    uvm_sequencer,
    uvm_subscriber,
    uvm_test,
)

UNIT = assay.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")


class Operands(uvm_sequence_item):
    def __init__(self, name, a, b, c):
        super().__init__(name)
        self.a, self.b, self.c = a, b, c


class Families(uvm_sequence):
    """Cases of every family in turn."""

    async def body(self):
        cases = UNIT.generate(300, seed=3)
        for i, (a, b, c) in enumerate(zip(cases["a"], cases["b"], cases["c"], strict=True)):
            item = Operands(cases.families[i], a, b, int(c))
            await self.start_item(item)
            await self.finish_item(item)


class Driver(uvm_driver):
    async def run_phase(self):
        dut = cocotb.top
        while True:
            item = await self.seq_item_port.get_next_item()
            dut.a_i.value, dut.b_i.value, dut.c_i.value = assay.pack(item.a, 16), assay.pack(item.b, 16), item.c
            await Timer(10, "ns")
            self.seq_item_port.item_done()


class Monitor(uvm_monitor):
    """What stands at the pins in the middle of a beat, as (a, b, c, d, probes)."""

    def build_phase(self):
        self.port = uvm_analysis_port("port", self)

    async def run_phase(self):
        dut = cocotb.top
        await Timer(5, "ns")
        while True:
            if dut.a_i.value.is_resolvable:
                a, b = (assay.unpack(int(port.value), [16] * UNIT.k) for port in (dut.a_i, dut.b_i))
                probes = int(dut.probe_o.value) if hasattr(dut, "probe_o") else None
                self.port.write((a, b, int(dut.c_i.value), int(dut.d_o.value), probes))
            await Timer(10, "ns")


class Agent(uvm_agent):
    def build_phase(self):
        self.sequencer = uvm_sequencer("sequencer", self)
        ConfigDB().set(None, "*", "sequencer", self.sequencer)
        self.driver, self.monitor = Driver("driver", self), Monitor("monitor", self)

    def connect_phase(self):
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)


class Predictor(uvm_subscriber):
    """Operands as they went in, to what is expected of them."""

    def write(self, seen):
        self.checker.expect(*seen[:3])


class Scoreboard(uvm_subscriber):
    def write(self, seen):
        self.checker.got(seen[3], probes=seen[4])

    def check_phase(self):
        self.logger.info("%d dot products, %d wrong", self.checker.compared, self.checker.differ)


class Environment(uvm_env):
    def build_phase(self):
        self.agent = Agent("agent", self)
        self.predictor, self.scoreboard = Predictor("predictor", self), Scoreboard("scoreboard", self)
        self.checker = self.predictor.checker = self.scoreboard.checker = assay.Checker(UNIT, most_explained=3)

    def connect_phase(self):
        self.agent.monitor.port.connect(self.predictor.analysis_export)
        self.agent.monitor.port.connect(self.scoreboard.analysis_export)


@pyuvm.test()
class HoldsItToTheModel(uvm_test):
    def build_phase(self):
        self.environment = Environment("environment", self)

    async def run_phase(self):
        self.raise_objection()
        await Families("families").start(ConfigDB().get(None, "", "sequencer"))
        self.drop_objection()

    def final_phase(self):
        assert self.environment.checker.compared >= 299
        self.environment.checker.finish()


assert issubclass(Environment, uvm_component)
