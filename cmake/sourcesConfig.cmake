# find_package(assay) in a release: assay::c, the library of C, as it lies there; and from the sources beside it, compiled
# with the project that asks, assay::model and, as the component systemc, assay::systemc. assay_SHARE is the catalogue's folder.
get_filename_component(assay_PREFIX ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(assay_SHARE ${assay_PREFIX}/share/assay)
if(NOT TARGET assay::c)
  add_library(assay::c SHARED IMPORTED)
  set_target_properties(assay::c PROPERTIES IMPORTED_LOCATION ${assay_PREFIX}/lib/libassay.so
                                            INTERFACE_INCLUDE_DIRECTORIES ${assay_PREFIX}/include)
endif()
if(NOT TARGET assay_model AND CMAKE_CXX_COMPILER)
  if("systemc" IN_LIST assay_FIND_COMPONENTS)
    set(ASSAY_SYSTEMC ON)
  endif()
  add_subdirectory(${assay_PREFIX}/src ${CMAKE_BINARY_DIR}/assay EXCLUDE_FROM_ALL)
endif()
set(assay_systemc_FOUND ${ASSAY_SYSTEMC})
