#include "tb/devices/rtl/module_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "model/config/home.hpp"
#include "model/config/yaml.hpp"

namespace assay {
namespace {

// IEEE 1800-2017, annex B.
constexpr std::string_view keywords =
    " accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind "
    "bins "
    "binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const "
    "constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do "
    "edge "
    "else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface "
    "endmodule "
    "endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually "
    "expect "
    "export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global "
    "highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input "
    "inside instance int integer interconnect interface intersect join join_any join_none large let liblist library "
    "local localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos "
    "nor "
    "noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program "
    "property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase "
    "randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 "
    "rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled "
    "signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 "
    "sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 "
    "tri "
    "tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var "
    "vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor ";

bool is_identifier(const std::string& name) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return !name.empty() && letters.find(name.front()) != letters.npos &&
         name.find_first_not_of(letters + "0123456789$") == name.npos;
}

// A block of rtl_ref, or a package there.
bool is_ours(const std::string& name) {
  std::error_code ignored;
  return name.rfind("assay_", 0) == 0 && std::filesystem::exists(home() + "/rtl_ref/" + name + ".sv", ignored);
}

}  // namespace

bool is_keyword(const std::string& name) { return keywords.find(" " + name + " ") != keywords.npos; }

void check_module(const std::string& name) {
  if (!is_identifier(name))
    throw Error{fmt::format(
        "--module '{}' is no name of a SystemVerilog module: letters, digits, _ and $, no digit or $ first.", name)};
  if (is_keyword(name)) throw Error{fmt::format("--module {} is a keyword of SystemVerilog; take another.", name)};
  if (is_ours(name) || name == "tb")
    throw Error{fmt::format("--module {} is the name of {}; take another.", name,
                            name == "tb" ? "the testbench itself" : "one of rtl_ref's own blocks")};
}

}  // namespace assay
