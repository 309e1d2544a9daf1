#include "tb/explore/report/study_folder.hpp"

#include "model/base/output_file.hpp"
#include "tb/explore/budget_output.hpp"
#include "tb/explore/output.hpp"
#include "tb/explore/report/report.hpp"

namespace assay {

void write_study_folder(const std::string& folder, const StudyResult& result) {
  write_whole_file(folder + "/study.yaml", result.text);
  write_whole_file(folder + "/table.csv", result_csv(result));
  write_whole_file(folder + "/result.json", result_json(result));
  write_whole_file(folder + "/report.html", report_html(result));
  if (!result.budgets.empty()) {
    write_whole_file(folder + "/budget.csv", budget_csv(result));
    write_whole_file(folder + "/forecast.csv", forecast_csv(result));
  }
  for (const Plot& plot : plots(result)) write_whole_file(folder + "/" + plot.file, plot.svg);
}

}  // namespace assay
