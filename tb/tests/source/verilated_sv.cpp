#include "tb/tests/source/verilated_sv.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>

#include "model/base/files.hpp"
#include "model/base/hex.hpp"
#include "model/base/run_program.hpp"
#include "tb/source/model_sv.hpp"
#include "tb/tests/rtl/verilated_many.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int slot_bits = 64;  // of out_o: one that hears all inputs, then d, flags and places of each package

// Words of all places side by side.
std::size_t words_of_places(const Plan& plan) {
  int bits = 0;
  for (const Place& place : plan.places) bits += sv_has_places(plan) ? place.width : 0;
  return static_cast<std::size_t>((bits + slot_bits - 1) / slot_bits);
}

std::size_t slots_of(const Plan& plan) { return 2 + words_of_places(plan); }

// What the slots of a package hold.
void read_left(const Code* slots, std::size_t count, Left& left) {
  left.d = slots[0];
  left.flags = static_cast<unsigned>(slots[1]);
  left.places.assign(slots + 2, slots + count);
}

bool bit_of(const std::vector<std::uint64_t>& words, std::size_t at) { return (words[at / 64] >> at % 64 & 1) != 0; }

// From bit `at` on, where words are zero.
void put_bits(std::vector<std::uint64_t>& words, std::size_t at, const Bits& bits) {
  const auto width = static_cast<std::size_t>(bits.width);
  for (std::size_t from = 0; from < width; from += 64) {
    const std::size_t to = at + from, low = to % 64;
    words[to / 64] |= bits.words[from / 64] << low;
    if (low != 0 && low + std::min<std::size_t>(width - from, 64) > 64)
      words[to / 64 + 1] |= bits.words[from / 64] >> (64 - low);
  }
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string package_of(std::size_t index) { return "unit" + std::to_string(index) + "_pkg"; }

std::vector<std::pair<int, int>> operands_of(const Plan& plan) {  // how many, and their width
  std::vector<std::pair<int, int>> list{
      {plan.k, plan.a.stored_bits}, {plan.k, plan.b.stored_bits}, {1, plan.c.stored_bits}};
  if (plan.scale) list.insert(list.end(), 2, {plan.scales, plan.scale->stored_bits});
  for (const CaseOperand& more : plan.more) list.emplace_back(more.count, more.format.stored_bits);
  return list;
}

}  // namespace

LeftByCore::LeftByCore(const Plan& plan) : plan_(plan), trace_(plan), words_(words_of_places(plan)) {}

const Left& LeftByCore::operator()(const Case& one) {
  left_.d = dot(plan_, one.operand(), registers_, &trace_);
  left_.flags = 0;
  for (std::size_t i = 0; plan_.datapath.flags && i < flag_names.size(); ++i) {
    const int place = plan_.find_place("flags." + std::string(flag_names[i]));
    left_.flags |= (trace_.at(place).bit(0) ? 1U : 0U) << i;
  }
  left_.places.assign(words_, 0);
  std::size_t at = 0;
  for (int place = 0; words_ > 0 && place < static_cast<int>(plan_.places.size()); ++place) {
    const Bits bits = trace_.at(place);
    put_bits(left_.places, at, bits);
    at += static_cast<std::size_t>(bits.width);
  }
  return left_;
}

std::string difference(const Plan& plan, const Left& expected, const Left& actual) {
  std::size_t from = 0;
  for (const Place& place : plan.places) {
    std::string is, should;
    for (const std::size_t end = from + static_cast<std::size_t>(place.width); from < end && !expected.places.empty();
         ++from) {
      should.insert(should.begin(), bit_of(expected.places, from) ? '1' : '0');
      is.insert(is.begin(), bit_of(actual.places, from) ? '1' : '0');
    }
    if (is != should) return place.name + " should be " + should + " and is " + is;
  }
  const auto told = [](const std::string& what, Code should, Code is) {
    return what + " should be " + hex_text(should, 1) + " and is " + hex_text(is, 1);
  };
  if (expected.d != actual.d) return told("d", expected.d, actual.d);
  return expected.flags == actual.flags ? "" : told("flags", expected.flags, actual.flags);
}

std::string sv_of(const Plan& plan, const std::string& name) {
  return model_as_sv(plan, {name, "a test", "assay", "0"});
}

std::string sv_call(const Plan& plan, const std::string& function, int from) {
  std::string text = function + "(", between;
  for (const auto& [count, width] : operands_of(plan)) {
    text += between + "in_i[" + std::to_string(from) + " +: " + std::to_string(count * width) + "]";
    from += count * width;
    between = ", ";
  }
  return text + ")";
}

VerilatedSv::VerilatedSv(std::vector<const Plan*> plans, const fs::path& folder, Built built,
                         std::string (*change)(const std::string&))
    : plans_(std::move(plans)), folder_(folder) {
  fs::create_directories(folder_);
  std::vector<std::string> command = verilator_command(folder_, built);
  command.emplace_back("-Wno-UNUSEDPARAM");
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const std::string file = (folder_ / (package_of(i) + ".sv")).string(), text = sv_of(*plans_[i], package_of(i));
    write(file, change == nullptr ? text : change(text));
    command.push_back(file);
    bits_in_ += case_bits(*plans_[i]);
    slots_.push_back(slots_of(*plans_[i]));
  }
  bits_in_ = std::max(bits_in_, 96);  // Verilator holds what is wider than 64 bits in words of 32
  write(folder_ / "main.cpp", program_of_many("", "    many.eval();"));
  write(folder_ / "many.sv", wrapper());
  command.push_back((folder_ / "many.sv").string());
  const fs::path log = folder_ / "log";
  if (run_program(command, log.string(), {{"OBJCACHE=ccache"}, folder_.string()}) != 0)
    trouble_ = read_whole_file(log.string(), 16, "a log");
}

std::size_t VerilatedSv::all_slots() const { return std::accumulate(slots_.begin(), slots_.end(), std::size_t{1}); }

std::string VerilatedSv::wrapper() const {
  std::string text = "module many (\n  input  logic [" + std::to_string(bits_in_ - 1) + ":0] in_i,\n  output logic [" +
                     std::to_string(slot_bits * static_cast<int>(all_slots()) - 1) +
                     ":0] out_o\n);\n  always_comb begin\n    // verilator lint_off WIDTHCONCAT\n    out_o = '0;\n    "
                     "// verilator lint_on WIDTHCONCAT\n    out_o[0] = ^in_i;\n";
  int from = 0, slot = 1;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const auto put = [&](int at, const std::string& bits, const char* function) {
      text += "    out_o[" + std::to_string(slot_bits * at) + " +: " + bits +
              "] = " + sv_call(*plans_[i], package_of(i) + "::" + function, from) + ";\n";
    };
    put(slot, std::to_string(plans_[i]->d.stored_bits), "dot");
    if (plans_[i]->datapath.flags) put(slot + 1, "4", "flags");
    if (sv_has_places(*plans_[i])) put(slot + 2, package_of(i) + "::PlacesBits", "places");
    slot += static_cast<int>(slots_[i]);
    from += case_bits(*plans_[i]);
  }
  return text + "  end\nendmodule\n";
}

std::vector<Judgement> VerilatedSv::compare(const std::vector<std::vector<Case>>& cases) const {
  const std::size_t count = cases.front().size(), words = static_cast<std::size_t>((bits_in_ + 31) / 32);
  std::vector<std::uint32_t> in(count * words);
  for (std::size_t n = 0; n < count; ++n) {
    int at = 0;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      put_case(&in[n * words], at, *plans_[i], cases[i][n]);
      at += case_bits(*plans_[i]);
    }
  }
  std::ofstream(folder_ / "in", std::ios::binary)
      .write(reinterpret_cast<const char*>(in.data()), static_cast<long>(4 * in.size()));
  std::vector<Judgement> judged(plans_.size());
  const fs::path log = folder_ / "log";
  if (run_program({(folder_ / "obj/Vmany").string(), (folder_ / "in").string(), (folder_ / "out").string()},
                  log.string()) != 0) {
    judged.front().first = "the program ended early: " + read_whole_file(log.string(), 16, "a log");
    return judged;
  }
  std::ifstream out(folder_ / "out", std::ios::binary);
  std::vector<Code> answer(all_slots());
  std::vector<LeftByCore> left_by_core;
  for (const Plan* plan : plans_) left_by_core.emplace_back(*plan);
  Left actual;
  for (std::size_t n = 0; n < count; ++n) {
    out.read(reinterpret_cast<char*>(answer.data()), static_cast<long>(sizeof(Code) * answer.size()));
    const Code* slots = &answer[1];
    for (std::size_t i = 0; out && i < plans_.size(); slots += slots_[i], ++i) {
      const Left& expected = left_by_core[i](cases[i][n]);
      read_left(slots, slots_[i], actual);
      ++judged[i].cases;
      if (expected == actual)
        ++judged[i].same;
      else if (judged[i].first.empty())
        judged[i].first = case_name(cases[i][n]) + ": " + difference(*plans_[i], expected, actual);
    }
  }
  return judged;
}

}  // namespace assay
