// Which mutants a set of cases kills, for people and for machines.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tb/coverage/coverage.hpp"
#include "tb/score/quality.hpp"
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
// "118 of 120 mutants killed, 1 equivalent, 1 open; the last one by case 741"
std::string score_headline(const KillScore& score);
// How many bins were hit, and of each point one that was not. `option`: how a command line names the subject.
std::string uncovered_text(const Coverage& coverage, const std::string& option);
nlohmann::json uncovered_json(const Coverage& coverage);

// Of the cases of a run: a line or more for each that was asked for, members "score" and "coverage" of its report, and
// a name and a text for its sheet.
std::string quality_text(const ScoreTitle& title, const CaseQuality& quality);
void add_quality(const ScoreTitle& title, const CaseQuality& quality, nlohmann::json& report);
std::vector<std::pair<std::string, std::string>> quality_facts(const CaseQuality& quality);
nlohmann::json score_json(const ScoreTitle& title, const KillScore& score);

// A table with one line a score.
std::string score_table_head(bool raw);
std::string score_row(const ScoreTitle& title, const KillScore& score);
std::string score_table_foot(const Counts& total);

}  // namespace assay
