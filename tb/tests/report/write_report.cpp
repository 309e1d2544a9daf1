// write_report FOLDER: the report and the plots of the made-up study, for what looks at them from outside; and of
// another run of it what a reader may hold beside it, other.html and other.json; and empty.html, of a study without
// rows.
#include <iostream>

#include "model/base/output_file.hpp"
#include "tb/explore/output.hpp"
#include "tb/explore/report/report.hpp"
#include "tb/tests/report/study.hpp"

namespace {

// Without its last input, with four times the error at F = 8 and 20 ulps more bias at F = 9.
assay::StudyResult another_run(assay::StudyResult study) {
  study.title = "Another <b>run</b>";
  std::vector<assay::Row> rows;
  for (assay::Row row : study.rows) {
    const std::string& name = study.points[static_cast<std::size_t>(row.point)].name;
    if (row.input + 1 == static_cast<int>(study.inputs.size())) continue;
    if (name.rfind("F = 8,", 0) == 0) row.measures.normwise.mean *= 4;
    if (name.rfind("F = 9,", 0) == 0) row.measures.bias_ulps.mean += 20;
    rows.push_back(row);
  }
  study.rows = rows;
  study.inputs.pop_back();
  return study;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "write_report takes one folder, where it writes report.html and the plots.\n";
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  const assay::StudyResult study = assay::made_up_study();
  assay::write_whole_file(folder + "report.html", assay::report_html(study));
  const assay::StudyResult other = another_run(study);
  assay::write_whole_file(folder + "other.html", assay::report_html(other));
  assay::write_whole_file(folder + "other.json", assay::result_json(other));
  assay::StudyResult empty;
  empty.title = "empty";
  assay::write_whole_file(folder + "empty.html", assay::report_html(empty));
  for (const assay::Plot& plot : assay::plots(study)) assay::write_whole_file(folder + plot.file, plot.svg);
}
