// A study file: what is varied, on which inputs, and what is known of it. docs/explore.md explains each key.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "tb/explore/result.hpp"

namespace assay {

// Who multiplies by the scales of blocks: nobody, where there are none; the unit, wherever its datapath says
// `times: scales`; or whoever promotes a sum, by s = scale_a x scale_b rounded to f32, as acc + s x sum rounded once
// (fma) or after s x sum is rounded to f32 by itself (multiply_add). `own`: whatever the datapath's operands say.
enum class ScaledBy { own, none, unit, fma, multiply_add };

struct Scaling {
  ScaledBy scales = ScaledBy::own;
  std::string format;
  int block = 0;                   // values of k that share a scale; may span several instructions
  bool tensor = false;             // one more scale for the whole tensor, an f32
  std::optional<Side> of;          // whose elements have scales; nothing: of both sides
  std::optional<double> greatest;  // what they bring the greatest magnitude to; nothing: the format's greatest number

  bool at_promotion() const { return scales == ScaledBy::fma || scales == ScaledBy::multiply_add; }
};

// How K is walked, beside what the datapath itself does.
struct Walk {
  int promote_every = 0;  // so many values of k are summed from zero, then added to an f32 accumulator; 0: never
  int split_k = 1;        // K is cut into so many runs, whose sums are added in order
  std::string output;     // the format the result is rounded to at last; empty: as it was accumulated
  Scaling scaling;

  bool is_promoted() const { return promote_every != 0 || split_k != 1; }
};

// One key that a point of the study has otherwise than its base: of the datapath, `datapath` or `instruction` as a
// whole, or of the walk.
struct Setting {
  std::string path;
  YamlValue value;
};

struct AxisValue {
  std::string label;
  std::vector<Setting> settings;
};

struct StudyAxis {
  std::string name;
  std::vector<AxisValue> values;
};

enum class InputFamily { normal, uniform, outliers, log_uniform, ill_conditioned, gradient, listed, tensor };

struct StudyInput {
  InputFamily family = InputFamily::normal;
  std::string name;                  // as shown
  double times_a = 1, times_b = 1;   // what a and b are multiplied by before they are rounded to their formats
  double deviation_c = 0;            // c is normal with it; 0: c is zero
  double probability = 0;            // outliers: of an element being one
  double deviation = 0;              // outliers: what is then added has it
  int least = 0, greatest = 0;       // log_uniform: exponents of two
  double condition = 0;              // ill_conditioned: sum of |a x b| over |sum of a x b|
  std::vector<double> a, b;          // listed: the first terms of a row and of a column
  double c = 0;                      // listed
  std::string file, a_name, b_name;  // tensor
  bool b_transposed = false;         // tensor: b is stored n x k
  bool positive = false;             // elements of a and b without their signs
};

// A number that is published, to stand beside ours.
struct Expectation {
  std::map<std::string, std::string> where;  // by axis, `input`, `reference`, `k`
  std::string measure;
  double published = 0;
  std::optional<double> within;  // how far from it ours may be; nothing: it is only shown
  std::string source;
  std::string place;  // "study.yaml:30"
};

inline constexpr int most_attributed = 4096;  // elements of a row

struct Study {
  std::string file, text;
  std::string name, title, description;
  DatapathFile base;
  Walk walk;
  std::vector<StudyAxis> axes;
  std::vector<StudyInput> inputs;
  std::vector<ProductShape> shapes;
  int seeds = 1, seed = 1;
  std::vector<std::string> references;
  bool cost = false;
  int budget = 0;       // elements whose errors are attributed to the places that made them; 0: none
  std::string measure;  // what the findings say first, as `expect` names it; empty: nothing beside the usual
  std::vector<Expectation> expectations;
};

// Those of configs/study, in order.
std::vector<std::string> study_names(const Catalogue& catalogue);
std::string study_path(const Catalogue& catalogue, const std::string& name);

// --- parts of a study's file, for files that have them too; each throws Error ---

std::string read_study_text(const std::string& path);  // UTF-8
std::string plain_name(const YamlValue& value);        // of a-z, 0-9, _ and -
// All that says what is multiplied, and how: title, description, datapath or instruction, operands, k, the keys of a
// walk, inputs, shapes, seeds, seed, references.
void read_work(const YamlValue& top, const Catalogue& catalogue, Study& study);
void read_axes(const YamlValue& value, Study& study);

// What a text is that is a whole number and nothing else.
std::optional<int> int_in(const std::string& text);

// Whether an axis says of every value how many bits something has, as `keep` does, and never fewer than before. Other
// numbers that grow, such as those of `promote_every`, are no widths: more of them need not be better.
bool sets_bits(const StudyAxis& axis);

// Throws Error.
Study read_study(const std::string& path, const Catalogue& catalogue);

// `settings` applied to a datapath and a walk. Throws Error.
struct Unplanned {
  DatapathFile file;
  Walk walk;
};
Unplanned with_settings(const Unplanned& base, const std::vector<Setting>& settings, const Catalogue& catalogue);

// The measures that an expectation may name, each with its estimate in a row; then those that belong to an axis.
const std::vector<std::pair<std::string, Estimate Measures::*>>& measure_names();
std::vector<std::string_view> names_of_measures();
// Nothing where there is no measure of this name.
std::optional<Estimate> measure_named(const std::string& name, const Measures& measures);
inline constexpr std::string_view first_correct_measure = "first_correct", knee_measure = "knee";

}  // namespace assay
