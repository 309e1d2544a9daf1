# The model, its SystemC modules and the unit for TLM-2.0 platforms, compiled by the user's compiler and linked with the
# user's SystemC. It is src/CMakeLists.txt of a release, and stands in the way of nothing: find_package(assay) adds it, or
# add_subdirectory. What the model needs besides, yaml-cpp and fmt, lies beside it.
cmake_minimum_required(VERSION 3.13)
project(assay_sources LANGUAGES CXX)

if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

file(GLOB model model/base/*.cpp model/core/*.cpp model/layout/*.cpp model/config/*.cpp)
file(GLOB brought yaml-cpp/src/*.cpp fmt/src/format.cc)
add_library(assay_model STATIC ${model} ${brought})
target_include_directories(assay_model PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} PRIVATE yaml-cpp/include fmt/include)
target_compile_definitions(assay_model PRIVATE YAML_CPP_STATIC_DEFINE)
# A product and the sum that takes it stay two operations, whatever the compiler's habit.
target_compile_options(assay_model PRIVATE -ffp-contract=off)
find_package(Threads REQUIRED)
target_link_libraries(assay_model PUBLIC Threads::Threads)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 9)
  target_link_libraries(assay_model PUBLIC stdc++fs)
endif()
add_library(assay::model ALIAS assay_model)

option(ASSAY_SYSTEMC "Build the SystemC modules" OFF)
if(ASSAY_SYSTEMC)
  add_subdirectory(systemc)
endif()
