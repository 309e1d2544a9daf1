"""Tests of the scripts: each check is shown a fault and must see it, each error is caused once."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent


class Folder(unittest.TestCase):
    """A test with an empty folder of its own."""

    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file


class Layers(Folder):
    def layers(self):
        run = subprocess.run([SCRIPTS / "layers", self.root], capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def finds(self, where, *words):
        status, output = self.layers()
        self.assertEqual(status, 1, output)
        line = next((line for line in output.splitlines() if line.startswith(where + ": ")), None)
        self.assertIsNotNone(line, output)
        for word in words:
            self.assertIn(word, line)

    def passes(self):
        status, output = self.layers()
        self.assertEqual(status, 0, output)

    def test_passes_what_the_table_allows(self):
        self.write("model/core/number.hpp", "#include <vector>\n")
        self.write("model/config/yaml.cpp", '#include <yaml-cpp/yaml.h>\n#include "model/core/number.hpp"\n')
        self.write("tb/tests/rtl/rtl_test.cpp", '#include <gtest/gtest.h>\n#include "Vtop.h"\n#include <systemc>\n')
        self.write("tb/tests/rtl/CMakeLists.txt", "add_executable(rtl_test rtl_test.cpp)\n")
        self.passes()

    def test_sees_a_test_that_writes_where_others_do(self):
        self.write("tb/tests/rtl/CMakeLists.txt", "add_executable(rtl_test rtl_test.cpp)\n")
        self.write("tb/tests/rtl/rtl_test.cpp", 'const auto file = testing::TempDir() + "unit.yaml";\n')
        self.finds("tb/tests/rtl/rtl_test.cpp:1", "goes into a Scratch of tb/tests/scratch.hpp")

    def test_sees_an_include_upward(self):
        self.write("tb/devices/device.hpp", "")
        self.write("model/core/dot.cpp", '// A stage.\n#include "tb/devices/device.hpp"\n')
        self.finds("model/core/dot.cpp:2", 'model/core may not include "tb/devices/device.hpp"')

    def test_sees_that_nothing_lies_below_the_base(self):
        self.write("model/core/format.hpp", "")
        self.write("model/base/text.hpp", '#include "model/core/format.hpp"\n')
        self.finds("model/base/text.hpp:1", 'model/base may not include "model/core/format.hpp"')

    def test_sees_an_include_sideways(self):
        self.write("model/config/yaml.hpp", "")
        self.write("model/systemc/dot_unit.cpp", '#include "model/config/yaml.hpp"\n')
        self.finds("model/systemc/dot_unit.cpp:1", "model/systemc may not include", "model/core")

    def test_sees_more_than_the_format_table_in_the_oracle(self):
        self.write("model/core/format.hpp", "")
        self.write("model/core/round.hpp", "")
        self.write("tb/oracle/oracle.cpp", '#include "model/core/format.hpp"\n#include "model/core/round.hpp"\n')
        self.finds("tb/oracle/oracle.cpp:2", 'tb/oracle may not include "model/core/round.hpp"')

    def test_sees_libraries_out_of_place(self):
        for path, header, library in [
            ("model/core/a.cpp", "yaml-cpp/yaml.h", "yaml-cpp"),
            ("model/config/catalogue.cpp", "yaml-cpp/yaml.h", "yaml-cpp"),  # yaml.cpp alone
            ("model/config/yaml.hpp", "yaml-cpp/yaml.h", "yaml-cpp"),
            ("model/base/a.cpp", "fmt/core.h", "fmt"),
            ("tb/generate/a.cpp", "yaml-cpp/yaml.h", "yaml-cpp"),
            ("model/core/a.cpp", "fmt/core.h", "fmt"),
            ("sim/cli/a.cpp", "systemc", "systemc"),
            ("sim/cli/a.cpp", "tlm_utils/simple_target_socket.h", "systemc"),
            ("tb/scoreboard/a.cpp", "systemc", "systemc"),
            ("tb/scoreboard/a.cpp", "verilated.h", "verilator"),
            ("tb/devices/a.cpp", "gtest/gtest.h", "gtest"),
        ]:
            with self.subTest(path=path, header=header):
                file = self.write(path, f"#include <{header}>\n")
                self.finds(f"{path}:1", f"may not include {library}")
                file.unlink()

    def test_sees_a_verilated_header_out_of_place(self):
        self.write("tb/scoreboard/a.cpp", '#include "Vtop.h"\n')
        self.finds("tb/scoreboard/a.cpp:1", "may not include verilator")

    def test_sees_a_library_that_is_in_no_table(self):
        self.write("sim/cli/a.cpp", "#include <systemc.h>\n")
        self.finds("sim/cli/a.cpp:1", "<systemc.h> is in none of the libraries", "add it to LIBRARIES")

    def test_sees_an_include_that_does_not_begin_at_the_root(self):
        self.write("model/core/number.hpp", "")
        self.write("model/core/dot.cpp", '#include "number.hpp"\n')
        self.finds("model/core/dot.cpp:1", '"number.hpp" is no file seen from the root')

    def test_sees_a_folder_that_is_in_no_layer(self):
        self.write("tb/new/a.cpp", "")
        self.finds("tb/new/a.cpp:1", "in no layer", "add it to LAYERS")

    def test_sees_floating_point_in_core_but_not_in_comments_and_text(self):
        file = self.write("model/core/a.cpp", '// a double\n/* float\n double */ const char* t = "float";\n')
        self.passes()
        file.write_text(file.read_text() + "float x;\n")
        self.finds("model/core/a.cpp:4", "'float' in model/core")
        file.write_text("long double x;\n")
        self.finds("model/core/a.cpp:1", "'double' in model/core")

    def test_allows_floating_point_above_core(self):
        self.write("tb/explore/a.cpp", "double x;\n")
        self.passes()

    def test_sees_names_of_architectures(self):
        for path, text in [
            ("model/core/a.cpp", "// as on Hopper"),
            ("sim/cli/a.cpp", 'if (name == "ampere")'),
            ("sim/cli/a.cpp", 'if ("a b" == "ampere" || "c d")'),
            ("sim/cli/a.cpp", "int hopper_floor;"),
            ("sim/cli/a.cpp", "struct AdaPlan;"),
            ("rtl_ref/a.sv", "parameter int CDNA3 = 1;"),
        ]:
            with self.subTest(text=text):
                file = self.write(path, text + "\n")
                self.finds(f"{path}:1", "is data: it belongs in configs/")
                file.unlink()

    def test_allows_names_of_architectures_in_tests_and_within_words(self):
        self.write("tb/tests/config/a.cpp", 'find("hopper");\n')
        self.write("model/core/a.cpp", "// Canada, an adapter, a grasshopper\n")
        self.passes()

    def test_allows_names_of_architectures_in_what_a_reader_is_shown(self):
        self.write("sim/cli/a.cpp", '// "hopper:wgmma" and the like\n'
                   'option("ARCH", "such as hopper"); footer("Example:  assay describe hopper");\n')
        self.passes()

    def test_sees_a_type_that_two_headers_define(self):
        self.write("model/core/a.hpp", "namespace assay {\nstruct Twice {\n};\n}  // namespace assay\n")
        self.write("tb/devices/b.hpp", "namespace assay {\nclass Twice : public Base {\n};\n}  // namespace assay\n")
        self.finds("tb/devices/b.hpp:2", "assay::Twice is a type of model/core/a.hpp already")

    def test_sees_a_name_that_means_two_things(self):
        self.write("model/core/a.hpp", "namespace assay {\nstruct Window {\n};\n}  // namespace assay\n")
        self.write("model/tlm/b.hpp", "namespace assay::bus {\nstruct Window {\n};\n}  // namespace assay::bus\n")
        self.finds("model/tlm/b.hpp:2", "assay::bus::Window is a type of model/core/a.hpp already")

    def test_lets_the_oracle_have_words_of_its_own(self):
        self.write("model/core/a.hpp", "namespace assay {\nstruct Instruction {\n};\n}  // namespace assay\n")
        self.write("tb/oracle/b.hpp", "namespace assay::exact {\nstruct Instruction {\n};\n}  // namespace assay::exact\n")
        self.passes()

    def test_reads_namespaces_within_namespaces(self):
        self.write("model/core/a.hpp", "namespace assay {\nstruct Value;\nstruct Value {\n};\n}  // namespace assay\n")
        nested = "namespace assay {\nnamespace %s {\nenum class Value {\n};\n}  // namespace\n}  // namespace assay\n"
        self.write("tb/oracle/b.hpp", nested % "vocabulary")
        self.passes()
        self.write("tb/devices/b.hpp", nested % "other")
        self.finds("tb/devices/b.hpp:3", "assay::other::Value is a type of model/core/a.hpp already")

    def test_sees_a_test_that_is_never_built(self):
        self.write("tb/tests/cli/CMakeLists.txt", "add_executable(cli_test more_evidence_test.cpp cli_test.cpp)\n")
        for name in ["cli_test.cpp", "more_evidence_test.cpp"]:
            self.write("tb/tests/cli/" + name, "")
        self.passes()
        self.write("tb/tests/cli/evidence_test.cpp", "")
        self.finds("tb/tests/cli/evidence_test.cpp:1", "tb/tests/cli/CMakeLists.txt names this test", "never built")
        (self.root / "tb/tests/cli/evidence_test.cpp").unlink()
        self.write("tb/tests/new/read_test.py", "")
        self.finds("tb/tests/new/read_test.py:1", "never built")

    def test_sees_a_lambda_that_takes_a_structured_binding(self):
        lines = ["int f(const Map& m) {", "  for (const auto& [key, value] : m) {", "    if (LAMBDA) return 1;", "  }", "  return 0;", "}"]
        for taken in ["any(m, [&](int x) { return x == value; })", "any(m, [=] { return key; })"]:
            self.write("model/core/map.cpp", "\n".join(lines).replace("LAMBDA", taken))
            self.finds("model/core/map.cpp:3", "a structured binding, which C++17 does not allow")
        for own in ["any(m, [&, value = value](int x) { return x == value; })", "any(m, [&](const auto& value) { return value; })"]:
            self.write("model/core/map.cpp", "\n".join(lines).replace("LAMBDA", own))
            self.passes()

    def test_a_tree_without_code_is_no_pass(self):
        status, output = self.layers()
        self.assertEqual(status, 1)
        self.assertIn(f"there is no C++ or SystemVerilog under {self.root}", output)


class TryDocs(Folder):
    """scripts/try_docs with a stand-in for assay that prints its arguments and ends as its first one says."""

    def setUp(self):
        super().setUp()
        program = self.write("bin/assay", '#!/bin/sh\necho "assay said $*"\nexit "$1"\n')
        program.chmod(0o755)

    def try_page(self, *lines):
        page = self.write("page.md", "\n".join(lines) + "\n")
        run = subprocess.run([SCRIPTS / "try_docs", "--bin", self.root / "bin", "--scratch", self.root / "scratch", page],
                             capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def passes(self, summary, *lines):
        status, output = self.try_page(*lines)
        self.assertEqual(status, 0, output)
        self.assertIn(summary, output)

    def finds(self, line, words, *lines):
        status, output = self.try_page(*lines)
        self.assertEqual(status, 1, output)
        self.assertIn(f"page.md:{line}: ", output)
        self.assertIn(words, output)

    def test_runs_commands_under_each_of_their_names(self):
        self.passes("3 commands run, 0 failed, 0 left out", "```", "assay 0 a", "build/release/bin/assay 0", "```",
                    "```sh", "$ NO_COLOR=1 assay 0", "```")

    def test_sees_a_broken_command_and_says_where(self):
        self.finds(5, "`assay 7 x` ended with exit status 7, where 0 was expected:\n    assay said 7 x",
                   "Text", "", "```", "assay 0", "assay 7 x", "assay 0", "```")

    def test_sees_a_program_that_is_not_there(self):
        self.finds(2, "exit status 127", "```", "scripts/no_such_script", "```")

    def test_expects_the_status_that_the_page_names(self):
        self.passes("1 commands run", "```", "assay 1 b   # exit status 1: they differ", "```")
        self.finds(2, "exit status 0, where 1 was expected", "```", "assay 0   # exit status 1", "```")

    def test_joins_continued_lines(self):
        self.finds(3, "`assay 3   b` ended", "```", "assay 0", "assay 3 \\", "  b", "```")

    def test_a_failure_before_a_pipe_counts(self):
        self.finds(2, "exit status 5", "```", "assay 5 | cat", "```")

    def test_writes_the_files_that_a_page_shows(self):
        self.passes("1 commands run", "```yaml", "# own/mine.yaml; a file", "k: 1", "```", "```",
                    'assay "$(grep -c k: own/mine.yaml)"  # exit status 1', "```")

    def test_runs_what_comes_first(self):
        self.passes("1 commands run", "<!-- first: echo 4 > four -->", "```", 'assay "$(cat four)"  # exit status 4', "```")
        self.finds(3, "what comes first, `false`, ended with exit status 1", "<!-- first: false -->", "```", "assay 0",
                   "```")

    def test_leaves_out_what_gives_a_reason(self):
        status, output = self.try_page("<!-- not run: it fails -->", "```", "assay 1", "```")
        self.assertEqual(status, 77, output)
        self.assertIn("0 commands run, 0 failed, 1 left out", output)

    def test_heeds_neither_other_programs_nor_other_languages(self):
        status, output = self.try_page("```", "cmake --build x", "```", "```cpp", "assay 1", "```", "assay 1")
        self.assertEqual(status, 77, output)

    def test_asks_scripts_that_build_for_their_help_only(self):
        self.passes("1 commands run", "```", "scripts/test --preset asan", "```")


class Plant(Folder):
    """Faults planted in a unit whose wiring a stand-in for assay writes."""

    def setUp(self):
        super().setUp()
        (self.root / "scripts").mkdir()
        shutil.copy(SCRIPTS / "plant", self.root / "scripts")
        shutil.copytree(SCRIPTS.parent / "rtl_ref", self.root / "rtl_ref")
        self.write("assay", "#!/bin/sh\necho module fused; echo endmodule\n").chmod(0o755)

    def plant(self, *words, assay="assay"):
        run = subprocess.run([self.root / "scripts/plant", "--assay", self.root / assay, *words], capture_output=True,
                             text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def test_replaces_a_block_and_names_it_among_the_sources(self):
        status, output = self.plant("keep_24", self.root / "out")
        self.assertEqual((status, output), (0, f"assay compare --device rtl:{self.root}/out/dut.yaml\n"))
        twin, healthy = self.root / "out/assay_align.sv", self.root / "rtl_ref/assay_align.sv"
        self.assertEqual(len(set(twin.read_text().splitlines()) - set(healthy.read_text().splitlines())), 1)
        dut = (self.root / "out/dut.yaml").read_text()
        self.assertIn(f"- {twin}\n", dut)
        self.assertNotIn(f"- {healthy}\n", dut)

    def test_plants_nothing_in_a_healthy_unit(self):
        self.assertEqual(self.plant("fused", self.root / "out")[0], 0)
        self.assertEqual(sorted(os.listdir(self.root / "out")), ["datapath.yaml", "dut.yaml", "fused.sv"])

    def test_text_that_moved_on_is_an_error(self):
        self.write("rtl_ref/assay_align.sv", "module assay_align; endmodule\n")
        status, output = self.plant("keep_24", self.root / "out")
        self.assertEqual(status, 1)
        self.assertIn("assay_align.sv has the text that keep_24 replaces 0 times, not once", output)

    def test_wrong_use_and_a_program_that_fails(self):
        self.write("fails", "#!/bin/sh\necho no such key >&2; exit 2\n").chmod(0o755)
        for status, words, arguments, assay in [
            (2, "there is no fault 'nothing'", ["nothing", "out"], "assay"),
            (2, "it takes the name of a fault and a folder", ["keep_24"], "assay"),
            (1, "export-sv refuses unit fused: no such key", ["keep_24", self.root / "out"], "fails"),
            (1, "none cannot be started", ["keep_24", self.root / "out"], "none"),
        ]:
            with self.subTest(words=words):
                got, output = self.plant(*arguments, assay=assay)
                self.assertEqual(got, status, output)
                self.assertIn(words, output)


class Setup(Folder):
    """scripts/setup on a machine of stand-ins: every program it calls lies in one folder."""

    without = ""
    TOOLS = ["awk", "bash", "cat", "comm", "dirname", "dpkg", "env", "grep", "mkdir", "mktemp", "rm", "sed", "sort"]

    def setUp(self):
        super().setUp()
        for tool in self.TOOLS:
            (self.root / tool).symlink_to(shutil.which(tool))
        self.write("scripts/setup", (SCRIPTS / "setup").read_text(encoding="utf-8")).chmod(0o755)
        self.stand_in("id", "echo 0")
        self.this_is("ID=debian\nVERSION_ID=\"12\"\n")
        self.packages_installed_but()
        self.packages_of_apt()
        self.stand_in("apt-get", f'echo "$@" >>{self.root}/calls')

    def stand_in(self, name, body):
        self.write(name, f"#!{shutil.which('bash')}\n{body}\n").chmod(0o755)

    def this_is(self, os_release):
        self.write("os-release", os_release)

    def packages_of_apt(self, **others):
        """Every one in version 99, but those named."""
        cases = "".join(f"{name.replace('_', '-')}) echo '  Candidate: {version}' ;; " for name, version in others.items())
        self.stand_in("apt-cache", f"case $2 in {cases} *) echo '  Candidate: 1:99-1' ;; esac")

    def packages_installed_but(self, *missing):
        self.stand_in("dpkg-query", 'for name in "${@:4}"; do case " %s " in *" $name "*) echo "not-installed $name";; '
                      '*) echo "installed $name";; esac; done' % " ".join(missing))

    def run_setup(self, *options):
        kept = {"PATH": str(self.root), "ASSAY_OS_RELEASE": str(self.root / "os-release"), "ASSAY_WITHOUT": self.without}
        run = subprocess.run([self.root / "scripts/setup", *options], env=kept, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def calls_of_apt_get(self):
        calls = self.root / "calls"
        return calls.read_text() if calls.exists() else ""

    def fails(self, words, *options):
        status, output = self.run_setup(*options)
        self.assertNotEqual(status, 0, output)
        self.assertIn(words, output)

    def test_installs_nothing_where_nothing_is_missing(self):
        status, output = self.run_setup("--lint")
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"all \d\d packages are installed")
        self.assertEqual(self.calls_of_apt_get(), "")

    def test_installs_exactly_what_is_missing(self):
        self.packages_installed_but("yosys", "cmake")
        status, output = self.run_setup()
        self.assertEqual(status, 0, output)
        update, install = self.calls_of_apt_get().splitlines()
        self.assertTrue(update.endswith(" update"), update)
        self.assertTrue(install.endswith("install --yes --no-install-recommends cmake yosys"), install)

    def test_what_only_lint_needs_is_left_to_lint(self):
        self.packages_installed_but("shellcheck")
        self.assertEqual(self.run_setup()[0], 0)
        self.assertEqual(self.calls_of_apt_get(), "")
        self.assertEqual(self.run_setup("--lint")[0], 0)
        self.assertIn("shellcheck", self.calls_of_apt_get())

    def test_goes_through_sudo_where_not_root(self):
        self.packages_installed_but("cmake")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", f'echo sudo >>{self.root}/calls; exec "$@"')
        self.assertEqual(self.run_setup()[0], 0)
        self.assertEqual(self.calls_of_apt_get().splitlines()[0], "sudo")

    def test_says_that_it_is_not_root_and_has_no_sudo(self):
        self.packages_installed_but("cmake")
        self.stand_in("id", "echo 1000")
        self.fails("packages are missing (cmake), you are not root, and there is no sudo")

    def test_knows_five_systems(self):
        for name in ["ID=debian\nVERSION_ID='11'", "ID=debian\nVERSION_ID=12", "ID=debian\nVERSION_ID=13",
                     "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=22.04", "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=24.04"]:
            with self.subTest(system=name):
                self.this_is(name + "\n")
                self.packages_installed_but("ninja-build")
                self.assertEqual(self.run_setup()[0], 0)
        self.assertEqual(self.calls_of_apt_get().count(" install "), 5)

    def test_names_packages_as_the_system_does(self):
        for name, package in [("ID=debian\nVERSION_ID=11", "libclang-common-11-dev"), ("ID=debian\nVERSION_ID=12", "libclang-rt-14-dev"),
                              ("ID=debian\nVERSION_ID=13", "libclang-rt-19-dev"),
                              ("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=22.04", "libclang-rt-14-dev"),
                              ("ID=ubuntu\nID_LIKE=debian\nVERSION_ID=24.04", "libclang-rt-18-dev")]:
            with self.subTest(system=name):
                self.this_is(name + "\n")
                self.assertRegex(self.run_setup("--fuzz")[1], "all .. packages")
                self.packages_installed_but(package)
                self.assertIn(package, self.run_setup("--fuzz")[1])
                self.packages_installed_but()

    def test_tests_need_a_second_compiler(self):
        self.packages_installed_but("clang")
        self.assertNotIn("clang", self.run_setup()[1])
        self.assertIn("clang", self.run_setup("--tests")[1])

    def test_stops_at_a_system_that_it_does_not_know(self):
        self.packages_installed_but("cmake")
        self.this_is("ID=debian\nVERSION_ID=10\n")
        self.fails("packages are missing (cmake), and this is none of Debian 11, 12, 13 and Ubuntu 22.04, 24.04")
        self.assertEqual(self.calls_of_apt_get(), "")

    def test_says_what_a_system_without_packages_of_debian_needs(self):
        (self.root / "dpkg-query").unlink()
        self.this_is("ID=arch\n")
        self.fails("cmake                      >= 3.21  the build\n")
        self.fails("this system ('arch') has packages that this script does not know")

    def test_prints_the_line_for_dnf(self):
        for name in ["ID=rhel\nID_LIKE=fedora\nVERSION_ID=9.4", "ID=rocky\nID_LIKE='rhel centos fedora'\nVERSION_ID=8.10"]:
            self.this_is(name + "\n")
            self.fails("dnf install gcc-c++ cmake ninja-build")
            self.fails("was not run by those who wrote it")
            self.fails("no package of it has SystemC")

    def test_stops_where_the_system_lacks_what_the_build_needs(self):
        self.packages_installed_but("g++", "librandom123-dev", "ninja-build")
        self.packages_of_apt(**{"g++": "8.3.0-6", "librandom123_dev": "(none)"})
        self.fails("  g++ (it has 8.3.0-6, needed is ")
        self.fails("  librandom123-dev\n")
        self.fails("without which nothing is built")
        self.assertNotIn("install", self.calls_of_apt_get())

    def test_has_made_what_the_system_lacks_and_can_be_made(self):
        self.packages_installed_but("cmake", "libhwy-dev", "ninja-build", "dpkg-dev")
        self.packages_of_apt(cmake="3.18.4-2", libhwy_dev="(none)")
        self.stand_in("scripts/libraries", f'echo "libraries $*" >>{self.root}/calls')
        status, output = self.run_setup()
        self.assertEqual(status, 0, output)
        self.assertIn("scripts/libraries makes it, which takes minutes:\n  cmake (it has 3.18.4-2, needed is 3.21)\n  libhwy-dev\n", output)
        self.assertTrue(self.calls_of_apt_get().endswith(" dpkg-dev ninja-build\nlibraries host\n"), self.calls_of_apt_get())
        self.packages_installed_but("cmake", "libhwy-dev")
        self.assertIn("packages are installed.", self.run_setup()[1])

    def test_remembers_nothing_that_could_not_be_made(self):
        self.packages_installed_but("cmake")
        self.packages_of_apt(cmake="3.18.4-2")
        self.stand_in("scripts/libraries", "exit 77")
        self.fails("scripts/libraries host could not make what is missing")
        self.fails("scripts/libraries host could not make what is missing")

    def test_leaves_out_what_the_system_lacks_and_remembers_it(self):
        self.packages_installed_but("qflow-tech-osu018", "ninja-build")
        self.packages_of_apt(qflow_tech_osu018="(none)")
        status, output = self.run_setup()
        self.assertEqual(status, 0, output)
        self.assertIn("is left out (by part):\n  gates qflow-tech-osu018\n", output)
        self.assertTrue(self.calls_of_apt_get().endswith(" ninja-build\n"))
        self.packages_installed_but("qflow-tech-osu018")
        self.assertIn("packages are installed.", self.run_setup()[1])

    def test_leaves_out_parts_by_name(self):
        self.packages_installed_but("libsystemc-dev", "chromium")
        self.without = "systemc browser"
        self.assertIn("packages are installed.", self.run_setup()[1])
        self.without = "systemc tests"
        self.fails("ASSAY_WITHOUT names 'tests', which is no part")

    def test_lists_what_is_needed(self):
        status, output = self.run_setup("--list")
        self.assertEqual(status, 0)
        self.assertIn("libsystemc-dev             >= 2.3.4 the SystemC and TLM model\n", output)

    def test_shows_what_apt_get_says_when_it_fails(self):
        self.packages_installed_but("cmake")
        self.stand_in("apt-get", "echo E: Unable to locate package; exit 100")
        self.fails("E: Unable to locate package")
        self.fails("apt-get could not install them")

    def test_a_failed_update_alone_is_no_failure(self):
        self.packages_installed_but("cmake")
        self.stand_in("apt-get", '[[ "${!#}" != update ]]')
        self.assertEqual(self.run_setup()[0], 0)

    def test_refuses_an_option_it_does_not_know(self):
        self.fails("'--fast' is not an option of this script", "--fast")


class Project(Folder):
    """Scripts in a project of stand-ins: what they call lies beside them."""

    def stand_in(self, name, body):
        self.write(name, f"#!/usr/bin/env bash\n{body}\n").chmod(0o755)

    def run_script(self, name, *options):
        script = self.root / "scripts" / name
        script.parent.mkdir(exist_ok=True)
        shutil.copy(SCRIPTS / name, script)
        run = subprocess.run([script, *options], env={"PATH": f"{self.root}:{os.environ['PATH']}"},
                             capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def ends(self, expected_status, words, name, *options):
        status, output = self.run_script(name, *options)
        self.assertEqual(status, expected_status, output)
        self.assertIn(words, output)


class Run(Project):
    def setUp(self):
        super().setUp()
        self.stand_in("scripts/build", "")

    def candidates_end_with(self, good, faulty):
        self.stand_in("build/release/bin/assay",
                      f'case "$*" in *fault*) exit {faulty};; *) exit {good};; esac')

    def test_passes_where_one_is_right_and_the_fault_is_found(self):
        self.candidates_end_with(0, 1)
        self.ends(0, "$ build/release/bin/assay compare --reference model", "run")

    def test_fails_where_the_right_one_is_not(self):
        self.candidates_end_with(1, 1)
        self.ends(1, "that ended with exit status 1 where 0 was expected", "run")

    def test_fails_where_the_fault_is_not_found(self):
        self.candidates_end_with(0, 0)
        self.ends(1, "that ended with exit status 0 where 1 was expected", "run")

    def test_a_fault_that_cannot_be_compared_is_not_found(self):
        self.candidates_end_with(0, 2)
        self.ends(1, "that ended with exit status 2 where 1 was expected", "run")


class Build(Project):
    CMAKE = """
echo "$@" >>calls
case "$*" in
  --preset*) mkdir -p build/release; touch build/release/build.ninja; echo configured; exit ${CONFIGURES:-0} ;;
  *) echo compiled; exit ${COMPILES:-0} ;;
esac"""

    def setUp(self):
        super().setUp()
        self.stand_in("scripts/setup", "")
        self.write("CMakePresets.json", "")
        self.stand_in("cmake", self.CMAKE)
        self.stand_in("ninja", "echo '  --quiet        no progress' >&2; exit 1")

    def calls(self):
        return (self.root / "calls").read_text().splitlines()

    def test_an_older_ninja_is_not_asked_for_what_it_does_not_know(self):
        self.stand_in("ninja", "echo '  -v, --verbose' >&2; exit 1")
        self.assertEqual(self.run_script("build", "release")[0], 0)
        self.assertEqual(self.calls()[-1], "--build build/release --")

    def test_configures_only_where_the_presets_changed(self):
        self.assertEqual(self.run_script("build", "release")[0], 0)
        self.assertEqual(self.run_script("build", "release", "assay")[0], 0)
        os.utime(self.root / "CMakePresets.json", (2**32, 2**32))
        self.assertEqual(self.run_script("build", "release")[0], 0)
        self.assertEqual(self.calls(), [
            "--preset release", "--build build/release -- --quiet",
            "--build build/release --target assay -- --quiet",
            "--preset release", "--build build/release -- --quiet"])

    def test_shows_what_cmake_says_when_it_fails(self):
        self.stand_in("cmake", "CONFIGURES=1\n" + self.CMAKE)
        self.ends(1, "configured\nbuild: CMake could not configure the preset 'release'", "build", "release")

    def test_says_that_it_does_not_build(self):
        self.stand_in("cmake", "COMPILES=1\n" + self.CMAKE)
        self.ends(1, "the preset 'release' does not build", "build", "release")


class Test(Project):
    def setUp(self):
        super().setUp()
        self.stand_in("scripts/setup", '[[ $* == --tests ]]')
        self.stand_in("scripts/build", 'echo "build $*" >>calls; mkdir -p "build/$1"')
        self.programs("bin/assay")

    def ctest(self, status, closing):
        self.stand_in("ctest", f'echo "ctest $*" >>calls; echo "{closing}" >"$4"; exit {status}')

    def programs(self, *names):
        self.stand_in("scripts/test_programs", 'echo "programs $*" >>calls\n' + "".join(f"echo {name}\n" for name in names))

    def calls(self):
        return (self.root / "calls").read_text().splitlines()

    def test_runs_everything_that_it_built(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 7")
        self.ends(0, "100% tests passed, 0 tests failed out of 7", "test")
        self.assertEqual(self.calls(), ["build release", "ctest --preset release --output-log build/release/ctest.log"])

    def test_builds_what_the_selected_tests_run(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 7")
        self.programs("bin/assay", "tb/core_test")
        status, output = self.run_script("test", "--preset", "asan", "-LE", "slow")
        self.assertEqual((status, output), (0, "100% tests passed, 0 tests failed out of 7\n"))
        self.assertEqual(self.calls(), [
            "build asan build.ninja", "programs build/asan -LE slow", "build asan bin/assay tb/core_test",
            "ctest --preset asan --output-log build/asan/ctest.log -LE slow -E _NOT_BUILT$"])

    def test_leaves_out_what_was_not_built_beside_what_the_user_leaves_out(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 7")
        self.programs("bin/assay")
        self.run_script("test", "-L", "cli", "-E", "Slow")
        self.assertEqual(self.calls()[-1],
                         "ctest --preset release --output-log build/release/ctest.log -L cli -E Slow -E (Slow)|_NOT_BUILT$")

    def test_builds_nothing_for_tests_that_run_nothing_built(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 1")
        self.programs()
        self.assertEqual(self.run_script("test", "-R", "Flags")[0], 0)
        self.assertEqual([call for call in self.calls() if call.startswith("build")], ["build release build.ninja"])

    def test_quick_is_a_label(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 7")
        self.assertEqual(self.run_script("test", "--quick", "-j1")[0], 0)
        self.assertIn("programs build/release -L quick -j1", self.calls())

    def test_together_runs_what_was_written_for_it(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 2")
        self.stand_in("scripts/test_together", 'echo "together $*" >>calls; echo build/asan/together')
        status, output = self.run_script("test", "--preset", "asan", "--together", "-LE", "slow")
        self.assertEqual((status, output), (0, "100% tests passed, 0 tests failed out of 2\n"))
        self.assertEqual(self.calls()[-2:], [
            "together build/asan -LE slow -E _NOT_BUILT$",
            "ctest --test-dir build/asan/together --output-log build/asan/ctest.log --output-on-failure --no-tests=error "
            "--parallel 2 --timeout 3600"])

    def test_what_cannot_be_selected_is_not_built(self):
        self.ctest(0, "100% tests passed, 0 tests failed out of 7")
        self.stand_in("scripts/test_programs", "echo no such option >&2; exit 1")
        self.ends(1, "no such option", "test", "--no-such-option")
        self.assertEqual(self.calls(), ["build release build.ninja"])

    def test_ends_as_ctest_ends(self):
        self.ctest(8, "85% tests passed, 1 tests failed out of 7")
        self.ends(8, "85% tests passed, 1 tests failed out of 7", "test")

    def test_says_that_no_test_ran(self):
        self.ctest(8, "No tests were found!!!")
        self.ends(8, "test: ctest ran no test.", "test")


class BuildFolder(Project):
    """A configured build folder of stand-ins: ctest lists what the test says."""

    def setUp(self):
        super().setUp()
        self.build = self.root.resolve() / "build"
        self.build.mkdir()
        self.listed()

    def listed(self, *tests):
        """Each test: its name, its folder, its labels, the words of its command (None where ctest leaves that out)."""
        entries = []
        for name, folder, labels, command in tests:
            properties = [{"name": "WORKING_DIRECTORY", "value": str(self.build / folder)}]
            properties += [{"name": "LABELS", "value": labels}] if labels else []
            entries.append({"name": name, "properties": properties} | ({"command": command} if command else {}))
        self.write("list.json", json.dumps({"tests": entries}))
        self.stand_in("ctest", f'case "$*" in *--bad*) echo "Unknown argument" >&2; exit 1;; *) cat {self.root}/list.json;; esac')


class TestPrograms(BuildFolder):
    """Two GoogleTest executables, one with parameters, and two programs."""

    def setUp(self):
        super().setUp()
        self.write("sum_test.cpp", "TEST(Sum, IsExact) {}\n// TEST(Sum, WasOnce) {}\n")
        self.write("cut_test.cpp", "TEST_P(Cut, KeepsBits) {}\nINSTANTIATE_TEST_SUITE_P(Modes, Cut, modes());\n")
        lines = ["build bin/assay: CXX_EXECUTABLE_LINKER__assay_Release main.o | lib.a || other",
                 "build bin/helper: CXX_EXECUTABLE_LINKER__helper_Release main.o"]
        for name, label in [("sum_test", "core-quick"), ("cut_test", "rtl;ENVIRONMENT;LABELS=x")]:
            lines += [f"build tb/CMakeFiles/{name}.dir/{name}.cpp.o: CXX_COMPILER {self.root}/{name}.cpp || x",
                      f"build tb/{name}: CXX_EXECUTABLE_LINKER__{name} tb/CMakeFiles/{name}.dir/{name}.cpp.o",
                      (f"  POST_BUILD = cd {self.build}/tb && cmake -D TEST_TARGET={name} -D TEST_EXECUTABLE={self.build}/tb/{name}"
                       f' -D "TEST_PROPERTIES=LABELS;{label}" -P Add.cmake')]
        self.write("build/build.ninja", "\n".join(lines) + "\n")

    def names(self, expected, *options, says=""):
        status, output = self.run_script("test_programs", str(self.build), *options)
        self.assertEqual(status, 0, output)
        told = [line for line in output.splitlines() if line.startswith("test: ")]
        self.assertEqual([line for line in output.splitlines() if line not in told], expected)
        self.assertIn(says, "\n".join(told))
        self.assertEqual(bool(told), bool(says), output)

    def test_a_name_is_looked_for_in_sources(self):
        (self.build / "tb").mkdir()
        (self.build / "tb/cut_test").touch()
        self.names(["tb/sum_test"], "-R", "Sum.IsE")
        self.names(["tb/cut_test"], "-R", "^Modes/Cut.KeepsBits/")
        self.names([""], "-R", "WasOnce")

    def test_labels_are_those_of_the_executables(self):
        self.names(["tb/sum_test"], "-L", "quick")
        self.names(["tb/sum_test"], "-LE", "rtl")
        self.names(["tb/cut_test"], "-L", "rtl", "-R", "Keeps")
        self.names([""], "-L", "slow")

    def test_options_that_select_nothing_leave_all_executables(self):
        self.names(["tb/cut_test", "tb/sum_test"], "-V")

    def test_a_parameter_of_what_was_never_built_is_not_known(self):
        self.names(["tb/sum_test"], "-R", "IsExact", says="'IsExact' could also be a parameter of tests in 1 executables")
        self.names(["all"], "-R", "toward_zero")

    def test_numbers_of_tests_need_them_all(self):
        self.names(["all"], "-I", "3,4")

    def test_programs_are_found_in_the_commands_of_tests(self):
        for command, expected in [
            (["python3", "x.py", f"{self.build}/bin/assay", f"{self.build}/scratch"], ["bin/assay"]),
            (["python3", "x.py", f"{self.build}/bin"], ["bin/assay", "bin/helper"]),
            (["python3", "x.py", str(self.build)], ["all"]),
            ([f"{self.build}/tb/cut_test", "--gtest_filter=Modes/Cut.KeepsBits/up"], ["tb/cut_test"]),
        ]:
            with self.subTest(command=command):
                self.listed(("Some.Test", "tb", [], command))
                self.names(expected, "-R", "Some", "-L", "some")

    def test_a_test_may_run_nothing_that_is_built(self):
        self.listed(("Some.Test", "tb", [], ["python3", "x.py", f"{self.build}/compile_commands.json"]))
        self.names([""], "-R", "Some", says="'Some' could also be a parameter")

    def test_ctest_leaves_out_commands_of_programs_that_are_not_there(self):
        self.listed(("Some.Test", "tb", [], None), ("sum_test_NOT_BUILT", "tb", [], None))
        self.write("build/tb/CTestTestfile.cmake", f'add_test([=[Some.Test]=] "{self.build}/bin/helper" "x y")\n')
        self.names(["bin/helper"], "-R", "Some", "-L", "some")

    def test_an_option_that_ctest_refuses(self):
        self.ends(1, "test: ctest does not take these options: --bad\nUnknown argument", "test_programs", self.build, "--bad")


class TestTogether(BuildFolder):
    """Tests of one GoogleTest executable go to few processes; real ctest runs what is written."""

    def gtest(self, *names, program="sum_test", labels=("core",)):
        return [(name, "tb", list(labels), [str(self.build / program), f"--gtest_filter={name}", "--gtest_also_run_disabled_tests"])
                for name in names]

    def processes(self):
        status, output = self.run_script("test_together", str(self.build))
        self.assertEqual((status, output), (0, f"{self.build}/together\n"))
        listed = subprocess.run([shutil.which("ctest"), "--test-dir", self.build / "together", "--show-only=json-v1"],
                                capture_output=True, text=True, check=True)
        return {test["name"]: test for test in json.loads(listed.stdout)["tests"]}

    def command(self, name, *words):
        self.write(f"build/{name}", "#!/bin/sh\n").chmod(0o755)
        return [str(self.build / name), *words]

    def test_tests_of_one_program_share_a_process(self):
        (self.build / "tb").mkdir()
        self.command("sum_test")
        self.listed(*self.gtest("Sum.IsExact", "Sum.Ends/a b"))
        only = self.processes()["sum_test.1"]
        self.assertEqual(only["command"], [f"{self.build}/sum_test", "--gtest_filter=Sum.IsExact:Sum.Ends/a b"])
        self.assertIn({"name": "LABELS", "value": ["core"]}, only["properties"])
        self.assertIn({"name": "WORKING_DIRECTORY", "value": f"{self.build}/tb"}, only["properties"])

    def test_every_test_is_dealt_to_one_process_and_neighbours_to_two(self):
        self.command("sum_test")
        names = [f"Sum.Number{i}" for i in range(50)]
        self.listed(*self.gtest(*names))
        dealt = [test["command"][1].removeprefix("--gtest_filter=").split(":") for test in self.processes().values()]
        self.assertEqual(sorted(sum(dealt, [])), sorted(names))
        self.assertEqual([len(tests) for tests in dealt], [17, 17, 16])
        self.assertEqual(dealt[1][:2], ["Sum.Number1", "Sum.Number4"])

    def test_other_programs_and_other_properties_stay_apart(self):
        self.command("sum_test")
        self.command("cut_test")
        self.listed(*self.gtest("Sum.IsExact"), *self.gtest("Sum.IsSlow", labels=["core-slow"]),
                    *self.gtest("Cut.IsExact", program="cut_test"), ("Some.Script", "tb", ["cli"], self.command("x", "y z")))
        processes = self.processes()
        self.assertEqual(len(processes), 4)
        self.assertEqual(processes["Some.Script"]["command"][1:], ["y z"])

    def test_simulations_of_systemc_stay_apart(self):
        self.command("sum_test")
        self.listed(*self.gtest("Unit.Adds", "Unit.Stalls", labels=["systemc"]))
        self.assertEqual([test["command"][1] for test in self.processes().values()],
                         ["--gtest_filter=Unit.Adds", "--gtest_filter=Unit.Stalls"])

    def test_a_skipped_test_does_not_hide_one_that_fails(self):
        (self.build / "tb").mkdir()
        self.write("build/sum_test", "#!/bin/sh\necho '[  SKIPPED ]'\nexit 1\n").chmod(0o755)
        self.listed(*self.gtest("Sum.IsExact"))
        tests = json.loads((self.root / "list.json").read_text())
        tests["tests"][0]["properties"].append({"name": "SKIP_REGULAR_EXPRESSION", "value": ["\\[  SKIPPED \\]"]})
        self.write("list.json", json.dumps(tests))
        self.processes()
        run = subprocess.run([shutil.which("ctest"), "--test-dir", self.build / "together"], capture_output=True, text=True, check=False)
        self.assertIn("0% tests passed, 1 tests failed out of 1", run.stdout)

    def test_a_property_that_it_does_not_know(self):
        self.listed(*self.gtest("Sum.IsExact"))
        tests = json.loads((self.root / "list.json").read_text())
        tests["tests"][0]["properties"].append({"name": "WILL_FAIL", "value": True})
        self.write("list.json", json.dumps(tests))
        self.ends(1, "test: Sum.IsExact has the property WILL_FAIL, which scripts/test_together does not pass on.",
                  "test_together", self.build)

    def test_a_program_that_is_not_there(self):
        self.listed(("Some.Test", "tb", [], None))
        self.ends(1, "test: the program of Some.Test is not there; scripts/build builds it.", "test_together", self.build)

    def test_an_option_that_ctest_refuses(self):
        self.ends(1, "test: ctest does not take these options: --bad\nUnknown argument", "test_together", self.build, "--bad")


class Labels(BuildFolder):
    PAGE = "# Testing\n\n| `no-label` | of another table |\n\n## Labels\n\n| label | what |\n|---|---|\n%s\n## More\n"

    def setUp(self):
        super().setUp()
        self.rows("core-quick")
        self.listed(("Sum.IsExact", "core", ["core-quick"], None), ("sum_test_NOT_BUILT", "core", [], None))

    def rows(self, *labels):
        self.page = self.write("page.md", self.PAGE % "".join(f"| `{label}` | words |\n" for label in labels))

    def finds(self, *sentences):
        status, output = self.run_script("labels", str(self.build / "CTestTestfile.cmake"), str(self.page))
        self.assertEqual((status, output.splitlines()[:-1]), (1 if sentences else 0, list(sentences)), output)

    def test_passes_tests_with_a_label_each(self):
        self.finds()

    def test_sees_a_test_without_a_label_or_with_another(self):
        legal = "its folder's CMakeLists.txt has to give it one of core, core-quick, core-slow, core-rtl."
        for labels, found in [([], "no label"), (["rtl"], "the labels rtl"), (["core", "slow"], "the labels core, slow")]:
            with self.subTest(labels=labels):
                self.listed(("Sum.IsExact", "core", ["core-quick"], None), ("Sum.IsLate", "core", labels, None))
                self.rows("core-quick", *labels)
                self.assertIn(f"Sum.IsLate has {found}; {legal}\n", self.run_script("labels", str(self.build / "CTestTestfile.cmake"), str(self.page))[1])

    def test_sees_a_label_that_the_page_does_not_explain(self):
        self.rows()
        self.finds(f"{self.page} has no row for the label core-quick.")

    def test_sees_a_row_for_nothing(self):
        self.rows("core-quick", "gone-slow")
        self.finds(f"{self.page} has a row for the label gone-slow, and no test is in such a folder.")

    def test_no_test_at_all_is_no_pass(self):
        self.listed()
        self.rows()
        self.ends(1, "labels: 0 tests, 0 labels, 0 breaches.", "labels", str(self.build / "CTestTestfile.cmake"), str(self.page))


class Contributing(unittest.TestCase):
    """CONTRIBUTING.md names files: they are there."""

    def test_its_files_exist(self):
        root = SCRIPTS.parent
        text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
        walked = text[:text.index("In 0.1.0 they were")]
        named = [name for name in re.findall(r"`((?:configs|docs|model|rtl_ref|scripts|sim|tb)/[\w./*-]+)`", walked)
                 if "NAME" not in name and "pocket" not in name]
        self.assertGreater(len(named), 40)
        self.assertEqual([name for name in named if not any(root.glob(name))], [])


class Options(unittest.TestCase):
    def run_script(self, name, *options):
        run = subprocess.run([SCRIPTS / name, *options], capture_output=True, text=True, check=False, env=os.environ)
        return run.returncode, run.stdout + run.stderr

    def test_help_says_how_each_script_is_called(self):
        for name in ["setup", "build", "run", "test", "fuzz", "lint", "bare_root", "debian_source", "sysroot", "libraries",
                     "release"]:
            with self.subTest(script=name):
                status, output = self.run_script(name, "--help")
                self.assertEqual(status, 0, output)
                self.assertTrue(output.startswith(f"scripts/{name}"), output)

    def test_wrong_use_is_refused(self):
        for name, options, words in [
            ("lint", ["--quick"], "'--quick' is not an option"),
            ("run", ["hopper"], "'hopper' is not an option"),
            ("test", ["--preset"], "--preset needs the name of a preset"),
            ("bare_root", ["/only/a/folder"], "needs a folder and a command"),
            ("libraries", ["sparc"], "this script takes one of x86_64, aarch64, host"),
            ("release", ["sparc"], "invalid choice: 'sparc'"),
        ]:
            with self.subTest(script=name):
                status, output = self.run_script(name, *options)
                self.assertNotEqual(status, 0, output)
                self.assertIn(words, output)


class Release(unittest.TestCase):
    def test_what_the_libraries_lack_is_told(self):
        if shutil.which("zstd") is None:
            self.skipTest("there is no zstd here")
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "scripts").mkdir()
            shutil.copy(SCRIPTS / "release", root / "scripts")
            libraries = root / "scripts/libraries"
            libraries.write_text("#!/bin/sh\necho 'libraries: something is missing.' >&2\nexit 4\n", encoding="utf-8")
            libraries.chmod(0o755)
            for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"]):
                subprocess.run(["git", *command], cwd=root, check=True)
            ran = subprocess.run([root / "scripts/release", "aarch64"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 4, ran.stderr)
        self.assertEqual(ran.stderr, "libraries: something is missing.\n"
                                     "release: scripts/libraries aarch64 failed, and says why above.\n")


class Numbers(unittest.TestCase):
    """int() takes 1_0, -1 and the digits of every language."""

    def test_what_is_none_is_refused(self):
        for script, option in [("mutate_rtl", "--count"), ("capture/cases", "--cases")]:
            for value in ["-1", "", "1_0", "\u0661"]:
                run = subprocess.run([SCRIPTS / script, option, value], capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
                self.assertIn(f"a whole number in decimal digits is needed, found '{value}'.", run.stderr)


if __name__ == "__main__":
    unittest.main()
