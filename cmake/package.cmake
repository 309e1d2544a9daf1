# What `cpack` packs: a package of Debian, of all that `cmake --install` lays down. scripts/deb calls it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME assay)
set(CPACK_PACKAGE_CONTACT "The developers of Assay <assay@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "bit-accurate models of matrix-multiply units, and a bench for designs of them")
set(CPACK_PACKAGE_DESCRIPTION "What Tensor Cores and Matrix Cores compute, to the last bit, and a bench that holds RTL, recorded
silicon and new ideas against it: the command assay, libraries for C, C++, SystemC and SystemVerilog, a package for Python.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)  # a third of the time of xz, a quarter more bytes
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # the libraries that the programs load, by their packages
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, verilator (>= 5), yosys, qflow-tech-osu018, nextpnr-ice40, libsystemc-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/prerm)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/deb.cmake)
include(CPack)
