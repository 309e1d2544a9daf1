// Many exported datapaths in one Verilated program, which costs less to build than a program each: each has its own
// bits of one wide input and of one wide output. Pipelined ones get a case at every edge, and give it when it has
// passed all their registers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/export_sv.hpp"

namespace assay {

struct Judgement {
  std::size_t cases = 0;
  std::size_t same = 0;  // at every place, d among them
  std::string first;     // where one differs: case, place and both sides' bits
};

class ManyRtl {
 public:
  // Wired, built without a warning and kept in `folder`, for the tests to throw away. The plans must outlive it.
  ManyRtl(const std::vector<const Plan*>& plans, const std::filesystem::path& folder,
          ExportTiming timing = ExportTiming::combinational);

  // What the tools said; empty where all went well.
  const std::string& trouble() const { return trouble_; }

  // cases[i] for plan i, as many for each: against core at every place. Adds to `judged`.
  void compare(const std::vector<std::vector<Case>>& cases, std::vector<Judgement>& judged) const;

 private:
  struct Unit {
    const Plan* plan;
    std::string text;       // SystemVerilog
    int from_in, from_out;  // its first bits
    int registers;          // that a case passes
    std::vector<int> widths;
  };

  void write_sources() const;
  std::string wrapper() const;
  void judge(const Unit& unit, const Case& one, const std::uint32_t* out, Judgement& judged) const;

  std::filesystem::path folder_;
  bool pipelined_;
  std::vector<Unit> units_;
  int bits_in_ = 0, bits_out_ = 0;
  std::string trouble_;
};

}  // namespace assay
