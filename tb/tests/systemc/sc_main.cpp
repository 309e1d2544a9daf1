// libsystemc has its own `main`, which calls this. SystemC elaborates once a process, so ctest runs each test in its
// own.
#include <gtest/gtest.h>

#include <cstdio>
#include <systemc>

int sc_main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // A duplicate name is renamed with no more than a warning; names stand in reports.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, sc_core::SC_THROW);
  const int status = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
    std::fprintf(stderr, "No test ran: --gtest_filter must name at least one.\n");
    return 3;
  }
  return status;
}
