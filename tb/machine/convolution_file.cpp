#include "tb/machine/convolution_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "model/config/yaml.hpp"
#include "tb/explain/exact.hpp"
#include "tb/gemm/operands.hpp"
#include "tb/machine/mma_datapaths.hpp"

namespace assay::machine {
namespace {

constexpr std::uint64_t most_elements = std::uint64_t{1} << 20;        // of activations, and of weights
constexpr std::uint64_t most_terms = std::uint64_t{1} << 16;           // of an output
constexpr std::uint64_t most_products = std::uint64_t{1} << 28;        // multiply-adds of one form
constexpr std::uint64_t most_exact_products = std::uint64_t{1} << 22;  // that are held to exact sums

struct FormatChoice {
  std::string_view name;
  MmaKind kind;
};

constexpr FormatChoice choices[] = {{"f16", MmaKind::f16},     {"bf16", MmaKind::f16},    {"tf32", MmaKind::tf32},
                                    {"e4m3", MmaKind::f8f6f4}, {"e5m2", MmaKind::f8f6f4}, {"e3m2", MmaKind::f8f6f4},
                                    {"e2m3", MmaKind::f8f6f4}, {"e2m1", MmaKind::f8f6f4}};

// A pair of numbers, of height and of width; or one for both.
std::pair<int, int> read_pair(const YamlValue& value, int least) {
  constexpr int most = 64;
  if (!value.is_list()) return {value.integer(least, most), value.integer(least, most)};
  const std::vector<YamlValue> items = value.items();
  if (items.size() != 2) value.fail("one number is needed here, or two: of height and of width.");
  return {items[0].integer(least, most), items[1].integer(least, most)};
}

void read_formats(const YamlValue& value, ConvolutionUnit& unit) {
  std::vector<std::string_view> names;
  for (const FormatChoice& choice : choices) names.push_back(choice.name);
  const std::vector<YamlValue> items = value.is_list() ? value.items() : std::vector<YamlValue>{value, value};
  if (items.size() != 2) value.fail("one format is needed here, or two: of activations and of weights.");
  const FormatChoice &a = choices[items[0].one_of(names)], &b = choices[items[1].one_of(names)];
  if (a.kind != b.kind)
    value.fail("no instruction multiplies " + std::string(a.name) + " and " + std::string(b.name) + ".");
  unit.kind = a.kind;
  unit.a = a.name;
  unit.b = b.name;
}

std::uint64_t products_of(const ConvolutionShape& s) {
  return static_cast<std::uint64_t>(s.n) * static_cast<std::uint64_t>(s.p()) * static_cast<std::uint64_t>(s.q()) *
         static_cast<std::uint64_t>(s.k) * static_cast<std::uint64_t>(s.r) * static_cast<std::uint64_t>(s.s) *
         static_cast<std::uint64_t>(s.c);
}

// Activations are rows, weights columns of one generated product, along channels.
ConvolutionData generated(const ConvolutionTask& task, const Plan& plan) {
  const ConvolutionShape& s = task.shape;
  ConvolutionData data;
  data.channels = (s.c + plan.k - 1) / plan.k * plan.k;
  const int pixels = s.n * s.h * s.w, kernels = s.k * s.r * s.s;
  const Generator generator(plan, task.seed, find_family(plan, gemm::usual_family(plan)));
  const Matrices x = gemm::generated(plan, {pixels, kernels, data.channels}, generator);
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  data.activations = x.a;
  data.weights.resize(x.b.size());
  for (int i = 0; i < kernels; ++i) {
    for (int c = 0; c < data.channels; ++c) data.weights[index(i * data.channels + c)] = x.b[index(c * kernels + i)];
  }
  const auto zero = [&](std::vector<Code>& codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (static_cast<int>(i % index(data.channels)) >= s.c) codes[i] = 0;
    }
  };
  zero(data.activations);
  zero(data.weights);
  return data;
}

// The products of one output as one long dot product.
Case whole_sum(const ConvolutionShape& s, const ConvolutionData& data, int output) {
  const int kernel = output % s.k, q = output / s.k % s.q(), p = output / s.k / s.q() % s.p(),
            n = output / s.k / s.q() / s.p();
  Case one;
  for (int r = 0; r < s.r; ++r) {
    for (int t = 0; t < s.s; ++t) {
      const int h = p * s.stride_h - s.pad_h + r * s.dilation_h, w = q * s.stride_w - s.pad_w + t * s.dilation_w;
      const auto channels = static_cast<std::size_t>(data.channels);
      if (h < 0 || h >= s.h || w < 0 || w >= s.w) {  // padding
        one.a.resize(one.a.size() + channels);
        one.b.resize(one.b.size() + channels);
        continue;
      }
      const auto a = data.activations.begin() + static_cast<std::ptrdiff_t>(((n * s.h + h) * s.w + w)) * data.channels;
      const auto b = data.weights.begin() + static_cast<std::ptrdiff_t>(((kernel * s.r + r) * s.s + t)) * data.channels;
      one.a.insert(one.a.end(), a, a + data.channels);
      one.b.insert(one.b.end(), b, b + data.channels);
    }
  }
  return one;
}

void hold_to_exact_sums(ConvolutionReport& report, const ConvolutionData& data, const Datapath& datapath) {
  const ConvolutionShape& s = report.task.shape;
  const Plan plan = plan_or_fail(datapath, s.r * s.s * data.channels, {});
  const std::uint64_t each =
      std::max<std::uint64_t>((products_of(s) + most_exact_products - 1) / most_exact_products, 1);
  for (int output = 0; output < s.outputs(); output += static_cast<int>(each)) {
    const Case one = whole_sum(s, data, output);
    const explain::ExactSum exact = explain::exact_sum(plan, one);
    ++report.held;
    for (ConvolutionFormReport& form : report.forms) {
      const Code d = form.result.output[static_cast<std::size_t>(output)];
      if (exact.nearest && *exact.nearest != d) ++form.not_nearest;
      const auto error = explain::error_of(plan, exact, d);
      if (error)
        form.largest_error = std::max(
            form.largest_error, std::abs(std::ldexp(error->significand.get_d(), static_cast<int>(error->exponent))));
    }
  }
}

std::string_view form_name(ConvolutionForm form) {
  switch (form) {
    case ConvolutionForm::direct: return "direct";
    case ConvolutionForm::mma: return "mma";
    case ConvolutionForm::reuse: return "reuse";
    case ConvolutionForm::lanes: break;
  }
  return "lanes";
}

std::uint64_t fetched(const ConvolutionCounts& c) { return c.activations + c.weights; }

std::string bits_text(const ConvolutionReport& report, const ConvolutionFormReport& form) {
  const std::string all = grouped(static_cast<std::uint64_t>(report.task.shape.outputs()));
  if (form.other_bits == 0)
    return fmt::format("{}: the bits of the direct form, in all {} outputs.\n", form_name(form.form), all);
  return fmt::format(
      "{}: {} of {} outputs have other bits than the direct form, whose order of sums is {} and not {}.\n",
      form_name(form.form), grouped(form.other_bits), all, order_of_sums(ConvolutionForm::direct),
      order_of_sums(form.form));
}

std::string lane_text(const LaneContent& lane) {
  const std::string held = lane.n ? fmt::format("{},{}", *lane.n, lane.w) : "0";
  return lane.is_off ? "(" + held + ")" : held;
}

std::string lanes_text(const ConvolutionReport& report) {
  const auto& lanes = report.forms.back().result.first_lanes;
  if (lanes.empty()) return "";
  std::string text =
      "\nThe activation n,w in each lane of the first tile, p = 0, r = 0; in brackets: disabled\n\n  lane";
  for (std::size_t s = 0; s < lanes.size(); ++s) text += fmt::format("  {:<8}", fmt::format("s = {}", s));
  text = text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  for (std::size_t lane = 0; lane < lanes.front().size(); ++lane) {
    std::string row = fmt::format("{:>6}", lane);
    for (const auto& at : lanes) row += fmt::format("  {:<8}", lane_text(at[lane]));
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

ConvolutionTask read_convolution(const std::string& path) {
  const YamlValue top = read_yaml_file(path);
  top.only({"convolution", "N", "H", "W", "C", "K", "R", "S", "stride", "padding", "dilation", "formats", "lanes",
            "kernels", "seed"});
  ConvolutionTask task;
  ConvolutionShape& s = task.shape;
  constexpr int most = 4096;
  task.name = top.at("convolution").text();
  for (const auto& [key, number] :
       {std::pair("N", &s.n), std::pair("H", &s.h), std::pair("W", &s.w), std::pair("C", &s.c), std::pair("K", &s.k),
        std::pair("R", &s.r), std::pair("S", &s.s)})
    *number = top.at(key).integer(1, most);
  if (const auto stride = top.find("stride")) std::tie(s.stride_h, s.stride_w) = read_pair(*stride, 1);
  if (const auto padding = top.find("padding")) std::tie(s.pad_h, s.pad_w) = read_pair(*padding, 0);
  if (const auto dilation = top.find("dilation")) std::tie(s.dilation_h, s.dilation_w) = read_pair(*dilation, 1);
  if (const auto lanes = top.find("lanes")) s.lanes = lanes->integer(1, 128);
  if (const auto kernels = top.find("kernels")) s.kernels = kernels->integer(1, 128);
  if (const auto seed = top.find("seed")) task.seed = static_cast<std::uint64_t>(seed->integer(0, 1'000'000'000));
  read_formats(top.at("formats"), task.unit);
  if (const std::string why = problem(s); !why.empty()) top.fail(why);
  const int channels = (s.c + 31) / 32 * 32;
  const auto at_most = [&](const std::string& what, std::initializer_list<int> numbers, std::uint64_t most_taken) {
    std::uint64_t count = 1;
    for (const int number : numbers) count *= static_cast<std::uint64_t>(number);
    if (count > most_taken)
      top.fail("this convolution has " + grouped(count) + " " + what +
               ", channels filled up to a multiple of 32; at most " + grouped(most_taken) + " are taken.");
  };
  at_most("activations", {s.n, s.h, s.w, channels}, most_elements);
  at_most("weights", {s.k, s.r, s.s, channels}, most_elements);
  at_most("terms an output", {s.r, s.s, channels}, most_terms);
  if (products_of(s) > most_products)
    top.fail("this convolution has " + grouped(products_of(s)) + " multiply-adds; at most " + grouped(most_products) +
             " are taken.");
  return task;
}

std::uint64_t rows_of(const ConvolutionTask& task) {
  return std::size(convolution_forms) * static_cast<std::uint64_t>(task.shape.p());
}

ConvolutionReport run_convolution(const ConvolutionTask& task, const Catalogue& catalogue,
                                  const std::function<void(std::uint64_t done)>& progress) {
  const MmaDatapaths datapaths = mma_datapaths(catalogue);
  const MmaDatapath* const datapath = datapaths(task.unit.shape(128, 16));
  if (datapath == nullptr) throw Error{"No instruction multiplies " + task.unit.a + " and " + task.unit.b + "."};
  const ConvolutionData data = generated(task, datapath->plan);
  ConvolutionReport report{task, datapath->plan.k, 0, {}};
  std::uint64_t rows = 0;
  const auto row_done = [&] {
    ++rows;
    if (progress) progress(rows);
  };
  for (const ConvolutionForm form : convolution_forms) {
    ConvolutionFormReport one;
    one.form = form;
    one.result = convolve(form, task.shape, task.unit, data, datapaths, row_done);
    const std::vector<Code>& direct = report.forms.empty() ? one.result.output : report.forms.front().result.output;
    for (std::size_t i = 0; i < direct.size(); ++i) one.other_bits += direct[i] != one.result.output[i] ? 1 : 0;
    report.forms.push_back(std::move(one));
  }
  hold_to_exact_sums(report, data, datapath->plan.datapath);
  return report;
}

std::string convolution_text(const ConvolutionReport& report, bool with_lanes) {
  const ConvolutionTask& t = report.task;
  const ConvolutionShape& s = t.shape;
  std::string text = fmt::format("{}: N x H x W x C = {} x {} x {} x {}, K x R x S = {} x {} x {}, P x Q = {} x {}\n",
                                 t.name, s.n, s.h, s.w, s.c, s.k, s.r, s.s, s.p(), s.q());
  text += fmt::format(
      "activations {}, weights {}, sums f32; {} outputs and {} kernels a tile, {} channels an instruction\n\n",
      t.unit.a, t.unit.b, s.lanes, s.kernels, report.k);
  text += fmt::format("{:<8}{:<10}{:>10}{:>14}{:>12}{:>14}{:>12}{:>9}\n", "", "order", "products", "activations",
                      "weights", "Dwords", "saved", "shifts");
  for (const ConvolutionFormReport& form : report.forms) {
    const ConvolutionCounts& c = form.result.counts;
    text += fmt::format("{:<8}{:<10}{:>10}{:>14}{:>12}{:>14}{:>12}{:>9}\n", form_name(form.form),
                        order_of_sums(form.form), grouped(c.products), grouped(c.activations), grouped(c.weights),
                        grouped(fetched(c)), grouped(c.saved), grouped(c.shifts));
  }
  text += "\nDwords are those fetched from shared memory; saved are those of activations that were there already.\n\n";
  text += fmt::format("{:<8}{:>16}{:>16}   of {} outputs\n", "", "largest error", "not nearest", grouped(report.held));
  for (const ConvolutionFormReport& form : report.forms)
    text += fmt::format("{:<8}{:>16.3e}{:>16}\n", form_name(form.form), form.largest_error, grouped(form.not_nearest));
  text += "\n";
  for (std::size_t i = 1; i < report.forms.size(); ++i) text += bits_text(report, report.forms[i]);
  return with_lanes ? text + lanes_text(report) : text;
}

std::string convolution_json(const ConvolutionReport& report) {
  const ConvolutionShape& s = report.task.shape;
  nlohmann::ordered_json json{{"convolution", report.task.name},
                              {"P", s.p()},
                              {"Q", s.q()},
                              {"outputs", s.outputs()},
                              {"held_to_exact_sums", report.held}};
  for (const ConvolutionFormReport& form : report.forms) {
    const ConvolutionCounts& c = form.result.counts;
    json["forms"].push_back({{"form", form_name(form.form)},
                             {"order", order_of_sums(form.form)},
                             {"products", c.products},
                             {"activations", c.activations},
                             {"weights", c.weights},
                             {"saved", c.saved},
                             {"shifts", c.shifts},
                             {"largest_error", form.largest_error},
                             {"not_nearest", form.not_nearest},
                             {"other_bits", form.other_bits}});
  }
  for (const auto& lanes : report.forms.back().result.first_lanes) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (const LaneContent& lane : lanes) {
      nlohmann::ordered_json one{{"off", lane.is_off}};
      if (lane.n) one.update({{"n", *lane.n}, {"w", lane.w}});
      row.push_back(one);
    }
    json["lanes"].push_back(row);
  }
  return json.dump() + "\n";
}

}  // namespace assay::machine
