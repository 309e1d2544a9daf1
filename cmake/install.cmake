# What `cmake --install` lays down. Everything finds everything else by where it lies, so the tree may be moved.
# Components: `data`, for which nothing has to be built and which scripts/wheel takes; `programs` besides, which need no
# library of C++ to be used, and of which scripts/release makes an archive; `sources`, for that archive alone; and the rest.
include(CMakePackageConfigHelpers)

install(TARGETS assay assay-host COMPONENT programs)
if(TARGET assay-systemc)
  install(TARGETS assay-systemc COMPONENT programs)
endif()

# --- what the programs read: configs, our RTL, and the C++ that goes into a Verilated device ---
set(SHARE ${CMAKE_INSTALL_DATADIR}/assay)
install(DIRECTORY configs rtl_ref DESTINATION ${SHARE} COMPONENT data)
install(FILES tb/oracle/instructions.csv DESTINATION ${SHARE}/tb/oracle COMPONENT data)
install(DIRECTORY tb/vectors/captured tb/vectors/emulated DESTINATION ${SHARE}/tb/vectors COMPONENT data)
foreach(to ${SHARE} ${CMAKE_INSTALL_INCLUDEDIR}/assay)
  install(FILES model/base/hex.hpp model/base/json.hpp DESTINATION ${to}/model/base COMPONENT data)
  install(FILES tb/devices/records.hpp tb/devices/serve.hpp DESTINATION ${to}/tb/devices COMPONENT data)
  install(FILES tb/vectors/lines.hpp tb/vectors/print.hpp tb/vectors/scan.hpp DESTINATION ${to}/tb/vectors COMPONENT data)
endforeach()
install(FILES tb/devices/rtl/bare.hpp tb/devices/rtl/clocked.hpp tb/devices/rtl/harness.hpp tb/devices/rtl/stopped.hpp
        tb/devices/rtl/tile.hpp
        DESTINATION ${SHARE}/tb/devices/rtl COMPONENT data)

# --- for people ---
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
if(ASSAY_PAGE)
  install(FILES ${PROJECT_BINARY_DIR}/share/assay-pages/explorer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/assay-pages
          COMPONENT programs)
endif()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)

install(FILES ${PROJECT_BINARY_DIR}/assay.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT programs)

# --- for shells, each where its packages put theirs ---
install(FILES ${PROJECT_BINARY_DIR}/assay.bash RENAME assay
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT programs)
install(FILES ${PROJECT_BINARY_DIR}/_assay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT programs)
install(FILES ${PROJECT_BINARY_DIR}/assay.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
        COMPONENT programs)

# --- for Python ---
# Where Debian's Python looks below /usr/local and below /usr.
find_program(DEBIAN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
set(python_version 3.11)
if(DEBIAN_PYTHON)
  execute_process(COMMAND ${DEBIAN_PYTHON} -c "import sys; print('%d.%d' % sys.version_info[:2])"
                  OUTPUT_VARIABLE python_version OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
install(DIRECTORY model/python/assay DESTINATION lib/python${python_version}/dist-packages
        PATTERN __pycache__ EXCLUDE PATTERN _bundle EXCLUDE)

# --- for SystemVerilog simulators ---
install(TARGETS assay_dpi COMPONENT programs)
install(FILES tb/dpi/assay_dpi_pkg.sv DESTINATION ${SHARE}/dpi COMPONENT programs)

# --- for other projects: find_package(assay) ---
set_target_properties(assay_options PROPERTIES EXPORT_NAME options)
set_target_properties(assay_base PROPERTIES EXPORT_NAME base)
set_target_properties(assay_core PROPERTIES EXPORT_NAME core)
set_target_properties(assay_config PROPERTIES EXPORT_NAME config)
set_target_properties(assay_layout PROPERTIES EXPORT_NAME layout)
set_target_properties(assay_model PROPERTIES EXPORT_NAME model)
set_target_properties(assay_c_shared PROPERTIES EXPORT_NAME c)
set_target_properties(assay_c_static PROPERTIES EXPORT_NAME c_static)
target_compile_features(assay_core PUBLIC cxx_std_17)

install(TARGETS assay_options assay_base assay_core assay_layout assay_config assay_model assay_c_static EXPORT assay)
install(TARGETS assay_c_shared EXPORT assay COMPONENT programs)
install(DIRECTORY model/base model/core model/layout model/config DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay/model
        FILES_MATCHING PATTERN "*.hpp")
install(FILES tb/capi/assay.h TYPE INCLUDE COMPONENT programs)

set(PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
# The component systemc: its own export set, so that who wants the model alone needs no SystemC.
if(TARGET assay_tlm)
  set_target_properties(assay_systemc PROPERTIES EXPORT_NAME systemc_modules)
  set_target_properties(assay_tlm PROPERTIES EXPORT_NAME systemc)
  install(TARGETS assay_systemc assay_tlm EXPORT assay_systemc)
  install(DIRECTORY model/systemc model/tlm DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay/model
          FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT assay_systemc NAMESPACE assay:: FILE assay_systemc_targets.cmake DESTINATION ${PACKAGE})
  # The component machine: what surrounds the unit, on the fast model and so on Highway.
  set_target_properties(assay_fast PROPERTIES EXPORT_NAME fast)
  set_target_properties(assay_machine PROPERTIES EXPORT_NAME machine_around)
  set_target_properties(assay_tlm_machine PROPERTIES EXPORT_NAME machine)
  install(TARGETS assay_fast assay_machine assay_tlm_machine EXPORT assay_machine)
  install(DIRECTORY model/fast model/machine DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/assay/model
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*-inl.hpp" EXCLUDE)
  install(EXPORT assay_machine NAMESPACE assay:: FILE assay_machine_targets.cmake DESTINATION ${PACKAGE})
endif()

install(EXPORT assay NAMESPACE assay:: FILE assayTargets.cmake DESTINATION ${PACKAGE})
configure_package_config_file(cmake/assayConfig.cmake.in ${PROJECT_BINARY_DIR}/assayConfig.cmake
  INSTALL_DESTINATION ${PACKAGE} PATH_VARS SHARE)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/assayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/assayConfig.cmake ${PROJECT_BINARY_DIR}/assayConfigVersion.cmake
        DESTINATION ${PACKAGE})

# --- for projects with another compiler than the release: the same targets, built beside what links them ---
set(SOURCES_TO COMPONENT sources EXCLUDE_FROM_ALL)
install(DIRECTORY model/base model/core model/layout model/config model/systemc model/tlm DESTINATION src/model ${SOURCES_TO}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cpp" PATTERN format_table.cpp EXCLUDE PATTERN machine EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/model/core/formats.cpp DESTINATION src/model/core ${SOURCES_TO})
install(FILES cmake/sources.cmake DESTINATION src RENAME CMakeLists.txt ${SOURCES_TO})
install(FILES cmake/sources_systemc.cmake DESTINATION src/systemc RENAME CMakeLists.txt ${SOURCES_TO})
install(FILES cmake/sourcesConfig.cmake DESTINATION lib/cmake/assay RENAME assayConfig.cmake ${SOURCES_TO})
install(FILES ${PROJECT_BINARY_DIR}/assayConfigVersion.cmake DESTINATION lib/cmake/assay ${SOURCES_TO})
