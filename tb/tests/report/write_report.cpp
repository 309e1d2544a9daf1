// write_report FOLDER: the report and the plots of the made-up study, for what looks at them from outside.
#include <iostream>

#include "model/base/output_file.hpp"
#include "tb/explore/report/report.hpp"
#include "tb/tests/report/study.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "write_report takes one folder, where it writes report.html and the plots.\n";
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  const assay::StudyResult study = assay::made_up_study();
  assay::write_whole_file(folder + "report.html", assay::report_html(study));
  for (const assay::Plot& plot : assay::plots(study)) assay::write_whole_file(folder + plot.file, plot.svg);
}
