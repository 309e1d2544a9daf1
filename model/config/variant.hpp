// Variants of instructions: modes of a processor, each with what it changes in a datapath.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/config/datapath_file.hpp"
#include "model/core/bounds.hpp"

namespace assay {

// A key of a datapath and what stands there instead; `*` is each adder: adders.*.result[0].cut.
struct WordChange {
  std::string path;
  YamlValue value;
};

// Of these families, where operands have these formats, all variants of `with` are asked for too, and none of
// `without`.
struct VariantChange {
  std::vector<std::string> of, with, without;
  std::map<std::string, std::string> where;  // by operand
  std::vector<WordChange> words;
};

struct Variant {
  std::string name;  // fz; s{n}, of a number n
  std::string about;
  std::string field;             // variants of one field exclude each other; empty: of none
  std::optional<Bounds> number;  // n
  std::vector<std::string> of;   // families
  YamlValue evidence;
  std::string evidence_with_others;  // empty: the same
  std::vector<VariantChange> changes;

  bool is_of(const std::string& family) const;
};

// The list of an architecture's file; `families` are the names that its families have there.
std::vector<Variant> read_variants(const YamlValue& list, const std::vector<std::string>& families);

// An instruction that is asked for: fmopa_f32, of a family.
struct VariantsOf {
  std::string instruction, family;
  const Operands& operands;
};

struct AskedVariants {
  std::vector<const Variant*> variants;
  std::vector<WordChange> changes;  // in the order in which they are made
};

// Variants by their names, "fz" and "s7". Where that cannot be, nothing, and `why` says what would be right.
std::optional<AskedVariants> ask_variants(const std::vector<Variant>& table, const VariantsOf& of,
                                          const std::vector<std::string>& names, std::string& why);

DatapathFile with_changes(DatapathFile file, const std::vector<WordChange>& changes);

// What the variants of a family change, for people; empty where it has none.
std::string describe_variants(const std::vector<Variant>& table, const VariantsOf& of);
// Their names: "ebf, ah, s{n}".
std::vector<std::string> variant_names(const std::vector<Variant>& table, const std::string& family);

}  // namespace assay
