#!/usr/bin/env python3
"""slurm_test.py ASSAY: a campaign on a real Slurm of four workers on this machine (scripts/slurm_local). In the middle of it a
worker is killed with -9, a node is drained, another one dies with all that runs on it, the controller is started again, and the
disk is full. Nothing may be lost and nothing counted twice: the report has to be, byte for byte, that of one shard on one machine.

With ASSAY_FULL=1 it compares 10^8 cases.
Skipped with a sentence (exit status 77) where Slurm or Verilator cannot run.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SLURM = ROOT / "scripts/slurm_local"
FULL = os.environ.get("ASSAY_FULL") == "1"
CASES = 100_000_000 if FULL else 1_500_000
SHARDS = 96 if FULL else 12
PATIENCE = 3000 if FULL else 240  # seconds, for the whole campaign
SKIPPED = 77


def skip(sentence):
    print(f"skipped: {sentence}")
    sys.exit(SKIPPED)


def check(holds, sentence):
    if not holds:
        sys.exit(f"slurm_test: {sentence}")


def ran(*command, status=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    check(status is None or done.returncode == status, f"{command} ends with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


class Show:
    def __init__(self, assay, folder):
        self.assay, self.folder = assay, folder
        self.slurm = folder / "slurm"
        self.campaign = folder / "disk" / "campaign"
        self.mounted = False
        self.began = time.monotonic()

    def say(self, text):
        print(f"{time.monotonic() - self.began:7.1f} s  {text}", flush=True)

    def status(self):
        return json.loads(ran(self.assay, "campaign", "status", self.campaign, "--json", status=None).stdout)

    def wait(self, what, holds, seconds=PATIENCE):
        deadline = time.monotonic() + seconds
        while not holds():
            check(time.monotonic() < deadline, f"{what} did not happen within {seconds} s: {self.status()}")
            time.sleep(0.1)
        self.say(what)

    # --- the two campaigns ---

    def plan(self, folder, shards):
        yaml = self.folder / "signoff.yaml"
        yaml.write_text(f"campaign: signoff\nkind: compare\ndevice: rtl:{ROOT}/configs/dut/fused_f25_f16.yaml\n"
                        f"cases: {CASES}\nshards: {shards}\n")
        ran(self.assay, "campaign", "plan", yaml, "-o", folder)

    def alone(self):
        folder = self.folder / "alone"
        self.plan(folder, 1)
        ran(self.assay, "campaign", "submit", folder)
        ran(self.assay, "campaign", "merge", folder)
        self.say(f"{CASES} cases as one shard")
        return (folder / "merged/report.json").read_bytes()

    def submit(self):
        ran(self.assay, "campaign", "submit", self.campaign, "--engine", "slurm", "--max", 4)

    def queue_is_empty(self):
        return not ran("squeue", "-h").stdout.strip()

    # --- what goes wrong ---

    def mount(self):
        disk = self.folder / "disk"
        disk.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(disk)], capture_output=True, check=False)
        self.mounted = done.returncode == 0
        if not self.mounted:
            self.say("no small disk can be mounted here: a limit on the size of files stands for it")

    def at_work(self):
        """Processes that do a shard: what the folder says, held against the processes that there are."""
        for told in sorted((self.campaign / "running").glob("*.json")):
            try:
                process = json.loads(told.read_text())["process"]
                line = Path(f"/proc/{process}/cmdline").read_bytes()
            except (OSError, ValueError):
                continue
            if str(self.campaign).encode() in line:
                yield int(told.stem), process

    def kill_a_worker(self):
        for shard, process in self.at_work():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
            if not (self.campaign / f"results/0000/{shard:06}.json").exists():
                self.say(f"shard {shard} killed with -9")
                return True
        return False

    def kill_a_node(self):
        slurmd = int((self.slurm / "worker3.pid").read_text())
        children = ran("ps", "-eo", "pid,ppid,args", "--no-headers").stdout.splitlines()
        rows = [(int(line.split()[0]), int(line.split()[1]), line) for line in children]
        doomed = {slurmd} | {pid for pid, _, line in rows if "slurmstepd" in line and self.is_of_worker3(pid)}
        grown = True
        while grown:
            more = {pid for pid, parent, _ in rows if parent in doomed and parent != 1} - doomed
            doomed |= more
            grown = bool(more)
        for pid in doomed:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.say(f"node worker3 dead: {len(doomed)} processes killed with -9")

    def is_of_worker3(self, pid):
        try:
            return any(os.readlink(entry) == str(self.slurm / "worker3.log") for entry in Path(f"/proc/{pid}/fd").iterdir())
        except OSError:
            return False

    def fill_disk(self):
        if not self.mounted:
            for _, process in self.at_work():
                subprocess.run(["prlimit", "--fsize=10", "--pid", str(process)], capture_output=True, check=False)
            self.say("files of shards at work may not grow")
            return
        filler = self.campaign.parent / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 12))
            except OSError:
                pass
        self.say("disk full")
        before = len(list(self.campaign.glob("results/*/*.json")))
        time.sleep(15 if FULL else 4)
        after = len(list(self.campaign.glob("results/*/*.json")))
        filler.unlink()
        self.say(f"disk has room again; {after - before} results came meanwhile")

    def some_done(self, count):
        return lambda: len(list(self.campaign.glob("results/*/*.json"))) >= count

    def run(self):
        alone = self.alone()
        self.mount()
        self.plan(self.campaign, SHARDS)
        self.submit()
        self.wait("first results", self.some_done(1))
        self.wait("a worker was killed", self.kill_a_worker)
        ran("scontrol", "update", "nodename=worker2", "state=drain", "reason=test")
        self.say("node worker2 drained")
        self.wait("a fifth of the results", self.some_done(SHARDS // 5))
        self.kill_a_node()
        self.wait("a third of the results", self.some_done(SHARDS // 3))
        ran(SLURM, "restart", self.slurm, "controller")
        self.say("controller started again")
        self.wait("half of the results", self.some_done(SHARDS // 2))
        self.fill_disk()
        for attempt in range(6):
            self.wait("the queue is empty", self.queue_is_empty)
            status = self.status()
            self.say(f"{status['done']} of {SHARDS} shards done, {len(status['failed'])} failed")
            if status["complete"]:
                break
            check(attempt < 5, f"after {attempt + 1} submissions there is no end: {status}")
            self.submit()
            self.say("submitted again: what has no result")
        ran(self.assay, "campaign", "merge", self.campaign, "-o", self.folder / "merged")
        check((self.folder / "merged/report.json").read_bytes() == alone, "the report is not that of one shard on one machine")
        check(f'"compared": {CASES},' in alone.decode(), "the report does not count every case once")
        self.say("the report has the bytes of one shard on one machine")

    def __enter__(self):
        done = ran(SLURM, "start", self.slurm, status=None)
        if done.returncode == 4:
            skip(done.stderr.strip())
        check(done.returncode == 0, done.stderr)
        os.environ["SLURM_CONF"] = str(self.slurm / "slurm.conf")
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        return self

    def __exit__(self, *_):
        subprocess.run([str(SLURM), "stop", str(self.slurm)], check=False)
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.campaign.parent)], check=False)


def main():
    if subprocess.run(["sh", "-c", "command -v verilator"], capture_output=True, check=False).returncode:
        skip("Verilator is not installed, and the campaign is of RTL.")
    with tempfile.TemporaryDirectory(prefix="assay_slurm_") as folder, Show(sys.argv[1], Path(folder)) as show:
        show.run()


if __name__ == "__main__":
    main()
