// Which mutants a set of cases kills, for people and for machines.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/coverage/coverage.hpp"
#include "tb/score/raw.hpp"

namespace assay {

struct ScoreTitle {
  std::string subject;                             // the instruction
  std::string option;                              // how a command line says so; empty: it has no way to
  std::string cases;                               // "5000 generated cases, seed 1"
  std::function<std::string(const Case&)> family;  // of generated cases; none: they are a file's
  std::optional<RawScore> raw;
  std::optional<Coverage> coverage;  // of the same cases, where it was looked at
};

std::string score_text(const ScoreTitle& title, const KillScore& score);
nlohmann::json score_json(const ScoreTitle& title, const KillScore& score);

// A table with one line a score.
std::string score_table_head(bool raw);
std::string score_row(const ScoreTitle& title, const KillScore& score);
std::string score_table_foot(const Counts& total);

}  // namespace assay
